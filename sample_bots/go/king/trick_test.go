package king

import "testing"

// trickOf is a trick led by seat 1.
func trickOf(t *testing.T, texts ...string) *Trick {
	t.Helper()
	trick := &Trick{Number: 1, Taker: NoSeat}
	for place, text := range texts {
		card, err := ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		trick.Plays = append(trick.Plays, Played{Seat: (1 + place) % 4, Card: card})
	}
	return trick
}

func TestWhatTakesATrick(t *testing.T) {
	cases := []struct {
		behaviour string
		trump     Suit
		misere    bool
		winner    string
		beats     string // a card that would take it
		loses     string // one that would not
	}{
		{"the highest of the suit led wins", NoSuit, false, "JS", "QS", "TS"},
		{"what is thrown wins nothing", NoSuit, false, "JS", "AS", "AD"},
		{"a trump wins", Clubs, false, "9C", "TC", "AS"},
		{"a first trump beats the suit led", Hearts, false, "JS", "7H", "AD"},
		{"at misère the lowest wins", NoSuit, true, "8S", "7S", "9S"},
		{"at misère, too, what is thrown wins nothing", NoSuit, true, "8S", "7S", "7D"},
	}
	for _, test := range cases {
		table := NewTable("russian-14", nil, 4, 0)
		table.Deal.Trick = trickOf(t, "8S", "JS", "9C")
		table.Deal.Trump, table.Deal.Misere = test.trump, test.misere
		if winner := table.Winner(); winner.Card.String() != test.winner {
			t.Errorf("%s: %v wins", test.behaviour, winner.Card)
		}
		for _, card := range trickOf(t, test.beats, test.loses).Plays {
			if beats := table.Beats(card.Card); beats != (card.Card.String() == test.beats) {
				t.Errorf("%s: %v beats is %v", test.behaviour, card.Card, beats)
			}
		}
	}
}

func TestBeforeALeadNothingWinsAndAnyCardWould(t *testing.T) {
	table := NewTable("russian-14", nil, 4, 0)
	if winner := table.Winner(); winner.Seat != NoSeat || !table.Beats(KingOfHearts) {
		t.Errorf("%v wins", winner)
	}
}
