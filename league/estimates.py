"""Estimates with their intervals and p-values by Student's t.

Pure. Owns the one confidence level there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

CONFIDENCE = 0.95
_PRECISION = 1e-10
_PRECISION_OF_SPREAD = 1e-7
"""Less than of values: a spread is the root of what large variances leave of each other."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number with its 95 % interval; `low` and `high` are None where the boards cannot tell."""

    value: float
    low: float | None
    high: float | None

    def negated(self) -> Estimate:
        """The estimate of the opposite."""
        return Estimate(
            value=-self.value,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
        )

    def moved(self, by: float) -> Estimate:
        """The estimate of so much more."""
        return Estimate(
            value=self.value + by,
            low=None if self.low is None else self.low + by,
            high=None if self.high is None else self.high + by,
        )


def estimate(value: float, variance: float, degrees: int, *, rounding: float = 0.0) -> Estimate:
    """A value with the interval that its variance gives with so many degrees of freedom; none with less than one.

    `rounding`: a spread up to this is that of the arithmetic. Where boards do not differ at all there is an interval,
    of no width, only if they are so many that chance cannot be why.
    """
    spread = _spread(variance, rounding)
    if degrees < 1 or (not spread and chance_of_one_sign(degrees) > 1.0 - CONFIDENCE):
        return Estimate(value=float(value), low=None, high=None)
    reach = t_quantile(degrees) * spread
    return Estimate(value=float(value), low=float(value - reach), high=float(value + reach))


@cache
def t_quantile(degrees: int) -> float:
    """How many standard errors the interval reaches to either side with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + CONFIDENCE / 2.0))


def two_sided_p(value: float, variance: float, degrees: int, *, rounding: float = 0.0) -> float | None:
    """The two-sided p-value of a difference from 0 by Student's t; None without degrees of freedom."""
    if degrees < 1:
        return None
    return min(1.0, 2.0 * one_sided_p(abs(value), variance, degrees, rounding=rounding))


def one_sided_p(value: float, variance: float, degrees: int, *, rounding: float = 0.0) -> float:
    """The p-value of a gain by Student's t, with one degree of freedom or more.

    `rounding`: a value and a spread up to this are those of the arithmetic. Where boards do not differ at all, p is
    that of as many boards with one sign.
    """
    from scipy.special import stdtr

    spread = _spread(variance, rounding)
    if spread:
        return float(stdtr(degrees, -value / spread))
    return chance_of_one_sign(degrees) / 2.0 if value > rounding else 1.0


def rounding_of(largest: float, widest: float) -> float:
    """What arithmetic may leave of nothing, as a value or a spread: `largest` is the largest value, `widest` the
    largest variance among those that differences are taken of."""
    return max(_PRECISION * largest, _PRECISION_OF_SPREAD * math.sqrt(max(0.0, widest)))


def chance_of_one_sign(degrees: int) -> float:
    """How likely it is that `degrees` + 1 boards all fall to the same side, whichever, where sides are equal."""
    return 0.5**degrees


def _spread(variance: float, rounding: float) -> float:
    spread = math.sqrt(max(0.0, variance))
    return spread if spread > rounding else 0.0
