"""The plan of a season: boards, who sits where at each, and how they are cut into sets and sittings.

Pure: a plan is a function of the entrants' owners and the settings, nothing else. Who meets is `league.designs`, who
sits after whom `league.neighbours`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from league.cyclic_designs import cyclic_design, exact_set_count
from league.designs import (
    ALL_SETS_AT_MOST,
    SETS_PER_BOT,
    all_or_closer,
    every_set,
    may_all_meet,
    sets_of_boards,
    usual_set_count,
)
from league.errors import LeagueError
from league.neighbours import Players, arcs, balanced_orders, orders_of_all_sets, turned_orders

_SPREAD = r"(\d+)(?: to (\d+))?"
_BALANCE = re.compile(
    f"boards per bot {_SPREAD}, boards shared by a pair {_SPREAD}, a bot right after another {_SPREAD}"
)
BOARDS_AT_MOST = 250_000
"""A season is not planned larger than this: a slip in a number must not keep everybody waiting for a plan."""

BOARDS_PER_SET_AT_MOST = 64
"""A set of boards is not made larger than this when its size is left to the planner."""


@dataclass(frozen=True, kw_only=True)
class PlannedBoard:
    """A board to be played: `players` (entrant numbers) in cyclic order; boards and sets count from 1."""

    number: int
    set_number: int
    players: Players


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Least and most of a count that should be even."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True, kw_only=True)
class Balance:
    """What a plan achieves: boards per bot, boards that each pair of bots that may meet shares, and how often (in
    boards) each bot sits directly after each such other."""

    boards_per_bot: Spread
    meetings: Spread
    neighbours: Spread

    def __str__(self) -> str:
        return (
            f"boards per bot {self.boards_per_bot}, boards shared by a pair {self.meetings}, "
            f"a bot right after another {self.neighbours}"
        )

    @classmethod
    def parse(cls, text: str) -> Balance | None:
        """The balance that was written as a text; None when it is none."""
        found = _BALANCE.fullmatch(text)
        if found is None:
            return None
        boards, meetings, neighbours = (
            Spread(least=int(found[at]), most=int(found[at + 1] or found[at])) for at in (1, 3, 5)
        )
        return cls(boards_per_bot=boards, meetings=meetings, neighbours=neighbours)


@dataclass(frozen=True, kw_only=True)
class SeasonPlan:
    """All boards of a season in order, in how many sets, and the balance achieved."""

    boards: tuple[PlannedBoard, ...]
    set_count: int
    balance: Balance


def plan_season(
    owners: Sequence[str], *, seats: int, boards: int, set_count: int | None = None, player_sets: int | None = None
) -> SeasonPlan:
    """Plans a season for bots 0, 1, … with these owners (empty: a house bot, which may meet anybody).

    `boards`: how many each set of players that meets plays. `player_sets`: how many sets meet (None: all while they are
    few, else as many as give each bot 20). `set_count`: sets of boards (None: two, or more when there are many boards).
    Raises LeagueError when there are too few bots, too many boards, or a number is not positive.
    """
    _check(owners, seats, boards, set_count, player_sets)
    orders = _orders(owners, seats, boards, player_sets)
    sets = _set_count(len(orders), set_count)
    planned = tuple(
        PlannedBoard(number=at + 1, set_number=at % sets + 1, players=order) for at, order in enumerate(orders)
    )
    return SeasonPlan(boards=planned, set_count=sets, balance=balance_of(orders, owners))


@dataclass(frozen=True, kw_only=True)
class OfferedSize:
    """A number of sets of players at which each pair of bots meets equally often, with one board each."""

    player_sets: int
    boards_per_bot: int
    meetings: int


def offered_sizes(bot_count: int, seats: int, count: int = 3) -> tuple[OfferedSize, ...]:
    """The smallest sizes of a season at which all is equal and no bot provisional; all sets of players while few.

    They are for bots that may all meet. Raises LeagueError when there are too few for a table.
    """
    check_enough([""] * bot_count, seats)
    unit = exact_set_count(bot_count, seats)
    least = -(-SETS_PER_BOT * bot_count // (unit * seats))
    sizes = {unit * copies for copies in range(least, least + count)}
    every = math.comb(bot_count, seats)
    if every <= ALL_SETS_AT_MOST:
        sizes = {every}
    pairs = math.comb(bot_count, 2)
    return tuple(
        OfferedSize(
            player_sets=size,
            boards_per_bot=size * seats // bot_count,
            meetings=size * math.comb(seats, 2) // pairs,
        )
        for size in sorted(sizes)
    )


def seat_of(place: int, rotation: int, seats: int) -> int:
    """The seat of the player at `place` (from 0) of a board's cyclic order in a rotation."""
    return (place + rotation) % seats


def players_by_seat(players: Players, rotation: int) -> Players:
    """The players of a board, given in cyclic order, by seat in a rotation."""
    n = len(players)
    return tuple(players[(seat - rotation) % n] for seat in range(n))


def balance_of(orders: Sequence[Players], owners: Sequence[str]) -> Balance:
    """The balance that boards with these cyclic orders have; pairs that may not meet (any more) are in no count."""
    bots = range(len(owners))
    meeting = [pair for pair in combinations(bots, 2) if may_all_meet(owners, pair)]
    played = dict.fromkeys(bots, 0)
    met = dict.fromkeys(meeting, 0)
    after = {arc: 0 for a, b in meeting for arc in ((a, b), (b, a))}
    for order in orders:
        for player in order:
            played[player] += 1
        for pair in met.keys() & combinations(sorted(order), 2):
            met[pair] += 1
        for arc in after.keys() & arcs(order):
            after[arc] += 1
    return Balance(boards_per_bot=_spread(played), meetings=_spread(met), neighbours=_spread(after))


def _spread(counts: dict[int, int] | dict[tuple[int, int], int]) -> Spread:
    return Spread(least=min(counts.values()), most=max(counts.values()))


def _orders(owners: Sequence[str], seats: int, boards: int, player_sets: int | None) -> tuple[Players, ...]:
    bot_count = len(owners)
    every = every_set(owners, seats) if usual_set_count(bot_count, seats) <= ALL_SETS_AT_MOST else ()
    if player_sets is not None or not every or len(every) > ALL_SETS_AT_MOST:
        chosen = player_sets or usual_set_count(bot_count, seats)
        require_moderate(chosen, boards)
        if chosen != len(every):
            return _chosen_orders(owners, seats, chosen, boards)
    require_moderate(len(every), boards)
    if not any(owners):
        return orders_of_all_sets(bot_count, seats, boards)
    return balanced_orders(all_or_closer(owners, every, seats, boards), bot_count)


def _chosen_orders(owners: Sequence[str], seats: int, chosen: int, boards: int) -> tuple[Players, ...]:
    """Boards of so many sets of players: where it can be, such that each pair meets equally often."""
    copies, over = divmod(chosen * boards, exact_set_count(len(owners), seats))
    design = None if over or any(owners) else cyclic_design(len(owners), seats)
    if design is not None:
        return turned_orders(design.base_sets * copies, design.circle)
    return balanced_orders(sets_of_boards(owners, seats, chosen, boards), len(owners))


def _set_count(board_count: int, wanted: int | None) -> int:
    usual = max(2, -(-board_count // BOARDS_PER_SET_AT_MOST))
    return min(board_count, wanted or usual)


def _check(owners: Sequence[str], seats: int, boards: int, set_count: int | None, player_sets: int | None) -> None:
    for name, value in (("boards", boards), ("set_count", set_count), ("player_sets", player_sets)):
        if value is not None and value < 1:
            raise LeagueError(f"{name} is {value}: it must be 1 or more")
    check_enough(owners, seats)


def require_moderate(player_sets: int, boards: int) -> None:
    """Raises LeagueError when sets of players, with so many boards each, are more than a season is planned for."""
    if player_sets * boards > BOARDS_AT_MOST:
        raise LeagueError(
            f"{player_sets} sets of players with {boards} boards each are {player_sets * boards} boards: "
            f"a season has at most {BOARDS_AT_MOST}"
        )


def check_enough(owners: Sequence[str], seats: int) -> None:
    """Raises LeagueError when bots of these owners (empty: a house bot) cannot fill a table."""
    houses = sum(1 for owner in owners if not owner)
    able = houses + len({owner for owner in owners if owner})
    if able < seats:
        raise LeagueError(
            f"{able} bot{'s' * (able != 1)} that may meet: a table of this variant needs {seats}, each of another owner"
        )
