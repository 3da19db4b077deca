"""One match with scripted players: who is told what, who decided what, and what a failure does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from king.v1 import arena_pb2 as pb

from referee.clock import TimeControl
from referee.dealing import deal_seed, stand_in_stream
from referee.decisions import FrameTiming
from referee.faults import Fault, FaultKind
from referee.plans import PlayerPlan
from referee.rules import PRESETS, By, Record, parse_record, parse_variant, record_text
from referee.seats import TableLog, TableSeat
from referee.table import Table
from referee.verification import verify
from tests.protocol.plans import table_plan

PLAYERS = tuple(PlayerPlan(f"bot{place}", "1") for place in range(4))


class Holder:
    """Holds one seat, and remembers when it is asked."""

    def __init__(self, sent: dict[TableSeat, None]) -> None:
        self.ids = 0
        self._sent = sent

    def queue(self, seat: TableSeat) -> None:
        """Nothing is sent here: the log is looked at."""
        self._sent[seat] = None

    @property
    def remote(self) -> bool:
        return False

    def note_end(self, seat: TableSeat) -> None:
        """The end is in the log."""

    def next_request_id(self) -> int:
        """Count."""
        self.ids += 1
        return self.ids


class Scripted:
    """A table whose players are moved by the test."""

    def __init__(self, variant: str = "russian-14", *, absent: tuple[int, ...] = ()) -> None:
        self.variant = parse_variant(variant)
        plan = table_plan(players=tuple(range(self.variant.seats)))
        log = TableLog()
        self.sent: dict[TableSeat, None] = {}
        """The seats to which something was to be sent."""
        self.seats = [
            TableSeat(None if seat in absent else Holder(self.sent), table=9, seat=seat, log=log)
            for seat in range(self.variant.seats)
        ]
        self.table = Table(plan, self.variant, TimeControl(), self.seats, started_at="2026-11-29T20:00:00Z")
        for seat in absent:
            self.table.forfeit(seat, Fault(FaultKind.ABSENT, "was not there"))
        self.table.begin()

    def asked(self) -> TableSeat:
        """The seat that is asked."""
        (seat,) = [seat for seat in self.seats if seat.request is not None]
        return seat

    def answer(self, place: int = 0) -> None:
        """Have the seat that is asked choose."""
        self.asked().request = None
        self.table.answer(place, timing())

    def fail(self, seat: int, kind: FaultKind = FaultKind.ILLEGAL) -> None:
        """Take a seat from its bot, as its process does."""
        self.seats[seat].take_from_bot()
        self.table.forfeit(seat, Fault(kind, "as told"))

    def play_out(self) -> None:
        """Choose the first action to the end."""
        while not self.table.over:
            self.answer()

    def told(self, seat: int) -> list[pb.RefereeMessage]:
        """All that a seat was told."""
        return list(pb.PlayResponse.FromString(self.seats[seat].log.told(seat)).messages)

    def written(self, players: Sequence[PlayerPlan] = PLAYERS) -> Record:
        """The record, written as every record is."""
        text = self.table.record_text(players)
        record = parse_record(text)
        assert text == record_text(record)
        return record

    def record(self) -> Record:
        """The record, found sound."""
        record = self.written()
        assert [str(problem) for problem in verify(record).problems] == []
        return record


def timing() -> FrameTiming:
    """A frame of one request that took 3 ms."""
    settled = FrameTiming(1)
    settled.taken_ns = 3_000_000
    return settled


def kinds(messages: list[pb.RefereeMessage]) -> list[str]:
    """What kinds of messages they are."""
    return [str(message.WhichOneof("message")) for message in messages]


@pytest.mark.parametrize("variant", PRESETS)
def test_every_preset_is_played_to_a_sound_record(variant: str) -> None:
    """A match of every preset ends, and its record verifies."""
    table = Scripted(variant)
    table.play_out()
    record = table.record()
    assert record["match_id"] == "match-7-1"


def test_name_that_marks_a_gap_is_written_as_any_other() -> None:
    """What marks where actions are written may be a text of the record too."""
    table = Scripted("russian-14")
    table.play_out()
    record = table.written([PlayerPlan("\0", "\0"), *PLAYERS[1:]])
    assert "\0" in {player["bot"] for player in record["players"]}
    assert record["deals"] == table.written()["deals"]


@pytest.mark.parametrize("variant", PRESETS)
def test_seat_sees_its_own_cards_only(variant: str) -> None:
    """No message to a seat holds a card of another hand before it is played, given to it, or shown to all."""
    table = Scripted(variant)
    table.play_out()
    record = table.written()
    for seat in range(table.variant.seats):
        number = 0
        for message in table.told(seat):
            kind = message.WhichOneof("message")
            if kind == "deal_start":
                number = message.deal_start.number
            elif kind == "cards_dealt":
                assert set(message.cards_dealt.cards) <= set(record["deals"][number - 1]["hands"][seat])
            elif kind == "card_given":
                gift = message.card_given
                assert bool(gift.card) == (seat in {gift.seat, gift.to_seat})
            elif kind == "action_taken":
                assert message.action_taken.action.kind != pb.ACTION_KIND_GIVE


def test_seat_is_told_every_action_in_the_order_of_the_record() -> None:
    """Every seat is told every action, its own too, with how it came about."""
    table = Scripted("turkish-20")
    table.play_out()
    record = table.written()
    actions = [action for deal in record["deals"] for action in deal["actions"]]
    for seat in range(4):
        told = [message.action_taken for message in table.told(seat) if message.HasField("action_taken")]
        assert [(each.seat, pb.ActionBy.Name(each.by)) for each in told] == [
            (action["seat"], f"ACTION_BY_{action['by'].upper()}") for action in actions
        ]


def test_messages_come_in_the_order_of_the_protocol() -> None:
    """A table starts, each deal starts, is dealt, has its contract, its tricks and its end, and the table ends."""
    table = Scripted()
    table.play_out()
    said = kinds(table.told(2))
    assert said[:4] == ["table_start", "deal_start", "cards_dealt", "contract_set"]
    assert said[4:9] == ["action_taken"] * 4 + ["trick_end"]
    assert said[-3:] == ["trick_end", "deal_end", "table_end"]
    count = Counter(said)
    assert (count["deal_start"], count["contract_set"], count["deal_end"]) == (14, 14, 14)


def test_single_action_is_taken_without_asking() -> None:
    """Whoever has one legal action is not asked; the action is forced."""
    table = Scripted()
    table.play_out()
    last_tricks = [deal[-4:] for deal in table.table.decisions[:1]]
    assert [decision.by for deal in last_tricks for decision in deal] == [By.FORCED] * 4
    asked = sum(holder.ids for seat in table.seats if isinstance(holder := seat._holder, Holder))
    assert asked == sum(decision.by is By.BOT for deal in table.table.decisions for decision in deal)


def test_stand_in_plays_a_forfeited_seat_on() -> None:
    """From the fault on the stand-in takes the seat's actions, by lots that anyone can draw again."""
    table = Scripted()
    for _ in range(7):
        table.answer()
    lost = table.asked().seat
    before = len(table.table.decisions[0])
    legal = table.table.match.legal_actions()
    seed = deal_seed(table.table.plan.deal_secret, table.table.plan.deal_salt)
    drawn = legal[stand_in_stream(seed, 1).below(len(legal))]
    table.fail(lost)
    table.play_out()
    record = table.record()
    assert record["forfeits"] == [
        {"seat": lost, "kind": "illegal", "deal": 1, "action": before + 1, "detail": "as told"}
    ]
    assert record["deals"][0]["actions"][before] == {**drawn.to_json(), "by": "stand_in"}


def test_forfeit_of_a_seat_not_asked_starts_at_its_next_action() -> None:
    """A seat that fails while another thinks is noted from its own next action on."""
    table = Scripted()
    asked = table.asked().seat
    other = (asked + 2) % 4
    table.fail(other, FaultKind.FLOOD)
    assert table.asked().seat == asked
    table.play_out()
    record = table.record()
    (forfeit,) = record["forfeits"]
    assert (forfeit["seat"], forfeit["kind"], forfeit["deal"], forfeit["action"]) == (other, "flood", 1, 3)


def test_forgiven_overrun_costs_one_action() -> None:
    """The stand-in takes one action, and the bot the next ones; nothing is forfeited."""
    table = Scripted()
    seat = table.asked()
    seat.request = None
    table.table.answer_for_bot(timing())
    table.play_out()
    record = table.record()
    assert record["forfeits"] == []
    taken = [decision.by for deal in table.table.decisions for decision in deal]
    assert taken.count(By.STAND_IN) == 1
    end = table.told(0)[-1].table_end
    assert list(end.forfeits) == []


def test_match_without_bots_is_played_by_the_stand_in() -> None:
    """A table whose bots all stay away is played at once, and everybody has forfeited."""
    table = Scripted(absent=(0, 1, 2, 3))
    assert table.table.over
    record = table.record()
    assert [(forfeit["seat"], forfeit["kind"]) for forfeit in record["forfeits"]] == [
        (seat, "absent") for seat in range(4)
    ]


def test_end_tells_the_forfeits() -> None:
    """The others learn at the end who was taken from its bot; to the failed seat nothing is sent any more."""
    table = Scripted()
    table.fail(1, FaultKind.EXIT)
    table.play_out()
    assert sorted(seat.seat for seat in table.sent) == [0, 2, 3]
    (forfeit,) = table.told(0)[-1].table_end.forfeits
    assert (forfeit.seat, forfeit.kind, forfeit.deal) == (1, "exit", 1)


def test_aborted_match_tells_why() -> None:
    """A table that is given up ends for every seat with the reason, and nobody is asked any more."""
    table = Scripted()
    table.table.abort("the worker has gone")
    for seat in range(4):
        assert table.told(seat)[-1].table_end.aborted == "the worker has gone"
    assert all(seat.request is None for seat in table.seats)


def test_record_waits_for_the_time_of_the_last_frame() -> None:
    """A match is over before the times are known when its last requests were asked with others."""
    table = Scripted()
    open_frame = FrameTiming(2)
    while not table.table.over:
        table.asked().request = None
        table.table.answer(0, open_frame)
    assert not table.table.timings_known
    open_frame.taken_ns = 9_000_000
    assert table.table.timings_known
    record = table.written()
    times = {(action.get("ms"), action.get("asked_with")) for deal in record["deals"] for action in deal["actions"]}
    assert times == {(4, 2), (None, None)}
