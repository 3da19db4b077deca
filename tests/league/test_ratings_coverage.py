"""The simulation behind the coverage of intervals gives the sums that real matches would."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.ratings_coverage import DEALS, MEASURED, Plan, draw_scores, simulate, sums_of, truth_of
from league.luck import luck
from league.sums import SetSums, board_sums
from tests.league.leagues import board_results


def test_sums_of_drawn_seasons_are_those_of_their_matches() -> None:
    """Board by board, every part; which hand was whose is left out, as only luck asks for it."""
    plan = Plan.of(6, 20)
    scores = draw_scores(plan, truth_of(plan, 1), np.random.default_rng(1), 1)[0]
    scores[3, 1, 0] = scores[3, 1, 2]  # a tie
    for number, (order, made, told) in enumerate(zip(plan.orders.tolist(), scores, sums_of(plan, scores), strict=True)):
        by_player = [dict(zip(order, line.tolist(), strict=True)) for line in made]
        rows = board_results(number + 1, order, lambda rotation, seated: [by_player[rotation][p] for p in seated])  # noqa: B023
        expected = board_sums(rows, 300)
        assert told.players == expected.players
        assert told.values[:-1] == expected.values[:-1]


@pytest.mark.slow
def test_drawn_boards_are_correlated_as_measured() -> None:
    """Played as matches, they have the variances they were drawn with: of hands, of bots on boards, of the rest."""
    plan = Plan.of(6, 400)
    truth = truth_of(plan, 1)
    sums: list[SetSums] = []
    for season in draw_scores(plan, truth, np.random.default_rng(2), 4):
        for order, made in zip(plan.orders.tolist(), season, strict=True):
            by_player = [dict(zip(order, line.tolist(), strict=True)) for line in made]
            rows = board_results(1, order, lambda rotation, seated: [by_player[rotation][p] for p in seated])  # noqa: B023
            sums.append(board_sums(rows, 300))
    found = luck(sums, deals=DEALS)
    assert found is not None
    assert found.hand == pytest.approx(MEASURED.hand, rel=0.1)
    assert found.bot_on_board == pytest.approx(MEASURED.bot_on_board, abs=0.25)
    assert found.rest == pytest.approx(MEASURED.rest, rel=0.06)


@pytest.mark.slow
def test_intervals_of_a_few_seasons_cover_about_what_they_say() -> None:
    """Of 40 seasons of 12 bots with 20 boards each; the benchmark has the 2,000."""
    found = simulate(12, 20, 40, 3)
    assert found.bots == 480
    for held, count in ((found.elo, found.bots), (found.points, found.bots), (found.differences, found.pairs)):
        assert 0.91 < held / count < 0.985


@pytest.mark.slow
def test_truth_is_in_the_units_of_the_ladder() -> None:
    """Strengths have mean 0 and Elo mean 1500, in the same order."""
    truth = truth_of(Plan.of(12, 20), 5)
    assert truth.strengths.sum() == pytest.approx(0.0, abs=1e-9)
    assert truth.elo.mean() == pytest.approx(1500.0)
    assert np.argsort(truth.elo).tolist() == np.argsort(truth.strengths).tolist()
