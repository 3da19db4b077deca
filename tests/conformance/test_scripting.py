"""The scripted tables are current and have every kind of decision; a bot that decides otherwise is found out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from king.v1 import arena_pb2 as pb

from benchmarks.in_process import SAMPLES
from referee.rules import PRESETS
from tests.conformance.scripted import run_scripted
from tests.conformance.scripting import FOLDER, SEEDS, file_text, read_tables, table_file, texts

BROKEN = Path(__file__).parent / "broken_bots"
ALL_KINDS = set(pb.ActionKind.values()) - {pb.ACTION_KIND_UNSPECIFIED}


def test_every_preset_has_its_tables() -> None:
    """There is a file for every preset and seed, and no other."""
    assert tuple(SEEDS) == PRESETS
    expected = {table_file(preset, seed) for preset, seeds in SEEDS.items() for seed in seeds}
    assert set(FOLDER.iterdir()) == expected


@pytest.mark.slow  # plays every table
def test_tables_are_current() -> None:
    """The engine and the Python greedy play the tables as they were written down."""
    changed = [file.name for file, text in texts() if file_text(file) != text]
    assert not changed, f"{changed} differ; if that is wanted: python -m tests.conformance.scripting"


@pytest.mark.slow
def test_every_kind_of_decision_occurs() -> None:
    """Every kind of action is among the legal ones somewhere; all but one, a last resort, are also chosen."""
    legal: set[int] = set()
    chosen: set[int] = set()
    for table in read_tables():
        requests = [message.request for message in table.messages if message.HasField("request")]
        for request, choice in zip(requests, table.choices, strict=True):
            legal |= {action.kind for action in request.legal_actions}
            chosen.add(request.legal_actions[choice].kind)
    assert legal == ALL_KINDS
    assert chosen == ALL_KINDS - {pb.ACTION_KIND_TWO_TRICKS_EACH}


@pytest.mark.slow  # a real process
def test_other_decisions_are_told() -> None:
    """A bot that plays otherwise gets a report that names table, deal, action, hand and both choices."""
    report = run_scripted([sys.executable, "bot.py"], SAMPLES / "highest", read_tables()[:1])
    assert (report.faults, report.exit_status, report.passed) == ([], 0, False)
    first = report.differences[0]
    assert first.table.startswith("russian-14")
    assert first.legal and first.expected in first.legal and first.chosen in first.legal
    assert str(first).startswith(f"russian-14 (table 1), deal {first.deal}, action {first.action}: expected play ")


@pytest.mark.slow  # real processes
@pytest.mark.parametrize(("name", "fault"), [("illegal", "is none of"), ("crashing", "ended too early")])
def test_broken_bots_are_told(name: str, fault: str) -> None:
    """A bot that breaks the protocol is told apart from one that only decides otherwise."""
    report = run_scripted([sys.executable, "bot.py"], BROKEN / name, read_tables()[:1])
    assert any(fault in sentence for sentence in report.faults), report
