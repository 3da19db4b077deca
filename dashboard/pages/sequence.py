"""The sequential test of two bots, board after board, as it would have been watched.

Pure. Owns at which boards it is looked at, and the line that is drawn; the test itself is the league's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.pages.chart import polyline
from dashboard.pages.estimates import tick_decimals
from dashboard.pages.scale import Scale, scale_for
from league.verdicts import SPRT_GAP_IN_DEVIATIONS, SPRT_LEAST_BOARDS, Sprt, SprtVerdict, sprt

_LOOKS = 400


@dataclass(frozen=True, slots=True)
class Tested:
    """The test where it stopped, or where it stands. `boards`: those together; `gap`: what counts as better, in points
    per deal; `line`: the likelihood ratio, on `scale` from bottom to top, over the boards looked at."""

    state: Sprt
    boards: int
    least_boards: int
    gap: float
    stopped: bool
    scale: Scale
    tick_decimals: int
    line: str
    first: int
    last_y: float

    @property
    def bound_ys(self) -> tuple[float, float]:
        """Where the upper and the lower bound stand, in percent from the top."""
        return 100 - self.scale.at(self.state.upper), 100 - self.scale.at(self.state.lower)


def looks(boards: int) -> tuple[int, ...]:
    """After how many boards the test is looked at: each one from the first allowed on, of very many every few."""
    step = max(1, math.ceil((boards - SPRT_LEAST_BOARDS) / _LOOKS))
    return tuple(sorted({*range(SPRT_LEAST_BOARDS, boards + 1, step), boards} - set(range(SPRT_LEAST_BOARDS))))


def watch(differences: Sequence[float], boards: int) -> Tested:
    """Watches the test over board differences, in points per deal, until its first verdict.

    `boards`: those together, of which the differences may be the first.
    """
    state, seen = sprt(differences), []
    for count in looks(len(differences)):
        state = sprt(differences[:count])
        seen.append((count, max(-1e3, min(1e3, state.llr))))
        if state.verdict is not SprtVerdict.GO_ON:
            break
    ends = [state.lower, state.upper, *(ratio for _count, ratio in seen)]
    scale = scale_for(ends, origin=0.0, least=1.0, most_ticks=6)
    first, last = (seen[0][0], seen[-1][0]) if seen else (SPRT_LEAST_BOARDS, SPRT_LEAST_BOARDS)
    spots = [(100 * (count - first) / max(1, last - first), 100 - scale.at(ratio)) for count, ratio in seen]
    return Tested(
        state=state,
        boards=boards,
        least_boards=SPRT_LEAST_BOARDS,
        gap=SPRT_GAP_IN_DEVIATIONS * _deviation(differences[: state.boards]),
        stopped=state.verdict is not SprtVerdict.GO_ON,
        scale=scale,
        tick_decimals=tick_decimals(scale),
        line=polyline(spots) if len(spots) > 1 else "",
        first=first,
        last_y=round(spots[-1][1], 2) if spots else 50.0,
    )


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
