"""`king up` runs everything; seasons made from the shell are played."""

from __future__ import annotations

import signal
import urllib.request

import pytest

from tests.e2e.arena import DEADLINE_S, Arena, runs
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow

THREE = ("--variant", "classic[pack=32,seats=3]")
BOTS = "lowest,highest,random"


def test_season_from_the_shell(arena: Arena) -> None:
    """What is paused rests; started again it is played by a running platform, and has a ladder. A second is refused."""
    created = arena.king_json("season", "create", "evening", *THREE, "--bots", BOTS, "--boards", "1")
    assert list(created) == ["season"]
    season = str(created["season"])
    assert arena.king_json("season", "status", season, "--json")["state"] == "planned"
    assert arena.king_json("season", "start", "evening", "--json")["state"] == "running"
    assert arena.king_json("season", "pause", "evening", "--json")["state"] == "paused"
    with arena.running("up") as platform:
        wait_until(lambda: "workers" in arena.output(), seconds=DEADLINE_S, what="the platform")
        assert arena.king("sweep") == "0 pieces of work queued\n"
        refused = arena.king_error("league")
        assert str(platform.process.pid) in refused
        assert len(refused.strip().splitlines()) == 1
        arena.king("season", "start", "evening")
        wait_until(
            lambda: bool((now := arena.progress()) and now.state == "ended"),
            seconds=DEADLINE_S,
            what="the season's end",
        )
        status = arena.king_json("season", "status", season, "--json")
        assert status["matches_stored"] == status["matches_planned"] == 3
        ladder = arena.king_json("ladder", season, "--json")
        assert sorted(row["bot"] for row in ladder["bots"]) == sorted(BOTS.split(","))
        exported = arena.king_json("season", "export", season, "--out", "records", "--json")["records"]
        assert len(set(exported)) == 3
        arena.king("verify", *exported)
        with urllib.request.urlopen(f"http://{arena.http}/", timeout=DEADLINE_S) as page:
            assert page.status == 200
        family = platform.family()
        platform.process.send_signal(signal.SIGINT)
        assert platform.wait_for_end() == 0
        assert not [pid for pid in family if runs(pid)]
    arena.check_complete()


def test_finished_league_is_shown_again(arena: Arena) -> None:
    """A league that is finished is not played again unless it is asked for; its ladder is printed at once."""
    league = ("league", "--no-serve", *THREE, "--bots", BOTS, "--boards", "1")
    first = arena.king(*league)
    assert "season 1 (samples, classic[pack=32,seats=3])" in first
    arena.check_complete()
    assert arena.king(*league) == first
    assert arena.the_season() is not None
    assert "season 2 (samples 2, classic[pack=32,seats=3])" in arena.king(*league, "--again")
    assert "season 2 (samples 2, classic[pack=32,seats=3])" in arena.king("ladder")
