"""A bot that falls silent is told how far it came, and where its author should look first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.clock import TimeControl
from referee.rules import parse_variant
from tests.conformance.broken import copy_of, processes_in
from workers.bots import find_bot
from workers.checking.checks import BotCheck
from workers.checking.findings import Report

pytestmark = pytest.mark.slow  # real processes at a real referee

CONTROL = TimeControl.parse("start=4s,inc=1ms,bank=300ms")
BRIDGED = 'name="b"\nversion="1"\nlanguage="sh"\nrun=["king", "bridge", "--", "sh", "bot.sh"]\nvariants=["*"]\n'
HELLO, READY = """echo '{"messages":[{"hello":{}}]}'""", """echo '{"messages":[{"ready":{}}]}'"""
SILENT = {
    "no_line": (
        "sleep 60",
        "hello",
        "it never said hello: does it write its first line before it reads, and flush it?",
    ),
    "no_ready": (
        f"{HELLO}; sleep 60",
        "ready in time",
        "it said hello but never ready: does it read its standard input, and flush each line that it writes?",
    ),
    "no_reading": (
        f"{HELLO}; {READY}; sleep 60",
        "within its allowance",
        "it never answered: does it read its standard input, and flush each line that it writes?",
    ),
}
"""Scripts behind the bridge, with the step that each fails and the hint there."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Report]]:
    """The reports on all silent bots, and on one that speaks gRPC."""
    place = tmp_path_factory.mktemp("silent")
    yield asyncio.run(_check_all(place))
    assert processes_in(place) == []


async def _check_all(place: Path) -> dict[str, Report]:
    folders = {name: place / name for name in SILENT}
    for name, folder in folders.items():
        folder.mkdir()
        (folder / "bot.toml").write_text(BRIDGED, encoding="utf-8")
        (folder / "bot.sh").write_text(SILENT[name][0], encoding="utf-8")
    folders["never_ready"] = copy_of("never_ready", place)
    variants = (parse_variant("russian-14"),)
    checks = [BotCheck(bot=find_bot(str(folder)), variants=variants, control=CONTROL) for folder in folders.values()]
    return dict(zip(folders, await asyncio.gather(*(check.run() for check in checks)), strict=True))


@pytest.mark.parametrize("name", SILENT)
def test_silent_command_is_hinted_at(reports: dict[str, Report], name: str) -> None:
    """Of a command behind the bridge the failed step says which line did not come, and that pipes are to be read."""
    _, step, hint = SILENT[name]
    (failed,) = [each for each in reports[name].steps if each.finding.passed is False]
    assert (failed.name, failed.finding.message.rpartition("; ")[2]) == (step, hint)


def test_silent_bot_of_grpc_is_told_of_its_stream(reports: dict[str, Report]) -> None:
    """A bot without the bridge has no standard input to read, so the hint is about its stream."""
    (failed,) = [each for each in reports["never_ready"].steps if each.finding.passed is False]
    assert failed.finding.message.endswith("it said hello but never ready: does it say Ready once Welcome has come?")
