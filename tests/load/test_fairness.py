"""Fast bots beside other work that keeps every CPU busy."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.fairness import COURSES, STRICT, run_course

pytestmark = pytest.mark.slow


def test_busy_machine_costs_nobody_time() -> None:
    """With a strict clock, and more busy processes than CPUs, bots that answer at once never overrun."""
    course = replace(COURSES[1], control=STRICT, tables=6)
    found = asyncio.run(run_course(course, decisions=1000, seed=1, busy=4, at_once=1))
    assert found["decisions"] >= 1000
    assert (found["overruns"], found["other_faults"]) == (0, 0)
    if Path("/proc/self/schedstat").is_file():  # else nobody can say who waited
        assert found["wait_returned_s"] > 0
        assert found["lag_returned_s"] > 0
