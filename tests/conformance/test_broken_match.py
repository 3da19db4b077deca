"""Matches among broken bots end, and their reports say what each did wrong, and when."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from king_cli.reporting import print_faults
from referee.verification import verify
from tests.conformance.broken import FLAWS, copy_of, processes_in
from tests.conformance.sittings import play
from workers.bots import find_bot

pytestmark = pytest.mark.slow  # real processes at a real referee

SEATS = 4
PATIENCE_S = 200
CONTROL = "start=4s,inc=10ms,bank=600ms"
TABLES = [list(FLAWS)[place::SEATS] for place in range(len(FLAWS) // SEATS)]
"""Every broken bot has its seat at one of these tables."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A match that was played by the command: its result, the folder of its records, the bots' folders."""

    result: dict[str, Any]
    out: Path
    bots: Path

    def fault_of(self, name: str) -> dict[str, Any]:
        """What the result says of a bot's faults."""
        return next(each for each in self.result["faults"] if each["bot"] == f"broken-{name}")


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Played]]:
    """The matches, played side by side, by the name of each bot that sat there."""
    place = tmp_path_factory.mktemp("broken-match")
    with_bots = [(place / f"bots-{number}", place / f"out-{number}", names) for number, names in enumerate(TABLES)]
    running = [_start(bots, out, names) for bots, out, names in with_bots]
    played: dict[str, Played] = {}
    for process, (bots, out, names) in zip(running, with_bots, strict=True):
        text, _ = process.communicate(timeout=PATIENCE_S)
        result = json.loads(text)
        never_played = [each for each in result["faults"] if not each["decisions"]]
        assert process.returncode == (1 if never_played else 0)
        played |= dict.fromkeys(names, Played(result=result, out=out, bots=bots))
    yield played
    assert processes_in(place) == []


def _start(bots: Path, out: Path, names: list[str]) -> subprocess.Popen[str]:
    bots.mkdir()
    folders = [str(copy_of(name, bots)) for name in names]
    options = ("--time-control", CONTROL, "--out", str(out), "--json")
    command = (sys.executable, "-m", "king_cli", "match", *folders, *options)
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_every_bot_has_its_table() -> None:
    """All broken bots are met, four at a table."""
    assert sorted(name for names in TABLES for name in names) == sorted(FLAWS)
    assert {len(names) for names in TABLES} == {SEATS}


@pytest.mark.parametrize("name", FLAWS)
def test_match_names_the_fault(matches: dict[str, Played], name: str) -> None:
    """The result has the bot's fault with its kind, its words, the time, and the board and deal that it was in."""
    fault, flaw = matches[name].fault_of(name), FLAWS[name]
    assert (fault["kind"], fault["forfeited"], fault["matches"]) == (flaw.kind, SEATS, SEATS)
    assert flaw.detail in fault["detail"]
    assert datetime.fromisoformat(fault["at"]).tzinfo is not None
    told = [each for each in fault["list"] if each["board"] is not None and each["forfeits"]]
    assert told
    assert {each["board"] for each in told} == {1}
    assert all(each["deal"] >= 1 and each["action"] >= 1 for each in told)


@pytest.mark.parametrize("name", FLAWS)
def test_report_shows_the_fault(matches: dict[str, Played], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What people read has the bot, what it cost, the time, the kind and the words."""
    fault, flaw = matches[name].fault_of(name), FLAWS[name]
    print_faults([fault])
    said = capsys.readouterr().out
    assert f"broken-{name} had {fault['faults']} faults and forfeited 4 of 4 matches (each counts −95 points" in said
    line = next(line for line in said.splitlines() if flaw.kind in line and flaw.detail in line)
    assert line.split()[0] in {
        datetime.fromisoformat(each["at"]).strftime("%H:%M:%S.%f")[:-3] for each in fault["list"]
    }
    if fault["stderr"]:
        assert all(f"    | {line}\n" in said for line in fault["stderr"].splitlines() if line)
    if fault["logs"]:
        assert fault["logs"][0] in said


@pytest.mark.parametrize("names", TABLES, ids=" ".join)
def test_matches_end(matches: dict[str, Played], names: list[str]) -> None:
    """Each rotation is played to its end, every seat was forfeited once, and the records are sound."""
    played = matches[names[0]]
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in played.result["records"]]
    assert len(records) == SEATS
    for record in records:
        assert record["termination"]["kind"] == "normal"
        assert sorted(forfeit["seat"] for forfeit in record["forfeits"]) == list(range(SEATS))
        assert verify(record).problems == ()


@pytest.mark.parametrize("names", TABLES, ids=" ".join)
def test_no_process_is_left(matches: dict[str, Played], names: list[str]) -> None:
    """Nothing that runs in a folder of these bots is alive."""
    assert processes_in(matches[names[0]].bots) == []


def test_standard_error_is_kept(matches: dict[str, Played]) -> None:
    """The fault of a bot that raised names the file with its traceback."""
    fault = matches["crashing"].fault_of("crashing")
    assert "ZeroDivisionError" in Path(fault["list"][0]["log"]).read_text(encoding="utf-8")


def test_healthy_bots_play_on(tmp_path: Path) -> None:
    """A crash in the middle forfeits that seat alone; its traceback is kept, and the others decide to the end."""
    broken = find_bot(str(copy_of("crashing", tmp_path)))
    outcome = play(tmp_path, [find_bot("lowest"), find_bot("highest"), broken, find_bot("lowest")], "russian-14")
    (record,) = outcome.records
    assert record["termination"]["kind"] == "normal"
    assert [(forfeit["seat"], forfeit["kind"]) for forfeit in record["forfeits"]] == [(2, "exit")]
    others = [action for deal in record["deals"] for action in deal["actions"] if action["seat"] != 2]
    assert {action["by"] for action in others} == {"bot", "forced"}
    assert {status for player, status, _ in outcome.exits if player == 2} == {1}
    assert "ZeroDivisionError" in outcome.stderr_of(2)
