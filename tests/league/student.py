"""Student's t distribution by the incomplete beta function, to compare what is computed otherwise with."""

from __future__ import annotations

from math import sqrt

from scipy.special import betainc, betaincinv


def two_sided(t: float, freedom: float) -> float:
    """How likely a value at least so far from 0 is, in either direction."""
    return float(betainc(freedom / 2, 0.5, freedom / (freedom + t * t)))


def reach(freedom: float, *, level: float = 0.95) -> float:
    """The value that is exceeded, in either direction, in all but `level` of the cases."""
    return sqrt(freedom * (1 / float(betaincinv(freedom / 2, 0.5, 1 - level)) - 1))
