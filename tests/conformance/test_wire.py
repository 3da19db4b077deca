"""From the protocol's messages to the SDK's view."""

from __future__ import annotations

import pytest
from king.v1 import arena_pb2 as pb
from king_bot import Action, ActionKind, Table, card
from king_bot.wire import Tables, read_action


class Told:
    """Notes which hooks were called."""

    def __init__(self) -> None:
        self.started: list[Table] = []
        self.deal_ended: list[Table] = []
        self.ended: list[Table] = []

    def tables(self) -> Tables:
        return Tables(started=self.started.append, deal_ended=self.deal_ended.append, ended=self.ended.append)


def start(seat: int = 2) -> pb.RefereeMessage:
    control = pb.TimeControl(start_ms=30_000, increment_ms=100, bank_ms=10_000)
    return pb.RefereeMessage(
        table=4,
        table_start=pb.TableStart(
            variant="classic[redemption=talon]",
            options={"redemption": "talon", "pack": "52", "seats": "4"},
            seat_count=4,
            seat=seat,
            time_control=control,
            match_id="m",
        ),
    )


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (pb.Action(kind=pb.ACTION_KIND_PLAY, card="KH"), Action(ActionKind.PLAY, card=card("KH"))),
        (
            pb.Action(kind=pb.ACTION_KIND_CHOOSE, contract="trumps", trump=pb.SUIT_CLUBS),
            Action(ActionKind.CHOOSE, contract="trumps", trump="C"),
        ),
        (pb.Action(kind=pb.ACTION_KIND_ORDER, contract="boys"), Action(ActionKind.ORDER, contract="boys")),
        (pb.Action(kind=pb.ACTION_KIND_BID, trick_count=3), Action(ActionKind.BID, tricks=3)),
        (pb.Action(kind=pb.ACTION_KIND_NAME_TRUMP, trump=pb.SUIT_SPADES), Action(ActionKind.NAME_TRUMP, trump="S")),
        (pb.Action(kind=pb.ACTION_KIND_GIVE, card="2C", to_seat=0), Action(ActionKind.GIVE, card=card("2C"), to=0)),
        (pb.Action(kind=pb.ACTION_KIND_TWO_TRICKS_EACH), Action(ActionKind.TWO_TRICKS_EACH)),
    ],
)
def test_actions_are_read(sent: pb.Action, read: Action) -> None:
    """Each kind has the fields it uses, and None in the others."""
    assert read_action(sent) == read


@pytest.mark.parametrize(
    "message",
    [
        pb.RefereeMessage(table=4, request=pb.Request(request_id=1)),
        pb.RefereeMessage(table=4, exposed=pb.Exposed(seat=1, card="")),
        pb.RefereeMessage(table=4, exposed=pb.Exposed(seat=9, card="KH")),
        pb.RefereeMessage(table=4, cards_dealt=pb.CardsDealt(cards=["?"])),
        pb.RefereeMessage(table=4, action_taken=pb.ActionTaken(seat=1)),
        pb.RefereeMessage(table=4, trick_end=pb.TrickEnd(taker=4)),
        pb.RefereeMessage(table=5, deal_end=pb.DealEnd()),
        pb.RefereeMessage(table=6, table_start=pb.TableStart(variant="russian-14", seat_count=2**31 - 1)),
        pb.RefereeMessage(table=6, table_start=pb.TableStart(variant="russian-14", seat_count=4, seat=-1)),
    ],
)
def test_what_contradicts_the_view_is_a_value_error(message: pb.RefereeMessage) -> None:
    """A message that makes no sense is refused with one kind of error, before anything large is made for it."""
    tables = Told().tables()
    tables.take_in([start()])
    with pytest.raises(ValueError, match=r"the referee sent|no trick is open"):
        tables.take_in([message])


def test_a_deal_is_followed() -> None:
    """Messages of one deal build its view: dealer, cards, talon, gift, contract, tricks, points."""
    told = Told()
    tables = told.tables()
    play = pb.Action(kind=pb.ACTION_KIND_PLAY, card="9S")
    messages = [
        start(),
        pb.RefereeMessage(table=4, deal_start=pb.DealStart(number=1, has_dealer=True, dealer=0)),
        pb.RefereeMessage(table=4, cards_dealt=pb.CardsDealt(cards=["KH", "2S"])),
        pb.RefereeMessage(table=4, talon_shown=pb.TalonShown(cards=["AS", "AC"])),
        pb.RefereeMessage(table=4, card_given=pb.CardGiven(seat=1, to_seat=2, card="AC", by=pb.ACTION_BY_BOT)),
        pb.RefereeMessage(table=4, card_given=pb.CardGiven(seat=1, to_seat=3, by=pb.ACTION_BY_BOT)),
        pb.RefereeMessage(
            table=4,
            contract_set=pb.ContractSet(
                contract="trumps", has_declarer=True, declarer=1, trump=pb.SUIT_DIAMONDS, price=4
            ),
        ),
        pb.RefereeMessage(table=4, action_taken=pb.ActionTaken(seat=1, action=play, by=pb.ACTION_BY_FORCED)),
    ]
    assert tables.take_in(messages) == []
    table = tables.by_number[4]
    deal = table.deal
    assert (table.variant, table.base_id, table.seat) == ("classic[redemption=talon]", "classic", 2)
    assert (deal.dealer, deal.eldest, deal.chooser) == (0, 1, None)
    assert [str(held) for held in deal.hand] == ["2S", "KH", "AC"]
    assert (deal.contract, deal.declarer, deal.trump, deal.price, deal.misere) == ("trumps", 1, "D", 4, False)
    assert deal.talon_taker == 1
    end = pb.RefereeMessage(table=4, deal_end=pb.DealEnd(number=1, points=[25, 0, 0, 0], totals=[25, 0, 0, 0]))
    over = pb.TableEnd(
        totals=[25, 0, 0, 0], places=[1, 2, 2, 2], forfeits=[pb.Forfeit(seat=3, kind="exit", deal=1, action=2)]
    )
    tables.take_in([end, pb.RefereeMessage(table=4, table_end=over)])
    assert (told.started, told.deal_ended, told.ended) == ([table], [table], [table])
    assert table.finished[0].points == (25, 0, 0, 0)
    assert (table.places, table.forfeits[0].kind) == ((1, 2, 2, 2), "exit")
    assert tables.by_number == {}


def test_table_start_replaces_a_known_table() -> None:
    """A table that comes again after a broken stream is made anew."""
    tables = Told().tables()
    dealt = pb.RefereeMessage(table=4, cards_dealt=pb.CardsDealt(cards=["KH"]))
    begun = pb.RefereeMessage(table=4, deal_start=pb.DealStart(number=1))
    tables.take_in([start(), begun, dealt])
    tables.take_in([start(seat=1), begun])
    assert (tables.by_number[4].seat, tables.by_number[4].deal.hand_mask) == (1, 0)


def test_unknown_kinds_are_passed_over() -> None:
    """A message of a kind that this version does not know is no error."""
    assert Told().tables().take_in([pb.RefereeMessage(table=4)]) == []


def test_event_of_an_unknown_table_raises() -> None:
    """An event for a table that never started names the table."""
    with pytest.raises(ValueError, match="table 7, which has not started"):
        Told().tables().take_in([pb.RefereeMessage(table=7, trick_end=pb.TrickEnd(number=1, taker=1))])
