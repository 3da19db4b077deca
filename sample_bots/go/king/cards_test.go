package king

import "testing"

func TestEveryCardIsReadAsItIsWritten(t *testing.T) {
	if wholePack.Len() != 52 {
		t.Fatalf("the pack has %d cards", wholePack.Len())
	}
	for card := range wholePack.All() {
		read, err := ParseCard(card.String())
		if err != nil || read != card {
			t.Errorf("%v is read as %v: %v", card, read, err)
		}
	}
}

func TestKingOfHearts(t *testing.T) {
	card, err := ParseCard("KH")
	if err != nil || card != KingOfHearts || card.Suit() != Hearts || card.Rank() != 13 {
		t.Errorf("KH is %d, suit %v, rank %d: %v", card, card.Suit(), card.Rank(), err)
	}
}

func TestWhatIsNoCardIsRefused(t *testing.T) {
	for _, text := range []string{"", "K", "HK", "1S", "KX", "K ", "10S", "kh"} {
		if card, err := ParseCard(text); err == nil {
			t.Errorf("%q is read as %v", text, card)
		}
	}
}

func TestSetsListTheirCardsInTheOrderOfThePack(t *testing.T) {
	set := SetOf(39, 0, 51, 24, NoCard)
	if set.String() != "2S KH 2C AC" || set.Len() != 4 || !set.Has(24) || set.Has(25) || set.Has(NoCard) {
		t.Errorf("the set is %v", set)
	}
	if joined := Spades.Cards() | Hearts.Cards() | Diamonds.Cards() | Clubs.Cards(); joined != wholePack {
		t.Errorf("the four suits are %v", joined)
	}
}
