"""Sittings with remote bots out of the store: bots that dial by themselves, as plain processes of the Python SDK."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from king_cli.leagues import create_season
from league.model import Season
from league.remote_tokens import TOKEN_MARK
from league.store import Store
from referee import remotes
from tests.workers.stores import LEASE
from tests.workers.test_claimed import play
from tests.workers.test_sitting import NoLauncher
from workers.bots import find_bot
from workers.claimed import play_from_store
from workers.finding import Referees
from workers.presence import note_presence
from workers.sitting import SittingVoidError, Stage

HOUSE = ("lowest", "highest", "greedy")


@contextmanager
def owl_of(stage: Stage, token: str) -> Iterator[subprocess.Popen[bytes]]:
    """A bot that its owner has started."""
    environment = os.environ | {"KING_REFEREE": stage.referee, "KING_TOKEN": token}
    process = subprocess.Popen([sys.executable, "bot.py"], cwd=find_bot("random").folder, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def open_season(store: Store) -> tuple[Season, str]:
    """An open season of four boards in two sets with one remote bot, and its token."""
    token = store.bots.register_remote(owner="ann", name="owl", version="1").token
    season = create_season(
        store,
        name="s",
        variant="classic[seats=3]",
        bots=[*HOUSE, "remote:owl"],
        boards=1,
        time_control="start=30s,inc=100ms,bank=10s",
        open_to_remotes=True,
    )
    return store.seasons.start(season.id), token


async def connected(store: Store, stage: Stage) -> None:
    """Looks, as a sweep does, until the owl is connected."""
    referees = Referees(each=(stage.referee,), control_key=stage.control_key)

    def look() -> bool:
        return note_presence(store, referees) and store.bots.remote("owl").connected

    while True:
        if await asyncio.to_thread(look):
            return
        await asyncio.sleep(0.1)


def with_owl(folder: Path, store: Store, token: str, scene: Callable[[Stage], Awaitable[None]]) -> None:
    async def played(stage: Stage) -> None:
        with owl_of(stage, token):
            await connected(store, stage)
            await scene(stage)

    play(folder, played)


@pytest.mark.slow
def test_sittings_with_a_remote_bot_are_played_and_watched(tmp_path: Path, store: Store, valkey_url: str) -> None:
    """The season is played to its end by one process of the remote bot, and nobody has a fault."""
    season, token = open_season(store)

    async def scene(stage: Stage) -> None:
        for _ in range(2):
            (sitting,) = store.sittings.due(limit=1)
            assert await play_from_store(store, sitting, stage=stage, lease=LEASE, redis_url=valkey_url)

    with_owl(tmp_path, store, token, scene)
    assert store.seasons.get(season.id).state == "ended"
    assert store.results.faults(season.id) == ()
    assert {row.rating.boards for row in store.standings.ladder(season.id).rows} == {3}


@pytest.mark.slow
def test_our_failure_deals_what_a_remote_bot_may_have_seen_anew(tmp_path: Path, store: Store) -> None:
    """A sitting that is void through our fault is played again with other cards, at no cost to anybody."""
    season, token = open_season(store)

    async def scene(stage: Stage) -> None:
        (sitting,) = store.sittings.due(limit=1)
        with pytest.raises(SittingVoidError):
            await play_from_store(store, sitting, stage=replace(stage, launcher=NoLauncher()), lease=LEASE)
        assert await play_from_store(store, sitting, stage=stage, lease=LEASE)

    with_owl(tmp_path, store, token, scene)
    boards = store.seasons.boards(season.id)
    void = {board.number for board in boards if board.void}
    assert void
    assert {board.replaces for board in boards if board.replaces} == void
    assert store.results.faults(season.id) == ()


@pytest.mark.slow
def test_a_referee_that_is_away_counts_against_nobody(store: Store) -> None:
    """While the referee cannot be asked, it is not known who is connected."""
    store.bots.register_remote(owner="ann", name="owl", version="1")
    store.presence.note([])
    assert store.bots.remote("owl").absent_since is not None
    assert not note_presence(store, Referees(each=("127.0.0.1:1",)))
    assert store.bots.remote("owl").absent_since is None


def test_league_and_referee_know_tokens_by_the_same_mark() -> None:
    """What the store draws is what the referee takes for a token of a remote bot."""
    assert TOKEN_MARK == remotes.TOKEN_MARK
