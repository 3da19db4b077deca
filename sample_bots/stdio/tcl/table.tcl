# One match as our seat sees it: a dict that follows what the referee tells.

namespace eval table {}

proc table::start {said} {
    return [dict create seat [dict get $said seat] seats [dict get $said seat_count] hand {} talon {} trick {} \
        contract "" trump "" misere 0]
}

# The table after a message about it. What a bot does not need, and what it does not know, changes nothing.
proc table::follow {table message} {
    set kind [lindex [dict keys $message] 1]
    if {$kind eq ""} {
        return $table
    }
    set said [dict get $message $kind]
    switch -- $kind {
        table_start {
            return [start $said]
        }
        deal_start {
            return [dict merge $table {hand {} talon {} trick {} contract "" trump "" misere 0}]
        }
        cards_dealt {
            dict lappend table hand {*}[dict get $said cards]
        }
        talon_shown {
            dict set table talon [dict get $said cards]
        }
        contract_set {
            dict set table contract [dict get $said contract]
            dict set table trump [suit_letter [dict get $said trump]]
            dict set table misere [expr {[dict get $said misere] eq "true"}]
        }
        action_taken {
            return [Played $table [dict get $said seat] [dict get $said action]]
        }
        card_given {
            return [Given $table $said]
        }
        trick_end {
            dict set table trick {}
        }
    }
    return $table
}

# The letter of a suit as the protocol names it; empty for none.
proc table::suit_letter {name} {
    return [dict get {SUIT_UNSPECIFIED "" SUIT_SPADES S SUIT_HEARTS H SUIT_DIAMONDS D SUIT_CLUBS C} $name]
}

proc table::Played {table seat action} {
    if {[dict get $action kind] ne "ACTION_KIND_PLAY"} {
        return $table
    }
    set card [dict get $action card]
    dict lappend table trick $card
    if {$seat == [dict get $table seat]} {
        dict set table hand [Without [dict get $table hand] $card]
    }
    return $table
}

proc table::Given {table said} {
    set card [dict get $said card]
    if {[dict get $said to_seat] == [dict get $table seat]} {
        dict lappend table hand $card
    } elseif {[dict get $said seat] == [dict get $table seat]} {
        # The first gift is how we learn that the talon is in our hand.
        dict set table hand [Without [concat [dict get $table hand] [dict get $table talon]] $card]
        dict set table talon {}
    }
    return $table
}

proc table::Without {hand card} {
    return [lsearch -all -inline -not -exact $hand $card]
}
