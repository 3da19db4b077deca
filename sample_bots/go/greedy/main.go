// Plays each contract by simple rules: what it wants of this trick, from its hand and the cards on the table.
//
// Where points are to be avoided it ducks, throws what is dangerous, and leads low; where they are wanted it does the
// opposite. It remembers nothing of earlier tricks. Choosing, bidding and naming rest on the estimates of the package
// tactics.
package main

import (
	"slices"

	"kingbot/king"
	"kingbot/king/tactics"
)

type greedy struct{}

// Choose takes a decision of any kind.
func (greedy) Choose(table *king.Table, actions []king.Action) king.Action {
	if actions[0].Kind != king.Play {
		return tactics.Decide(table, actions)
	}
	cards := make([]king.Card, len(actions))
	for index, action := range actions {
		cards[index] = action.Card
	}
	return actions[slices.Index(cards, newTurn(table).pick(cards))]
}

func main() {
	king.Run(greedy{}, king.Config{Name: "go-greedy", Version: "1"})
}
