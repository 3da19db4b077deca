"""Additive sums per set of players: every official number is rebuilt from them without touching boards.

Pure. All sums are whole numbers, so that the order in which boards are added cannot change a single bit:
pair results in half points (won 2, tied 1, lost 0), deviations as n × score − the table's sum of scores.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from types import MappingProxyType

from league.errors import LeagueError
from league.results import MatchResult

WON, TIED = 2, 1


@dataclass(frozen=True, kw_only=True)
class SetSums:
    """Sums over the boards of one set of n players, in the order of `players` (ascending).

    `values` are whole numbers, laid out as `layout` says; matrices row by row.
    """

    players: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def boards(self) -> int:
        """How many boards are in the sums."""
        return self.values[0]

    @property
    def matches(self) -> int:
        """How many matches these are."""
        return self.values[1]

    def part(self, name: str) -> tuple[int, ...]:
        """One part of the sums, by its name in `layout`."""
        return self.values[layout(len(self.players))[name]]

    def __add__(self, other: SetSums) -> SetSums:
        if self.players != other.players:
            raise LeagueError(f"sums of the players {self.players} and {other.players} cannot be added")
        return SetSums(
            players=self.players, values=tuple(a + b for a, b in zip(self.values, other.values, strict=True))
        )

    def __sub__(self, other: SetSums) -> SetSums:
        """The sums without the boards of `other`, which must be among these."""
        return self + SetSums(players=other.players, values=tuple(-value for value in other.values))

    def to_bytes(self) -> bytes:
        """The values as little-endian 64-bit whole numbers."""
        return struct.pack(f"<{len(self.values)}q", *self.values)

    @classmethod
    def from_bytes(cls, players: Sequence[int], packed: bytes) -> SetSums:
        """What `to_bytes` made."""
        return cls(players=tuple(players), values=struct.unpack(f"<{len(packed) // 8}q", packed))


@cache
def layout(n: int) -> Mapping[str, slice]:
    """Where each part is among the values, for sets of n players.

    A board's vectors are sums over its rotations. `wins`: half points against all opponents, n numbers;
    `wins_products`: the sum over boards of this vector's outer product with itself, n × n. `devs`, `devs_products`: the
    same for the deviations (a forfeiter's is −W × n a match). `pair_wins`: half points of one against another, n × n;
    `pair_squares`: the sum of squares of these by board. `places`: how often each came in first, second, …, n × n.
    `forfeits`: matches that each forfeited. `squares`: the sum of squares of all deviations, match by match;
    `hand_squares`: that of what each hand (the cards of one seat of a board) made in all rotations together.
    """
    sizes = {
        "boards": 1,
        "matches": 1,
        "wins": n,
        "wins_products": n * n,
        "devs": n,
        "devs_products": n * n,
        "pair_wins": n * n,
        "pair_squares": n * n,
        "places": n * n,
        "forfeits": n,
        "squares": 1,
        "hand_squares": 1,
    }
    parts: dict[str, slice] = {}
    start = 0
    for name, size in sizes.items():
        parts[name] = slice(start, start + size)
        start += size
    return MappingProxyType(parts)


def pair_points(result: MatchResult) -> tuple[tuple[int, ...], ...]:
    """Half points of each seat against each other: by places, but who forfeits loses to all, forfeiters tie."""
    last = len(result.places) + 1
    ranks = [last if gone else place for place, gone in zip(result.places, result.forfeited, strict=True)]
    return tuple(
        tuple(0 if i == k else WON if mine < other else TIED if mine == other else 0 for k, other in enumerate(ranks))
        for i, mine in enumerate(ranks)
    )


def deviations(result: MatchResult, forfeit_points: int) -> tuple[int, ...]:
    """Return n × score − the table's sum by seat; −W × n for who forfeited, `forfeit_points` being W."""
    n, total = len(result.scores), sum(result.scores)
    return tuple(
        -forfeit_points * n if gone else n * score - total
        for score, gone in zip(result.scores, result.forfeited, strict=True)
    )


class _BoardCounts:
    """What one board adds up to, by the places of its players in ascending order."""

    def __init__(self, n: int) -> None:
        self.pair_wins = [[0] * n for _ in range(n)]
        self.places = [[0] * n for _ in range(n)]
        self.devs = [0] * n
        self.forfeits = [0] * n
        self.squares = 0
        self.hands = [0] * n

    def add(self, result: MatchResult, at: Sequence[int], forfeit_points: int) -> None:
        """Adds a rotation; `at`: the place of the player at each seat."""
        points, devs = pair_points(result), deviations(result, forfeit_points)
        for seat, i in enumerate(at):
            for other, k in enumerate(at):
                self.pair_wins[i][k] += points[seat][other]
            self.devs[i] += devs[seat]
            self.squares += devs[seat] ** 2
            self.hands[seat] += devs[seat]
            self.places[i][result.places[seat] - 1] += 1
            self.forfeits[i] += result.forfeited[seat]


def board_sums(results: Sequence[MatchResult], forfeit_points: int) -> SetSums:
    """The sums of one board whose rotations are all given."""
    players = tuple(sorted(results[0].players))
    counts = _BoardCounts(len(players))
    for result in results:
        counts.add(result, [players.index(player) for player in result.players], forfeit_points)
    wins = [sum(line) for line in counts.pair_wins]
    pair_wins = _flat(counts.pair_wins)
    values = (
        1,
        len(results),
        *wins,
        *_outer(wins),
        *counts.devs,
        *_outer(counts.devs),
        *pair_wins,
        *(won * won for won in pair_wins),
        *_flat(counts.places),
        *counts.forfeits,
        counts.squares,
        sum(made * made for made in counts.hands),
    )
    return SetSums(players=players, values=values)


def _outer(vector: Sequence[int]) -> list[int]:
    return [a * b for a in vector for b in vector]


def _flat(matrix: Sequence[Sequence[int]]) -> list[int]:
    return [value for line in matrix for value in line]


def whole_boards(results: Iterable[MatchResult]) -> tuple[tuple[MatchResult, ...], ...]:
    """Results grouped by board, in the order of numbers, only boards whose rotations are all there.

    Raises LeagueError when a rotation comes twice or the players of a board change.
    """
    ordered = sorted(results, key=lambda result: (result.board, result.rotation))
    boards: list[tuple[MatchResult, ...]] = []
    for board, group in groupby(ordered, key=lambda result: result.board):
        rows = tuple(group)
        if len({row.rotation for row in rows}) != len(rows):
            raise LeagueError(f"board {board} has a rotation twice: each (board, rotation) counts once")
        if len({tuple(sorted(row.players)) for row in rows}) != 1:
            raise LeagueError(f"board {board} has rotations of different players: all play the same cards")
        if len(rows) == len(rows[0].players):
            boards.append(rows)
    return tuple(boards)


def add_up(parts: Iterable[SetSums]) -> tuple[SetSums, ...]:
    """One sum for each set of players, in the order of the players' numbers."""
    totals: dict[tuple[int, ...], SetSums] = {}
    for part in parts:
        known = totals.get(part.players)
        totals[part.players] = part if known is None else known + part
    return tuple(totals[players] for players in sorted(totals))


@dataclass(frozen=True, kw_only=True)
class ContractSums:
    """Sums over boards for one bot in one contract. A board gives k deals and x, the sum over them of
    n × points − the table's sum; the fields are sums of 1, k, x, x², x × k and k²."""

    boards: int = 0
    deals: int = 0
    points: int = 0
    points_squared: int = 0
    points_by_deals: int = 0
    deals_squared: int = 0

    def __add__(self, other: ContractSums) -> ContractSums:
        return ContractSums(
            boards=self.boards + other.boards,
            deals=self.deals + other.deals,
            points=self.points + other.points,
            points_squared=self.points_squared + other.points_squared,
            points_by_deals=self.points_by_deals + other.points_by_deals,
            deals_squared=self.deals_squared + other.deals_squared,
        )


def contract_sums(results: Sequence[MatchResult]) -> Mapping[tuple[int, str], ContractSums]:
    """The sums of one board by (entrant, contract). Deals that a stand-in finished are left out."""
    deals: dict[tuple[int, str], int] = {}
    points: dict[tuple[int, str], int] = {}
    for result in results:
        for deal in result.deal_points:
            n, total = len(deal.points), sum(deal.points)
            for player, scored, own in zip(result.players, deal.points, deal.own, strict=True):
                if own:
                    key = (player, deal.contract)
                    deals[key] = deals.get(key, 0) + 1
                    points[key] = points.get(key, 0) + n * scored - total
    return {
        key: ContractSums(
            boards=1,
            deals=k,
            points=points[key],
            points_squared=points[key] ** 2,
            points_by_deals=points[key] * k,
            deals_squared=k * k,
        )
        for key, k in sorted(deals.items())
    }
