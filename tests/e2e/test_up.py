"""`king up` runs everything; seasons made from the shell are played."""

from __future__ import annotations

import signal
import urllib.request

import pytest

from tests.e2e.arena import DEADLINE_S, QUICK_BOTS, Arena, runs
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow


def test_season_from_the_shell(arena: Arena) -> None:
    """A season that was created and started from the shell is played by a running platform; then it has a ladder."""
    with arena.running("up") as platform:
        created = arena.king_json(
            *("season", "create", "evening", "--variant", "russian-14"), *("--bots", QUICK_BOTS, "--boards", "1")
        )
        assert list(created) == ["season"]
        season = str(created["season"])
        assert arena.king_json("season", "status", season, "--json")["state"] == "planned"
        assert arena.king_json("season", "start", "evening", "--json")["state"] == "running"
        wait_until(
            lambda: bool((now := arena.progress()) and now.state == "ended"),
            seconds=DEADLINE_S,
            what="the season's end",
        )
        status = arena.king_json("season", "status", season, "--json")
        assert status["matches_stored"] == status["matches_planned"] == 4
        ladder = arena.king_json("ladder", season, "--json")
        assert sorted(row["bot"] for row in ladder["bots"]) == sorted(QUICK_BOTS.split(","))
        exported = arena.king_json("season", "export", season, "--out", "records", "--json")["records"]
        assert len(set(exported)) == 4
        arena.king("verify", *exported)
        with urllib.request.urlopen(f"http://{arena.http}/", timeout=DEADLINE_S) as page:
            assert page.status == 200
        family = platform.family()
        platform.process.send_signal(signal.SIGINT)
        assert platform.wait_for_end() == 0
        assert not [pid for pid in family if runs(pid)]
    arena.check_complete()


def test_paused_season_rests(arena: Arena) -> None:
    """A paused season hands out nothing; started again, it is played to its end."""
    create = ("season", "create", "s", "--variant", "russian-14", "--bots", QUICK_BOTS, "--boards", "1")
    arena.king(*create)
    arena.king("season", "start", "s")
    assert arena.king_json("season", "pause", "s", "--json")["state"] == "paused"
    with arena.running("up"):
        wait_until(lambda: "workers" in arena.output(), seconds=DEADLINE_S, what="the platform")
        assert arena.king("sweep") == "0 pieces of work queued\n"
        arena.king("season", "start", "s")
        wait_until(lambda: bool((now := arena.progress()) and now.state == "ended"), seconds=DEADLINE_S, what="the end")
    arena.check_complete()


def test_finished_league_is_shown_again(arena: Arena) -> None:
    """A league that is finished is not played again unless it is asked for; its ladder is printed at once."""
    league = ("league", "--no-serve", "--bots", QUICK_BOTS, "--boards", "1")
    first = arena.king(*league)
    assert "season 1 (samples, russian-14)" in first
    arena.check_complete()
    assert arena.king(*league) == first
    assert arena.the_season() is not None
    assert "season 2 (samples 2, russian-14)" in arena.king(*league, "--again")
    assert "season 2 (samples 2, russian-14)" in arena.king("ladder")


def test_second_platform_is_refused(arena: Arena) -> None:
    """A second platform on the same data folder is refused in one line that names the first one's pid."""
    with arena.running("up") as platform:
        wait_until(lambda: "workers" in arena.output(), seconds=DEADLINE_S, what="the platform")
        refused = arena.king_error("league")
        assert str(platform.process.pid) in refused
        assert len(refused.strip().splitlines()) == 1
