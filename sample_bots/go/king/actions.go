package king

import "strings"

// ActionKind says what is done. The numbers are those of the protocol.
type ActionKind int8

// The kinds of action, in the order in which legal actions are listed.
const (
	Play          ActionKind = iota + 1 // play a card
	Choose                              // choose a contract, and a trump where it has one
	Order                               // order a contract
	Pass                                // pass
	Bid                                 // bid a number of tricks
	NameTrump                           // name the trump suit
	ByLast                              // let the last card of eldest decide the trump
	Misere                              // play without trump, the ranks upside down
	TwoTricksEach                       // write two tricks to everybody and do not play
	Offer                               // offer the game for sale
	Keep                                // keep the game
	Give                                // give a card to another seat
)

var kindNames = [...]string{"none", "play", "choose", "order", "pass", "bid", "name_trump", "by_last", "misere",
	"two_tricks_each", "offer", "keep", "give"}

func (k ActionKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// ActionBy says how an action came about. The numbers are those of the protocol.
type ActionBy int8

// How actions come about.
const (
	ByBot     ActionBy = iota + 1 // the bot of the seat chose it
	ByForced                      // it was the only legal one
	ByStandIn                     // the referee took it for a bot that failed
)

// NoSeat stands where there is no seat: no dealer, no declarer, no taker yet.
const NoSeat = -1

// Action is one thing that a seat can do, or did. Actions can be compared with ==.
type Action struct {
	Kind     ActionKind
	Card     Card   // Play, Give; else NoCard
	Contract string // Choose, Order; else ""
	Trump    Suit   // NameTrump, and Choose where the choice includes a suit; else NoSuit
	Tricks   int    // Bid; else 0
	To       int    // Give: the seat that gets the card; else NoSeat
}

func (a Action) String() string {
	words := []string{a.Kind.String()}
	if a.Card != NoCard {
		words = append(words, a.Card.String())
	}
	if a.Contract != "" {
		words = append(words, a.Contract)
	}
	if a.Trump != NoSuit {
		words = append(words, a.Trump.String())
	}
	return strings.Join(words, " ")
}
