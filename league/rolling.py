"""The next boards of a rolling season: whoever is least known plays first, with whom it has met least.

Pure: what comes next is a function of the entrants, the boards planned so far and what these have told. Boards that are
planned are never planned again. A plan made at once is `league.pairing`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.estimates import Estimate, t_quantile
from league.neighbours import Players, arcs, cyclic_orders

DUE_AT_LEAST = 2
"""A rolling season's plan grows while fewer sittings than this could be begun."""

_PRIOR_BOARDS = 20.0
"""A bot's own spread counts for as much as the pool's once it has so many boards."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A bot that may be paired: its entrant number, and its owner (empty: a house bot, which may meet anybody).

    `error`: the standard error of its points per deal after `boards_over` boards; None where boards cannot tell.
    """

    entrant: int
    owner: str
    boards_over: int = 0
    error: float | None = None


def error_of(points: Estimate | None, boards: int) -> float | None:
    """The standard error behind the interval of points per deal that rest on so many boards; None without one."""
    if points is None or points.low is None or points.high is None:
        return None
    return (points.high - points.low) / 2.0 / t_quantile(boards - 1)


def can_fill_a_table(contenders: Sequence[Contender], seats: int) -> bool:
    """Whether there are enough bots that may meet."""
    houses = sum(1 for one in contenders if not one.owner)
    return houses + len({one.owner for one in contenders if one.owner}) >= seats


def next_boards(
    contenders: Sequence[Contender], planned: Sequence[Players], *, seats: int, boards: int
) -> tuple[Players, ...]:
    """The cyclic orders of the next boards, `boards` of them; none when too few bots may meet.

    `planned`: those of all boards of the season so far, over or not, in any order.

    A board begins with the bot whose points per deal will be least certain once all that is planned is over: its error
    shrinks with the root of its boards, and is without bound before the first one. With it sit, one after the other,
    those who have met the ones at the table least, the least certain first.
    """
    if not can_fill_a_table(contenders, seats):
        return ()
    counts = _Counts(planned)
    spread = spread_by_bot(contenders)
    chosen = []
    for number in range(len(planned) + 1, len(planned) + boards + 1):
        players = _seated(contenders, counts, spread, seats, random.Random(number))
        order = min(cyclic_orders(players), key=counts.neighbours)
        counts.add(order)
        chosen.append(order)
    return tuple(chosen)


def spread_by_bot(contenders: Sequence[Contender]) -> Mapping[int, float]:
    """How much a single board tells of each bot: the variance of its points per deal from one board, by entrant.

    What is measured counts by its boards, the mean of the pool for 20 more; 1 for all where nothing is measured.
    """
    measured = {
        one.entrant: (one.error**2 * one.boards_over, one.boards_over)
        for one in contenders
        if one.error is not None and one.boards_over > 1
    }
    weight = sum(boards for _, boards in measured.values())
    pool = math.fsum(variance * boards for variance, boards in measured.values()) / weight if weight else 1.0
    if pool == 0.0:
        pool = 1.0
    spread = {}
    for one in contenders:
        variance, boards = measured.get(one.entrant, (pool, 0))
        spread[one.entrant] = (variance * boards + pool * _PRIOR_BOARDS) / (boards + _PRIOR_BOARDS)
    return spread


class _Counts:
    """How many boards each bot has, each pair shares, and how often one sits right after another."""

    def __init__(self, planned: Sequence[Players]) -> None:
        self.boards: dict[int, int] = {}
        self._met: dict[tuple[int, int], int] = {}
        self._after: dict[tuple[int, int], int] = {}
        for order in planned:
            self.add(order)

    def add(self, order: Players) -> None:
        for player in order:
            self.boards[player] = self.boards.get(player, 0) + 1
        for pair in combinations(sorted(order), 2):
            self._met[pair] = self._met.get(pair, 0) + 1
        for arc in arcs(order):
            self._after[arc] = self._after.get(arc, 0) + 1

    def met(self, player: int, others: Sequence[int]) -> int:
        return sum(self._met.get((min(player, other), max(player, other)), 0) for other in others)

    def neighbours(self, order: Players) -> int:
        """How often those who would be neighbours have been so, squares adding up: an even order has the least."""
        return sum(2 * self._after.get(arc, 0) + 1 for arc in arcs(order))


def _seated(
    contenders: Sequence[Contender], counts: _Counts, spread: Mapping[int, float], seats: int, draw: random.Random
) -> Players:
    """The players of one board; between equals a fixed sequence of draws decides."""
    owners = {one.entrant: one.owner for one in contenders}
    lots = {one.entrant: draw.random() for one in contenders}
    doubt = {
        entrant: spread[entrant] / counts.boards[entrant] if counts.boards.get(entrant) else math.inf
        for entrant in owners
    }
    players: list[int] = []
    while len(players) < seats:
        taken = {owners[player] for player in players if owners[player]}
        free = [entrant for entrant in owners if entrant not in players and owners[entrant] not in taken]
        players.append(min(free, key=lambda one: (counts.met(one, players), -doubt[one], lots[one])))
    return tuple(players)
