"""The steps that only a bot gets to that plays well: tables, a broken stream, the exit, what it writes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.clock import TimeControl
from referee.rules import parse_variant
from tests.conformance.broken import processes_in
from workers.bots import find_bot
from workers.checking.checks import BotCheck
from workers.checking.findings import Report, Step

pytestmark = pytest.mark.slow  # real processes at a real referee

CONTROL = TimeControl.parse("start=30s,inc=100ms,bank=5s")
MANIFEST = (
    'name="{name}"\nversion="1"\nlanguage="python"\nbuild=[]\nrun=["python", "bot.py"]\nvariants=["russian-14"]\n'
)
FIRST = """
import subprocess, sys, time
from pathlib import Path
from king_bot import Bot, run

class First(Bot):
    table_limit = {table_limit}

    def choose(self, table, actions):
        return 0

{before}
try:
    run(First())
finally:
    {after}
"""
GIVES_UP = """
from tests.conformance.broken_bots.handmade import Stream

stream = Stream()
for request in stream.requests():
    stream.choose(request.request_id, 0)
"""


def first(*, table_limit: int = 64, before: str = "", after: str = "pass") -> str:
    """A bot that takes the first action, and does `before` and `after` its matches what it is told."""
    return FIRST.format(table_limit=table_limit, before=before, after=after)


BOTS = {
    "one_at_a_time": first(table_limit=1),
    "leaves_a_child": first(before='subprocess.Popen(["sleep", "600"], start_new_session=True)'),
    "writes_beside": first(before='Path("../notes.txt").write_text("it is all here")'),
    "writes_elsewhere": first(before='log = Path("../elsewhere/log.txt").open("w")'),
    "writes_where_it_may": first(before='mine = Path("mine.txt").open("w"); home = (Path.home() / "h").open("w")'),
    "stays": first(after="time.sleep(600)"),
    "ends_badly": first(after='sys.exit("bye")'),
    "gives_up": GIVES_UP,
}
"""The programs, by name; each is in a folder of its own, in another one of its own."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this module's own for the bots."""
    return tmp_path_factory.mktemp("late")


@pytest.fixture(scope="module")
def reports(place: Path) -> Iterator[dict[str, Report]]:
    """The reports on all bots, checked some at a time."""
    yield asyncio.run(_check_all(place))
    assert processes_in(place) == []


async def _check_all(place: Path) -> dict[str, Report]:
    turns = asyncio.Semaphore(4)

    async def check(name: str, program: str) -> Report:
        folder = place / name / "bot"
        (place / name / "elsewhere").mkdir(parents=True)
        folder.mkdir()
        (folder / "bot.toml").write_text(MANIFEST.format(name=name), encoding="utf-8")
        (folder / "bot.py").write_text(program, encoding="utf-8")
        async with turns:
            variants = (parse_variant("russian-14"),)
            return await BotCheck(bot=find_bot(str(folder)), variants=variants, control=CONTROL).run()

    found = await asyncio.gather(*(check(name, program) for name, program in BOTS.items()))
    return dict(zip(BOTS, found, strict=True))


def failed_step(report: Report) -> Step:
    """The only step that failed."""
    (failed,) = [step for step in report.steps if step.finding.passed is False]
    return failed


@pytest.mark.parametrize("name", ["one_at_a_time", "leaves_a_child", "writes_where_it_may"])
def test_what_is_allowed(reports: dict[str, Report], name: str) -> None:
    """One table at a time, children, and files in its folder and its home are no failings."""
    assert [(step.name, step.finding.message) for step in reports[name].steps if not step.finding.passed] == []
    assert reports[name].passed


def test_one_table_at_a_time_is_told(reports: dict[str, Report]) -> None:
    """Of a bot that plays one table at a time the report says that it plays them one after the other."""
    step = reports["one_at_a_time"].steps[5]
    assert "8 tables one after the other" in step.finding.message


def test_several_tables_are_shown(reports: dict[str, Report]) -> None:
    """What was sent to a bot with several tables has requests of several, and what came back their answers."""
    step = reports["leaves_a_child"].steps[5]
    assert "up to 8 requests in one frame" in step.finding.message
    assert step.finding.sent.count('"request"') > 1
    assert step.finding.received.count('"choice"') > 1


def test_children_end_with_the_bot(reports: dict[str, Report], place: Path) -> None:
    """A process that a bot leaves behind is named and ended with it; one that leaves none is told so."""
    finding = reports["leaves_a_child"].steps[7].finding
    assert finding.passed
    assert "left running what was then ended: sleep (" in finding.message
    assert "left nothing running" in reports["one_at_a_time"].steps[7].finding.message
    assert processes_in(place / "leaves_a_child") == []


def test_stream_that_is_not_resumed(reports: dict[str, Report]) -> None:
    """A bot that ends when its stream breaks fails the step with the words of its end."""
    failed = failed_step(reports["gives_up"])
    assert failed.name == "resume after a broken stream"
    assert (
        "exit: the process ended with exit status 1: the stream was closed with UNAVAILABLE" in failed.finding.message
    )
    assert "it did not dial again after the last cut" in failed.finding.message
    assert "the connection was cut once" in failed.finding.sent


def test_bot_that_does_not_exit(reports: dict[str, Report]) -> None:
    """A bot that goes on after its stream was closed with OK fails the step, and is ended."""
    failed = failed_step(reports["stays"])
    assert failed.name == "clean exit"
    assert "did not exit within 5 s" in failed.finding.message


def test_exit_status_counts(reports: dict[str, Report]) -> None:
    """A bot that exits with an error after it has played well fails the step; its last words are shown."""
    failed = failed_step(reports["ends_badly"])
    assert failed.name == "clean exit"
    assert "exited with status 1" in failed.finding.message
    assert "bye" in failed.finding.received


@pytest.mark.parametrize(("name", "file"), [("writes_beside", "notes.txt"), ("writes_elsewhere", "elsewhere/log.txt")])
def test_writes_outside_are_seen(reports: dict[str, Report], place: Path, name: str, file: str) -> None:
    """A new file beside the folder, and one held open elsewhere, fail the step and are named."""
    failed = failed_step(reports[name])
    assert failed.name == "no writes outside"
    assert str(place / name / file) in failed.finding.received
