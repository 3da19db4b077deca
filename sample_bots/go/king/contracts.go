package king

import (
	"fmt"
	"strconv"
	"strings"
)

// The facts of the variants that the protocol does not send: the pack, and what each contract counts.

var (
	kings  = ofRank(13)
	queens = ofRank(12)
	jacks  = ofRank(11)
)

func ofRank(rank int) CardSet {
	var set CardSet
	for card := range wholePack.All() {
		if card.Rank() == rank {
			set |= card.Set()
		}
	}
	return set
}

// checkVariant tells whether the kit has a variant, which may be named with its options.
func checkVariant(variant string) error {
	switch baseID, _, _ := strings.Cut(variant, "["); baseID {
	case "russian-14", "base-14", "ordered-56", "auction-11", "trump-11", "classic", "chooser-12", "turkish-20":
		return nil
	default:
		return fmt.Errorf("this kit does not know the variant %q: add it to king/contracts.go", baseID)
	}
}

// packOf is the set of all cards of a variant that the kit has.
func packOf(baseID string, options map[string]string) CardSet {
	var short CardSet
	for rank := 7; rank <= 14; rank++ {
		short |= ofRank(rank)
	}
	three := options["seats"] == "3"
	switch baseID {
	case "turkish-20":
		return wholePack
	case "chooser-12":
		if three {
			return wholePack &^ Diamonds.Cards()
		}
		return wholePack
	case "classic":
		return classicPack(short, options["pack"] == "32", three)
	default:
		return short
	}
}

// classicPack leaves out as many of the lowest cards as three seats cannot share.
func classicPack(short CardSet, isShort, three bool) CardSet {
	const twoOfClubs, sevenOfSpades, sevenOfClubs Card = 39, 5, 44
	switch {
	case isShort && three:
		return short &^ SetOf(sevenOfSpades, sevenOfClubs)
	case isShort:
		return short
	case three:
		return wholePack &^ twoOfClubs.Set()
	default:
		return wholePack
	}
}

// scoringsOf is what each contract of a variant that the kit has counts, by the contract's id.
func scoringsOf(baseID string, options map[string]string) map[string]*Scoring {
	switch baseID {
	case "classic":
		return classicScorings(options)
	case "chooser-12":
		return chooserScorings(options)
	case "turkish-20":
		return turkishScorings()
	default:
		return russianScorings(options)
	}
}

func russianScorings(options map[string]string) map[string]*Scoring {
	found := map[string]*Scoring{"trumps": eachTrick(6)}
	for prefix, sign := range map[string]int{"no_": -1, "": 1} {
		boys := eachCard(kings, 4*sign)
		if options["boys"] == "kings_and_jacks" {
			boys = eachCard(kings|jacks, 2*sign)
		}
		tricks := eachTrick(2 * sign)
		girls := eachCard(queens, 4*sign)
		hearts := eachCard(Hearts.Cards(), 2*sign)
		king := eachCard(KingOfHearts.Set(), 16*sign)
		lastTwo := numbered(map[int]int{7: 8 * sign, 8: 8 * sign})
		found[prefix+"tricks"] = tricks
		found[prefix+"boys"] = boys
		found[prefix+"girls"] = girls
		found[prefix+"hearts"] = hearts
		found[prefix+"king"] = king
		found[prefix+"last_two"] = lastTwo
		found[prefix+"jumble"] = jumble(tricks, boys, girls, hearts, king, lastTwo)
	}
	return found
}

func classicScorings(options map[string]string) map[string]*Scoring {
	seats, trick, boy, king, last := 4, 20, 40, 150, 150
	if options["seats"] == "3" {
		seats, trick, boy, king, last = 3, 15, 30, 140, 140
	}
	size := packOf("classic", options).Len() / seats
	ends := map[int]int{size: -last}
	if options["last"] == "two" {
		ends = map[int]int{size - 1: -last / 2, size: -last / 2}
	}
	trump := 25
	if options["redemption"] == "praise" {
		trump = 30
	}
	noTricks := eachTrick(-trick)
	noHearts := eachCard(Hearts.Cards(), -20)
	noGirls := eachCard(queens, -60)
	noBoys := eachCard(kings|jacks, -boy)
	noKing := eachCard(KingOfHearts.Set(), -king)
	noLast := numbered(ends)
	noJumble := jumble(noTricks, noHearts, noGirls, noBoys, noKing, noLast)
	return map[string]*Scoring{
		"no_tricks": noTricks,
		"no_hearts": noHearts,
		"no_girls":  noGirls,
		"no_boys":   noBoys,
		"no_king":   noKing,
		"no_last":   noLast,
		"no_jumble": noJumble,
		"jumble":    noJumble.negated(),
		"trumps":    eachTrick(trump),
	}
}

func chooserScorings(options map[string]string) map[string]*Scoring {
	last, err := strconv.Atoi(options["last_points"])
	if err != nil {
		last = 8
	}
	return map[string]*Scoring{
		"no_tricks":   eachTrick(-2),
		"no_hearts":   eachCard(Hearts.Cards(), -2),
		"no_girls":    eachCard(queens, -4),
		"no_jacks":    eachCard(jacks, -2),
		"no_king":     eachCard(KingOfHearts.Set(), -16),
		"no_last":     numbered(map[int]int{13: -last}),
		"no_7th_13th": numbered(map[int]int{7: -8, 13: -8}),
		"tricks":      eachTrick(2),
		"hearts":      eachCard(Hearts.Cards(), 2),
		"girls":       eachCard(queens, 4),
		"king":        eachCard(KingOfHearts.Set(), 16),
		"last":        numbered(map[int]int{13: last}),
	}
}

func turkishScorings() map[string]*Scoring {
	return map[string]*Scoring{
		"no_tricks":   eachTrick(-50),
		"no_hearts":   eachCard(Hearts.Cards(), -30),
		"no_boys":     eachCard(kings|jacks, -60),
		"no_girls":    eachCard(queens, -100),
		"no_king":     eachCard(KingOfHearts.Set(), -320),
		"no_last_two": numbered(map[int]int{12: -180, 13: -180}),
		"trumps":      eachTrick(50),
	}
}
