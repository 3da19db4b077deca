"""Any one process of a league may be killed in the middle: the league ends with every match counted exactly once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.e2e.arena import DEADLINE_S, Arena, Platform, kill, runs
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow

THREE = ("--variant", "classic[seats=3]")
LEAGUE = ("league", "--no-serve", *THREE, "--bots", "lowest,highest,random", "--boards")


def kill_worker_alone(platform: Platform) -> None:
    platform.wait_for(platform.horses, "a horse")
    kill(platform.parts("worker")[0])


def kill_worker_with_horse(platform: Platform) -> None:
    horse = platform.wait_for(platform.horses, "a horse")
    kill(horse)
    kill(platform.parts("worker")[0])


def kill_horse(platform: Platform) -> None:
    kill(platform.wait_for(platform.horses, "a horse"))


def kill_referee(platform: Platform) -> None:
    kill(platform.parts("referee")[0])


def kill_valkey(platform: Platform) -> None:
    kill(platform.parts("valkey")[0])


def kill_dashboard(platform: Platform) -> None:
    kill(platform.parts("dashboard")[0])


@pytest.mark.parametrize(
    "strikes",
    [(kill_worker_alone, kill_worker_with_horse, kill_horse), (kill_referee, kill_valkey, kill_dashboard)],
    ids=["who_plays", "who_serves"],
)
def test_league_survives_kills(arena: Arena, strikes: Sequence[Callable[[Platform], None]]) -> None:
    """One part of ours after the other is killed while play goes on: each match counts once, and no bot has a fault."""
    with arena.running(*LEAGUE, "3") as platform:
        stored = 0
        for strike in strikes:
            stored = arena.wait_for_middle(stored)
            strike(platform)
        assert platform.wait_for_end() == 0, arena.output()
    arena.check_complete()
    assert arena.faults() == ()


VICTIM = """
import os, time
from pathlib import Path
from king_bot import Bot, run

class Victim(Bot):
    name, version = "victim", "1"

    def choose(self, table, actions):
        marker = Path({marker!r})
        if not marker.exists():
            marker.with_suffix(".new").write_text(str(os.getpid()))
            marker.with_suffix(".new").rename(marker)
            time.sleep(600)
        return actions[0]

run(Victim())
"""


def test_only_a_killed_bot_has_a_fault(arena: Arena) -> None:
    """A bot is killed while it thinks: it alone has a fault, and every match is counted once."""
    marker = arena.folder / "marker"
    folder = arena.folder / "victim"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name="victim"\nversion="1"\nlanguage="python"\nrun=["python", "bot.py"]\nvariants=["*"]\n'
    )
    (folder / "bot.py").write_text(VICTIM.format(marker=str(marker)))
    with arena.running("league", "--no-serve", *THREE, "--bots", f"lowest,highest,{folder}") as platform:
        wait_until(marker.exists, seconds=DEADLINE_S, what="the victim's first choice")
        kill(int(marker.read_text()))
        assert platform.wait_for_end() == 0, arena.output()
    arena.check_complete()
    assert [(fault.label, fault.kind.value) for fault in arena.faults()] == [("victim", "exit")]
    assert "signal 9" in arena.faults()[0].detail


def test_killed_supervisor_takes_all_along(arena: Arena) -> None:
    """The command itself is killed: all that it started ends, and the same command plays the rest of the season."""
    with arena.running(*LEAGUE, "2") as platform:
        arena.wait_for_middle()
        family = platform.family()
        assert len(family) > 6
        kill(platform.process.pid)
        wait_until(lambda: platform.process.poll() is not None and not survivors(family), seconds=10, what="the end")
    before = arena.progress()
    assert before is not None
    assert 0 < before.matches_stored < before.matches_planned
    with arena.running(*LEAGUE, "2") as platform:
        assert platform.wait_for_end() == 0, arena.output()
    assert "taking up season" in arena.output()
    arena.check_complete()
    assert arena.faults() == ()


def survivors(pids: list[int]) -> list[int]:
    return [pid for pid in pids if runs(pid)]
