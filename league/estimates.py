"""Estimates with their intervals and p-values by Student's t.

Pure. Owns the one confidence level there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

CONFIDENCE = 0.95


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


def estimate(value: float, variance: float, degrees: int) -> Estimate:
    """A value with the interval that its variance gives with so many degrees of freedom; none with less than one."""
    if degrees < 1:
        return Estimate(value=float(value), low=None, high=None)
    reach = t_quantile(degrees) * math.sqrt(max(0.0, variance))
    return Estimate(value=float(value), low=float(value - reach), high=float(value + reach))


@cache
def t_quantile(degrees: int) -> float:
    """How many standard errors the interval reaches to either side with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + CONFIDENCE / 2.0))


def two_sided_p(value: float, variance: float, degrees: int) -> float | None:
    """The two-sided p-value of a difference from 0 by Student's t; None without degrees of freedom."""
    from scipy.special import stdtr

    if degrees < 1:
        return None
    if variance <= 0.0:
        return 1.0 if value == 0.0 else 0.0
    return float(2.0 * stdtr(degrees, -abs(value) / math.sqrt(variance)))
