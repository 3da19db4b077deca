package king

import "testing"

// total is what a contract scores over a whole deal.
func total(table *Table, scoring *Scoring) int {
	sum := scoring.EachTrick * (table.Pack.Len() / table.Seats)
	for card := range table.Pack.All() {
		sum += scoring.Points(card)
	}
	for _, points := range scoring.Tricks {
		sum += points
	}
	return sum
}

func TestContractsAddUpToWhatTheRulesSay(t *testing.T) {
	cases := []struct {
		variant  string
		options  map[string]string
		seats    int
		contract string
		total    int
	}{
		{"russian-14", nil, 4, "no_tricks", -16},
		{"russian-14", nil, 4, "no_jumble", -96},
		{"russian-14", nil, 4, "jumble", 96},
		{"russian-14", map[string]string{"boys": "kings_and_jacks"}, 4, "no_boys", -16},
		{"ordered-56", nil, 4, "trumps", 48},
		{"classic", nil, 4, "no_jumble", -1380},
		{"classic", map[string]string{"seats": "3"}, 3, "no_tricks", -255},
		{"classic", map[string]string{"pack": "32"}, 4, "no_hearts", -160},
		{"classic", map[string]string{"last": "two"}, 4, "no_last", -150},
		{"classic", map[string]string{"redemption": "praise"}, 4, "trumps", 390},
		{"chooser-12", map[string]string{"last_points": "12"}, 4, "no_last", -12},
		{"chooser-12", map[string]string{"seats": "3"}, 3, "no_jacks", -6},
		{"turkish-20", nil, 4, "no_king", -320},
		{"turkish-20", nil, 4, "no_last_two", -360},
	}
	for _, test := range cases {
		table := NewTable(test.variant, test.options, test.seats, 0)
		scoring := table.ScoringOf(test.contract)
		if scoring == nil {
			t.Errorf("%s %v has no %s", test.variant, test.options, test.contract)
			continue
		}
		if sum := total(table, scoring); sum != test.total || scoring.Avoids() != (test.total < 0) {
			t.Errorf("%s %v: %s adds up to %d, not %d", test.variant, test.options, test.contract, sum, test.total)
		}
	}
}

func TestATrickScoresForItselfItsNumberAndItsCards(t *testing.T) {
	jumble := NewTable("russian-14", nil, 4, 0).ScoringOf("no_jumble")
	cards := SetOf(KingOfHearts, KingOfHearts-1, 12)
	if points := jumble.TrickPoints(1, cards); points != -2-(4+2+16)-(4+2) {
		t.Errorf("in the first trick: %d", points)
	}
	if points := jumble.TrickPoints(8, 0); points != -2-8 {
		t.Errorf("an empty last trick: %d", points)
	}
}

func TestPacks(t *testing.T) {
	three := map[string]string{"seats": "3"}
	cases := []struct {
		variant string
		options map[string]string
		missing string // the first card that is left out
		size    int
	}{
		{"turkish-20", nil, "", 52},
		{"russian-14", nil, "2S", 32},
		{"chooser-12", three, "2D", 39},
		{"classic", three, "2C", 51},
		{"classic", map[string]string{"seats": "3", "pack": "32"}, "2S", 30},
	}
	for _, test := range cases {
		pack := NewTable(test.variant, test.options, 4, 0).Pack
		missing := ""
		for card := range (wholePack &^ pack).All() {
			missing = card.String()
			break
		}
		if pack.Len() != test.size || missing != test.missing {
			t.Errorf("%s %v has %d cards, without %s", test.variant, test.options, pack.Len(), missing)
		}
	}
}
