"""Season sizes at which every pair of bots meets equally often, and the designs that do it.

Pure: the same numbers give the same design. The bots stand on a circle, all but the last where that makes the numbers
come out. A few base sets are turned by every step; each pair then meets equally often if each distance on the circle
comes up equally often among the base sets (a difference family). These are found by a search that always puts a
player where a distance is missing. Owners are not looked at: who may not meet has no such design.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

Players = tuple[int, ...]

_COOL = 0.3
_MOVES_AT_MOST = 600_000
_TRIES = 8


@dataclass(frozen=True, kw_only=True)
class CyclicDesign:
    """Base sets to be turned `circle` times; a bot of number `circle` stands beside the circle and stays.

    Each pair meets `meetings` times.
    """

    circle: int
    meetings: int
    base_sets: tuple[Players, ...]

    @property
    def set_count(self) -> int:
        """How many sets of players there are in all."""
        return self.circle * len(self.base_sets)


def exact_set_count(bot_count: int, seats: int) -> int:
    """The least number of sets of players that has such a design here; its multiples are offered too."""
    return _meetings(bot_count, seats) * math.comb(bot_count, 2) // math.comb(seats, 2)


def cyclic_design(bot_count: int, seats: int) -> CyclicDesign | None:
    """The design with `exact_set_count` sets of three or four players; None if the search does not find it."""
    meetings = _meetings(bot_count, seats)
    circle = bot_count - _stands_beside(bot_count, seats)
    for attempt in range(_TRIES):
        base_sets = _Family(bot_count, seats, circle, meetings, attempt).search()
        if base_sets is not None:
            return CyclicDesign(circle=circle, meetings=meetings, base_sets=base_sets)
    return None


def _meetings(bot_count: int, seats: int) -> int:
    """How often pairs meet in the smallest design for which distances on a circle come out."""
    if seats == 3:
        twice = bot_count % 3 < 2 and bot_count % 12 != 10
        return 2 if twice else 3 if bot_count % 2 else 6
    return 2 if bot_count % 6 == 1 else 3 if bot_count % 4 < 2 else 6


def _stands_beside(bot_count: int, seats: int) -> bool:
    """Whether the last bot stands beside the circle."""
    if seats == 3:
        return bot_count % 3 == 0 or bot_count % 6 == 2 or bot_count % 12 == 10
    return bot_count % 2 == 0


class _Family:
    """Base sets on a circle, and how far each distance is from coming up often enough.

    Sets with the bot beside the circle are one short here: it meets all others by itself.
    """

    def __init__(self, bot_count: int, seats: int, circle: int, meetings: int, attempt: int) -> None:
        self.circle, self.half, self.seats = circle, circle // 2, seats
        self.draw = random.Random(1_000_003 * bot_count + 1_009 * seats + attempt)
        short = meetings // (seats - 1) if circle < bot_count else 0
        distances = meetings * (circle - 1) - short * (seats - 1) * (seats - 2)
        sizes = [seats] * (distances // (seats * (seats - 1))) + [seats - 1] * short
        # two bots at half the circle are at this distance twice, seen from either
        self.over = [0] + [-meetings] * self.half
        if circle % 2 == 0:
            self.over[self.half] = -meetings // 2
        self.sets = [self.draw.sample(range(circle), size) for size in sizes]
        for players in self.sets:
            for at, player in enumerate(players):
                self._count(player, players[:at], 1)

    def search(self) -> tuple[Players, ...] | None:
        """Moves one player at a time; the base sets once every distance comes up as often as it should."""
        energy = sum(over * over for over in self.over)
        for _ in range(_MOVES_AT_MOST):
            if energy == 0:
                beside = (self.circle,)
                return tuple((*sorted(p), *beside[: self.seats - len(p)]) for p in self.sets)
            energy += self._move()
        return None

    def _move(self) -> int:
        """Puts a player at a missing distance from another of its set, unless that makes too much worse."""
        draw = self.draw.random
        players = self.sets[int(draw() * len(self.sets))]
        at, beside = self.draw.sample(range(len(players)), 2)
        missing = self._missing(1 + int(draw() * self.half))
        new = (players[beside] + (missing if draw() < 0.5 else -missing)) % self.circle
        if new in players:
            return 0
        old, others = players[at], [*players[:at], *players[at + 1 :]]
        change = self._count(old, others, -1) + self._count(new, others, 1)
        if change > 0 and draw() >= math.exp(-change / _COOL):
            self._count(new, others, -1)
            self._count(old, others, 1)
            return 0
        players[at] = new
        return change

    def _missing(self, start: int) -> int:
        """The first distance, from `start` on and round, that comes up too seldom: there is one while any is over."""
        while self.over[start] >= 0:
            start = start % self.half + 1
        return start

    def _count(self, player: int, others: list[int], by: int) -> int:
        """Counts the distances of a player to others; returns the change of the sum of squares."""
        change = 0
        for other in others:
            around = abs(player - other)
            distance = min(around, self.circle - around)
            change += 1 + 2 * by * self.over[distance]
            self.over[distance] += by
        return change
