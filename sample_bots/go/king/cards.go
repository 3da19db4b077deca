package king

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

const (
	rankLetters = "23456789TJQKA"
	suitLetters = " SHDC"
)

// Card is one card: its own number, from 0 to 51, suits in the order S H D C and ranks from 2 up to the ace.
// That is also the order in which a pack is listed.
type Card int8

// NoCard stands where there is no card, or none that we may know.
const NoCard Card = -1

// KingOfHearts is the card that gives the game its name.
const KingOfHearts Card = 24

// ParseCard reads a card written rank then suit, such as "KH".
func ParseCard(text string) (Card, error) {
	if len(text) == 2 {
		rank, suit := strings.IndexByte(rankLetters, text[0]), strings.IndexByte(suitLetters, text[1])
		if rank >= 0 && suit > 0 {
			return Card((suit-1)*13 + rank), nil
		}
	}
	return NoCard, fmt.Errorf("%q is not a card: write a rank of %s and a suit of SHDC, such as KH", text, rankLetters)
}

// Suit is the card's suit; NoSuit for NoCard.
func (c Card) Suit() Suit {
	if c < 0 {
		return NoSuit
	}
	return Suit(c/13 + 1)
}

// Rank is 2 to 10, jack 11, queen 12, king 13, ace 14; 0 for NoCard.
func (c Card) Rank() int {
	if c < 0 {
		return 0
	}
	return int(c)%13 + 2
}

// Set is the set of this card alone; empty for NoCard.
func (c Card) Set() CardSet {
	if c < 0 {
		return 0
	}
	return 1 << c
}

func (c Card) String() string {
	if c < 0 {
		return "--"
	}
	return string([]byte{rankLetters[c%13], suitLetters[c.Suit()]})
}

// Suit is one of the four suits, or none.
type Suit int8

// The suits, in the order of the pack. NoSuit as trump means that there is none.
const (
	NoSuit Suit = iota
	Spades
	Hearts
	Diamonds
	Clubs
)

// Suits has all four, in the order of the pack.
var Suits = [...]Suit{Spades, Hearts, Diamonds, Clubs}

// Cards is every card of the suit; empty for NoSuit.
func (s Suit) Cards() CardSet {
	if s == NoSuit {
		return 0
	}
	return 0x1FFF << (13 * (s - 1))
}

func (s Suit) String() string {
	if s == NoSuit {
		return "-"
	}
	return suitLetters[s : s+1]
}

// CardSet is a set of cards: bit n stands for card n, so sets are joined with | and cut with &.
type CardSet uint64

const wholePack CardSet = 1<<52 - 1

// SetOf is the set of these cards.
func SetOf(cards ...Card) CardSet {
	var set CardSet
	for _, card := range cards {
		set |= card.Set()
	}
	return set
}

// Has tells whether the card is in the set.
func (s CardSet) Has(card Card) bool { return s&card.Set() != 0 }

// Len is the number of cards in the set.
func (s CardSet) Len() int { return bits.OnesCount64(uint64(s)) }

// All goes over the cards of the set in the order of the pack.
func (s CardSet) All() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for rest := s; rest != 0; rest &= rest - 1 {
			if !yield(Card(bits.TrailingZeros64(uint64(rest)))) {
				return
			}
		}
	}
}

func (s CardSet) String() string {
	var words []string
	for card := range s.All() {
		words = append(words, card.String())
	}
	return strings.Join(words, " ")
}
