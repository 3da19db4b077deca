// Package king is the kit for King Arena bots in Go: it speaks the protocol, keeps a view of each table from the
// referee's messages, and asks the bot only for decisions.
//
// A bot implements [Bot] and calls [Run].
package king

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Bot is a player. All its methods are called from one goroutine.
type Bot interface {
	// Choose takes a decision: it returns one of the actions. They are two or more, and all legal.
	Choose(table *Table, actions []Action) Action
}

// WarmUpper is a Bot that has something to load before it is ready. Start-up has an allowance of its own.
type WarmUpper interface {
	WarmUp() error
}

// TableStarter is a Bot that wants to know when a match begins. After a broken stream, that may be one it knows.
type TableStarter interface {
	TableStarted(table *Table)
}

// DealEnder is a Bot that wants to know when a deal is over. Table.Deal still shows it, Table.Finished has its points.
type DealEnder interface {
	DealEnded(table *Table)
}

// TableEnder is a Bot that wants to know when a match is over: it should drop what it keeps of it.
type TableEnder interface {
	TableEnded(table *Table)
}

// Config is what a bot says of itself.
type Config struct {
	Name       string // for the referee's log
	Version    string // for the referee's log
	TableLimit int    // how many tables it plays at once, 1 to 256; 0 means 64
}

// Run plays for the referee until it has no more tables, then ends the process: with status 0 when the referee is
// done, with 1 and a line on standard error after a failure.
//
// It reads KING_REFEREE ("127.0.0.1:7700", "tls://host:7700" or "unix:/path"), KING_TOKEN and, for tls, KING_TLS_ROOTS.
func Run(bot Bot, config Config) {
	address, token := os.Getenv("KING_REFEREE"), os.Getenv("KING_TOKEN")
	if address == "" {
		fail("KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or unix:/path")
	}
	if err := play(context.Background(), address, newSession(bot, config, token)); err != nil {
		fail(err.Error())
	}
	os.Exit(0)
}

func fail(sentence string) {
	fmt.Fprintln(os.Stderr, "king:", sentence)
	os.Exit(1)
}

// Clock is the clock of this process. One balance serves all its tables.
type Clock struct {
	Unanswered int           // requests of this frame still to be answered, the present one included
	TakenLast  time.Duration // how long the referee timed the frame before

	left     time.Duration
	handedAt time.Time
}

// Left is what is left for all unanswered requests together; below zero is a fault.
func (c *Clock) Left() time.Duration { return c.left - time.Since(c.handedAt) }

// Share is what is left for the present request, if the unanswered ones share alike.
func (c *Clock) Share() time.Duration { return max(0, c.Left()) / time.Duration(max(1, c.Unanswered)) }

func (c *Clock) onFrame(left, takenLast time.Duration, requests int) {
	c.left, c.handedAt, c.TakenLast, c.Unanswered = left, time.Now(), takenLast, requests
}
