package main

import (
	"strings"
	"testing"

	"kingbot/king"
)

// table is a russian-14 deal in which the cards on the table lie there, the first led by seat 1; we are next.
func table(t *testing.T, contract string, trump king.Suit, trick string) *king.Table {
	t.Helper()
	plays := strings.Fields(trick)
	table := king.NewTable("russian-14", nil, 4, (1+len(plays))%4)
	table.Deal.Contract, table.Deal.Trump = contract, trump
	for place, text := range plays {
		if place == 0 {
			table.Deal.Trick = &king.Trick{Number: 1, Taker: king.NoSeat}
		}
		played := king.Played{Seat: (1 + place) % 4, Card: card(t, text)}
		table.Deal.Trick.Plays = append(table.Deal.Trick.Plays, played)
	}
	return table
}

func card(t *testing.T, text string) king.Card {
	t.Helper()
	card, err := king.ParseCard(text)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

func TestCardPlay(t *testing.T) {
	cases := []struct {
		behaviour string
		contract  string
		trump     king.Suit
		trick     string
		legal     string
		wanted    string
	}{
		{"leads low where tricks cost", "no_tricks", king.NoSuit, "", "AS 9H 8D KC", "8D"},
		{"leads nothing that scores", "no_girls", king.NoSuit, "", "QS QH KD", "KD"},
		{"stays just below", "no_tricks", king.NoSuit, "QS", "7S JS AS", "JS"},
		{"throws what is dangerous", "no_king", king.NoSuit, "9S", "AD KH AC", "KH"},
		{"takes an empty trick with its highest", "no_hearts", king.NoSuit, "9S 8S 7S", "TS AS", "AS"},
		{"leads its strongest where tricks pay", "tricks", king.NoSuit, "", "AS 9H KC", "AS"},
		{"takes as last as cheaply as it can", "tricks", king.NoSuit, "9S 8S 7S", "TS AS", "TS"},
		{"throws its least where it cannot take", "tricks", king.NoSuit, "AS", "7S KS", "7S"},
		{"ruffs with its smallest trump", "trumps", king.Hearts, "AS", "7H AH", "7H"},
		{"keeps its trumps where a side ace is as high", "trumps", king.Hearts, "", "AH AS", "AS"},
		{"is rid of high cards before the last tricks", "no_last_two", king.NoSuit, "", "7S AS", "AS"},
		{"saves high cards for the last tricks", "last_two", king.NoSuit, "", "7S AS", "7S"},
	}
	for _, test := range cases {
		t.Run(test.behaviour, func(t *testing.T) {
			var actions []king.Action
			for _, text := range strings.Fields(test.legal) {
				actions = append(actions, king.Action{Kind: king.Play, Card: card(t, text), To: king.NoSeat})
			}
			chosen := greedy{}.Choose(table(t, test.contract, test.trump, test.trick), actions)
			if chosen.Card.String() != test.wanted {
				t.Errorf("it plays %v, not %s", chosen.Card, test.wanted)
			}
		})
	}
}

func TestAtMisereTheLowestCardIsTheStrongest(t *testing.T) {
	table := table(t, "trumps", king.NoSuit, "9S 8S")
	table.Deal.Misere = true
	actions := []king.Action{{Kind: king.Play, Card: card(t, "7S")}, {Kind: king.Play, Card: card(t, "AS")}}
	if chosen := (greedy{}).Choose(table, actions); chosen != actions[0] {
		t.Errorf("it plays %v", chosen.Card)
	}
}
