"""Scales, interval bars and places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.pages.estimates import column_scale, decimals_for, shown, thinned
from dashboard.pages.ladder import shares
from dashboard.pages.scale import scale_for, step_for
from league.estimates import Estimate

FINITE = st.floats(-1e4, 1e4, allow_nan=False)


@given(st.lists(FINITE, max_size=20), FINITE)
def test_every_value_lies_on_its_scale(values: list[float], origin: float) -> None:
    """A scale holds all its values, its origin and its ticks, in order, within 0 to 100 percent."""
    scale = scale_for(values, origin=origin, least=1.0)
    assert scale.low < scale.high
    assert all(scale.low <= value <= scale.high for value in [*values, origin])
    places = [tick.at for tick in scale.ticks]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


@given(st.floats(0.01, 1e5), st.integers(2, 9))
def test_steps_are_round_and_few(span: float, most: int) -> None:
    """A step is round and cuts the span into no more parts than asked."""
    step = step_for(span, most)
    assert span / step <= most * (1 + 1e-6)
    mantissa = float(f"{step:e}".split("e")[0])
    assert mantissa in (1.0, 2.0, 2.5, 5.0)


def test_ends_beyond_the_scale_are_open() -> None:
    """An interval that leaves the scale is clipped and has no cap there."""
    bar = scale_for([1400, 1600], origin=1500, least=100).bar(1500, 900, 1550)
    assert (bar.start, bar.open_start, bar.open_end) == (0.0, True, False)
    assert 0 < bar.at < bar.end < 100


def test_wide_intervals_of_few_boards_do_not_squeeze_the_others() -> None:
    """Unsure rows stretch a column by half its width at most on each side."""
    sure = [Estimate(value=1500.0, low=1450.0, high=1550.0)]
    scale = column_scale(sure, [Estimate(value=1520.0, low=-9000.0, high=9000.0)], origin=1500.0, least=100.0)
    assert scale.high - scale.low < 300


def test_narrow_columns_have_half_the_ticks_and_the_origin() -> None:
    """Thinning keeps the tick of the origin."""
    scale = scale_for([1200, 1800], origin=1500, least=100)
    few = thinned(scale)
    assert len(few.ticks) < len(scale.ticks)
    assert 1500 in [tick.value for tick in few.ticks]


def test_an_estimate_without_interval_has_a_point_only() -> None:
    """Where boards cannot tell, there is no half width and the bar has no length."""
    found = shown(Estimate(value=3.0, low=None, high=None), scale_for([3.0], origin=0.0, least=1.0))
    assert (found.error, found.bar.length) == (None, 0.0)


@pytest.mark.parametrize(("values", "places"), [((), 2), ((0.4, -3.0), 2), ((12.0, 1.0), 1)])
def test_decimals_follow_the_largest(values: tuple[float, ...], places: int) -> None:
    """Small points have two decimals, large ones one."""
    assert decimals_for([Estimate(value=value, low=None, high=None) for value in values]) == places


def test_places_fill_the_bar() -> None:
    """The steps of the places bar follow each other and fill it."""
    steps = shares((6, 3, 0, 3))
    assert [step.start for step in steps] == [0.0, 50.0, 75.0, 75.0]
    assert sum(step.width for step in steps) == 100.0
    assert shares((0, 0, 0, 0))[0].width == 0.0
