package main

import (
	"cmp"
	"slices"
	"testing"

	"kingbot/king"
)

// ducking is the idea of which the README tells.
type ducking struct{}

func (ducking) Choose(table *king.Table, actions []king.Action) king.Action {
	byRank := func(a, b king.Action) int { return cmp.Compare(a.Card.Rank(), b.Card.Rank()) }
	if actions[0].Kind == king.Play && table.Scoring().Avoids() {
		takes := func(action king.Action) bool { return table.Beats(action.Card) }
		if losing := slices.DeleteFunc(slices.Clone(actions), takes); len(losing) > 0 {
			return slices.MaxFunc(losing, byRank)
		}
	}
	return slices.MinFunc(actions, byRank)
}

// legal is what can be played of a hand, written as "7S".
func legal(t *testing.T, texts ...string) []king.Action {
	t.Helper()
	var actions []king.Action
	for _, text := range texts {
		card, err := king.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, king.Action{Kind: king.Play, Card: card, To: king.NoSeat})
	}
	return actions
}

func TestItDucksWherePointsAreToBeAvoided(t *testing.T) {
	for _, test := range []struct{ contract, led, wanted string }{
		{"no_tricks", "TS", "9S"},
		{"no_tricks", "8S", "7S"},
		{"no_tricks", "", "7S"},
		{"tricks", "TS", "7S"},
	} {
		table := king.NewTable("russian-14", nil, 4, 2)
		table.Deal.Contract = test.contract
		if test.led != "" {
			lead := king.Played{Seat: 1, Card: legal(t, test.led)[0].Card}
			table.Deal.Trick = &king.Trick{Number: 1, Plays: []king.Played{lead}, Taker: king.NoSeat}
		}
		if chosen := (ducking{}).Choose(table, legal(t, "7S", "9S", "AS")); chosen.Card.String() != test.wanted {
			t.Errorf("%s, %q led: it plays %v", test.contract, test.led, chosen.Card)
		}
	}
}
