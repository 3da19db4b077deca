"""Additive sums per set of players: every official number is rebuilt from them without touching boards.

Pure. All sums are whole numbers, so that the order in which boards are added cannot change a single bit:
pair results in half points (won 2, tied 1, lost 0), deviations as n × score − the table's sum of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from league.errors import LeagueError
from league.results import MatchResult

Ints = npt.NDArray[np.int64]

WON, TIED = 2, 1
_LITTLE_ENDIAN: Final = np.dtype("<i8")


@dataclass(frozen=True, kw_only=True)
class SetSums:
    """Sums over the boards of one set of n players, in the order of `players` (ascending).

    A board's vectors are sums over its rotations. `wins`: half points against all opponents; `wins_products`: the sum
    of outer products of that vector over boards. `devs`, `devs_products`: the same for the deviations (see above; a
    forfeiter's is −W × n a match). `pair_wins[i, j]`: half points of i against j, `pair_squares` the sum of squares of
    these by board. `places[i, k]`: how often i came in at place k + 1. `forfeits[i]`: matches that i forfeited.
    """

    players: tuple[int, ...]
    boards: int
    matches: int
    wins: Ints
    wins_products: Ints
    devs: Ints
    devs_products: Ints
    pair_wins: Ints
    pair_squares: Ints
    places: Ints
    forfeits: Ints

    def __add__(self, other: SetSums) -> SetSums:
        if self.players != other.players:
            raise LeagueError(f"sums of the players {self.players} and {other.players} cannot be added")
        return _with_values(self.players, _values(self) + _values(other))

    def to_bytes(self) -> bytes:
        """The sums as little-endian 64-bit whole numbers, in the order of the fields."""
        return _values(self).astype(_LITTLE_ENDIAN).tobytes()

    @classmethod
    def from_bytes(cls, players: Sequence[int], packed: bytes) -> SetSums:
        """What `to_bytes` made."""
        return _with_values(tuple(players), np.frombuffer(packed, dtype=_LITTLE_ENDIAN).astype(np.int64))


def _values(sums: SetSums) -> Ints:
    parts = (
        sums.wins, sums.wins_products, sums.devs, sums.devs_products,
        sums.pair_wins, sums.pair_squares, sums.places, sums.forfeits,
    )  # fmt: skip
    return np.concatenate([np.array([sums.boards, sums.matches], dtype=np.int64), *(part.ravel() for part in parts)])


def _with_values(players: tuple[int, ...], values: Ints) -> SetSums:
    n = len(players)
    ends = np.cumsum([2, n, n * n, n, n * n, n * n, n * n, n * n])
    head, wins, wins_products, devs, devs_products, pair_wins, pair_squares, places, forfeits = np.split(values, ends)
    return SetSums(
        players=players,
        boards=int(head[0]),
        matches=int(head[1]),
        wins=wins,
        wins_products=wins_products.reshape(n, n),
        devs=devs,
        devs_products=devs_products.reshape(n, n),
        pair_wins=pair_wins.reshape(n, n),
        pair_squares=pair_squares.reshape(n, n),
        places=places.reshape(n, n),
        forfeits=forfeits,
    )


def pair_points(result: MatchResult) -> Ints:
    """Half points of each seat against each other: by places, but who forfeits loses to all, forfeiters tie."""
    rank = [
        len(result.places) + 1 if gone else place for place, gone in zip(result.places, result.forfeited, strict=True)
    ]
    ranks = np.array(rank, dtype=np.int64)
    points: Ints = np.where(ranks[:, None] < ranks, WON, np.where(ranks[:, None] == ranks, TIED, 0)).astype(np.int64)
    np.fill_diagonal(points, 0)
    return points


def deviations(result: MatchResult, forfeit_points: int) -> Ints:
    """Return n × score − the table's sum by seat; −W × n for who forfeited, `forfeit_points` being W."""
    n = len(result.scores)
    total = sum(result.scores)
    return np.array(
        [
            -forfeit_points * n if gone else n * score - total
            for score, gone in zip(result.scores, result.forfeited, strict=True)
        ],
        dtype=np.int64,
    )


def board_sums(results: Sequence[MatchResult], forfeit_points: int) -> SetSums:
    """The sums of one board whose rotations are all given."""
    players = tuple(sorted(results[0].players))
    n = len(players)
    pair_wins, places = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    devs, forfeits = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for result in results:
        at = np.array([players.index(player) for player in result.players])
        pair_wins[np.ix_(at, at)] += pair_points(result)
        devs[at] += deviations(result, forfeit_points)
        places[at, np.array(result.places) - 1] += 1
        forfeits[at] += np.array(result.forfeited, dtype=np.int64)
    wins = pair_wins.sum(axis=1)
    return SetSums(
        players=players,
        boards=1,
        matches=len(results),
        wins=wins,
        wins_products=np.outer(wins, wins),
        devs=devs,
        devs_products=np.outer(devs, devs),
        pair_wins=pair_wins,
        pair_squares=pair_wins**2,
        places=places,
        forfeits=forfeits,
    )


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
