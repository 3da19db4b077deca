// A first bot: it plays its lowest card, and leaves every other decision as it comes.
package main

import (
	"cmp"
	"slices"

	"kingbot/king"
)

type simple struct{}

// Choose takes the action with the lowest card; other actions have none, so the first of them is taken.
func (simple) Choose(_ *king.Table, actions []king.Action) king.Action {
	return slices.MinFunc(actions, func(a, b king.Action) int {
		return cmp.Compare(a.Card.Rank(), b.Card.Rank())
	})
}

func main() {
	king.Run(simple{}, king.Config{Name: "go-simple", Version: "1"})
}
