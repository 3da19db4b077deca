package king

import (
	"errors"
	"slices"
)

// Played is a card on the table, and who played it.
type Played struct {
	Seat int
	Card Card
}

// Said is an action other than playing or giving a card: who took it and how it came about.
type Said struct {
	Seat   int
	Action Action
	By     ActionBy
}

// Gift is a card given by the declarer of a talon deal; NoCard where it is not ours to know.
type Gift struct {
	Seat, To int
	Card     Card
}

// Trick is one trick, open or complete. It has at least one card.
type Trick struct {
	Number int // from 1
	Plays  []Played
	Taker  int // NoSeat while it is open
}

// Leader is the seat that led.
func (t *Trick) Leader() int { return t.Plays[0].Seat }

// Led is the suit that was led.
func (t *Trick) Led() Suit { return t.Plays[0].Card.Suit() }

// Cards is the set of its cards.
func (t *Trick) Cards() CardSet {
	var set CardSet
	for _, played := range t.Plays {
		set |= played.Card.Set()
	}
	return set
}

// aboveAll lifts trumps over every other suit.
const aboveAll = 20

// Winner is the play that takes the trick as it lies: its highest trump, or else its highest of the suit led.
func (t *Trick) Winner(trump Suit, misere bool) Played {
	return slices.MaxFunc(t.Plays, func(a, b Played) int {
		return t.power(a.Card, trump, misere) - t.power(b.Card, trump, misere)
	})
}

// IsBeatenBy tells whether a card would take the trick as it lies.
func (t *Trick) IsBeatenBy(card Card, trump Suit, misere bool) bool {
	best := t.Winner(trump, misere).Card
	return t.power(card, trump, misere) > t.power(best, trump, misere)
}

// power is a card's strength here: below zero if it cannot win. At misère the ranks are upside down.
func (t *Trick) power(card Card, trump Suit, misere bool) int {
	rank := card.Rank()
	if misere {
		rank = 16 - rank
	}
	switch card.Suit() {
	case trump:
		return rank + aboveAll
	case t.Led():
		return rank
	default:
		return -1
	}
}

// Deal is the deal in progress, as one seat sees it. Slices without another word are by seat. A bot only reads it.
type Deal struct {
	Number  int // from 1
	Dealer  int // NoSeat where there is none
	Chooser int // NoSeat where there is none
	Hand    CardSet

	Contract string // "" until it is set, and so for the next four
	Declarer int
	Trump    Suit
	Misere   bool
	Price    int // tricks bid or paid; 0 where there was no price

	Said       []Said // in order
	Talon      []Card // its open cards
	TalonTaker int    // NoSeat while it lies there
	Gifts      []Gift // in order
	Exposed    Played // a card shown to all, still in that seat's hand until played; Seat is NoSeat if there is none

	Trick       *Trick   // the open trick; nil before a lead
	Tricks      []*Trick // complete ones, in order
	TricksTaken []int
	CardsTaken  []CardSet
	PlayedBy    []CardSet
	Cannot      []CardSet // cards that a seat cannot hold, because it showed that it has none of their suit
	Known       []CardSet // cards in other hands that we know of: gifts of ours, the exposed card
	Fallen      CardSet   // every card played, the open trick's too

	seat int
	pack CardSet
}

func newDeal(number, dealer, chooser, seat, seats int, pack CardSet) *Deal {
	return &Deal{
		Number:      number,
		Dealer:      dealer,
		Chooser:     chooser,
		Declarer:    NoSeat,
		TalonTaker:  NoSeat,
		Exposed:     Played{Seat: NoSeat, Card: NoCard},
		TricksTaken: make([]int, seats),
		CardsTaken:  make([]CardSet, seats),
		PlayedBy:    make([]CardSet, seats),
		Cannot:      make([]CardSet, seats),
		Known:       make([]CardSet, seats),
		seat:        seat,
		pack:        pack,
	}
}

// Eldest is the seat after the dealer; NoSeat where there is no dealer.
func (d *Deal) Eldest() int {
	if d.Dealer == NoSeat {
		return NoSeat
	}
	return (d.Dealer + 1) % len(d.TricksTaken)
}

// Unseen is the set of cards that are in other hands, or not dealt yet, for all we know.
func (d *Deal) Unseen() CardSet { return d.pack &^ (d.Hand | d.Fallen) }

// TrickNumber is the number of the trick that is open or about to be led, from 1.
func (d *Deal) TrickNumber() int { return len(d.Tricks) + 1 }

func (d *Deal) onAction(seat int, action Action, by ActionBy) {
	if action.Kind == Play {
		d.onPlay(seat, action.Card)
		return
	}
	d.Said = append(d.Said, Said{Seat: seat, Action: action, By: by})
}

func (d *Deal) onPlay(seat int, card Card) {
	if d.Trick == nil {
		d.Trick = &Trick{Number: d.TrickNumber(), Taker: NoSeat}
	} else if led := d.Trick.Led(); card.Suit() != led {
		d.Cannot[seat] |= led.Cards()
	}
	d.Trick.Plays = append(d.Trick.Plays, Played{Seat: seat, Card: card})
	d.Fallen |= card.Set()
	d.PlayedBy[seat] |= card.Set()
	d.Known[seat] &^= card.Set()
	if seat == d.seat {
		d.Hand &^= card.Set()
	}
}

func (d *Deal) onGift(gift Gift) {
	d.takeTalon(gift.Seat)
	d.Gifts = append(d.Gifts, gift)
	switch {
	case gift.Card == NoCard:
	case gift.Seat == d.seat:
		d.Hand &^= gift.Card.Set()
		d.Known[gift.To] |= gift.Card.Set()
	default:
		d.Hand |= gift.Card.Set()
	}
}

// onRequest learns from being asked: a request for a gift is how the declarer learns that the talon is in the hand.
func (d *Deal) onRequest(actions []Action) {
	if actions[0].Kind == Give {
		d.takeTalon(d.seat)
	}
}

// takeTalon is told by the first gift, or by our being asked for one.
func (d *Deal) takeTalon(seat int) {
	if d.TalonTaker != NoSeat {
		return
	}
	d.TalonTaker = seat
	if seat == d.seat {
		d.Hand |= SetOf(d.Talon...)
	}
}

func (d *Deal) onExposed(seat int, card Card) {
	d.Exposed = Played{Seat: seat, Card: card}
	if seat != d.seat {
		d.Known[seat] |= card.Set()
	}
}

var errNoTrick = errors.New("the end of a trick was told, but no trick is open")

func (d *Deal) onTrickEnd(taker int) error {
	if d.Trick == nil {
		return errNoTrick
	}
	d.Trick.Taker = taker
	d.Tricks = append(d.Tricks, d.Trick)
	d.TricksTaken[taker]++
	d.CardsTaken[taker] |= d.Trick.Cards()
	d.Trick = nil
	return nil
}
