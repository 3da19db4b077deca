package tactics

import (
	"strings"
	"testing"

	"kingbot/king"
)

// hand reads cards in their order, such as "KH 2C".
func hand(t *testing.T, text string) []king.Card {
	t.Helper()
	var cards []king.Card
	for _, word := range strings.Fields(text) {
		card, err := king.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, card)
	}
	return cards
}

func tableOf(t *testing.T, variant string, options map[string]string, cards string) *king.Table {
	t.Helper()
	table := king.NewTable(variant, options, 4, 1)
	table.Deal.Hand = king.SetOf(hand(t, cards)...)
	return table
}

// The numbers are those of the Python kit, to the last bit.
func TestEstimatesAreThoseOfThePythonKit(t *testing.T) {
	options := map[string]string{"redemption": "talon"}
	table := tableOf(t, "classic[redemption=talon]", options, "2S 5S AS 3H KH 2D 4D 9D TD JD 7C QC AC")
	cards := table.Deal.Hand
	edges := []struct {
		contract string
		trump    king.Suit
		points   float64
	}{
		{"no_jumble", king.NoSuit, -172.4597491114256},
		{"jumble", king.NoSuit, 172.4597491114256},
		{"no_last", king.NoSuit, -12.674320565797842},
		{"trumps", king.Diamonds, 73.53132231404956},
	}
	for _, test := range edges {
		if points := Edge(table, cards, test.contract, test.trump); points != test.points {
			t.Errorf("the edge in %s is %v, not %v", test.contract, points, test.points)
		}
	}
	if suit, tricks := BestTrump(table, cards); suit != king.Diamonds || tricks != 6.191252892561983 {
		t.Errorf("the best trump is %v with %v tricks", suit, tricks)
	}
	if tricks := ExpectedTricksAtMisere(table, cards); tricks != 4.21819111570248 {
		t.Errorf("misère makes %v tricks", tricks)
	}
}

func action(kind king.ActionKind, tricks int) king.Action {
	return king.Action{Kind: kind, Card: king.NoCard, Tricks: tricks, To: king.NoSeat}
}

func TestItBidsWhileTheGameIsWorthItsPrice(t *testing.T) {
	actions := []king.Action{action(king.Pass, 0), action(king.Bid, 1), action(king.Bid, 2)}
	strong := tableOf(t, "auction-11", nil, "AS KS QS JS TS 9S AH AD")
	if decided := Decide(strong, actions); decided != actions[1] {
		t.Errorf("a strong hand says %v", decided)
	}
	weak := tableOf(t, "auction-11", nil, "7S 8S 7H 8H 7D 8D 7C 8C")
	if decided := Decide(weak, actions); decided != actions[0] {
		t.Errorf("a weak hand says %v", decided)
	}
}

func TestItNamesTheSuitThatMakesMostTricks(t *testing.T) {
	table := tableOf(t, "trump-11", nil, "AC KC QC JC TC")
	var actions []king.Action
	for _, suit := range king.Suits {
		actions = append(actions, king.Action{Kind: king.NameTrump, Card: king.NoCard, Trump: suit, To: king.NoSeat})
	}
	if decided := Decide(table, append(actions, action(king.ByLast, 0))); decided.Trump != king.Clubs {
		t.Errorf("it names %v", decided)
	}
}

func TestItGivesASmallCardOfAShortSideSuit(t *testing.T) {
	table := tableOf(t, "classic[redemption=talon]", nil, "AS KS QS JS TS 9S AH KH 2D AC")
	var actions []king.Action
	for card := range table.Deal.Hand.All() {
		actions = append(actions, king.Action{Kind: king.Give, Card: card, To: 2})
	}
	if decided := Decide(table, actions); decided.Card.String() != "2D" {
		t.Errorf("it gives %v", decided.Card)
	}
}
