"""Which bots meet: all sets of players while these are few, balanced designs beyond.

Pure: the same arguments give the same design. Owns only who meets; who sits after whom is `league.neighbours`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations

Players = tuple[int, ...]

ALL_SETS_AT_MOST = 495
"""All sets of players meet up to this many (12 bots at four seats)."""
SETS_PER_BOT = 20
"""Beyond, each bot is in at least so many sets of players: with one board each it is not provisional."""

SPREAD_AT_MOST = 2
"""Pairs that may meet do so at most this many times apart, where owners leave room for that."""

_SWAPS_PER_SET, _SWAPS_AT_MOST = 400, 200_000
_REPAIRS_AT_MOST = 100_000


def may_all_meet(owners: Sequence[str], players: Sequence[int]) -> bool:
    """Whether no two of these bots have one owner; an empty owner is nobody's (house bots)."""
    named = [owners[p] for p in players if owners[p]]
    return len(named) == len(set(named))


def keep_apart(owners: Sequence[str]) -> bool:
    """Whether these owners keep any two of their bots from meeting."""
    return not may_all_meet(owners, range(len(owners)))


def every_set(owners: Sequence[str], seats: int) -> tuple[Players, ...]:
    """All sets of `seats` bots that may meet, in lexicographic order."""
    return tuple(players for players in combinations(range(len(owners)), seats) if may_all_meet(owners, players))


def usual_set_count(bot_count: int, seats: int) -> int:
    """How many sets of players meet when nobody says: all, or so many that each bot is in the same number of them."""
    every = math.comb(bot_count, seats)
    if every <= ALL_SETS_AT_MOST:
        return every
    per_bot = SETS_PER_BOT
    while bot_count * per_bot % seats:
        per_bot += 1
    return bot_count * per_bot // seats


def balanced_sets(owners: Sequence[str], seats: int, set_count: int) -> tuple[Players, ...]:
    """Sets of players in which bots, and pairs of bots that may meet, come up as evenly as a search finds."""
    design = _Design(owners, seats)
    draw = random.Random(len(owners) * 1_000_003 + set_count)
    for _ in range(set_count):
        design.add_set(draw)
    design.improve(draw)
    design.repair(draw)
    return tuple(sorted(tuple(sorted(players)) for players in design.sets))


def sets_of_boards(owners: Sequence[str], seats: int, set_count: int, boards: int) -> tuple[Players, ...]:
    """The sets of players of all boards of a season in which `set_count` of them would play `boards` boards each.

    They do, unless that takes pairs more than two apart: then there are as many boards, of more different sets.
    """
    sets = balanced_sets(owners, seats, set_count)
    if boards == 1 or boards * meetings_spread(owners, sets) <= SPREAD_AT_MOST:
        return sets * boards
    return balanced_sets(owners, seats, set_count * boards)


def all_or_closer(owners: Sequence[str], every: Sequence[Players], seats: int, boards: int) -> tuple[Players, ...]:
    """The sets of players of all boards, `boards` for each set that may meet.

    Where owners make pairs of these meet more than two apart: as many boards of sets that are closer to each other, if
    a search finds such.
    """
    copies = tuple(every) * boards
    apart = meetings_spread(owners, copies)
    if apart <= SPREAD_AT_MOST:
        return copies
    closer = balanced_sets(owners, seats, len(copies))
    return closer if meetings_spread(owners, closer) < apart else copies


def meetings_spread(owners: Sequence[str], sets: Sequence[Players]) -> int:
    """Most minus least often that two bots that may meet do."""
    met = {pair: 0 for pair in combinations(range(len(owners)), 2) if may_all_meet(owners, pair)}
    for players in sets:
        for pair in combinations(sorted(players), 2):
            met[pair] += 1
    return max(met.values()) - min(met.values())


class _Design:
    """Sets of players, how often each pair meets and how often each bot plays."""

    def __init__(self, owners: Sequence[str], seats: int) -> None:
        self.owners, self.seats, self.bot_count = owners, seats, len(owners)
        self.apart = keep_apart(owners)
        self.sets: list[list[int]] = []
        self.met = [[0] * self.bot_count for _ in range(self.bot_count)]
        self.played = [0] * self.bot_count

    def add_set(self, draw: random.Random) -> None:
        """Adds a set greedily: the bots that have played least, of these who have met the chosen least."""
        players: list[int] = []
        while len(players) < self.seats:
            free = [p for p in range(self.bot_count) if p not in players and self._may_meet([*players, p])]
            players.append(min(free, key=lambda p: (self.played[p], self._meetings(p, players), draw.random())))
        self.sets.append(players)
        self._count(players, 1)

    def _may_meet(self, players: Sequence[int]) -> bool:
        return not self.apart or may_all_meet(self.owners, players)

    def _meetings(self, player: int, others: Sequence[int]) -> int:
        return sum(self.met[player][other] for other in others)

    def _count(self, players: Sequence[int], by: int) -> None:
        for a in players:
            self.played[a] += by
        for a, b in combinations(players, 2):
            self.met[a][b] += by
            self.met[b][a] += by

    def _crowding(self, players: Sequence[int]) -> int:
        """The part of the sum of squares of meetings that these players' pairs have, up to a constant."""
        return sum(2 * self.met[a][b] + 1 for a, b in combinations(players, 2))

    def spread(self) -> int:
        """Most minus least often that two bots that may meet do."""
        lines = ((a, self.met[a]) for a in range(self.bot_count))
        if not self.apart:
            counts = [line[a + 1 :] for a, line in lines if a + 1 < self.bot_count]
            return max(map(max, counts)) - min(map(min, counts))
        met = [line[b] for a, line in lines for b in range(a + 1, self.bot_count) if self._may_meet((a, b))]
        return max(met) - min(met)

    def improve(self, draw: random.Random) -> None:
        """Exchanges two players of two sets wherever that does not make meetings less even."""
        tries = min(_SWAPS_AT_MOST, _SWAPS_PER_SET * len(self.sets))
        for turn in range(tries):
            if turn % 1000 == 0 and self.spread() <= 1:
                return
            self._try_swap(draw)

    def repair(self, draw: random.Random) -> None:
        """Exchanges players of sets in which a pair meets that has met most, until pairs are close enough."""
        for turn in range(_REPAIRS_AT_MOST):
            if turn % 100 == 0:
                if self.spread() <= SPREAD_AT_MOST:
                    return
                crowded = self._crowded()
            self._try_swap(draw, draw.choice(crowded))

    def _crowded(self) -> list[int]:
        """The sets in which two players meet that have met most."""
        most = max(max(line) for line in self.met)
        pairs = [[self.met[a][b] for a, b in combinations(players, 2)] for players in self.sets]
        return [at for at, counts in enumerate(pairs) if max(counts) == most]

    def _try_swap(self, draw: random.Random, one: int | None = None) -> None:
        one, two = draw.randrange(len(self.sets)) if one is None else one, draw.randrange(len(self.sets))
        i, k = draw.randrange(self.seats), draw.randrange(self.seats)
        mine, yours = self.sets[one][i], self.sets[two][k]
        if one == two or yours in self.sets[one] or mine in self.sets[two]:
            return
        new_one = [*self.sets[one][:i], yours, *self.sets[one][i + 1 :]]
        new_two = [*self.sets[two][:k], mine, *self.sets[two][k + 1 :]]
        if not (self._may_meet(new_one) and self._may_meet(new_two)):
            return
        before = self._take_out(self.sets[two]) + self._take_out(self.sets[one])
        after = self._put_in(new_one) + self._put_in(new_two)
        if after <= before:
            self.sets[one], self.sets[two] = new_one, new_two
        else:
            self._take_out(new_two)
            self._take_out(new_one)
            self._put_in(self.sets[one])
            self._put_in(self.sets[two])

    def _take_out(self, players: Sequence[int]) -> int:
        self._count(players, -1)
        return self._crowding(players)

    def _put_in(self, players: Sequence[int]) -> int:
        crowding = self._crowding(players)
        self._count(players, 1)
        return crowding
