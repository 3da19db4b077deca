"""A line over time, in coordinates for an SVG that stretches: percents of width and height.

Owns the conversion; the template draws. Long series are thinned to what a screen can show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.pages.scale import Scale, scale_for

MOST_POINTS = 240


@dataclass(frozen=True, slots=True)
class History:
    """The live Elo after each match: `line` as points of a polyline, y from the top; `marks` name some matches."""

    scale: Scale
    line: str
    first: float
    last: float
    last_y: float
    count: int
    marks: tuple[tuple[int, float], ...]
    mean_y: float


def history(values: Sequence[float], *, mean: float = 1500.0) -> History | None:
    """The chart of a series; None for fewer than two values."""
    if len(values) < 2:
        return None
    scale = scale_for([*values, mean], origin=mean, least=100.0, most_ticks=6)
    last = len(values) - 1
    kept = sorted({round(place * last / (MOST_POINTS - 1)) for place in range(MOST_POINTS)})
    points = [(round(100 * place / last, 2), round(100 - scale.at(values[place]), 2)) for place in kept]
    return History(
        scale=scale,
        line=" ".join(f"{x:g},{y:g}" for x, y in points),
        first=values[0],
        last=values[-1],
        last_y=points[-1][1],
        count=len(values),
        marks=tuple(_marks(len(values))),
        mean_y=round(100 - scale.at(mean), 2),
    )


def _marks(count: int) -> list[tuple[int, float]]:
    steps = scale_for([1, count], origin=1, least=1.0, most_ticks=6).ticks
    return [
        (int(tick.value), round(100 * (tick.value - 1) / (count - 1), 2))
        for tick in steps
        if 1 <= tick.value <= count and tick.value == int(tick.value)
    ]
