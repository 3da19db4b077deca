"""What all tests share: a skip is a failure where everything is required, and no test changes another's logs.

Files that take long begin first, so that in the end no process waits for one that was begun last.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.postgresql import end_postgresql
from tests.stores import ON_POSTGRESQL, drop_stores

BROWSER_WAIT_MS = 30_000
GARBAGE_THRESHOLD = 20_000
"""Collecting took 5.0 s of CPU with a look for garbage after every 700 objects, 3.5 with one at its end."""
_ALL_SLOW = re.compile(r"^pytestmark = .*pytest\.mark\.slow", re.MULTILINE)
_LEFT_OUT = pytest.StashKey[list[pytest.Item]]()
REQUIRE_ALL = os.environ.get("KING_REQUIRE_ALL") == "1"
LONG = (
    "tests/conformance/test_kit_rust.py",
    "tests/hosts/test_hosts.py",
    "tests/e2e/test_entering.py",
    "tests/e2e/test_kills.py",
    "tests/conformance/test_kit_cpp.py",
    "tests/conformance/test_kit_java.py",
    "tests/compiled/test_compiled_engine.py",
    "tests/e2e/test_match.py",
    "tests/dashboard/test_browser.py",
    "tests/faults/test_random_faults.py",
    "tests/e2e/test_up.py",
    "tests/e2e/test_rolling_upgrade.py",
    "tests/dashboard/test_signed_in_browser.py",
    "tests/e2e/test_open_season.py",
    "tests/faults/test_backup_while_playing.py",
    "tests/conformance/test_broken_match.py",
    "tests/conformance/test_kit_go.py",
    "tests/conformance/test_kit_node.py",
    "tests/sandbox/test_guests.py",
    "tests/conformance/test_kits_league.py",
    "tests/e2e/test_submit.py",
    "tests/e2e/test_rolling.py",
    "tests/e2e/test_bridge.py",
    "tests/e2e/test_new_bot.py",
    "tests/conformance/test_go_generated.py",
    "tests/dashboard/test_accessibility.py",
    "tests/api/test_schemathesis.py",
    "tests/dashboard/test_live_pages.py",
    "tests/dashboard/test_organising.py",
    "tests/conformance/test_samples.py",
    "tests/conformance/test_sittings.py",
    "tests/conformance/test_scripting.py",
    "tests/properties/test_matches.py",
    "tests/dashboard/test_queries.py",
    "tests/dashboard/test_no_leak.py",
    "tests/dashboard/test_mine.py",
    "tests/dashboard/test_accounts.py",
    "tests/sandbox/test_escapes.py",
    "tests/workers/test_worker.py",
    "tests/workers/test_submitting.py",
    "tests/league/test_backups.py",
    "tests/league/test_concurrency.py",
    "tests/league/test_pairing.py",
    "tests/checking/test_late_steps.py",
    "tests/e2e/test_rate.py",
)
"""The files whose tests take longest together, the longest first."""


# Hypothesis would else fail a test that takes long, as any does on a machine with much else to do.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if REQUIRE_ALL and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.longrepr = f"KING_REQUIRE_ALL=1 and this was skipped: {reason}"


def pytest_configure(config: pytest.Config) -> None:
    """Connections to PostgreSQL that are left open for garbage are as good, or bad, as those to SQLite."""
    gc.disable()  # until all is collected: what that makes stays
    if ON_POSTGRESQL:
        config.addinivalue_line("filterwarnings", "ignore:<psycopg.Connection object:ResourceWarning")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file of which all tests are slow where no slow one is asked for."""
    fast_alone = "not slow" in config.option.markexpr
    if fast_alone and collection_path.suffix == ".py" and _ALL_SLOW.search(collection_path.read_text(encoding="utf-8")):
        return True
    return None


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of later looks for garbage: it lives to the end, and is a lot."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of long files first; else the order stays. On PostgreSQL, leave out what is about SQLite."""
    if ON_POSTGRESQL:
        left_out = [item for item in items if item.get_closest_marker("sqlite")]
        config.hook.pytest_deselected(items=left_out)
        config.stash[_LEFT_OUT] = left_out
        items[:] = [item for item in items if item not in left_out]
    ranks = {name: rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get(item.nodeid.partition("::")[0], len(LONG)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name what was left out on PostgreSQL, and why."""
    reasons = Counter(
        (item.nodeid.partition("::")[0], next(item.iter_markers("sqlite")).args[0])
        for item in config.stash.get(_LEFT_OUT, [])
    )
    for (file, reason), count in reasons.items():
        terminalreporter.write_line(f"left out on PostgreSQL: {count} of {file}: {reason}")


def pytest_sessionfinish() -> None:
    """No PostgreSQL outlives the tests that it was for."""
    end_postgresql()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """What a test kept in PostgreSQL goes with its folder."""
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    yield
    drop_stores(folder)


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


@pytest.fixture(scope="session", autouse=True)
def _patience_of_browsers() -> None:
    """What a page is expected to show may take long on a machine that does much else."""
    if playwright := sys.modules.get("playwright.sync_api"):
        playwright.expect.set_options(timeout=BROWSER_WAIT_MS)


@pytest.fixture(autouse=True)
def _logs_of_its_own() -> Generator[None]:
    """Commands that run within a test set up logging for their process; the next test starts afresh."""
    yield
    structlog.reset_defaults()
