package main

import (
	"maps"
	"slices"

	"kingbot/king"
)

const aboveAll = 20 // lifts trumps over every other suit

// turn is a card to be played: the deal, and what counts in it.
type turn struct {
	*king.Deal
	scoring *king.Scoring
	isLast  bool // whether the trick is complete with this card
}

func newTurn(table *king.Table) turn {
	deal := table.Deal
	return turn{
		Deal:    deal,
		scoring: table.Scoring(),
		isLast:  deal.Trick != nil && len(deal.Trick.Plays) == table.Seats-1,
	}
}

// pick picks the card to play among the legal ones.
func (t turn) pick(cards []king.Card) king.Card {
	avoids := t.scoring.Avoids()
	switch {
	case t.isIdle() && avoids:
		return highest(cards, t.strength)
	case t.isIdle():
		return lowest(cards, t.strength)
	case t.Trick == nil && avoids:
		return t.leadToAvoid(cards)
	case t.Trick == nil:
		return t.leadToTake(cards)
	}
	winning, losing := t.split(cards)
	if avoids {
		return t.followToAvoid(winning, losing)
	}
	return t.followToTake(winning, losing)
}

// split parts the cards that would win the trick as it lies from those that would not.
func (t turn) split(cards []king.Card) (winning, losing []king.Card) {
	led := t.Trick.Led()
	best := -1
	for _, played := range t.Trick.Plays {
		best = max(best, t.power(played.Card, led))
	}
	for _, card := range cards {
		if t.power(card, led) > best {
			winning = append(winning, card)
		} else {
			losing = append(losing, card)
		}
	}
	return winning, losing
}

// leadToAvoid leads low, and nothing that scores.
func (t turn) leadToAvoid(cards []king.Card) king.Card {
	return lowest(cards, func(card king.Card) int { return t.harm(card) + card.Rank() })
}

// leadToTake leads the strongest card, a side suit's before a trump as high.
func (t turn) leadToTake(cards []king.Card) king.Card {
	return highest(cards, func(card king.Card) int {
		return 2*(t.strength(card)%aboveAll) + oneIf(card.Suit() != t.Trump)
	})
}

// followToAvoid stays below with what is most dangerous; if that fails, takes with as little harm as can be.
func (t turn) followToAvoid(winning, losing []king.Card) king.Card {
	if t.isLast && t.openPoints() == 0 {
		if free := slices.DeleteFunc(slices.Clone(winning), t.scores); len(free) > 0 {
			return highest(free, king.Card.Rank)
		}
	}
	switch {
	case len(losing) > 0:
		return lowest(losing, func(card king.Card) int { return 100*t.scoring.Points(card) - card.Rank() })
	case t.isLast:
		return highest(winning, func(card king.Card) int { return 100*t.scoring.Points(card) + card.Rank() })
	default:
		return lowest(winning, func(card king.Card) int { return t.harm(card) + card.Rank() })
	}
}

// followToTake takes what is worth taking, the last seat as cheaply as it can; otherwise it throws the least.
func (t turn) followToTake(winning, losing []king.Card) king.Card {
	led := t.Trick.Led()
	isNothing := t.isLast && len(losing) > 0 && t.openPoints() == 0
	if len(winning) > 0 && !isNothing {
		if t.isLast || !slices.ContainsFunc(winning, t.isSide) {
			return lowest(winning, func(card king.Card) int { return t.power(card, led) - 100*t.scoring.Points(card) })
		}
		return highest(winning, func(card king.Card) int { return t.power(card, led) })
	}
	least := losing
	if len(least) == 0 {
		least = winning
	}
	return lowest(least, func(card king.Card) int {
		return 1000*t.scoring.Points(card) + 100*oneIf(card.Suit() == t.Trump) + t.strength(card)
	})
}

// power is the card's strength in a trick: below zero if it cannot win, trumps above all.
func (t turn) power(card king.Card, led king.Suit) int {
	rank := card.Rank()
	if t.Misere {
		rank = 16 - rank
	}
	switch card.Suit() {
	case t.Trump:
		return rank + aboveAll
	case led:
		return rank
	default:
		return -1
	}
}

// strength is the power of the card if it is led.
func (t turn) strength(card king.Card) int { return t.power(card, card.Suit()) }

func (t turn) isSide(card king.Card) bool { return card.Suit() != t.Trump }

func (t turn) scores(card king.Card) bool { return t.scoring.Points(card) != 0 }

// harm puts cards that cost their taker something above all others.
func (t turn) harm(card king.Card) int { return 100 * oneIf(t.scoring.Points(card) < 0) }

// openPoints is what the open trick is worth so far.
func (t turn) openPoints() int { return t.scoring.TrickPoints(t.TrickNumber(), t.Trick.Cards()) }

// isIdle tells whether only later tricks score: the time to be rid of what will hurt then, or to save what will win.
func (t turn) isIdle() bool {
	if t.scoring.EachTrick != 0 || t.scoring.Cards != 0 {
		return false
	}
	return t.TrickNumber() < slices.Min(slices.Collect(maps.Keys(t.scoring.Tricks)))
}

// highest is the first of the cards that have most by some measure.
func highest(cards []king.Card, measure func(king.Card) int) king.Card {
	return slices.MaxFunc(cards, func(a, b king.Card) int { return measure(a) - measure(b) })
}

// lowest is the first of the cards that have least by some measure.
func lowest(cards []king.Card, measure func(king.Card) int) king.Card {
	return slices.MinFunc(cards, func(a, b king.Card) int { return measure(a) - measure(b) })
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}
