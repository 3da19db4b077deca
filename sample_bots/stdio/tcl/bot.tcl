# A King Arena bot in Tcl, behind `king bridge`: the dialogue with the referee, one frame a line.

set folder [file dirname [file normalize [info script]]]
foreach part {json cards table choice} {
    source [file join $folder $part.tcl]
}

proc say {messages} {
    puts "{\"messages\":\[[join $messages ,]\]}"
    flush stdout
}

# Takes in a frame; returns the answers to its requests.
proc hear {frame} {
    global tables
    set answers [list]
    foreach message [dict get $frame messages] {
        set number [dict get $message table]
        if {[dict exists $message welcome]} {
            say {{{"ready":{}}}}
        } elseif {[dict exists $message request]} {
            set request [dict get $message request]
            set index [choice::index $tables($number) [dict get $request legal_actions]]
            lappend answers "{\"choice\":{\"request_id\":\"[dict get $request request_id]\",\"index\":$index}}"
        } elseif {[dict exists $message table_end]} {
            unset tables($number)
        } else {
            if {![info exists tables($number)]} {
                set tables($number) [dict create]
            }
            set tables($number) [table::follow $tables($number) $message]
        }
    }
    return $answers
}

array set tables {}
say {{{"hello":{"name":"tcl-simple","version":"1"}}}}
while {[gets stdin line] >= 0} {
    set answers [hear [json::parse $line]]
    if {[llength $answers] > 0} {
        say $answers
    }
}
