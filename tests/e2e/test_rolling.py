"""A rolling season, played by the real parts: it grows while it is played, takes a bot in late, and ends when told."""

from __future__ import annotations

import hashlib

import pytest

from tests.e2e.arena import DEADLINE_S, Arena
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow


def test_rolling_season_with_a_late_bot(arena: Arena) -> None:
    """The newcomer plays with the others, with cards from a salt that has its hash, and all that began is played."""
    arena.environment["KING_WORKERS"] = "1"  # two would play more meanwhile than is looked at
    create = ("season", "create", "roll", "--rolling", "--variant", "classic[pack=32,seats=3]")
    arena.king(*create, "--bots", "lowest,highest,random", "--boards", "1")
    arena.king("season", "start", "roll")
    with arena.running("up"):
        wait_until(lambda: _matches(arena) > 0, seconds=DEADLINE_S, what="a match")
        entered = arena.king_json("season", "enter", "roll", "--bots", "greedy", "--json")
        assert entered["bots"][-1] == "greedy"
        wait_until(lambda: _matches(arena, bot=3) > 0, seconds=DEADLINE_S, what="a match of the newcomer")
        ending = arena.king_json("season", "end", "roll", "--json")
        assert (ending["state"], ending["ending"]) == ("running", True)
        wait_until(lambda: bool((now := arena.progress()) and now.state == "ended"), seconds=DEADLINE_S, what="the end")
    status = arena.king_json("season", "status", "roll", "--json")
    assert status["matches_stored"] == status["matches_planned"] > 3
    assert status["suspended"] == []
    exported = arena.king_json("season", "export", "roll", "--out", "records", "--json")["records"]
    assert len(set(exported)) == status["matches_stored"]
    assert arena.king("verify", *exported).count(": ok\n") == len(exported)
    first, second = status["salts"]
    assert (first["from_board"], first["entrants"], second["entrants"]) == (1, 3, 4)
    hashes = sorted(bytes.fromhex(each["version_hash"]) for each in status["entrants"])
    assert second["deal_salt"] == hashlib.sha256(b"".join(hashes)).hexdigest()
    rows = {row["bot"]: row["boards"] for row in arena.king_json("ladder", "roll", "--json")["bots"]}
    assert 0 < rows["greedy"] < min(boards for bot, boards in rows.items() if bot != "greedy")


def _matches(arena: Arena, bot: int | None = None) -> int:
    """How many matches of the only season are stored, all or those of one entrant."""
    season = arena.the_season()
    assert season is not None
    with arena.store() as store:
        return store.results.count(season.id, bot=bot)
