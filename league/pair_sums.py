"""What two bots have done against each other, board by board: sums that add up, and the path of the sequential test.

Pure. Whole numbers throughout. All but the path is the same whatever order boards are added in; the path is that of
the order in which boards became whole, as a sequential test must be, and ends when there is nothing more to decide.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import add, mul

from league.results import MatchResult
from league.sums import deviations, pair_points
from league.verdicts import SPRT_BOUND, SPRT_GAP_IN_DEVIATIONS, SPRT_LEAST_BOARDS, SprtVerdict, sprt

WIDEST_KEPT = 12
PATH_AT_MOST = 2048
"""The test is watched over so many boards; of equals, fewer than one in a thousand million goes on for longer."""

_NEAR = 0.01
"""So near to a bound, of the two ways to tell the ratio the exact one decides."""

_BOARDS, _WINS, _WIN_SQUARES, _GAPS, _GAP_SQUARES = range(5)
_PLACES = 5


@dataclass(frozen=True, kw_only=True, order=True)
class BoardGap:
    """A board of two bots: the first's deviations less the second's, n × score − the table's sum over all rotations.

    `flagged`: somebody forfeited on it.
    """

    board: int
    gap: int
    flagged: bool


@dataclass(frozen=True, kw_only=True)
class PairSums:
    """Bots `a` and `b` on the boards of both, seen from `a`.

    `values`: boards; half points of a against b, and the sum of their squares by board; gaps, and the sum of their
    squares; then how often a came in at one place while b came in at another, n × n, row by row. `widest`: the boards
    with the widest gaps. `path`: gaps in the order of boards, until both would have their verdict. `stops`: after how
    many boards the test of a over b has its verdict, and that of b over a; 0: not yet.
    """

    a: int
    b: int
    values: tuple[int, ...]
    widest: tuple[BoardGap, ...]
    path: tuple[int, ...]
    stops: tuple[int, int] = (0, 0)

    @property
    def seats(self) -> int:
        """Players at a table."""
        return int((len(self.values) - _PLACES) ** 0.5)

    @property
    def boards(self) -> int:
        """The boards of both."""
        return self.values[_BOARDS]

    @property
    def matches(self) -> int:
        """The matches on these boards."""
        return sum(self.values[_PLACES:])

    @property
    def wins(self) -> tuple[int, int]:
        """Half points of a against b, and the sum of their squares by board."""
        return self.values[_WINS], self.values[_WIN_SQUARES]

    @property
    def gaps(self) -> tuple[int, int]:
        """The sum of gaps, and of their squares."""
        return self.values[_GAPS], self.values[_GAP_SQUARES]

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """How often a came in at the row's place while b came in at the column's."""
        n, flat = self.seats, self.values[_PLACES:]
        return tuple(flat[row * n : (row + 1) * n] for row in range(n))

    @property
    def is_decided(self) -> bool:
        """Whether the test has its verdict seen from either side, or goes on for too long: the path ends."""
        return len(self.path) >= PATH_AT_MOST or all(self.stops)

    def followed_by(self, later: PairSums) -> PairSums:
        """These boards and then one more."""
        path = self.path if self.is_decided else self.path + later.path
        return PairSums(
            a=self.a,
            b=self.b,
            values=tuple(map(add, self.values, later.values)),
            widest=_widest(self.widest, later.widest[0]),
            path=path,
            stops=self.stops if self.is_decided else _stops(self.stops, path),
        )

    def turned(self) -> PairSums:
        """The same, seen from b."""
        n, boards = self.seats, self.boards
        whole = 2 * self.matches // boards  # half points of a board, both sides together
        wins, squares = self.wins
        values = (
            boards,
            whole * boards - wins,
            whole * whole * boards - 2 * whole * wins + squares,
            -self.gaps[0],
            self.gaps[1],
            *(self.places[column][row] for row in range(n) for column in range(n)),
        )
        return PairSums(
            a=self.b,
            b=self.a,
            values=values,
            widest=tuple(replace(one, gap=-one.gap) for one in self.widest),
            path=tuple(-gap for gap in self.path),
            stops=(self.stops[1], self.stops[0]),
        )

    def packed(self) -> Mapping[str, bytes]:
        """Values, widest, stops and path as little-endian 64-bit whole numbers."""
        widest = [number for one in self.widest for number in (one.board, one.gap, int(one.flagged))]
        return {"sums": _pack(self.values), "widest": _pack(widest), "path": _pack([*self.stops, *self.path])}

    @classmethod
    def unpacked(cls, a: int, b: int, *, sums: bytes, widest: bytes, path: bytes) -> PairSums:
        """What `packed` made."""
        flat = _unpack(widest)
        stop, stop_of_b, *gaps = _unpack(path)
        return cls(
            a=a,
            b=b,
            values=_unpack(sums),
            widest=tuple(
                BoardGap(board=flat[at], gap=flat[at + 1], flagged=bool(flat[at + 2])) for at in range(0, len(flat), 3)
            ),
            path=tuple(gaps),
            stops=(stop, stop_of_b),
        )


def board_pairs(results: Sequence[MatchResult], forfeit_points: int) -> tuple[PairSums, ...]:
    """All pairs a < b of one board whose rotations are all given."""
    players = sorted(results[0].players)
    devs = dict.fromkeys(players, 0)
    for result in results:
        for player, made in zip(result.players, deviations(result, forfeit_points), strict=True):
            devs[player] += made
    flagged = any(any(result.forfeited) for result in results)
    points = [pair_points(result) for result in results]
    return tuple(_board_pair(results, points, devs, pair, flagged=flagged) for pair in combinations(players, 2))


def _board_pair(
    results: Sequence[MatchResult],
    points: Sequence[Sequence[Sequence[int]]],
    devs: Mapping[int, int],
    pair: tuple[int, int],
    *,
    flagged: bool,
) -> PairSums:
    a, b = pair
    n = len(results[0].players)
    wins, places = 0, [0] * (n * n)
    for result, won in zip(results, points, strict=True):
        seat, other = result.players.index(a), result.players.index(b)
        wins += won[seat][other]
        places[(result.places[seat] - 1) * n + result.places[other] - 1] += 1
    gap = devs[a] - devs[b]
    return PairSums(
        a=a,
        b=b,
        values=(1, wins, wins * wins, gap, gap * gap, *places),
        widest=(BoardGap(board=results[0].board, gap=gap, flagged=flagged),),
        path=(gap,),
    )


def _widest(kept: tuple[BoardGap, ...], new: BoardGap) -> tuple[BoardGap, ...]:
    if len(kept) == WIDEST_KEPT and (abs(new.gap), -new.board) < (abs(kept[-1].gap), -kept[-1].board):
        return kept
    return tuple(sorted((*kept, new), key=lambda one: (-abs(one.gap), one.board)))[:WIDEST_KEPT]


def _stops(before: tuple[int, int], path: Sequence[int]) -> tuple[int, int]:
    """The stops once the last board of the path has been looked at too."""
    first, second = (
        stop or (len(path) if _may_stop(path, sign) and _has_verdict(path, sign) else 0)
        for stop, sign in zip(before, (1, -1), strict=True)
    )
    return first, second


def _has_verdict(path: Sequence[int], sign: int) -> bool:
    return sprt([sign * float(gap) for gap in path]).verdict is not SprtVerdict.GO_ON


def _may_stop(path: Sequence[int], sign: int) -> bool:
    """Whether the test is near a bound: it is asked itself only then, for it takes its time and is asked often.

    With a gap of g standard deviations, the likelihood ratio of n boards is g · (sum / deviation − n · g / 2).
    """
    count = len(path)
    if count < SPRT_LEAST_BOARDS:
        return False
    total = sign * sum(path)
    variance = (sum(map(mul, path, path)) - total * total / count) / (count - 1)
    if variance <= 0.0:
        return True
    ratio = SPRT_GAP_IN_DEVIATIONS * (total / math.sqrt(variance) - count * SPRT_GAP_IN_DEVIATIONS / 2.0)
    return abs(ratio) > SPRT_BOUND - _NEAR


def _pack(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}q", *numbers)


def _unpack(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)
