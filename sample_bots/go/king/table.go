package king

import (
	"strings"
	"time"
)

// TimeControl is the clock of a process, which all its tables share.
type TimeControl struct {
	Start     time.Duration // until ready
	Increment time.Duration // added for each request
	Bank      time.Duration // what it starts with and never exceeds
}

// FinishedDeal is what is remembered of a deal that is over.
type FinishedDeal struct {
	Number   int
	Contract string
	Declarer int
	Trump    Suit
	Misere   bool
	Price    int
	Points   []int // by seat
}

// Forfeit is a seat that was taken from its bot: what it did, and where the stand-in took over.
type Forfeit struct {
	Seat   int
	Kind   string
	Deal   int
	Action int
}

// Table is one match, as one seat sees it: all that a bot may know, and nothing else. A bot only reads it.
type Table struct {
	Number         int    // the referee's number for it on our stream
	MatchID        string // its name in records
	DealCommitment string // in a season, the SHA-256 of the board's secret, 64 hex digits
	Variant        string // with its options, such as "turkish-20[limits=free]"
	BaseID         string // without them
	Options        map[string]string
	Seats          int // how many there are
	Seat           int // ours
	TimeControl    TimeControl
	Pack           CardSet // all cards of the variant
	Clock          *Clock

	Deal     *Deal
	Finished []FinishedDeal
	Totals   []int // by seat

	Places   []int // by seat; once the match is over, as the next two
	Forfeits []Forfeit
	Aborted  string // why the match ended without a result

	scorings map[string]*Scoring
}

// NewTable is a table at which nothing has happened yet: what a bot sees before its first deal. The kit makes them from
// the referee's messages; a test makes its own. It panics if the kit does not have the variant.
func NewTable(variant string, options map[string]string, seats, seat int) *Table {
	baseID, _, _ := strings.Cut(variant, "[")
	if err := checkVariant(variant); err != nil {
		panic(err)
	}
	table := &Table{
		Variant:  variant,
		BaseID:   baseID,
		Options:  options,
		Seats:    seats,
		Seat:     seat,
		Pack:     packOf(baseID, options),
		Clock:    &Clock{},
		Totals:   make([]int, seats),
		scorings: scoringsOf(baseID, options),
	}
	table.onDealStart(0, NoSeat, NoSeat) // so that there always is a deal to look at
	return table
}

// Opponents are the other seats, in playing order from ours.
func (t *Table) Opponents() []int {
	seats := make([]int, 0, t.Seats-1)
	for step := 1; step < t.Seats; step++ {
		seats = append(seats, (t.Seat+step)%t.Seats)
	}
	return seats
}

// Winner is the play that takes the open trick as it lies; its Seat is NoSeat when we lead.
func (t *Table) Winner() Played {
	if t.Deal.Trick == nil {
		return Played{Seat: NoSeat, Card: NoCard}
	}
	return t.Deal.Trick.Winner(t.Deal.Trump, t.Deal.Misere)
}

// Beats tells whether a card, played now, would take the open trick as it lies; a card that is led does.
func (t *Table) Beats(card Card) bool {
	return t.Deal.Trick == nil || t.Deal.Trick.IsBeatenBy(card, t.Deal.Trump, t.Deal.Misere)
}

// Scoring is what the contract in progress counts; nil before one is set.
func (t *Table) Scoring() *Scoring { return t.scorings[t.Deal.Contract] }

// ScoringOf is what a contract of this variant counts; nil if it has no such contract.
func (t *Table) ScoringOf(contract string) *Scoring { return t.scorings[contract] }

// PointsSoFar is, by seat, what the complete tricks of this deal are worth; payments for a price are left out.
func (t *Table) PointsSoFar() []int {
	points := make([]int, t.Seats)
	for _, trick := range t.Deal.Tricks {
		points[trick.Taker] += t.Scoring().TrickPoints(trick.Number, trick.Cards())
	}
	return points
}

func (t *Table) onDealStart(number, dealer, chooser int) {
	t.Deal = newDeal(number, dealer, chooser, t.Seat, t.Seats, t.Pack)
}

func (t *Table) onDealEnd(points, totals []int) {
	deal := t.Deal
	t.Totals = totals
	t.Finished = append(t.Finished, FinishedDeal{
		Number:   deal.Number,
		Contract: deal.Contract,
		Declarer: deal.Declarer,
		Trump:    deal.Trump,
		Misere:   deal.Misere,
		Price:    deal.Price,
		Points:   points,
	})
}
