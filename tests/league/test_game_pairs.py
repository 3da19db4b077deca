"""Elo and the sequential test of two players against numbers that others published."""

from __future__ import annotations

import math

import pytest

from league.errors import LeagueError
from league.game_pairs import EloModel, duel_score, duel_test
from league.verdicts import SprtVerdict

Counts = tuple[int, ...]


def pairs(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Counts:
    """Pairs of games by their two results, as the sources list them, by points."""
    return ll, ld, wl + dd, wd, ww


SCORES: tuple[tuple[Counts, float, float, float | None, float | None, float | None, float], ...] = (
    ((89, 123, 76), -20.76, 40.13, None, None, 15.53, 0.477),
    ((96, 111, 136), 49.77, 36.77, 40.7, 30.43, 99.60, 0.558),
    ((356, 0, 34), -508.44, 34.48, None, None, None, 0.087),
    (pairs(34, 54, 31, 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 100.00, 0.579),
    (pairs(332, 433, 457, 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 5.05, 0.488),
    (pairs(7895, 8757, 5485, 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, 0.00, 0.470),
)
"""Counts, normalised Elo, its error, Elo, its error, likelihood of superiority in %, score. Numbers of the tests of
fastchess (MIT), app/tests/elo_test.cpp at 74deac23."""

TESTS: tuple[tuple[EloModel, float, float, Counts, float], ...] = (
    (EloModel.NORMALIZED, 0, 2, (36027, 68692, 36433), 0.92),
    (EloModel.NORMALIZED, -1.75, 0.25, (10650, 20431, 10871), 2.30),
    (EloModel.LOGISTIC, 0.5, 2.5, (21184, 40708, 21404), -1.57),
    (EloModel.LOGISTIC, 0, 2, (57030, 106593, 57433), -2.59),
    (EloModel.BAYESIAN, 0, 2, (68526, 128429, 68965), -1.26),
    (EloModel.BAYESIAN, 0.5, 2.5, (21484, 41111, 21629), -1.13),
    (EloModel.NORMALIZED, 0, 2, pairs(365, 16618, 36029, 200, 16974, 390), 2.25),
    (EloModel.NORMALIZED, -1.75, 0.25, pairs(127, 4883, 10311, 401, 5150, 104), 3.01),
    (EloModel.LOGISTIC, 0.5, 2.5, pairs(223, 9863, 20279, 1000, 10037, 246), -3.07),
    (EloModel.LOGISTIC, 0, 2, pairs(871, 26175, 55003, 980, 26678, 821), -4.98),
)
"""Model, elo0, elo1, counts, log likelihood ratio. Numbers of the tests of fastchess (MIT), app/tests/sprt_test.cpp at
74deac23."""

ONE_SIDED: tuple[tuple[float, float, Counts, float], ...] = (
    (0, 10, (0, 0, 4250), 120.56),
    (0, 5, (0, 0, 0, 0, 5550), 111.82),
)
"""As `TESTS`, normalised, where only one result ever came; fastchess asks for 1 %."""

EXACT: tuple[tuple[EloModel, float, float, Counts, float], ...] = (
    (EloModel.LOGISTIC, -3, 1, (10789, 19328, 33806, 19402, 10543), 2.1310678117940807),
    (EloModel.NORMALIZED, 0.5, 2.5, (39, 8843, 26675, 9240, 44), 2.9416752079894044),
    (EloModel.BAYESIAN, 0.5, 2.5, (22569, 44137, 22976), 0.9757721682721865),
)
"""What the self-tests of fishtest (server/fishtest/stats/stat_util.py at b8eecff2) and OpenBench (OpenBench/stats.py at
9906bad1) print."""


@pytest.mark.parametrize(("counts", "normalized", "error", "elo", "elo_error", "los", "score"), SCORES)
def test_scores_are_those_of_fastchess(
    counts: Counts,
    normalized: float,
    error: float,
    elo: float | None,
    elo_error: float | None,
    los: float | None,
    score: float,
) -> None:
    """Elo of both kinds, their errors, likelihood of superiority and score agree to the digits given."""
    told = duel_score(counts)
    assert told.normalized_elo == pytest.approx(normalized, abs=0.005)
    assert told.normalized_elo_error == pytest.approx(error, abs=0.005)
    assert told.score == pytest.approx(score, abs=0.0005)
    if elo is not None:
        assert told.elo == pytest.approx(elo, abs=0.005)
        assert told.elo_error == pytest.approx(elo_error, abs=0.005)
    if los is not None:
        assert 100 * told.los == pytest.approx(los, abs=0.005)


@pytest.mark.parametrize(("model", "elo0", "elo1", "counts", "llr"), TESTS)
def test_ratios_are_those_of_fastchess(model: EloModel, elo0: float, elo1: float, counts: Counts, llr: float) -> None:
    """The log likelihood ratio agrees to the digits given, for all models, matches and pairs."""
    assert duel_test(counts, elo0=elo0, elo1=elo1, model=model).llr == pytest.approx(llr, abs=0.005)


@pytest.mark.parametrize(("elo0", "elo1", "counts", "llr"), ONE_SIDED)
def test_ratio_is_finite_where_one_result_is_all_there_is(elo0: float, elo1: float, counts: Counts, llr: float) -> None:
    """What never came counts a trace; the ratio is within 0.02 % of the published one."""
    assert duel_test(counts, elo0=elo0, elo1=elo1).llr == pytest.approx(llr, rel=2.5e-4)


@pytest.mark.parametrize(("model", "elo0", "elo1", "counts", "llr"), EXACT)
def test_ratios_are_those_of_fishtest_and_openbench(
    model: EloModel, elo0: float, elo1: float, counts: Counts, llr: float
) -> None:
    """Ten digits agree with two other programs."""
    assert duel_test(counts, elo0=elo0, elo1=elo1, model=model).llr == pytest.approx(llr, rel=1e-10)


def test_verdict_follows_the_bounds() -> None:
    """Beyond ±2.944 the test ends one way or the other, between it goes on."""
    better = duel_test((100, 100, 300), elo0=0, elo1=20)
    assert better.upper == pytest.approx(2.944, abs=0.0005)
    assert better.lower == pytest.approx(-2.944, abs=0.0005)
    assert better.verdict is SprtVerdict.BETTER
    assert duel_test((300, 100, 100), elo0=0, elo1=20).verdict is SprtVerdict.NOT_BETTER
    assert duel_test((10, 10, 11), elo0=0, elo1=20).verdict is SprtVerdict.GO_ON


def test_exchanging_the_players_turns_every_number() -> None:
    """Seen from the other side Elo, ratio and likelihood are the opposite."""
    counts = (30, 50, 80, 70, 40)
    one, other = duel_score(counts), duel_score(counts[::-1])
    assert one.elo is not None and other.elo is not None
    assert one.elo == pytest.approx(-other.elo)
    assert one.los == pytest.approx(1 - other.los)
    up, down = duel_test(counts, elo0=-4, elo1=6), duel_test(counts[::-1], elo0=-6, elo1=4)
    assert up.llr == pytest.approx(-down.llr, rel=1e-6)


@pytest.mark.parametrize(("counts", "los"), [((0, 0, 10), 1.0), ((0, 5, 0), 0.5), ((10, 0, 0), 0.0)])
def test_what_is_not_finite_is_not_told(counts: Counts, los: float) -> None:
    """All won, all tied or all lost has no normalised Elo, and its likelihood of superiority is sure."""
    told = duel_score(counts)
    assert told.normalized_elo is None
    assert (told.elo is None) is (los != 0.5)
    assert told.los == los


@pytest.mark.parametrize("counts", [(), (1, 2), (0, 0, 0), (1, -1, 2), (1, 2, 3, 4)])
def test_other_counts_are_refused(counts: Counts) -> None:
    """Three or five counts are needed, and one result at least."""
    with pytest.raises(LeagueError, match="no counts of results"):
        duel_score(counts)


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 0), (0, 0), (math.nan, 1), (0, math.inf)])
def test_other_questions_are_refused(elo0: float, elo1: float) -> None:
    """The first Elo must be below the second, both finite."""
    with pytest.raises(LeagueError, match="the first must be below the second"):
        duel_test((1, 2, 3), elo0=elo0, elo1=elo1)


def test_bayesian_model_is_not_for_pairs() -> None:
    """It knows chances to win and to lose, which pairs do not have."""
    with pytest.raises(LeagueError, match="use normalized or logistic"):
        duel_test((1, 2, 3, 4, 5), elo0=0, elo1=5, model=EloModel.BAYESIAN)
