"""Standings without a model: who finishes above whom, and the table of all against all.

Pure. Ratings are `league.ratings`; here are shares and counts, with intervals by board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from league.differences import Difference, Differences
from league.estimates import CONFIDENCE, Estimate, estimate
from league.pair_sums import PairSums
from league.sums import SetSums, add_up


@dataclass(frozen=True, kw_only=True)
class Above:
    """How often A finishes above B, ties counting half, in `matches` matches on `boards` boards."""

    a: int
    b: int
    share: Estimate
    boards: int
    matches: int


def shares_above(sums: Sequence[SetSums]) -> tuple[Above, ...]:
    """P(A finishes above B) for all ordered pairs that have met, by (a, b)."""
    found: dict[tuple[int, int], tuple[int, int, int, int]] = {}
    for part in add_up(sums):
        n, pair_wins, pair_squares = len(part.players), part.part("pair_wins"), part.part("pair_squares")
        for (i, a), (k, b) in combinations(enumerate(part.players), 2):
            boards, matches, wins, squares = found.get((a, b), (0, 0, 0, 0))
            found[a, b] = (
                boards + part.boards,
                matches + part.matches,
                wins + pair_wins[i * n + k],
                squares + pair_squares[i * n + k],
            )
    there = [_above(a, b, counts) for (a, b), counts in found.items()]
    return tuple(sorted([*there, *map(_turned, there)], key=lambda one: (one.a, one.b)))


def _above(a: int, b: int, counts: tuple[int, int, int, int]) -> Above:
    boards, matches, wins, squares = counts
    whole = 2.0 * matches / boards  # half points of a board
    share = wins / (whole * boards)
    variance = 0.0
    if boards > 1:
        variance = (squares - wins * wins / boards) / (boards - 1) / boards / whole**2
    told = estimate(share, variance, boards - 1)
    if wins in {0, whole * boards}:
        told = _always(share, boards)
    if told.low is not None and told.high is not None:
        told = Estimate(value=share, low=max(0.0, told.low), high=min(1.0, told.high))
    return Above(a=a, b=b, share=told, boards=boards, matches=matches)


def _always(share: float, boards: int) -> Estimate:
    """Of a share of 0 or 1 on every board: as far as it may be from there with a chance of 2.5 % to show so many."""
    beyond = 1.0 - ((1.0 - CONFIDENCE) / 2.0) ** (1.0 / boards)
    return Estimate(value=share, low=max(0.0, share - beyond), high=min(1.0, share + beyond))


def _turned(one: Above) -> Above:
    share = one.share
    low, high = share.low, share.high
    turned = Estimate(
        value=1.0 - share.value, low=None if high is None else 1.0 - high, high=None if low is None else 1.0 - low
    )
    return Above(a=one.b, b=one.a, share=turned, boards=one.boards, matches=one.matches)


def share_above(pair: PairSums) -> Above:
    """P(A finishes above B), of the bots of a pair."""
    return _above(pair.a, pair.b, (pair.boards, pair.matches, *pair.wins))


@dataclass(frozen=True, kw_only=True)
class CrosstableCell:
    """Row bot A against column bot B: how often A finishes above (None: never met), and A − B in points per deal."""

    above: Above | None
    difference: Difference | None


@dataclass(frozen=True, kw_only=True)
class Crosstable:
    """All against all: entrants in an order, with their labels. A cell is made when it is asked for: there are n²."""

    order: tuple[int, ...]
    labels: tuple[str, ...]
    shares: Mapping[tuple[int, int], Above] = field(repr=False)
    differences: Differences = field(repr=False)

    def cell(self, row: int, column: int) -> CrosstableCell:
        """Entrant `order[row]` against `order[column]`; the diagonal is empty."""
        a, b = self.order[row], self.order[column]
        return CrosstableCell(above=self.shares.get((a, b)), difference=self.differences.between(a, b))


def crosstable(
    order: Sequence[int], labels: Sequence[str], sums: Sequence[SetSums], differences: Differences
) -> Crosstable:
    """The table for entrants in a given order (the ladder's)."""
    shares = {(one.a, one.b): one for one in shares_above(sums)}
    return Crosstable(order=tuple(order), labels=tuple(labels), shares=shares, differences=differences)


def crosstable_json(table: Crosstable) -> dict[str, Any]:
    """The JSON of a crosstable: `above[i][k]` is how often bot i finishes above bot k, `points_per_deal[i][k]` i − k.

    Cells are null on the diagonal and where two have never met.
    """
    places = range(len(table.order))
    cells = [[table.cell(row, column) for column in places] for row in places]
    return {
        "bots": list(table.labels),
        "above": [[cell.above and _above_json(cell.above) for cell in line] for line in cells],
        "points_per_deal": [[cell.difference and _gap_json(cell.difference) for cell in line] for line in cells],
    }


def _above_json(one: Above) -> dict[str, Any]:
    share = one.share
    return {"share": share.value, "low": share.low, "high": share.high, "boards": one.boards, "matches": one.matches}


def _gap_json(one: Difference) -> dict[str, Any] | None:
    gap = one.points
    return None if gap is None else {"value": gap.value, "low": gap.low, "high": gap.high, "p_holm": one.p_holm}
