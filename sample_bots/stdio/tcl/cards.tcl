# Cards, and what a hand of them is worth. A card is two letters, rank then suit, such as TS.

namespace eval cards {
    variable ranks 23456789TJQKA
    variable suits {S H D C}
}

# From 0 for a two to 12 for an ace; the other way round where the ranks are upside down.
proc cards::power {card misere} {
    variable ranks
    set rank [string first [string index $card 0] $ranks]
    return [expr {$misere ? 12 - $rank : $rank}]
}

proc cards::suit {card} {
    return [string index $card 1]
}

# How much a contract wants its players to avoid a card for its own sake; 0 for most cards.
proc cards::harm {card contract} {
    set rank [string index $card 0]
    set isHeart [expr {[suit $card] eq "H"}]
    switch -- $contract {
        no_hearts { return $isHeart }
        no_girls { return [expr {$rank eq "Q"}] }
        no_boys { return [expr {$rank in {K J}}] }
        no_jacks { return [expr {$rank eq "J"}] }
        no_king { return [expr {$card eq "KH" ? 8 : $isHeart && $rank eq "A"}] }
        no_jumble { return [expr {$isHeart + ($rank in {J Q K}) + 4 * ($card eq "KH")}] }
        default { return 0 }
    }
}

# About how many tricks a hand takes; an empty trump stands for none.
proc cards::tricks {hand trump misere} {
    set tricks 0.0
    set trumpCount 0
    foreach card $hand {
        set tricks [expr {$tricks + max(0, [power $card $misere] - 9) / 3.0}]
        incr trumpCount [expr {[suit $card] eq $trump}]
    }
    return [expr {$tricks + 0.7 * max(0, $trumpCount - 2)}]
}

# How well a hand suits a contract: above 0 better than most hands do.
proc cards::suitability {hand contract trump} {
    if {[llength $hand] == 0} {
        return 0.0
    }
    set height 0.0
    set harm 0
    set trumpCount 0
    foreach card $hand {
        set height [expr {$height + ([power $card 0] - 6.5) / 6.5}]
        incr harm [harm $card $contract]
        incr trumpCount [expr {[suit $card] eq $trump}]
    }
    set size [llength $hand]
    if {[string match no_* $contract]} {
        return [expr {-($height + $harm) / $size}]
    }
    return [expr {($height + 2 * max(0, $trumpCount - $size / 4.0)) / $size}]
}
