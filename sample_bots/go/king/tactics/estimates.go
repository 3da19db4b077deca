// Package tactics is judgement for any bot that wants it: the worth of a hand, and every call but the play of a card.
//
// It decides exactly as king_bot.tactics of the Python kit does, to the last bit of its estimates; so products are
// rounded by float64() before they are added, which keeps compilers from fusing the two.
package tactics

import "kingbot/king"

const (
	trumpFloor  = 0.45 // the chance of the smallest trump of an average holding to make a trick
	trumpLength = 0.12 // added to it for each trump above the average holding
	ruffed      = 0.8  // what a side suit's winners are worth against trumps
)

// HandSize is the number of tricks of a deal.
func HandSize(table *king.Table) int { return table.Pack.Len() / table.Seats }

// ChanceToWin is the chance that a card is the highest (with misere the lowest) when every seat follows it.
func ChanceToWin(table *king.Table, card king.Card, hand king.CardSet, misere bool) float64 {
	others := card.Suit().Cards() & table.Pack &^ hand
	if others == 0 {
		return 1
	}
	beaten := card.Set() - 1 // the cards below this one
	if misere {
		beaten = ^beaten
	}
	share := float64((others & beaten).Len()) / float64(others.Len())
	chance := 1.0
	for range table.Seats - 1 {
		chance *= share
	}
	return chance
}

// ExpectedTricks is the tricks that a hand makes with a trump suit or NoSuit; cards of it that are not dealt yet count
// as a fair share each.
func ExpectedTricks(table *king.Table, hand king.CardSet, trump king.Suit) float64 {
	return expectedTricks(table, hand, trump, false)
}

// ExpectedTricksAtMisere is the tricks that a hand makes without trump and with the ranks upside down.
func ExpectedTricksAtMisere(table *king.Table, hand king.CardSet) float64 {
	return expectedTricks(table, hand, king.NoSuit, true)
}

func expectedTricks(table *king.Table, hand king.CardSet, trump king.Suit, misere bool) float64 {
	tricks := 0.0
	trumps := trump.Cards()
	surplus := float64((hand & trumps).Len()) - float64(hand.Len())/4
	for card := range hand.All() {
		chance := ChanceToWin(table, card, hand, misere)
		switch {
		case trumps.Has(card):
			tricks += min(1, max(chance, trumpFloor+float64(trumpLength*surplus)))
		case trumps != 0:
			tricks += float64(chance * ruffed)
		default:
			tricks += chance
		}
	}
	undealt := max(0, HandSize(table)-hand.Len())
	return tricks + float64(undealt)/float64(table.Seats)
}

// BestTrump is the suit that makes most tricks as trump, and those tricks.
func BestTrump(table *king.Table, hand king.CardSet) (king.Suit, float64) {
	best, most := king.NoSuit, -1.0
	for _, suit := range king.Suits {
		if tricks := ExpectedTricks(table, hand, suit); tricks > most {
			best, most = suit, tricks
		}
	}
	return best, most
}

// ExpectedPoints is the points that a contract of the variant brings with this hand.
func ExpectedPoints(table *king.Table, hand king.CardSet, contract string, trump king.Suit) float64 {
	scoring := table.ScoringOf(contract)
	tricks := ExpectedTricks(table, hand, trump)
	share := tricks / float64(HandSize(table))
	points := float64(float64(scoring.EachTrick)*tricks) + float64(float64(numbered(scoring))*share)
	for card := range (scoring.Cards & table.Pack).All() {
		points += float64(float64(scoring.Points(card)) * chanceToTake(table, card, hand, share))
	}
	return points
}

// chanceToTake is the chance that the trick with the card is ours: our own low ones leave us, those under our high
// ones come.
func chanceToTake(table *king.Table, card king.Card, hand king.CardSet, share float64) float64 {
	suit := card.Suit().Cards() & hand
	if hand.Has(card) {
		chance := 0.15 + float64(0.6*ChanceToWin(table, card, hand, false))
		if suit.Len() <= 2 {
			chance += 0.1
		}
		return min(1, chance)
	}
	above := 0.0
	if suit != 0 {
		above = float64((suit >> card).Len()) / float64(suit.Len())
	}
	return float64(0.5*share) + float64(float64(0.5*above)*0.6)
}

// Edge is how much better than an average hand this one is in a contract, in points.
func Edge(table *king.Table, hand king.CardSet, contract string, trump king.Suit) float64 {
	average := float64(packTotal(table, table.ScoringOf(contract))) / float64(table.Seats)
	return ExpectedPoints(table, hand, contract, trump) - average
}

// packTotal is the points of a contract that all seats share.
func packTotal(table *king.Table, scoring *king.Scoring) int {
	total := scoring.EachTrick*HandSize(table) + numbered(scoring)
	for card := range (scoring.Cards & table.Pack).All() {
		total += scoring.Points(card)
	}
	return total
}

// numbered is the points of the tricks that count by their number.
func numbered(scoring *king.Scoring) int {
	total := 0
	for _, points := range scoring.Tricks {
		total += points
	}
	return total
}
