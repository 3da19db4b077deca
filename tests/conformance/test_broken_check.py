"""`king check` names what is wrong with each broken bot, and leaves no process of it behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.clock import TimeControl
from referee.rules import parse_variant
from tests.conformance.broken import FLAWS, FOLDER, copy_of, processes_in
from workers.bots import find_bot
from workers.checking.checks import STEPS, BotCheck
from workers.checking.findings import Report

pytestmark = pytest.mark.slow  # real processes at a real referee

AT_ONCE = 4
LONG = TimeControl.parse("start=30s,inc=100ms,bank=10s")
SHORT = TimeControl.parse("start=5s,inc=1ms,bank=300ms")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this module's own for the bots."""
    return tmp_path_factory.mktemp("broken")


@pytest.fixture(scope="module")
def reports(place: Path) -> Iterator[dict[str, Report]]:
    """The reports on all broken bots, checked some at a time."""
    yield asyncio.run(_check_all(place))
    assert processes_in(place) == []


async def _check_all(place: Path) -> dict[str, Report]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def check(name: str) -> Report:
        async with turns:
            is_late = FLAWS[name].kind in {"timeout", "absent"}
            bot = find_bot(str(copy_of(name, place)))
            variants = (parse_variant("russian-14"),)
            return await BotCheck(bot=bot, variants=variants, control=SHORT if is_late else LONG).run()

    found = await asyncio.gather(*(check(name) for name in FLAWS))
    return dict(zip(FLAWS, found, strict=True))


def test_every_broken_bot_is_known() -> None:
    """Each fixture has its flaw."""
    assert {path.parent.name for path in FOLDER.glob("*/bot.toml")} == set(FLAWS)


@pytest.mark.parametrize("name", FLAWS)
def test_check_names_the_fault(reports: dict[str, Report], place: Path, name: str) -> None:
    """One step fails, with the fault's words, what was sent, what came back, and the time that it took."""
    report, flaw = reports[name], FLAWS[name]
    assert not report.passed
    assert [step.name for step in report.steps] == list(STEPS)
    (failed,) = [step for step in report.steps if step.finding.passed is False]
    assert failed.name == flaw.step
    found = failed.finding
    assert flaw.words in found.message
    assert flaw.sent in found.sent
    assert flaw.received in found.received
    assert flaw.may_be_late or (found.received == "") == (flaw.received == "")
    assert found.seconds > 0
    assert processes_in(place / name) == []


@pytest.mark.parametrize("name", FLAWS)
def test_steps_around_the_failed_one(reports: dict[str, Report], name: str) -> None:
    """The steps before the failed one pass, but for being legal where time ran out; those after are not reached."""
    verdicts = {step.name: step.finding.passed for step in reports[name].steps}
    failed = list(STEPS).index(FLAWS[name].step)
    before = {verdicts[step] for step in STEPS[: min(failed, 3)]}
    assert before <= {True}
    assert {verdicts[step] for step in STEPS[failed + 1 : -1]} <= {None}
    if FLAWS[name].kind == "timeout":
        assert verdicts["legal in every decision"] is None


def test_stopped_process_is_told(reports: dict[str, Report]) -> None:
    """Of a bot that a signal has stopped the report says so, which its silence alone would not."""
    (failed,) = [step for step in reports["stopped"].steps if step.finding.passed is False]
    assert "was stopped by a signal" in failed.finding.message


def test_standard_error_is_shown(reports: dict[str, Report]) -> None:
    """The traceback of a bot that raised is in the report."""
    assert "ZeroDivisionError: integer division or modulo by zero" in reports["crashing"].stderr


def test_token_is_not_shown(reports: dict[str, Report]) -> None:
    """The report shows the bot's Hello without its token."""
    hello = next(step for step in reports["silent"].steps if step.name == "hello").finding
    assert '"token":"(KING_TOKEN)"' in hello.received


@pytest.mark.parametrize("name", FLAWS)
def test_reports_are_sound_xml(reports: dict[str, Report], name: str) -> None:
    """JUnit has a case for each step: the failed one with its message, the ones not reached as skipped."""
    suite = ElementTree.fromstring(reports[name].to_junit())
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [f"{number} {step}" for number, step in enumerate(STEPS, 1)]
    assert len(suite.findall("testcase/failure")) == int(suite.get("failures", "")) == 1
    assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped", ""))
    (failure,) = suite.findall("testcase/failure")
    assert FLAWS[name].words in failure.get("message", "")
