package king

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kingbot/kingv1"
)

// said keeps what a session says, frame by frame.
type said [][]*kingv1.BotMessage

func (s *said) Send(frame *kingv1.PlayRequest) error {
	*s = append(*s, frame.GetMessages())
	return nil
}

// chooser is a bot that is one function.
type chooser func(table *Table, actions []Action) Action

func (c chooser) Choose(table *Table, actions []Action) Action { return c(table, actions) }

func last(_ *Table, actions []Action) Action { return actions[len(actions)-1] }

// opening is a match of russian-14 up to our first card: seat 1 leads the queen of spades, and we hold two spades.
func opening(table int32) []*kingv1.RefereeMessage {
	return []*kingv1.RefereeMessage{
		{Table: table, Message: &kingv1.RefereeMessage_TableStart{TableStart: &kingv1.TableStart{
			Variant: "russian-14", SeatCount: 4, Seat: 2, MatchId: "m",
			TimeControl: &kingv1.TimeControl{BankMs: 10_000},
		}}},
		{Table: table, Message: &kingv1.RefereeMessage_DealStart{DealStart: &kingv1.DealStart{
			Number: 1, HasDealer: true, Dealer: 0,
		}}},
		{Table: table, Message: &kingv1.RefereeMessage_CardsDealt{CardsDealt: &kingv1.CardsDealt{
			Cards: []string{"7S", "AS", "KH", "7D", "8D", "9D", "TD", "JD"},
		}}},
		{Table: table, Message: &kingv1.RefereeMessage_ContractSet{ContractSet: &kingv1.ContractSet{
			Contract: "no_tricks",
		}}},
		played(table, 1, "QS"),
		asking(table, 70+int64(table), "7S", "AS"),
	}
}

func played(table, seat int32, card string) *kingv1.RefereeMessage {
	return &kingv1.RefereeMessage{Table: table, Message: &kingv1.RefereeMessage_ActionTaken{
		ActionTaken: &kingv1.ActionTaken{Seat: seat, Action: playing(card), By: kingv1.ActionBy_ACTION_BY_BOT},
	}}
}

func asking(table int32, id int64, cards ...string) *kingv1.RefereeMessage {
	wanted := &kingv1.Request{RequestId: id, TimeLeftMs: 5000, TimeTakenLastMs: 3}
	for _, card := range cards {
		wanted.LegalActions = append(wanted.LegalActions, playing(card))
	}
	return &kingv1.RefereeMessage{Table: table, Message: &kingv1.RefereeMessage_Request{Request: wanted}}
}

func playing(card string) *kingv1.Action {
	return &kingv1.Action{Kind: kingv1.ActionKind_ACTION_KIND_PLAY, Card: card}
}

func trickEnd(table, taker int32) *kingv1.RefereeMessage {
	return &kingv1.RefereeMessage{Table: table, Message: &kingv1.RefereeMessage_TrickEnd{
		TrickEnd: &kingv1.TrickEnd{Number: 1, Taker: taker},
	}}
}

func TestTheViewHoldsWhatWasTold(t *testing.T) {
	var seen *Table
	session := newSession(chooser(func(table *Table, actions []Action) Action {
		seen = table
		return actions[0]
	}), Config{}, "")
	var out said
	if err := session.onFrame(opening(3), &out); err != nil {
		t.Fatal(err)
	}
	deal := seen.Deal
	if deal.Dealer != 0 || deal.Eldest() != 1 || deal.Chooser != NoSeat {
		t.Errorf("the dealer is %d, eldest %d, the chooser %d", deal.Dealer, deal.Eldest(), deal.Chooser)
	}
	if deal.Contract != "no_tricks" || deal.Declarer != NoSeat || deal.Trump != NoSuit {
		t.Errorf("the deal is %+v", deal)
	}
	if deal.Trick.Led() != Spades || deal.Trick.Leader() != 1 || !slices.Equal(seen.Opponents(), []int{3, 0, 1}) {
		t.Errorf("the trick is %+v", deal.Trick)
	}
	rest := []*kingv1.RefereeMessage{played(3, 2, "AS"), played(3, 3, "8H"), played(3, 0, "8S"), trickEnd(3, 2)}
	if err := session.onFrame(rest, &out); err != nil {
		t.Fatal(err)
	}
	if deal.Trick != nil || !slices.Equal(deal.TricksTaken, []int{0, 0, 1, 0}) {
		t.Errorf("after the trick: %+v", deal)
	}
	if points := seen.PointsSoFar(); !slices.Equal(points, []int{0, 0, -2, 0}) {
		t.Errorf("the points so far are %v", points)
	}
	if deal.Hand.Len() != 7 || deal.Cannot[3] != Spades.Cards() || deal.Unseen().Len() != 32-7-4 {
		t.Errorf("after the trick the hand is %v, seat 3 cannot have %v", deal.Hand, deal.Cannot[3])
	}
}

func TestRequestsOfAFrameAreAnsweredTogether(t *testing.T) {
	session := newSession(chooser(last), Config{}, "")
	var out said
	if err := session.onFrame(append(opening(3), opening(4)...), &out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 1 || len(out[0]) != 2 {
		t.Fatalf("said %v", out)
	}
	for index, id := range []int64{73, 74} {
		if choice := out[0][index].GetChoice(); choice.GetRequestId() != id || choice.GetIndex() != 1 {
			t.Errorf("answer %d is %v", index, choice)
		}
	}
}

func TestAnswersThatAreReadyDoNotWaitForSlowOnes(t *testing.T) {
	session := newSession(chooser(func(table *Table, actions []Action) Action {
		time.Sleep(2 * flushAfter)
		return actions[0]
	}), Config{}, "")
	var out said
	if err := session.onFrame(append(opening(3), opening(4)...), &out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 2 {
		t.Errorf("said %v", out)
	}
}

func TestAnIllegalChoiceIsTheBotsOwnFault(t *testing.T) {
	session := newSession(chooser(func(*Table, []Action) Action { return Action{Kind: Pass} }), Config{}, "")
	err := session.onFrame(opening(3), &said{})
	if err == nil || !strings.Contains(err.Error(), "which is not legal") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheDeclarerHasTheTalonWhenAskedForAGift(t *testing.T) {
	table := NewTable("classic", map[string]string{"redemption": "talon"}, 4, 2)
	table.Deal.Talon = []Card{10, 11}
	table.Deal.onRequest([]Action{{Kind: Give, Card: 10, To: 3}, {Kind: Give, Card: 11, To: 3}})
	table.Deal.onGift(Gift{Seat: 2, To: 3, Card: 10})
	if table.Deal.Hand != SetOf(11) || table.Deal.Known[3] != SetOf(10) || table.Deal.TalonTaker != 2 {
		t.Errorf("the hand is %v, known are %v", table.Deal.Hand, table.Deal.Known)
	}
}

func TestAnUnknownVariantIsNamed(t *testing.T) {
	messages := opening(3)[:1]
	messages[0].GetTableStart().Variant = "bridge-52[seats=3]"
	var out said
	err := newSession(chooser(last), Config{}, "").onFrame(messages, &out)
	if err == nil || !strings.Contains(err.Error(), `does not know the variant "bridge-52"`) {
		t.Errorf("the error is %v", err)
	}
}
