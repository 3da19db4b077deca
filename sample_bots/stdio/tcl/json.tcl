# JSON as Tcl values: an object becomes a dict, an array a list, a text or a number itself.

namespace eval json {
    variable token {"(?:[^"\\]|\\.)*"|[][{}]|[^][{}",:\s]+}
}

proc json::parse {text} {
    variable token
    set tokens [regexp -all -inline $token $text]
    set place 0
    return [Value $tokens place]
}

# The value that begins at a place among the tokens; the place then is the one behind it.
proc json::Value {tokens placeName} {
    upvar 1 $placeName place
    set token [lindex $tokens $place]
    incr place
    switch -- [string index $token 0] {
        "\{" {
            set object [dict create]
            while {[set key [lindex $tokens $place]] ne "\}"} {
                incr place
                dict set object [Text $key] [Value $tokens place]
            }
            incr place
            return $object
        }
        "\[" {
            set array [list]
            while {[lindex $tokens $place] ne "\]"} {
                lappend array [Value $tokens place]
            }
            incr place
            return $array
        }
        "\"" {
            return [Text $token]
        }
        default {
            return $token
        }
    }
}

proc json::Text {token} {
    set text [string range $token 1 end-1]
    if {[string first \\ $text] < 0} {
        return $text
    }
    return [subst -nocommands -novariables $text]
}
