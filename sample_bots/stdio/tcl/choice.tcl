# Decisions: which of the legal actions to take at a table.

namespace eval choice {}

# The place of the action to take, from 0: the one of the greatest worth, the first of equals.
proc choice::index {table actions} {
    set index 0
    set most -Inf
    foreach place [lsearch -all $actions *] action $actions {
        set worth [Worth $table $action]
        if {$worth > $most} {
            set index $place
            set most $worth
        }
    }
    return $index
}

proc choice::Worth {table action} {
    set hand [dict get $table hand]
    set fairShare [expr {double([llength $hand]) / [dict get $table seats]}]
    switch -- [dict get $action kind] {
        ACTION_KIND_PLAY {
            return [PlayWorth $table [dict get $action card]]
        }
        ACTION_KIND_CHOOSE - ACTION_KIND_ORDER {
            set trump [table::suit_letter [dict get $action trump]]
            return [cards::suitability $hand [dict get $action contract] $trump]
        }
        ACTION_KIND_PASS {
            return 0.05
        }
        ACTION_KIND_BID {
            # A bid is paid with tricks, so a game is worth what it makes beyond them.
            return [expr {[BestTricks $hand] - $fairShare - [dict get $action trick_count]}]
        }
        ACTION_KIND_NAME_TRUMP {
            return [cards::tricks $hand [table::suit_letter [dict get $action trump]] 0]
        }
        ACTION_KIND_MISERE {
            return [cards::tricks $hand "" 1]
        }
        ACTION_KIND_BY_LAST {
            return [expr {[cards::tricks $hand "" 0] + 0.25}]
        }
        ACTION_KIND_TWO_TRICKS_EACH {
            return $fairShare
        }
        ACTION_KIND_KEEP {
            return [BestTricks $hand]
        }
        ACTION_KIND_OFFER {
            return [expr {$fairShare + 0.5}]
        }
        ACTION_KIND_GIVE {
            return [expr {-[cards::power [dict get $action card] 0]}]
        }
        default {
            return 0
        }
    }
}

proc choice::BestTricks {hand} {
    set best 0
    foreach suit $cards::suits {
        set best [expr {max($best, [cards::tricks $hand $suit 0])}]
    }
    return $best
}

# What playing a card is worth beside the other legal cards.
proc choice::PlayWorth {table card} {
    dict with table {
        set power [cards::power $card $misere]
        set harm [cards::harm $card $contract]
        set isTrump [expr {[cards::suit $card] eq $trump}]
        set isLast [expr {[llength $trick] == $seats - 1}]
        set wins [Wins $card $trick $trump $misere]
        if {[string match no_* $contract]} {
            if {[llength $trick] == 0} {
                return [expr {-$power - 20 * $harm}]
            } elseif {!$wins} {
                return [expr {100 + $power + 20 * $harm}]
            }
            return [expr {($isLast ? $power : -$power) - 20 * $harm}]
        }
        if {[llength $trick] == 0} {
            return [expr {$power - ($isTrump ? 6 : 0)}]
        } elseif {$wins} {
            return [expr {100 + ($isLast ? -$power : $power) - ($isTrump ? 20 : 0)}]
        }
        return [expr {-$power - ($isTrump ? 20 : 0)}]
    }
}

# Whether a card beats what lies in the trick.
proc choice::Wins {card trick trump misere} {
    set best [lindex $trick 0]
    foreach next [concat [lrange $trick 1 end] [list $card]] {
        set sameSuit [expr {[cards::suit $next] eq [cards::suit $best]}]
        if {$sameSuit ? [cards::power $next $misere] > [cards::power $best $misere] : [cards::suit $next] eq $trump} {
            set best $next
        }
    }
    return [expr {$best eq $card || $trick eq ""}]
}
