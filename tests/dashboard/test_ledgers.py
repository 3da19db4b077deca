"""Results at hand: read once, then only what is new, whatever becomes public in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard import ledgers
from dashboard.ledgers import Ledgers
from league.store import Store
from referee.rules import parse_variant
from tests.dashboard.seasons import Clock, new_season, open_store, play

pytestmark = pytest.mark.slow

BOTS = ("greedy", "highest", "lowest", "random")


def started(folder: Path, clock: Clock) -> tuple[Store, int]:
    store = open_store(folder, clock)
    season = new_season(store, BOTS, name="Autumn", variant="russian-14", boards=4)
    store.seasons.start(season)
    return store, season


def test_reading_on_gives_what_reading_anew_does(tmp_path: Path) -> None:
    """After each sitting, what was read piece by piece is what a new reader finds, publicity and ratings included."""
    clock = Clock()
    store, season_id = started(tmp_path, clock)
    reading = Ledgers(store)
    seen = []
    while store.sittings.due(season_id):
        play(store, season_id, clock, sittings=1)
        season = store.seasons.get(season_id)
        boards = reading.boards(season)
        assert boards == Ledgers(store).boards(season)
        whole = [prefix.boards for prefix in reading.prefixes(season) or ()]
        assert whole == [prefix.boards for prefix in Ledgers(store).prefixes(season) or ()]
        seen.append([(board.number, board.public) for board in boards or ()])
    assert len(seen[-1]) == parse_variant("russian-14").seats
    assert all(public for _number, public in seen[-1])
    assert len({len(one) for one in seen}) > 1
    store.close()


def test_a_season_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound neither boards nor ratings are made; None says so."""
    clock = Clock()
    store, season_id = started(tmp_path, clock)
    play(store, season_id, clock, sittings=1)
    monkeypatch.setattr(ledgers, "MOST_MATCHES", 1)
    season = store.seasons.get(season_id)
    assert Ledgers(store).boards(season) is None
    assert Ledgers(store).prefixes(season) is None
    store.close()
