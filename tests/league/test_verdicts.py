"""Holm's correction and the sequential test."""

from __future__ import annotations

import math
import random

import pytest

from league.verdicts import SprtVerdict, holm, log_likelihood_ratio, sprt

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
NORMALISED_ELO = 800.0 / math.log(10.0)


def test_holm_multiplies_the_smallest_by_the_family_and_never_falls() -> None:
    """Each p is multiplied by what is left of the family, and is at least the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.9]) == (1.0, 1.0)


def test_what_cannot_be_tested_is_still_of_the_family() -> None:
    """A pair without a p-value keeps none, and makes the others stricter."""
    assert holm([None, 0.01]) == (None, 0.02)


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "normalised", "llr"),
    [
        ((365, 16618, 36229, 16974, 390), 0, 2, True, 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, True, 3.01),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, False, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, False, -4.98),
        ((10789, 19328, 33806, 19402, 10543), -3, 1, False, 2.1310678),
        ((39, 8843, 26675, 9240, 44), 0.5, 2.5, True, 2.9416752),
    ],
)
def test_the_ratio_is_that_of_the_chess_engine_testers(
    pairs: tuple[int, ...], elo0: float, elo1: float, normalised: bool, llr: float
) -> None:
    """Counts of game pairs (0, ½ … 2 points) give the published ratios of fastchess, fishtest and OpenBench to 1 %."""
    count = sum(pairs)
    total = sum(n * x for n, x in zip(pairs, QUARTERS, strict=True))
    variance = sum(n * (x - total / count) ** 2 for n, x in zip(pairs, QUARTERS, strict=True)) / count

    def mean(elo: float) -> float:
        if normalised:
            return 0.5 + elo / NORMALISED_ELO * math.sqrt(2.0 * variance)
        return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))

    ratio = log_likelihood_ratio(count=count, total=total, variance=variance, mu0=mean(elo0), mu1=mean(elo1))
    assert ratio == pytest.approx(llr, rel=0.01)


def test_no_verdict_before_sixteen_boards() -> None:
    """Fifteen clear boards are not enough, sixteen are."""
    clear = [10.0 + 0.1 * (board % 2) for board in range(16)]
    assert sprt(clear[:15]).verdict is SprtVerdict.GO_ON
    assert sprt(clear).verdict is SprtVerdict.BETTER


def test_the_bounds_are_those_of_five_per_cent() -> None:
    """Both errors of 5 % put the bounds at ±2.944."""
    state = sprt([])
    assert (round(state.lower, 3), round(state.upper, 3)) == (-2.944, 2.944)


@pytest.mark.parametrize(("gap", "verdict"), [(0.0, SprtVerdict.NOT_BETTER), (0.3, SprtVerdict.BETTER)])
def test_the_test_finds_out_in_time(gap: float, verdict: SprtVerdict) -> None:
    """Drawn boards without a gap, and with the gap that it looks for, end with the right verdict nearly always."""
    right = 0
    for season in range(60):
        draw = random.Random(season)
        boards: list[float] = []
        while (state := sprt(boards)).verdict is SprtVerdict.GO_ON:
            boards.append(draw.gauss(gap, 1.0))
        right += state.verdict is verdict
    assert right >= 54


def test_boards_that_never_differ_by_chance_are_told_by_their_sign() -> None:
    """Without any variance the sign decides; without any difference nothing does."""
    assert sprt([1.0] * 16).verdict is SprtVerdict.BETTER
    assert sprt([-1.0] * 16).verdict is SprtVerdict.NOT_BETTER
    assert sprt([0.0] * 16).verdict is SprtVerdict.GO_ON
