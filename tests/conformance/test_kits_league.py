"""A league among bots in every language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.kits import KITS
from tests.e2e.arena import Arena
from workers.bots import find_bot
from workers.manifests import manifest_of

BRIDGED = "awk-simple"


@pytest.mark.slow
@pytest.mark.timeout(1200)  # it may be the first to build
def test_league_of_all_languages(tmp_path: Path) -> None:
    """A league with a bot from each kit and one behind the bridge is played to its end; nobody has a fault."""
    bots = [kit.bots()[1] for kit in KITS.values()] + [find_bot(BRIDGED)]
    arena = Arena(tmp_path)
    arena.has_tools = True
    names = ",".join(str(manifest_of(bot)) for bot in bots)
    arena.king("league", "--no-serve", "--bots", names, "--boards", "1")
    arena.check_complete()
    assert arena.faults() == ()
    season = arena.the_season()
    assert season is not None
    with arena.store() as store:
        matches = store.results.matches(season.id, limit=10_000)
    assert {label for match in matches for label in match.labels} == {bot.name for bot in bots}
    assert not any(match.forfeits for match in matches)
