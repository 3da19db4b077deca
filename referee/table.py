"""Plays one match: ask, check, apply, record.

Owns the match in progress, who decided what and how long it took, and what each seat is told. A seat's bot may fail
at any time; the stand-in then acts for it and the match goes on. Must not know processes, streams or other tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from referee import dealing
from referee.clock import TimeControl
from referee.codec import TableCodec, legal_bytes, legal_cards_bytes
from referee.decisions import Decision, FrameTiming
from referee.faults import STAND_IN, Fault, StandIn
from referee.plans import PlayerPlan, TablePlan
from referee.rules import (
    Action,
    By,
    Card,
    CardGiven,
    CardsDealt,
    DealEnded,
    DealStarted,
    Event,
    Forfeit,
    Match,
    MatchEnded,
    Player,
    Secrets,
    Variant,
    match_text,
    visible_to,
)
from referee.seats import TableLog, TableSeat

_FORCED: Final = Decision(By.FORCED)
_STAND_IN: Final = Decision(By.STAND_IN)
_TOLD_APART: Final = (CardsDealt, CardGiven, MatchEnded)
"""Events that not every seat is told alike, or that end the table."""


Deputy = Callable[[Match, Sequence[Action]], tuple[Action, By] | None]
"""Decides in a bot's place, given two or more legal actions; None has the bot asked. `king check` leads tables so."""

Deputize = Callable[[TablePlan], Deputy | None]
"""Gives a table that is about to begin its deputy, if it has one."""


@dataclass(slots=True)
class LostSeat:
    """A seat that was taken from its bot; deal and action (from 1) are those of its first action since, once taken."""

    seat: int
    fault: Fault
    deal: int | None = None
    action: int | None = None


class Table:
    """One match between `begin` and `over`, moved on by answers and failures of its bots."""

    def __init__(
        self,
        plan: TablePlan,
        variant: Variant,
        control: TimeControl,
        seats: Sequence[TableSeat],
        *,
        started_at: str,
        deputy: Deputy | None = None,
    ) -> None:
        """Set the table; `started_at` is the time in UTC that its record will show."""
        self.plan = plan
        self.variant = variant
        self.control = control
        self.seats = seats
        self.started_at = started_at
        self.lost_seats: list[LostSeat] = []
        self.decisions: list[list[Decision]] = []
        """How each action came about, by deal, by action."""
        self._seed = dealing.deal_seed(plan.deal_secret, plan.deal_salt)
        packs = dealing.packs(self._seed, variant)
        self.match = Match(variant, packs, dealing.first_seat(self._seed, variant))
        self._codec: TableCodec = seats[0].codec
        self._log: TableLog = seats[0].log
        self._deputy = deputy
        self._legal: tuple[Action, ...] = ()
        self._legal_cards = 0
        self._asked_seat: int | None = None
        self._stand_in = StandIn(self._seed, 1)
        self._last_timings: list[FrameTiming | None] = [None] * variant.seats

    @property
    def over(self) -> bool:
        """Whether the match has been played to its end."""
        return self.match.over

    @property
    def timings_known(self) -> bool:
        """Whether the time of every decision is known: a seat's last frame may be open when the match is over."""
        return all(timing is None or timing.taken_ns is not None for timing in self._last_timings)

    def begin(self) -> None:
        """Tell all that the match begins, and play up to the first question."""
        self._log.tell_apart([self._table_start(seat) for seat in self.seats])
        self._tell(self.match.start(), By.FORCED)
        self._play_on()

    def answer(self, index: int, timing: FrameTiming) -> None:
        """The seat that was asked has chosen; the index was checked."""
        cards = self._legal_cards
        if cards:
            while index:
                cards &= cards - 1
                index -= 1
            self._take_card((cards & -cards).bit_length() - 1, timing, timing)
        else:
            self._take(self._legal[index], timing, timing)
        self._play_on()

    def answer_for_bot(self, timing: FrameTiming) -> None:
        """The seat that was asked did not answer in time: the stand-in takes this one action."""
        self._take(self._drawn(), Decision(By.STAND_IN, timing), timing)
        self._play_on()

    def forfeit(self, seat: int, fault: Fault) -> None:
        """Take a seat from its bot for the rest of the match; its process has let it go."""
        self.lost_seats.append(LostSeat(seat, fault))
        if self._asked_seat == seat:
            self._take(self._drawn(), _STAND_IN, None)
            self._play_on()

    def abort(self, reason: str) -> None:
        """Tell all that the match is given up; it has no result."""
        self._log.tell(self._codec.table_aborted(reason))
        for seat in self.seats:
            seat.request = None
            seat.end()

    def record_text(self, players: Sequence[PlayerPlan]) -> str:
        """Return the match as a line of `king-record/1`, secrets included; `players` are those of the sitting's plan.

        Raises:
            ValueError: if a decision's time is not known yet.
        """
        plan = self.plan
        return match_text(
            self.match,
            match_id=plan.match_id,
            players=[Player(bot=players[place].bot, version=players[place].version) for place in plan.players],
            context={
                "season": plan.season,
                "board": plan.board,
                "rotation": plan.rotation,
                "time_control": str(self.control),
                "started_at": self.started_at,
                "stand_in": STAND_IN,
            },
            secrets=Secrets(
                deal_secret=plan.deal_secret,
                deal_salt=plan.deal_salt,
                deal_seed=self._seed,
                deal_commitment=dealing.commitment(plan.deal_secret),
            ),
            taken=[[decision.text for decision in deal] for deal in self.decisions],
            forfeits=self._forfeits_placed(),
        )

    def _play_on(self) -> None:
        match = self.match
        while True:
            cards = match.legal_cards()
            if not cards:
                if self._is_held_up():
                    return
            elif not cards & (cards - 1):
                self._take_card(cards.bit_length() - 1, _FORCED, None)
            elif self._ask_card(cards):
                return

    def _ask_card(self, cards: int) -> bool:
        """Ask which of two or more cards is played; False if the table has decided that by itself."""
        seat = self.seats[self.match.seat_to_act or 0]
        if self._deputy is not None or not seat.held:
            return self._is_held_up()
        self._legal_cards = cards
        self._asked_seat = seat.seat
        seat.ask(legal_cards_bytes(cards), cards.bit_count())
        return True

    def _is_held_up(self) -> bool:
        """Take one action of whatever kind, unless a bot is asked for it or the match is over."""
        legal = self.match.legal_actions()
        if not legal:
            return True
        seat = self.seats[legal[0].seat]
        if len(legal) == 1:
            self._take(legal[0], _FORCED, None)
            return False
        self._legal, self._legal_cards = legal, 0
        if not seat.held:
            self._take(self._drawn(), _STAND_IN, None)
            return False
        decided = self._deputy(self.match, legal) if self._deputy else None
        if decided is not None:
            action, by = decided
            self._take(action, Decision(by), None)
            return False
        self._asked_seat = seat.seat
        seat.ask(legal_bytes(legal), len(legal))
        return True

    def _drawn(self) -> Action:
        legal = self.match.legal_actions() if self._legal_cards else self._legal
        return legal[self._stand_in.choose(legal)]

    def _take(self, action: Action, how: Decision, timing: FrameTiming | None) -> None:
        self._note(action.seat, how, timing)
        self._tell(self.match.apply(action), how.by)

    def _take_card(self, card: Card, how: Decision, timing: FrameTiming | None) -> None:
        self._note(self.match.seat_to_act or 0, how, timing)
        self._tell(self.match.play_card(card), how.by)

    def _note(self, seat: int, how: Decision, timing: FrameTiming | None) -> None:
        self._asked_seat = None
        self.decisions[-1].append(how)
        if timing is not None:
            self._last_timings[seat] = timing
        if self.lost_seats:
            self._place_lost_seat(seat)

    def _place_lost_seat(self, seat: int) -> None:
        for lost in self.lost_seats:
            if lost.seat == seat and lost.deal is None:
                lost.deal, lost.action = len(self.decisions), len(self.decisions[-1])

    def _tell(self, events: Sequence[Event], by: By) -> None:
        play = self._codec.play(events, by)  # nearly all there is to tell
        if play is not None:
            self._log.tell(play)
            return
        for event in events:
            if isinstance(event, _TOLD_APART):
                self._tell_apart(event, by)
                continue
            self._log.tell(self._codec.event(event, by))
            if isinstance(event, DealStarted):
                self.decisions.append([])
                self._stand_in = StandIn(self._seed, event.number)
            elif isinstance(event, DealEnded):
                for seat in self.seats:
                    seat.send_soon()

    def _tell_apart(self, event: CardsDealt | CardGiven | MatchEnded, by: By) -> None:
        if isinstance(event, MatchEnded):
            self._log.tell(self._codec.table_end(event.totals, event.places, self._forfeits_placed()))
            for seat in self.seats:
                seat.end()
            return
        visible = [visible_to(event, seat.seat) for seat in self.seats]
        self._log.tell_apart([b"" if seen is None else self._codec.event(seen, by) for seen in visible])

    def _forfeits_placed(self) -> list[Forfeit]:
        # A seat that had no action left is noted after the last one.
        last_deal, after_last = len(self.decisions), len(self.decisions[-1]) + 1
        return [
            Forfeit(
                seat=each.seat,
                kind=each.fault.kind,
                deal=each.deal or last_deal,
                action=each.action or after_last,
                detail=each.fault.detail,
            )
            for each in self.lost_seats
        ]

    def _table_start(self, seat: TableSeat) -> bytes:
        # The published plan says who meets on the board with this commitment, and a remote bot's owner can read it.
        told = self.plan.season and not seat.remote
        commitment = dealing.commitment(self.plan.deal_secret).hex() if told else ""
        return self._codec.table_start(
            self.variant, self.control, seat=seat.seat, match_id=self.plan.match_id, deal_commitment=commitment
        )
