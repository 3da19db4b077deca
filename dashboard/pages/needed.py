"""How many boards would tell two bots apart if the difference they show now is the true one.

Pure. Owns that forecast: an interval shrinks with the square root of the boards, so the boards that a difference needs
go with the square of the interval's width over it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from dashboard.pages.estimates import half_width
from league.differences import Difference, Differences
from league.estimates import t_quantile
from league.verdicts import SURE_BELOW_P

CHANCE = 0.8
"""The chance with which the boards forecast are enough."""

MOST = 100_000


@dataclass(frozen=True, slots=True)
class Needed:
    """Boards on which either bot sat: those there are, and those needed to tell the two apart alone (`single`) and
    after Holm's correction (`ladder`), which asks for a p `strictness` times smaller. None: beyond `MOST`."""

    boards: int
    strictness: int
    single: int | None
    ladder: int | None

    @property
    def more_single(self) -> int | None:
        """Boards still to be played for the verdict on these two alone."""
        return None if self.single is None else max(0, self.single - self.boards)

    @property
    def more_ladder(self) -> int | None:
        """Boards still to be played for the ladder's verdict."""
        return None if self.ladder is None else max(0, self.ladder - self.boards)


def holm_strictness(one: Difference, family: Differences) -> int:
    """How many times smaller p must be than without correction: the pairs that are no surer than this one, it included.

    With the other pairs as they are now.
    """
    return max(1, len(family) - (0 if one.p is None else family.count_surer(one.p)))


def boards_needed(one: Difference, family: Differences, boards: int) -> Needed | None:
    """The forecast for a pair with `boards` boards of either bot; None where its difference has no interval."""
    if one.points is None or one.p is None or boards < 2:
        return None
    error = half_width(one.points)
    if error is None:
        return None
    degrees = max(1, boards - 1)
    deviation = error / t_quantile(degrees) * math.sqrt(boards)
    strictness = holm_strictness(one, family)
    gap = abs(one.points.value)
    return Needed(
        boards=boards,
        strictness=strictness,
        single=_needed(gap, deviation, SURE_BELOW_P),
        ladder=_needed(gap, deviation, SURE_BELOW_P / strictness),
    )


def _needed(gap: float, deviation: float, p: float) -> int | None:
    """Boards for a two-sided `p` with the chance `CHANCE`, at `deviation` of one board's difference."""
    normal = NormalDist()
    reach = normal.inv_cdf(1.0 - p / 2.0) + normal.inv_cdf(CHANCE)
    boards = (reach * deviation / gap) ** 2 if gap > 0 else math.inf
    return math.ceil(boards) if boards <= MOST else None
