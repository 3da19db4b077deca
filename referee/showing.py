"""What everybody at a table can see of it, as one JSON object: for readers who watch.

Owns the rule of what may be shown while a match is played: what every seat was told, or can count, and nothing that
only some seats know. Hands, gifts of the talon, cards left unplayed, legal cards and thinking times are never in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from referee.clock import NS_PER_MS, ProcessClock
from referee.plans import TableShown
from referee.processes import BotProcess
from referee.rules import Action, ActionKind, By, Deal, Match, card_text
from referee.rules.record import trick_record
from referee.table import Table

Shown = dict[str, Any]

SHOW_EVERY_NS: Final = 200 * NS_PER_MS
"""A table is not shown faster than this, however fast its bots are: a reader sees where it stands, not every play."""

TELL_CLOCK_EVERY_NS: Final = 5_000 * NS_PER_MS
"""How often a running clock is told anew, since time may be given back to it."""


class Watched:
    """Which tables of a sitting are watched, and what was shown of each last. Without any it costs one comparison."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[object, ...]] = {}
        self._due_ns = 0

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._last

    def want(self, match_ids: Collection[str]) -> None:
        """Watch these, and no others; those that are new are shown again whole."""
        self._last = {match_id: self._last.get(match_id, ()) for match_id in match_ids}

    def due(self, now_ns: int) -> bool:
        """Whether to look at the tables now."""
        return bool(self._last) and now_ns >= self._due_ns

    def wait_from(self, now_ns: int) -> None:
        """Look at them again after a while."""
        self._due_ns = now_ns + SHOW_EVERY_NS

    def shown(self, tables: Iterable[Table], processes: Collection[BotProcess], now_ns: int) -> Iterator[TableShown]:
        """Yield what is to be shown of those of the tables that are watched; `processes` are those of the sitting."""
        for table in tables:
            if table.plan.match_id in self._last:
                shown = self.changed(table, _clock_at(table, processes), now_ns)
                if shown is not None:
                    yield shown

    def changed(self, table: Table, clock: ProcessClock | None, now_ns: int) -> TableShown | None:
        """Return what is to be shown of a watched table; None if that was shown last. `clock` is of the seat to act."""
        told = now_ns // TELL_CLOCK_EVERY_NS if clock is not None and clock.running else 0
        sight = (sum(map(len, table.decisions)), clock is not None and clock.running, told, table.over)
        if self._last[table.plan.match_id] == sight:
            return None
        self._last[table.plan.match_id] = sight
        shown = shown_match(table.match, [[decision.by for decision in deal] for deal in table.decisions])
        shown["clock"] = None if clock is None else _clock(clock, now_ns)
        return TableShown(table.plan.match_id, json.dumps(shown, separators=(",", ":")).encode())


def _clock_at(table: Table, processes: Iterable[BotProcess]) -> ProcessClock | None:
    """The clock of the bot whose turn it is; None if nobody's is, or the stand-in has the seat."""
    turn = table.match.seat_to_act
    if turn is None or not table.seats[turn].held:
        return None
    holders = (process for process in processes if table.seats[turn] in process.open_seats)
    return next((process.clock for process in holders), None)


def _clock(clock: ProcessClock, now_ns: int) -> Shown:
    return {"left_ms": max(0, clock.left_ns(now_ns)) // NS_PER_MS, "running": clock.running}


def shown_match(match: Match, taken_by: Sequence[Sequence[By]]) -> Shown:
    """Return a match as all its seats see it; `taken_by` says by deal and action how each action came about.

    `count` is how many actions were taken in all, `deals` are those that are over, `deal` the one in progress or, when
    the match is over, the last. `totals` count what the deal has brought so far, as `points` of the deal do.
    """
    open_deal = match.deal
    last = open_deal or match.deals[-1]
    points = last.points_so_far()
    before = match.totals if match.deals else (0,) * match.variant.seats
    return {
        "variant": match.variant.id,
        "count": sum(map(len, taken_by)),
        "deals": [_deal_over(deal) for deal in match.deals],
        "deal": _deal(match, last, taken_by[last.number - 1]),
        "totals": list(before) if open_deal is None else [a + b for a, b in zip(before, points, strict=True)],
        "turn": match.seat_to_act,
        "deciding": sorted({action.kind.value for action in match.legal_actions()}),
        "places": None if match.places is None else list(match.places),
        "settlement": None if match.settlement is None else list(match.settlement),
    }


def _deal_over(deal: Deal) -> Shown:
    return {
        "number": deal.number,
        "contract": deal.contract.id if deal.contract else None,
        "declarer": deal.declarer,
        "trump": deal.trump,
        "points": list(deal.points or ()),
        "made_king": deal.made_king,
    }


def _deal(match: Match, deal: Deal, taken_by: Sequence[By]) -> Shown:
    play = deal.play
    is_open = match.deal is deal
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "contract": deal.contract.id if deal.contract else None,
        "declarer": deal.declarer,
        "trump": deal.trump,
        "misere": deal.misere,
        "price": deal.price,
        "exposed": None if deal.exposed is None else card_text(deal.exposed),
        "exposed_in": _holder_of_exposed(deal),
        "talon": [] if deal.talon_taken else list(map(card_text, deal.talon)),
        "actions": [_action(action, by) for action, by in zip(deal.actions, taken_by, strict=True)],
        "tricks": [trick_record(trick) for trick in deal.tricks if trick.cards],
        "tricks_taken": list(play.tricks_taken) if play else [0] * match.variant.seats,
        "holder": play.winner if is_open and play and play.trick else None,
        "hand_counts": [hand.bit_count() if is_open else 0 for hand in deal.hands],
        "points": list(deal.points_so_far()),
        "over": not is_open,
    }


def _action(action: Action, by: By) -> Shown:
    form = action.to_json()
    if action.kind is ActionKind.GIVE:
        del form["card"]
    return {**form, "by": by.value}


def _holder_of_exposed(deal: Deal) -> int | None:
    """The seat that still holds the card shown to all."""
    if deal.exposed is None or deal.points is not None:
        return None
    return next((seat for seat, hand in enumerate(deal.hands) if hand >> deal.exposed & 1), None)
