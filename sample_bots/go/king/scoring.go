package king

// Scoring is what one contract counts, in points for whoever takes it: below zero what a player avoids.
type Scoring struct {
	EachTrick int
	Tricks    map[int]int // points of tricks by number, from 1
	Cards     []Card      // the cards that count, in the order in which estimates add them up
	points    [52]int
}

// Points is what the card scores for its taker.
func (s *Scoring) Points(card Card) int { return s.points[card] }

// Avoids tells whether the contract is a penalty.
func (s *Scoring) Avoids() bool {
	total := s.EachTrick
	for _, card := range s.Cards {
		total += s.points[card]
	}
	for _, points := range s.Tricks {
		total += points
	}
	return total < 0
}

// TrickPoints is what trick number scores when it holds these cards.
func (s *Scoring) TrickPoints(number int, cards CardSet) int {
	total := s.EachTrick + s.Tricks[number]
	for card := range cards.All() {
		total += s.points[card]
	}
	return total
}

func eachTrick(points int) *Scoring { return &Scoring{EachTrick: points} }

func numbered(tricks map[int]int) *Scoring { return &Scoring{Tricks: tricks} }

func eachCard(cards CardSet, points int) *Scoring {
	scoring := &Scoring{}
	for card := range cards.All() {
		scoring.add(card, points)
	}
	return scoring
}

func (s *Scoring) add(card Card, points int) {
	if s.points[card] == 0 {
		s.Cards = append(s.Cards, card)
	}
	s.points[card] += points
}

// jumble counts everything that its parts count.
func jumble(parts ...*Scoring) *Scoring {
	whole := &Scoring{Tricks: map[int]int{}}
	for _, part := range parts {
		whole.EachTrick += part.EachTrick
		for _, card := range part.Cards {
			whole.add(card, part.points[card])
		}
		for number, points := range part.Tricks {
			whole.Tricks[number] += points
		}
	}
	return whole
}

// negated counts the same with the opposite sign.
func (s *Scoring) negated() *Scoring {
	opposite := &Scoring{EachTrick: -s.EachTrick, Tricks: map[int]int{}}
	for _, card := range s.Cards {
		opposite.add(card, -s.points[card])
	}
	for number, points := range s.Tricks {
		opposite.Tricks[number] = -points
	}
	return opposite
}
