"""Verdicts: many comparisons at once, and tests that stop early.

Pure. Owns Holm's correction and the sequential test on board differences; estimates come from `league.ratings`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

SURE_BELOW_P = 0.05
"""What is below this, after Holm's correction over all that is looked at together, is said to be so."""
SPRT_LEAST_BOARDS = 16
SPRT_GAP_IN_DEVIATIONS = 0.3
SPRT_BOUND = math.log((1.0 - 0.05) / 0.05)
"""The bounds of the log likelihood ratio, up and down, with the errors that a test has if none are given."""


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's adjusted p-values of one family; None, what cannot be tested, stays so and counts as a member."""
    family = len(p_values)
    ranked = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * family
    highest = 0.0
    for rank, (p, at) in enumerate(ranked):
        highest = max(highest, min(1.0, (family - rank) * p))
        adjusted[at] = highest
    return tuple(adjusted)


class SprtVerdict(StrEnum):
    """What a sequential test of A against B says so far."""

    GO_ON = "go on"
    BETTER = "better"
    NOT_BETTER = "not better"


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """The state of a sequential test: the log likelihood ratio, its bounds, what follows, and from how many boards."""

    llr: float
    lower: float
    upper: float
    boards: int
    verdict: SprtVerdict


def log_likelihood_ratio(*, count: int, total: float, variance: float, mu0: float, mu1: float) -> float:
    """LLR of mean `mu1` against `mu0` for `count` normal observations of sum `total` and known variance."""
    return (mu1 - mu0) / variance * (total - count * (mu0 + mu1) / 2.0)


def sprt(
    differences: Sequence[float],
    *,
    mu0: float = 0.0,
    mu1: float | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Sprt:
    """Tests board differences (A − B, one number a board, any unit) for mean `mu1` against `mu0`.

    `mu1` None: 0.3 standard deviations of a board difference. No verdict before 16 boards. The variance is the running
    one, so whoever calls this after every board stops at the first verdict.
    """
    lower, upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
    count = len(differences)
    if count < SPRT_LEAST_BOARDS:
        return Sprt(llr=0.0, lower=lower, upper=upper, boards=count, verdict=SprtVerdict.GO_ON)
    total = math.fsum(differences)
    mean = total / count
    variance = math.fsum((x - mean) ** 2 for x in differences) / (count - 1)
    llr = _ratio(count, total, variance, mu0, mu1)
    verdict = SprtVerdict.BETTER if llr >= upper else SprtVerdict.NOT_BETTER if llr <= lower else SprtVerdict.GO_ON
    return Sprt(llr=llr, lower=lower, upper=upper, boards=count, verdict=verdict)


def _ratio(count: int, total: float, variance: float, mu0: float, mu1: float | None) -> float:
    if variance == 0.0:
        mean = total / count
        return math.inf if mean > mu0 else -math.inf if mean < mu0 else 0.0
    gap = mu0 + SPRT_GAP_IN_DEVIATIONS * math.sqrt(variance) if mu1 is None else mu1
    return log_likelihood_ratio(count=count, total=total, variance=variance, mu0=mu0, mu1=gap)
