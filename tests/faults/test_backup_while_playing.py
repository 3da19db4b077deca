"""A backup made while a league is really played is a league that can be played on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.arena import Arena

pytestmark = pytest.mark.slow

LEAGUE = ("league", "--no-serve", "--variant", "classic[seats=3]", "--bots", "lowest,highest,random", "--boards", "24")
ONE_WORKER = {"KING_WORKERS": "1"}


def test_backup_of_a_running_league_plays_on(arena: Arena, tmp_path: Path) -> None:
    """A league that was backed up in the middle of play is restored elsewhere, and played to its end from there."""
    file = tmp_path / "league.tar"
    arena.environment |= ONE_WORKER
    with arena.running(*LEAGUE):
        stored = arena.wait_for_middle()
        arena.king("backup", str(file))
    (tmp_path / "elsewhere").mkdir()
    restored = Arena(tmp_path / "elsewhere")
    restored.environment |= ONE_WORKER
    restored.king("restore", str(file))
    before = restored.progress()
    assert before is not None
    assert stored <= before.matches_stored < before.matches_planned == 72
    with restored.running(*LEAGUE) as platform:
        assert platform.wait_for_end() == 0, restored.output()
    assert "taking up season" in restored.output()
    restored.check_complete()
    assert restored.faults() == ()
