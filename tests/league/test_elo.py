"""The live Elo. The two-player numbers are those of the tests of the PyPI package `elo` 0.1.1 (BSD)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.elo import k_factor, pair_scores_of, updated_ratings


@pytest.mark.parametrize(
    ("k", "before", "drawn", "after", "places"),
    [
        (25, (1200, 1400), False, (1218.99, 1381.01), 2),
        (25, (1200, 1500), False, (1221.3, 1478.8), 1),
        (25, (1500, 1200), False, (1503.8, 1196.3), 1),
        (25, (1200, 1500), True, (1208.8, 1491.3), 1),
    ],
)
def test_two_players_are_rated_as_published(
    k: float, before: tuple[float, float], drawn: bool, after: tuple[float, float], places: int
) -> None:
    """The first wins, or the match is drawn; the published digits are partly rounded up."""
    rated = updated_ratings(before, pair_scores_of((0, 0) if drawn else (1, 0)), (k, k))
    assert rated == pytest.approx(after, abs=10.0**-places)


def test_a_series_of_matches_is_rated_as_published() -> None:
    """Five opponents met with the rating of the first day give the sum of five gains."""
    own = 1613.0
    opponents = ((1609, 0.0), (1477, 0.5), (1388, 1.0), (1586, 1.0), (1720, 0.0))
    gains = (
        updated_ratings((own, opponent), ((0.0, score), (1.0 - score, 0.0)), (32, 32))[0] - own
        for opponent, score in opponents
    )
    assert own + sum(gains) == pytest.approx(1601.2698768627572, abs=1e-9)


def test_four_players_are_rated_at_once() -> None:
    """All ratings are read before any is written, K is shared among the three opponents."""
    after = updated_ratings((1600, 1500, 1500, 1400), pair_scores_of((100, 40, 40, -180)), (32,) * 4)
    assert after == pytest.approx((1610.2413127866268, 1500.0, 1500.0, 1389.7586872133732), abs=1e-9)


@given(
    ratings=st.lists(st.floats(500, 2500), min_size=3, max_size=4),
    data=st.data(),
)
def test_the_sum_is_preserved(ratings: list[float], data: st.DataObject) -> None:
    """What one gains with an equal K, the others lose."""
    totals = data.draw(st.lists(st.integers(-100, 100), min_size=len(ratings), max_size=len(ratings)))
    after = updated_ratings(ratings, pair_scores_of(totals), (32,) * len(ratings))
    assert sum(after) == pytest.approx(sum(ratings))


def test_k_falls_after_thirty_matches() -> None:
    """The thirtieth match is still rated with 32, the next one with 16."""
    assert [k_factor(before) for before in (0, 29, 30, 500)] == [32.0, 32.0, 16.0, 16.0]
