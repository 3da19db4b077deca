"""Intervals and p-values where boards differ, and where they do not."""

from __future__ import annotations

import pytest

from league.estimates import estimate, one_sided_p, rounding_of, two_sided_p


def test_p_and_interval_are_those_of_students_t() -> None:
    """2.262157 standard errors with nine degrees of freedom are p = 0.05, and the interval just reaches 0."""
    told = estimate(2.262157, 1.0, 9)
    assert told.low == pytest.approx(0.0, abs=1e-6)
    assert two_sided_p(2.262157, 1.0, 9) == pytest.approx(0.05, abs=1e-6)
    assert two_sided_p(-2.262157, 1.0, 9) == pytest.approx(0.05, abs=1e-6)
    assert one_sided_p(2.262157, 1.0, 9) == pytest.approx(0.025, abs=1e-6)
    assert one_sided_p(-2.262157, 1.0, 9) == pytest.approx(0.975, abs=1e-6)
    assert two_sided_p(0.0, 1.0, 9) == 1.0


def test_one_board_tells_no_interval() -> None:
    """Without a degree of freedom there is neither interval nor p."""
    assert estimate(3.0, 1.0, 0).low is None
    assert two_sided_p(3.0, 1.0, 0) is None


def test_few_boards_that_do_not_differ_prove_nothing() -> None:
    """Three boards of one sign are as likely as three coins of one side, 1 in 4: no verdict, no interval."""
    assert two_sided_p(5.0, 0.0, 2) == 0.25
    assert one_sided_p(5.0, 0.0, 2) == 0.125
    assert one_sided_p(-5.0, 0.0, 2) == 1.0
    told = estimate(5.0, 0.0, 2)
    assert (told.value, told.low, told.high) == (5.0, None, None)


def test_many_boards_that_do_not_differ_do() -> None:
    """Six of one side, 1 in 32, are below 5 %; of no difference at all they say that there is none."""
    told = estimate(5.0, 0.0, 5)
    assert (told.low, told.high) == (5.0, 5.0)
    assert two_sided_p(5.0, 0.0, 5) == 1 / 32
    assert two_sided_p(0.0, 0.0, 5) == 1.0


def test_what_arithmetic_leaves_of_nothing_is_nothing() -> None:
    """Values and spreads of the size of rounding errors are none, whatever their ratio."""
    rounding = rounding_of(0.2, 0.0)
    assert two_sided_p(3e-16, 1e-34, 29, rounding=rounding) == 1.0
    assert two_sided_p(0.2, 1e-34, 1, rounding=rounding) == 0.5
    assert estimate(0.2, 1e-34, 1, rounding=rounding).low is None
    assert two_sided_p(0.2, 1e-17, 1, rounding=rounding_of(0.2, 1.0)) == 0.5
    assert two_sided_p(1e-3, 1e-8, 29, rounding=rounding_of(0.2, 1.0)) == pytest.approx(6.6e-11, rel=0.01)
