"""The typography of numbers and moments."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.numbers import MINUS, NARROW, decimal_point, elo, number, percent, plus_minus, signed, typeset
from dashboard.times import give_or_take, spoken, time_element
from dashboard.translate import pick_language, translations
from dashboard.words import Words

ENGLISH = translations("en")


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0, 0, "0"),
        (-1380, 0, f"{MINUS}1{NARROW}380"),
        (12.345, 1, "12.3"),
        (-0.04, 1, "0.0"),
        (1234567, 0, f"1{NARROW}234{NARROW}567"),
    ],
)
def test_numbers_have_true_minus_and_narrow_groups(value: float, decimals: int, text: str) -> None:
    """A number is grouped by narrow spaces, has U+2212 for minus, and zero is never negative."""
    assert number(value, decimals) == text


def test_gains_are_signed() -> None:
    """A gain has a plus, a loss a true minus, nothing neither."""
    assert [signed(value) for value in (5, -5, 0)] == ["+5", f"{MINUS}5", "0"]
    assert signed(0.04, 1) == "0.0"


@given(st.integers(-(10**6), 10**6))
def test_signs_are_mirror_images(value: int) -> None:
    """A number and its opposite differ in the sign alone."""
    assert signed(value).lstrip("+" + MINUS) == signed(-value).lstrip("+" + MINUS)


def test_intervals_shares_and_ratings() -> None:
    """Half widths follow ± and a narrow space, shares are whole percents, ratings are never grouped."""
    assert plus_minus(35.2) == f"±{NARROW}35"
    assert percent(1, 3) == f"33{NARROW}%"
    assert percent(1, 0) == f"0{NARROW}%"
    assert elo(1583.4) == "1583"


@pytest.mark.parametrize(
    ("ms", "text"), [(0.8, "0.8 ms"), (1, "1 ms"), (107.4, "107 ms"), (999.7, "1.00 s"), (1840, "1.84 s")]
)
def test_thinking_times(ms: float, text: str) -> None:
    """Short times are in milliseconds, long ones in seconds."""
    assert Words(ENGLISH).thinking_time(ms) == text


def test_decimals_follow_the_language() -> None:
    """Russian writes a decimal comma; thousands and signs stay as they are."""
    comma = decimal_point("ru")
    assert signed(1234.56, 1, point=comma) == f"+1{NARROW}234,6"
    assert plus_minus(0.25, 2, point=comma) == f"±{NARROW}0,25"
    assert number(-2.7, 1, point=decimal_point("en")) == f"{MINUS}2.7"


def test_only_minus_signs_of_numbers_are_typeset() -> None:
    """A hyphen before a number becomes a minus; ids and compounds keep theirs."""
    assert (
        typeset("each trick -50, russian-14, counter-clockwise")
        == f"each trick {MINUS}50, russian-14, counter-clockwise"
    )


NOW = datetime(2026, 11, 29, 20, 57, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 11, 29, 23, 50, tzinfo=UTC), "today, 23:50"),
        (datetime(2026, 11, 28, 19, 2, tzinfo=UTC), "28 Nov, 19:02"),
        (datetime(2025, 1, 5, 7, 0, tzinfo=UTC), "5 Jan 2025, 07:00"),
    ],
)
def test_moments_are_told_from_now(moment: datetime, text: str) -> None:
    """Near moments are told by the clock, far ones with the year."""
    assert spoken(moment, NOW, ENGLISH) == text


def test_moments_are_time_elements() -> None:
    """A moment carries its machine form."""
    element = time_element(NOW + timedelta(hours=1), NOW, ENGLISH)
    assert 'datetime="2026-11-29T21:57:00Z"' in element
    assert element.endswith(">today, 21:57</time>")


@pytest.mark.parametrize(("seconds", "text"), [(0.2, "1 s"), (40, "40 s"), (900, "15 min"), (10_000, "3 h")])
def test_uncertainty_of_moments(seconds: float, text: str) -> None:
    """Uncertainty is told in one unit."""
    assert give_or_take(seconds, ENGLISH) == f"±{NARROW}{text}"


@pytest.mark.parametrize("accept", ["", "fr,de;q=0.5", "xx", "en-GB,en;q=0.9"])
def test_language_falls_back_to_english(accept: str) -> None:
    """A reader without a language that can be had reads English."""
    assert pick_language(accept) == "en"
    assert pick_language(accept, "klingon", "") == "en"


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("en;q=0.5, ru;q=0.7", "ru"),
        ("en, ru", "en"),
        ("fr, ru;q=0.3", "ru"),
        ("ru;q=0, en;q=0.1", "en"),
        ("ru;q=x", "en"),
    ],
)
def test_the_browsers_first_wish_that_can_be_had_counts(accept: str, language: str) -> None:
    """Of the languages that a browser names, the one with the greatest weight that is there is taken."""
    assert pick_language(accept) == language


def test_a_choice_counts_more_than_the_browser() -> None:
    """The first choice that can be had wins over what the browser asks for."""
    assert pick_language("en", "ru") == "ru"
    assert pick_language("ru", "klingon", "en") == "en"
