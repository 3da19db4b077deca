"""Estimates as columns show them: the value, half its interval, and the bar on the column's common scale.

Owns the choice of a column's scale and decimals. A value without an interval has no bar, only its point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dashboard.pages.scale import Bar, Scale, scale_for
from league.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Shown:
    """An estimate ready to be shown; `error` is half of its interval, None where the boards cannot tell."""

    value: float
    low: float | None
    high: float | None
    error: float | None
    bar: Bar


def shown(estimate: Estimate, scale: Scale) -> Shown:
    """An estimate on a scale."""
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    return Shown(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        error=half_width(estimate),
        bar=scale.bar(estimate.value, low, high),
    )


def half_width(estimate: Estimate) -> float | None:
    """Half of the interval; None without one."""
    return None if estimate.low is None or estimate.high is None else (estimate.high - estimate.low) / 2


def decimals_for(estimates: Iterable[Estimate | None]) -> int:
    """How many decimals a column of points per deal needs: two where all are small, else one."""
    return decimals_of(max((abs(one.value) for one in estimates if one is not None), default=0.0))


def decimals_of(largest: float) -> int:
    """The same, by the largest of the column."""
    return 1 if largest >= 10 else 2


def tick_decimals(scale: Scale) -> int:
    """How many decimals the ticks of a scale need, two at most."""
    return next(
        (places for places in range(3) if all(abs(t.value - round(t.value, places)) < 1e-9 for t in scale.ticks)), 2
    )


def column_scale(
    estimates: Sequence[Estimate], unsure: Sequence[Estimate] = (), *, origin: float, least: float, most_ticks: int = 7
) -> Scale:
    """One scale for a column. Intervals of `unsure` rows may be very wide: they add half its width at most."""
    values = [one.value for one in (*estimates, *unsure)]
    ends = [end for one in estimates for end in (one.low, one.high) if end is not None]
    inner = [*values, *ends, origin]
    low, high = min(inner), max(inner)
    room = max(least, high - low) / 2
    wide = [end for one in unsure for end in (one.low, one.high) if end is not None]
    kept = [min(max(end, low - room), high + room) for end in wide]
    return scale_for([*inner, *kept], origin=origin, least=least, most_ticks=most_ticks)


def thinned(scale: Scale) -> Scale:
    """The same scale with every other tick, for narrow columns; the origin's is kept."""
    at = next((place for place, tick in enumerate(scale.ticks) if tick.value == scale.origin), 0)
    ticks = tuple(tick for place, tick in enumerate(scale.ticks) if (place - at) % 2 == 0)
    return Scale(low=scale.low, high=scale.high, origin=scale.origin, ticks=ticks)
