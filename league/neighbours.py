"""Cyclic orders of the players of boards, so that everybody sits after everybody else equally often.

Pure: the same sets of players give the same orders. Owns only who sits after whom; who meets is `league.designs`.
A fixed order would bend true gaps between bots, so each ordered neighbour pair is kept within 1 of every other
wherever all sets of players meet (impossible for three boards of four bots alone: there 2).

A search for orders has counts of *arcs*, ordered neighbour pairs. Where all sets of players meet, it is made on one
set of each class under turning the bots round a circle (bot a becomes a + 1): the counts are then those of
differences, few and easily made equal.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations

Players = tuple[int, ...]
ArcClass = Callable[[int, int], int]

_MOVES_PER_BOARD, _MOVES_AT_MOST = 1_000, 300_000
_HOT, _COLD = 3.0, 0.3


def arcs(order: Players) -> tuple[tuple[int, int], ...]:
    """The ordered neighbour pairs of a cyclic order: (a, b) where b sits after a."""
    return (*pairwise(order), (order[-1], order[0]))


def cyclic_orders(players: Players) -> tuple[Players, ...]:
    """All different cyclic orders of a set of players, (n - 1)! of them."""
    first, *rest = players
    return tuple((first, *others) for others in permutations(rest))


class _Search:
    """Simulated annealing of one cyclic order per set of players, towards even counts of arc classes."""

    def __init__(self, player_sets: Sequence[Players], class_of: ArcClass) -> None:
        self.orders = [cyclic_orders(players) for players in player_sets]
        self.choices = [tuple(tuple(class_of(a, b) for a, b in arcs(o)) for o in orders) for orders in self.orders]
        self.counts = dict.fromkeys(sorted({c for choices in self.choices for order in choices for c in order}), 0)
        self.chosen: list[int] = []
        for choices in self.choices:
            best = min(range(len(choices)), key=lambda at: self._cost(choices[at]))
            self.chosen.append(best)
            self._add(choices[best], 1)

    def _cost(self, order: tuple[int, ...]) -> int:
        return sum(self.counts[arc] for arc in order)

    def _add(self, order: tuple[int, ...], by: int) -> None:
        for arc in order:
            self.counts[arc] += by

    def energy(self) -> int:
        """The sum of squares of the counts: least when they are even."""
        return sum(count**2 for count in self.counts.values())

    def least_energy(self) -> int:
        """The energy when all counts are within 1 of each other."""
        low, over = divmod(sum(self.counts.values()), len(self.counts))
        return (len(self.counts) - over) * low**2 + over * (low + 1) ** 2

    def try_change(self, board: int, to: int, room: float) -> int:
        """Gives a board another order unless that raises the energy by more than `room`; returns the change."""
        before = self.chosen[board]
        was = sum(self.counts[arc] ** 2 for arc in self._touched(board, before, to))
        self._add(self.choices[board][before], -1)
        self._add(self.choices[board][to], 1)
        change = sum(self.counts[arc] ** 2 for arc in self._touched(board, before, to)) - was
        if change > room:
            self._add(self.choices[board][to], -1)
            self._add(self.choices[board][before], 1)
            return 0
        self.chosen[board] = to
        return change

    def _touched(self, board: int, before: int, to: int) -> set[int]:
        return {*self.choices[board][before], *self.choices[board][to]}

    def run(self) -> tuple[Players, ...]:
        """Cools down; ends at once when the counts are within 1. The draws are a fixed sequence."""
        boards = len(self.orders)
        draw = random.Random(boards * 1_000_003 + len(self.counts))
        energy, least = self.energy(), self.least_energy()
        moves = min(_MOVES_AT_MOST, _MOVES_PER_BOARD * boards)
        for move in range(moves):
            if energy == least:
                break
            board = draw.randrange(boards)
            room = -_HOT * (_COLD / _HOT) ** (move / moves) * math.log(1.0 - draw.random())
            energy += self.try_change(board, draw.randrange(len(self.orders[board])), room)
        return tuple(orders[at] for orders, at in zip(self.orders, self.chosen, strict=True))


def balanced_orders(player_sets: Sequence[Players], bot_count: int) -> tuple[Players, ...]:
    """A cyclic order for each set of players (a set may come several times), neighbours as even as a search finds."""
    return _Search(player_sets, lambda a, b: a * bot_count + b).run()


def turned_orders(base_sets: Sequence[Players], circle: int) -> tuple[Players, ...]:
    """Cyclic orders of sets of players that are turned by every step of a circle, all base sets at each step.

    Neighbours are as even as a search on the base sets finds.
    """
    orders = _Search(base_sets, _arc_class(circle)).run()
    return tuple(_turn(order, by, circle) for by in range(circle) for order in orders)


@lru_cache(maxsize=32)
def orders_of_all_sets(bot_count: int, seats: int, copies: int) -> tuple[Players, ...]:
    """Cyclic orders for `copies` boards of each set of `seats` bots, copy by copy, sets in lexicographic order.

    Seasons of one size are planned again and again, and a search that cannot come out even goes on to its last move.
    """
    every = tuple(combinations(range(bot_count), seats))
    period = _copies_that_come_out_even(bot_count, seats, len(every))
    if copies < period:
        return _search_all(bot_count, every, copies)
    block = _search_all(bot_count, every, period)
    if neighbour_spread(block, bot_count) > 0:
        period = math.factorial(seats - 1)
        block = tuple(orders[at] for at in range(period) for orders in map(cyclic_orders, every))
    whole, rest = divmod(copies, period)
    return block * whole + (_search_all(bot_count, every, rest) if rest else ())


def neighbour_spread(orders: Sequence[Players], bot_count: int) -> int:
    """Most minus least often that one bot sits after another, over all ordered pairs of bots."""
    counts = {(a, b): 0 for a in range(bot_count) for b in range(bot_count) if a != b}
    for order in orders:
        for arc in arcs(order):
            counts[arc] += 1
    return max(counts.values()) - min(counts.values())


def _copies_that_come_out_even(bot_count: int, seats: int, set_count: int) -> int:
    """The least number of copies for which every ordered pair can be neighbours equally often."""
    pairs = bot_count * (bot_count - 1)
    return pairs // math.gcd(pairs, set_count * seats)


def _search_all(bot_count: int, every: tuple[Players, ...], copies: int) -> tuple[Players, ...]:
    for circle in (bot_count, bot_count - 1):
        turned = _search_on_circle(circle, every, copies)
        if turned is not None and neighbour_spread(turned, bot_count) <= 1:
            return turned
    return balanced_orders(every * copies, bot_count)


def _turn(players: Players, by: int, circle: int) -> Players:
    """Bots on the circle move on by `by`; a bot that is not on it (the last, if any) stays."""
    return tuple((p + by) % circle if p < circle else p for p in players)


def _arc_class(circle: int) -> ArcClass:
    """The class of an arc under turning: its difference, or which of its ends is not on the circle."""
    return lambda a, b: circle if a >= circle else circle + 1 if b >= circle else (b - a) % circle


def _search_on_circle(circle: int, every: tuple[Players, ...], copies: int) -> tuple[Players, ...] | None:
    """Orders that turning the circle maps onto each other; None where a set comes back too early for that."""
    seen: set[Players] = set()
    firsts: list[Players] = []
    for players in every:
        if players in seen:
            continue
        orbit = {tuple(sorted(_turn(players, by, circle))) for by in range(circle)}
        if copies * len(orbit) % circle:
            return None
        seen |= orbit
        firsts += [players] * (copies * len(orbit) // circle)

    boards: dict[Players, list[Players]] = {players: [] for players in every}
    for order in _Search(firsts, _arc_class(circle)).run():
        for by in range(circle):
            turned = _turn(order, by, circle)
            boards[tuple(sorted(turned))].append(turned)
    return tuple(boards[players][copy] for copy in range(copies) for players in every)
