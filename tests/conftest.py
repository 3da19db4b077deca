"""What all tests share: a skip is a failure where everything is required, and no test changes another's logs."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
import structlog

REQUIRE_ALL = os.environ.get("KING_REQUIRE_ALL") == "1"


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if REQUIRE_ALL and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.longrepr = f"KING_REQUIRE_ALL=1 and this was skipped: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test fails where everything is required."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A skipped module fails where everything is required."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture(autouse=True)
def _logs_of_its_own() -> Generator[None]:
    """Commands that run within a test set up logging for their process; the next test starts afresh."""
    yield
    structlog.reset_defaults()
