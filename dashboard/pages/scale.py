"""Scales shared by every row of a column, and the coordinates of interval bars on them.

Owns the choice of ends and ticks and the conversion of values to percents of the width. Must not draw: templates do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Tick:
    """One mark of a scale: its value, and where it stands in percent of the width."""

    value: float
    at: float


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on a scale: both ends and the middle in percent; an open end lies beyond the scale."""

    value: float
    low: float
    high: float
    at: float
    start: float
    end: float
    open_start: bool
    open_end: bool

    @property
    def length(self) -> float:
        """Percent of the width between both ends."""
        return round(self.end - self.start, 2)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high`, with `ticks`, of which `origin` is drawn stronger."""

    low: float
    high: float
    origin: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Where `value` stands, in percent of the width, kept within the scale's ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def bar(self, value: float, low: float, high: float) -> Bar:
        """The bar of an estimate and its interval; ends beyond the scale are clipped and marked open."""
        return Bar(
            value=value,
            low=low,
            high=high,
            at=self.at(value),
            start=self.at(low),
            end=self.at(high),
            open_start=low < self.low,
            open_end=high > self.high,
        )


def step_for(span: float, most: int) -> float:
    """The smallest round step that cuts `span` into at most `most` parts."""
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))


def scale_for(values: Iterable[float], *, origin: float, least: float, most_ticks: int = 7) -> Scale:
    """A scale that holds all `values` and `origin`, at least `least` wide on each side of nothing in particular.

    The ends lie a little outside the outermost values, ticks on round numbers.
    """
    known = [value for value in values if math.isfinite(value)]
    low, high = min([origin, *known]), max([origin, *known])
    if high - low < least:
        middle = (low + high) / 2
        low, high = min(low, middle - least / 2), max(high, middle + least / 2)
    margin = (high - low) * 0.03
    low, high = low - margin, high + margin
    step = step_for(high - low, most_ticks)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    bare = Scale(low=low, high=high, origin=origin, ticks=())
    ticks = tuple(Tick(value=k * step, at=bare.at(k * step)) for k in range(first, last + 1))
    return Scale(low=low, high=high, origin=origin, ticks=ticks)
