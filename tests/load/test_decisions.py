"""The measurement of whole decisions, on the smallest scale."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from benchmarks.decisions import compare
from benchmarks.played import course_of, season_course

pytestmark = pytest.mark.slow


def test_referee_and_bare_ping_pong_send_the_same_frames() -> None:
    """A sitting of light bots is measured, and then the peer that sends its frames again."""
    found = asyncio.run(compare(replace(course_of(1, 1), name="one"), rounds=1))
    assert found["one_requests_a_frame"] == 1
    assert found["one_p50_ratio"] > 0
    assert all(value > 0 for value in found.values())


def test_sitting_of_a_season_has_all_its_bots() -> None:
    """The course of a season of eight bots is a sitting as the planner makes it."""
    course = season_course()
    assert course.players == 8
    assert len(course.tables) == 35
