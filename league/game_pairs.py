"""Two players against each other: Elo of several kinds from counts of results, and the sequential test on them.

Pure. Counts are of single matches (lost, tied, won: three numbers) or of pairs of matches on one board with the sides
exchanged (0, ½, 1, 1½, 2 points: five numbers), always seen from the first player. The mathematics is that of Van den
Bergh's "Normalized Elo" (2020) and of the generalised sequential probability ratio test; pairs are the better unit,
since what the board gives to one side cancels within them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.errors import LeagueError
from league.estimates import CONFIDENCE
from league.verdicts import SprtVerdict

NORMALIZED_ELO = 800.0 / math.log(10.0)
"""Normalised Elo of one standard deviation of a match."""
HIGHEST_ELO = 1000.0
SEEN_AT_LEAST = 1e-3
"""What a result that never came counts, so that its probability can be talked of."""

_SINGLE, _PAIRS = 3, 5
_STEPS_AT_MOST = 200
_SETTLED = 1e-12


class EloModel(StrEnum):
    """What the two numbers of a sequential test are."""

    NORMALIZED = "normalized"
    LOGISTIC = "logistic"
    BAYESIAN = "bayesian"


@dataclass(frozen=True, kw_only=True)
class DuelScore:
    """How one player did against another.

    `score`: share of the points, 0 to 1. `elo` and `normalized_elo` with half the width of their 95 % intervals; None
    where they are not finite. `los`: the likelihood that the first player is the better one, 0 to 1, if not sure.
    """

    score: float
    elo: float | None
    elo_error: float | None
    normalized_elo: float | None
    normalized_elo_error: float
    los: float


@dataclass(frozen=True, kw_only=True)
class DuelTest:
    """The state of a sequential test of `elo1` (better) against `elo0` (not better)."""

    model: EloModel
    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    verdict: SprtVerdict


def duel_score(counts: Sequence[int]) -> DuelScore:
    """Elo, normalised Elo and likelihood of superiority from three or five counts, worst result first.

    Raises LeagueError when the counts are not such, or all nothing.
    """
    _check_counts(counts)
    total = sum(counts)
    matches = total * _matches_in(counts)
    values, shares = _values(counts), [count / total for count in counts]
    mean, variance = _moments(values, shares)
    error = math.sqrt(variance / total)
    width = _deviations_of_interval()
    deviation = math.sqrt(variance * _matches_in(counts))
    return DuelScore(
        score=mean,
        elo=_elo(mean),
        elo_error=_half_width(mean - width * error, mean + width * error),
        normalized_elo=(mean - 0.5) / deviation * NORMALIZED_ELO if deviation else None,
        normalized_elo_error=width * NORMALIZED_ELO / math.sqrt(matches),
        los=_normal_share((mean - 0.5) / error) if error else 0.5 * (1 + (mean > 0.5) - (mean < 0.5)),
    )


def duel_test(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    model: EloModel = EloModel.NORMALIZED,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> DuelTest:
    """The generalised sequential probability ratio test on three or five counts, worst result first.

    Raises LeagueError when the counts are not such, `elo0` is not below `elo1`, or the model does not fit the counts.
    """
    _check_counts(counts)
    if not -HIGHEST_ELO <= elo0 < elo1 <= HIGHEST_ELO:
        raise LeagueError(
            f"a test of {elo0:g} against {elo1:g} Elo: the first must be below the second, "
            f"both between −{HIGHEST_ELO:g} and {HIGHEST_ELO:g}"
        )
    llr = _RATIOS[model](counts, elo0, elo1)
    lower, upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
    verdict = SprtVerdict.BETTER if llr >= upper else SprtVerdict.NOT_BETTER if llr <= lower else SprtVerdict.GO_ON
    return DuelTest(model=model, elo0=elo0, elo1=elo1, llr=llr, lower=lower, upper=upper, verdict=verdict)


def _check_counts(counts: Sequence[int]) -> None:
    if len(counts) not in {_SINGLE, _PAIRS} or min(counts) < 0 or not any(counts):
        raise LeagueError(
            f"{list(counts)} are no counts of results: give lost, tied, won, or the pairs with 0, ½, 1, 1½ and 2 points"
        )


def _matches_in(counts: Sequence[int]) -> int:
    return 1 if len(counts) == _SINGLE else 2


def _values(counts: Sequence[int]) -> list[float]:
    return [at / (len(counts) - 1) for at in range(len(counts))]


def _moments(values: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(value * share for value, share in zip(values, shares, strict=True))
    variance = math.fsum((value - mean) ** 2 * share for value, share in zip(values, shares, strict=True))
    return mean, variance


def _elo(score: float) -> float | None:
    return 400.0 * math.log10(score / (1.0 - score)) if 0.0 < score < 1.0 else None


def _half_width(low: float, high: float) -> float | None:
    lowest, highest = _elo(low), _elo(high)
    return None if lowest is None or highest is None else (highest - lowest) / 2.0


def _normal_share(deviations: float) -> float:
    return 0.5 * (1.0 + math.erf(deviations / math.sqrt(2.0)))


def _deviations_of_interval() -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + CONFIDENCE / 2.0))


def _observed(counts: Sequence[int]) -> tuple[float, list[float]]:
    """The number of observations, and the share of each result; a result that never came has a trace."""
    seen = [count or SEEN_AT_LEAST for count in counts]
    total = math.fsum(seen)
    return total, [count / total for count in seen]


def _ratio_of_scores(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """LLR where Elo gives the mean score."""
    total, shares = _observed(counts)
    values = _values(counts)

    def most_likely(elo: float) -> list[float]:
        mean = 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))
        return _with_moment(shares, [value - mean for value in values])

    return _ratio(total, shares, most_likely(elo0), most_likely(elo1))


def _ratio_of_deviations(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """LLR where Elo gives the mean score in standard deviations."""
    total, shares = _observed(counts)
    values = _values(counts)
    unit = NORMALIZED_ELO / math.sqrt(_matches_in(counts))
    return _ratio(
        total,
        shares,
        _with_deviations(shares, values, elo0 / unit),
        _with_deviations(shares, values, elo1 / unit),
    )


def _ratio_of_strengths(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """LLR where Elo gives the chances to win and to lose, beside a width of ties that the counts tell."""
    if len(counts) != _SINGLE:
        raise LeagueError("the Bayesian model is for single matches, not for pairs: use normalized or logistic")
    total, shares = _observed(counts)
    lost, _, won = shares
    ties = 200.0 * math.log10((1.0 - lost) / lost * (1.0 - won) / won)

    def chances(elo: float) -> list[float]:
        win = 1.0 / (1.0 + math.pow(10.0, (ties - elo) / 400.0))
        loss = 1.0 / (1.0 + math.pow(10.0, (ties + elo) / 400.0))
        return [loss, 1.0 - win - loss, win]

    return _ratio(total, shares, chances(elo0), chances(elo1))


_RATIOS: dict[EloModel, Callable[[Sequence[int], float, float], float]] = {
    EloModel.NORMALIZED: _ratio_of_deviations,
    EloModel.LOGISTIC: _ratio_of_scores,
    EloModel.BAYESIAN: _ratio_of_strengths,
}


def _ratio(total: float, shares: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    return total * math.fsum(share * math.log(b / a) for share, a, b in zip(shares, under0, under1, strict=True))


def _with_moment(shares: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The most likely distribution, after `shares` were seen, under which the mean of `offsets` is 0.

    It is share / (1 + x · offset), x the root of a function that falls between two poles.
    """
    low, high = -1.0 / max(offsets), -1.0 / min(offsets)
    for _ in range(_STEPS_AT_MOST):
        x = (low + high) / 2.0
        if x in {low, high}:
            break
        above = math.fsum(share * offset / (1.0 + x * offset) for share, offset in zip(shares, offsets, strict=True))
        low, high = (x, high) if above > 0 else (low, x)
    return [share / (1.0 + x * offset) for share, offset in zip(shares, offsets, strict=True)]


def _with_deviations(shares: Sequence[float], values: Sequence[float], wanted: float) -> list[float]:
    """The most likely distribution whose mean is `wanted` standard deviations above ½.

    The condition is not linear in the distribution: it is made so around the last one, again and again.
    """
    found = [1.0 / len(values)] * len(values)
    for _ in range(_STEPS_AT_MOST):
        mean, variance = _moments(values, found)
        deviation = math.sqrt(variance)
        offsets = [
            value - 0.5 - wanted * deviation * (1.0 + ((value - mean) / deviation) ** 2) / 2.0 for value in values
        ]
        if not min(offsets) < 0.0 < max(offsets):
            break
        last, found = found, _with_moment(shares, offsets)
        if max(abs(a - b) for a, b in zip(last, found, strict=True)) < _SETTLED:
            return found
    raise LeagueError(f"no distribution of results is {wanted:.3g} standard deviations from even: give smaller Elo")
