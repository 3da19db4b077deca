package tactics

import (
	"cmp"
	"math"
	"slices"

	"kingbot/king"
)

const (
	orderEdge    = 0.06 // an order is worth it from this share of the contract's total
	selfReliance = 0.5  // tricks by which our own game must beat the price that others may pay
)

// Decide takes any decision but the play of a card.
func Decide(table *king.Table, actions []king.Action) king.Action {
	switch {
	case has(actions, king.Choose):
		return best(actions, func(action king.Action) float64 { return value(table, action) })
	case has(actions, king.Order):
		return order(table, actions)
	case has(actions, king.Bid):
		return bid(table, actions)
	case has(actions, king.Offer):
		return offerOrKeep(table, actions)
	case has(actions, king.Give):
		return give(table, actions)
	default:
		return name(table, actions)
	}
}

// find is the first action of a kind, if there is one.
func find(actions []king.Action, kind king.ActionKind) (king.Action, bool) {
	index := slices.IndexFunc(actions, func(action king.Action) bool { return action.Kind == kind })
	if index < 0 {
		return king.Action{}, false
	}
	return actions[index], true
}

func has(actions []king.Action, kind king.ActionKind) bool {
	_, found := find(actions, kind)
	return found
}

// best is the first of the actions that no other is worth more than.
func best(actions []king.Action, worth func(king.Action) float64) king.Action {
	chosen, most := actions[0], math.Inf(-1)
	for _, action := range actions {
		if points := worth(action); points > most {
			chosen, most = action, points
		}
	}
	return chosen
}

// value is how much better than average our hand is in the contract of an action, in points.
func value(table *king.Table, action king.Action) float64 {
	return Edge(table, table.Deal.Hand, action.Contract, action.Trump)
}

// order orders the contract that suits us best, or passes if none does and passing is allowed.
func order(table *king.Table, actions []king.Action) king.Action {
	gain := func(action king.Action) float64 {
		if action.Kind != king.Order {
			return math.Inf(-1)
		}
		return value(table, action) / math.Abs(float64(packTotal(table, table.ScoringOf(action.Contract))))
	}
	chosen := best(actions, gain)
	if pass, may := find(actions, king.Pass); may && gain(chosen) < orderEdge {
		return pass
	}
	return chosen
}

// bid bids as little as will do, while the game is worth its price to us.
func bid(table *king.Table, actions []king.Action) king.Action {
	lowest, _ := find(actions, king.Bid) // bids are listed rising
	if pass, may := find(actions, king.Pass); may && float64(lowest.Tricks) > highestPrice(table) {
		return pass
	}
	return lowest
}

// highestPrice is the most tricks worth bidding: what our own game makes beyond what somebody else's would leave us.
func highestPrice(table *king.Table) float64 {
	_, own := BestTrump(table, withTalon(table))
	price := own - fairShare(table)
	if table.BaseID != "classic" {
		return price // the bid is lost to all, so the rest must beat a defender's share
	}
	return price - selfReliance
}

// fairShare is the tricks of an average hand.
func fairShare(table *king.Table) float64 { return float64(HandSize(table)) / float64(table.Seats) }

// withTalon is the hand after taking the talon and giving away as many of the worst cards.
func withTalon(table *king.Table) king.CardSet {
	deal := table.Deal
	hand := deal.Hand
	if len(deal.Talon) == 0 || deal.TalonTaker != king.NoSeat {
		return hand
	}
	hand |= king.SetOf(deal.Talon...)
	for range table.Seats - 1 {
		hand &^= worst(table, hand).Set()
	}
	return hand
}

// offerOrKeep keeps a good game; a poor one is better sold, for somebody pays for it.
func offerOrKeep(table *king.Table, actions []king.Action) king.Action {
	kind := king.Offer
	if namedTricks(table)-fairShare(table) > selfReliance {
		kind = king.Keep
	}
	action, _ := find(actions, kind)
	return action
}

// namedTricks is the tricks expected in the game that we have just named, or would name.
func namedTricks(table *king.Table) float64 {
	hand := withTalon(table)
	for _, said := range slices.Backward(table.Deal.Said) {
		if said.Seat != table.Seat {
			continue
		}
		if tricks, isGame := game(table, hand, said.Action); isGame {
			return tricks
		}
	}
	_, tricks := BestTrump(table, hand)
	return tricks
}

// name names the game that makes most tricks. Two tricks each is what remains when none makes a fair share.
func name(table *king.Table, actions []king.Action) king.Action {
	return best(actions, func(action king.Action) float64 {
		tricks, _ := game(table, table.Deal.Hand, action)
		return tricks
	})
}

// game is the tricks expected in the game that an action names, if it names one.
func game(table *king.Table, hand king.CardSet, action king.Action) (tricks float64, isGame bool) {
	switch action.Kind {
	case king.NameTrump:
		return ExpectedTricks(table, hand, action.Trump), true
	case king.ByLast:
		return byLast(table, hand), true
	case king.Misere:
		return ExpectedTricksAtMisere(table, hand), true
	case king.TwoTricksEach:
		return fairShare(table), true // worth what everybody gets, that is no more than an average game
	default:
		return 0, false
	}
}

// byLast is for a card that is not dealt yet: each suit is about as likely, and one more card of it is ours.
func byLast(table *king.Table, hand king.CardSet) float64 {
	sum, suits := 0.0, 0
	for _, suit := range king.Suits {
		if suit.Cards()&table.Pack != 0 {
			sum += ExpectedTricks(table, hand, suit)
			suits++
		}
	}
	return sum/float64(suits) + 0.25
}

// give gives the worst card of the hand, trumps last.
func give(table *king.Table, actions []king.Action) king.Action {
	var held king.CardSet
	for _, action := range actions {
		held |= action.Card.Set()
	}
	miss := worst(table, held)
	index := slices.IndexFunc(actions, func(action king.Action) bool { return action.Card == miss })
	return actions[index]
}

// worst is the card that we miss least: a small one of a short side suit.
func worst(table *king.Table, hand king.CardSet) king.Card {
	trump, _ := BestTrump(table, hand)
	worth := func(card king.Card) float64 {
		length := (hand & card.Suit().Cards()).Len()
		return ChanceToWin(table, card, hand, false) + float64(0.02*float64(length)) + float64(0.002*float64(card.Rank()))
	}
	return slices.MinFunc(slices.Collect(hand.All()), func(a, b king.Card) int {
		return cmp.Or(
			compareBools(a.Suit() == trump, b.Suit() == trump),
			cmp.Compare(worth(a), worth(b)),
		)
	})
}

// compareBools has false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
