"""`king check` on the command line: a good bot passes every step, and wrong use is told in one line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from king_cli.main import run
from referee.rules import parse_variant
from tests.conformance.broken import copy_of
from workers.checking.checks import STEPS
from workers.checking.decisions import decisions_of, declared_variants

QUICK = ("--variant", "trump-11")


@pytest.mark.slow  # real processes at a real referee
def test_good_bot_passes_all_steps(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A bot that declares every variant passes each step, having met each decision of each variant."""
    assert run(["check", "greedy", "--json", "--junit", str(tmp_path / "check.xml")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["bot"], report["version"], report["passed"]) == ("greedy", "1", True)
    assert [step["number"] for step in report["steps"]] == list(range(1, len(STEPS) + 1))
    assert [step["name"] for step in report["steps"]] == list(STEPS)
    assert all(step["passed"] and step["message"] for step in report["steps"])
    assert set(report["asked"]) == set(declared_variants(["*"]))
    for variant, asked in report["asked"].items():
        assert set(asked) >= set(decisions_of(parse_variant(variant)))
    suite = ElementTree.parse(tmp_path / "check.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("9", "0", "0")


@pytest.mark.slow  # a real process at a real referee
def test_failing_bot_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The failed step stands with what was sent and what came back, the exit status is 1, standard error follows."""
    assert run(["check", str(copy_of("crashing_at_start", tmp_path)), *QUICK]) == 1
    said = capsys.readouterr().out
    assert " 1 starts                       FAIL " in said
    assert "sent:     python bot.py in " in said
    assert "received: the process ended with exit status 1" in said
    assert " 2 hello                        not reached " in said
    assert "the end of its standard error:\nTraceback" in said


@pytest.mark.slow  # a real process at a real referee
def test_program_that_cannot_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A program that the system refuses to run fails the first step, with the system's words."""
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF, but no program")
    program.chmod(0o755)
    assert run(["check", f"cmd:{program}", *QUICK, "--json"]) == 1
    first = json.loads(capsys.readouterr().out)["steps"][0]
    assert first["passed"] is False
    assert "Exec format error" in first["message"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "no bot 'nobody'"),
        (["greedy", "--variant", "whist"], "there is no variant 'whist'"),
        (["greedy", "--variant", "trump-11[pack=7]"], "option"),
        (["greedy", "--time-control", "bank=soon"], "bank"),
        (["greedy", "--junit", "nowhere/check.xml"], "there is no folder nowhere"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    """What makes no sense is told in one line, before anything is started; the exit status is 2."""
    assert run(["check", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert len(said.err.splitlines()) == 1
