"""Broken bots are found out, told apart, and stop nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.sittings import play
from workers.bots import find_bot, read_manifest

pytestmark = pytest.mark.slow  # real processes at a real referee

BROKEN = Path(__file__).parent / "broken_bots"
KINDS = {
    "slow": {"timeout"},
    "silent": {"timeout"},
    "illegal": {"illegal"},
    "crashing": {"exit"},
    "garbage": {"protocol", "exit"},
    "flooding": {"flood"},
}


def test_every_broken_bot_is_tested() -> None:
    """Each fixture has its expected fault."""
    assert {path.parent.name for path in BROKEN.glob("*/bot.toml")} == set(KINDS)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_broken_bot_forfeits_and_the_others_play_on(tmp_path: Path, name: str) -> None:
    """The fault is named rightly, only the broken bot's seat is forfeited, and the match is played to its end."""
    programs = [find_bot("lowest"), find_bot("highest"), read_manifest(BROKEN / name), find_bot("lowest")]
    outcome = play(tmp_path, programs, "russian-14", control="start=5s,inc=1ms,bank=200ms")
    (record,) = outcome.records
    assert record["termination"]["kind"] == "normal"
    assert {forfeit["seat"] for forfeit in record["forfeits"]} == {2}
    assert {forfeit["kind"] for forfeit in record["forfeits"]} <= KINDS[name]
    assert {fault.player for fault in outcome.faults} == {2}


def test_crash_leaves_its_traceback(tmp_path: Path) -> None:
    """What `choose` raised is on standard error, and the process ends with status 1."""
    programs = [find_bot("lowest"), find_bot("highest"), read_manifest(BROKEN / "crashing"), find_bot("lowest")]
    outcome = play(tmp_path, programs, "russian-14")
    assert {status for player, status, _ in outcome.exits if player == 2} == {1}
    assert "ZeroDivisionError" in outcome.stderr_of(2)
