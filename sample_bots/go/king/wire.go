package king

import (
	"fmt"
	"time"

	"kingbot/kingv1"
)

// request is one decision that is asked for, with its table as it stands.
type request struct {
	id              int64
	table           *Table
	actions         []Action
	left, takenLast time.Duration
}

// tables has the tables of this process by the referee's number. It survives a broken stream.
type tables struct {
	byNumber map[int32]*Table
	bot      Bot
	clock    *Clock
}

func newTables(bot Bot, clock *Clock) *tables {
	return &tables{byNumber: map[int32]*Table{}, bot: bot, clock: clock}
}

// takeIn brings the views up to date with a whole frame and returns its requests in order.
func (t *tables) takeIn(messages []*kingv1.RefereeMessage) ([]request, error) {
	var asked []request
	for _, message := range messages {
		switch kind := message.GetMessage().(type) {
		case nil, *kingv1.RefereeMessage_Welcome: // nil is a kind that this version does not know
			continue
		case *kingv1.RefereeMessage_TableStart:
			if err := t.onTableStart(message.GetTable(), kind.TableStart); err != nil {
				return nil, err
			}
			continue
		}
		table := t.byNumber[message.GetTable()]
		if table == nil {
			return nil, fmt.Errorf("the referee sent a message for table %d, which has not started: %v",
				message.GetTable(), message)
		}
		if wanted := message.GetRequest(); wanted != nil {
			request, err := readRequest(table, wanted)
			if err != nil {
				return nil, err
			}
			asked = append(asked, request)
			continue
		}
		if err := t.onEvent(table, message); err != nil {
			return nil, fmt.Errorf("table %d, deal %d: %w", table.Number, table.Deal.Number, err)
		}
	}
	return asked, nil
}

func (t *tables) onTableStart(number int32, start *kingv1.TableStart) error {
	if err := checkVariant(start.GetVariant()); err != nil {
		return err
	}
	table := NewTable(start.GetVariant(), start.GetOptions(), int(start.GetSeatCount()), int(start.GetSeat()))
	table.Number, table.MatchID, table.DealCommitment = int(number), start.GetMatchId(), start.GetDealCommitment()
	table.Clock = t.clock
	control := start.GetTimeControl()
	table.TimeControl = TimeControl{
		Start:     milliseconds(control.GetStartMs()),
		Increment: milliseconds(control.GetIncrementMs()),
		Bank:      milliseconds(control.GetBankMs()),
	}
	t.byNumber[number] = table
	if bot, ok := t.bot.(TableStarter); ok {
		bot.TableStarted(table)
	}
	return nil
}

func (t *tables) onTableEnd(table *Table, end *kingv1.TableEnd) {
	table.Totals, table.Places = ints(end.GetTotals()), ints(end.GetPlaces())
	table.Aborted = end.GetAborted()
	for _, forfeit := range end.GetForfeits() {
		table.Forfeits = append(table.Forfeits, Forfeit{
			Seat:   int(forfeit.GetSeat()),
			Kind:   forfeit.GetKind(),
			Deal:   int(forfeit.GetDeal()),
			Action: int(forfeit.GetAction()),
		})
	}
	delete(t.byNumber, int32(table.Number))
	if bot, ok := t.bot.(TableEnder); ok {
		bot.TableEnded(table)
	}
}

func (t *tables) onEvent(table *Table, message *kingv1.RefereeMessage) error {
	deal := table.Deal
	switch event := message.GetMessage().(type) {
	case *kingv1.RefereeMessage_DealStart:
		start := event.DealStart
		table.onDealStart(int(start.GetNumber()), seatIf(start.GetHasDealer(), start.GetDealer()),
			seatIf(start.GetHasChooser(), start.GetChooser()))
	case *kingv1.RefereeMessage_CardsDealt:
		cards, err := readCards(event.CardsDealt.GetCards())
		deal.Hand |= SetOf(cards...)
		return err
	case *kingv1.RefereeMessage_TalonShown:
		cards, err := readCards(event.TalonShown.GetCards())
		deal.Talon = cards
		return err
	case *kingv1.RefereeMessage_ActionTaken:
		action, err := readAction(event.ActionTaken.GetAction())
		if err != nil {
			return err
		}
		deal.onAction(int(event.ActionTaken.GetSeat()), action, ActionBy(event.ActionTaken.GetBy()))
	case *kingv1.RefereeMessage_CardGiven:
		gift := event.CardGiven
		card, err := readCardIfAny(gift.GetCard())
		deal.onGift(Gift{Seat: int(gift.GetSeat()), To: int(gift.GetToSeat()), Card: card})
		return err
	case *kingv1.RefereeMessage_Exposed:
		card, err := ParseCard(event.Exposed.GetCard())
		deal.onExposed(int(event.Exposed.GetSeat()), card)
		return err
	case *kingv1.RefereeMessage_ContractSet:
		set := event.ContractSet
		deal.Contract, deal.Trump, deal.Misere = set.GetContract(), Suit(set.GetTrump()), set.GetMisere()
		deal.Declarer, deal.Price = seatIf(set.GetHasDeclarer(), set.GetDeclarer()), int(set.GetPrice())
	case *kingv1.RefereeMessage_TrickEnd:
		return deal.onTrickEnd(int(event.TrickEnd.GetTaker()))
	case *kingv1.RefereeMessage_DealEnd:
		table.onDealEnd(ints(event.DealEnd.GetPoints()), ints(event.DealEnd.GetTotals()))
		if bot, ok := t.bot.(DealEnder); ok {
			bot.DealEnded(table)
		}
	case *kingv1.RefereeMessage_TableEnd:
		t.onTableEnd(table, event.TableEnd)
	}
	return nil
}

func readRequest(table *Table, wanted *kingv1.Request) (request, error) {
	actions := make([]Action, 0, len(wanted.GetLegalActions()))
	for _, legal := range wanted.GetLegalActions() {
		action, err := readAction(legal)
		if err != nil {
			return request{}, err
		}
		actions = append(actions, action)
	}
	table.Deal.onRequest(actions)
	return request{
		id:        wanted.GetRequestId(),
		table:     table,
		actions:   actions,
		left:      milliseconds(wanted.GetTimeLeftMs()),
		takenLast: milliseconds(wanted.GetTimeTakenLastMs()),
	}, nil
}

func readAction(action *kingv1.Action) (Action, error) {
	card, err := readCardIfAny(action.GetCard())
	return Action{
		Kind:     ActionKind(action.GetKind()),
		Card:     card,
		Contract: action.GetContract(),
		Trump:    Suit(action.GetTrump()),
		Tricks:   int(action.GetTrickCount()),
		To:       seatIf(action.GetKind() == kingv1.ActionKind_ACTION_KIND_GIVE, action.GetToSeat()),
	}, err
}

func readCardIfAny(text string) (Card, error) {
	if text == "" {
		return NoCard, nil
	}
	return ParseCard(text)
}

func readCards(texts []string) ([]Card, error) {
	cards := make([]Card, 0, len(texts))
	for _, text := range texts {
		card, err := ParseCard(text)
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}

func seatIf(has bool, seat int32) int {
	if !has {
		return NoSeat
	}
	return int(seat)
}

func ints(numbers []int32) []int {
	wide := make([]int, len(numbers))
	for index, number := range numbers {
		wide[index] = int(number)
	}
	return wide
}

func milliseconds(count int64) time.Duration { return time.Duration(count) * time.Millisecond }
