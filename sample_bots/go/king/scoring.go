package king

// Scoring is what one contract counts, in points for whoever takes it: below zero what a player avoids.
type Scoring struct {
	EachTrick int
	Tricks    map[int]int // points of tricks by number, from 1
	Cards     CardSet     // the cards that count
	points    [52]int
}

// Points is what the card scores for its taker.
func (s *Scoring) Points(card Card) int { return s.points[card] }

// Avoids tells whether the contract is a penalty.
func (s *Scoring) Avoids() bool {
	total := s.EachTrick
	for card := range s.Cards.All() {
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
	for card := range (cards & s.Cards).All() {
		total += s.points[card]
	}
	return total
}

func eachTrick(points int) *Scoring { return &Scoring{EachTrick: points} }

func numbered(tricks map[int]int) *Scoring { return &Scoring{Tricks: tricks} }

func eachCard(cards CardSet, points int) *Scoring {
	scoring := &Scoring{Cards: cards}
	for card := range cards.All() {
		scoring.points[card] = points
	}
	return scoring
}

// jumble counts everything that its parts count.
func jumble(parts ...*Scoring) *Scoring {
	whole := &Scoring{Tricks: map[int]int{}}
	for _, part := range parts {
		whole.EachTrick += part.EachTrick
		whole.Cards |= part.Cards
		for card := range part.Cards.All() {
			whole.points[card] += part.points[card]
		}
		for number, points := range part.Tricks {
			whole.Tricks[number] += points
		}
	}
	return whole
}

// negated counts the same with the opposite sign.
func (s *Scoring) negated() *Scoring {
	opposite := &Scoring{EachTrick: -s.EachTrick, Tricks: map[int]int{}, Cards: s.Cards}
	for card := range s.Cards.All() {
		opposite.points[card] = -s.points[card]
	}
	for number, points := range s.Tricks {
		opposite.Tricks[number] = -points
	}
	return opposite
}
