"""A sitting out of the store is played once, however often its job runs and whatever dies."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import insert

from king_cli.leagues import create_season
from league.errors import LeagueError
from league.model import Season, SittingState
from league.store import Store, Vault, utc_now
from league.store.schema import suspensions
from referee.server import RefereeServer
from tests.stores import database_url
from tests.workers.stores import LEASE, open_store
from tests.workers.test_sitting import NoLauncher
from tests.workers.waiting import wait_until_async
from workers.bots import BotError, BotProgram, find_bot
from workers.claimed import play_from_store
from workers.launcher import Limits, LocalLauncher, LocalProcess
from workers.queueing import Piece, Work, work_queue
from workers.referee_client import HandedBackError, RefereeDrainingError
from workers.registering import register_bot
from workers.shim import descendants
from workers.sitting import SittingVoidError, Stage
from workers.sweep import sweep

pytestmark = pytest.mark.slow

BOTS = ("lowest", "highest", "random", "greedy")


def take_back(folder: Path, sitting: int) -> None:
    """Take a sitting away from whoever holds it, as a sweep does after its lease."""
    later = open_store(folder, lambda: utc_now() + timedelta(hours=1))
    assert sitting in later.sittings.sweep()
    later.close()


def running_season(store: Store, bots: tuple[str, ...] = BOTS) -> Season:
    season = create_season(
        store, name="s", variant="russian-14", bots=bots, boards=1, time_control="start=30s,inc=100ms,bank=10s"
    )
    return store.seasons.start(season.id)


def play(folder: Path, scene: Callable[[Stage], Awaitable[None]]) -> None:
    play_at(folder, lambda stage, _: scene(stage))


def play_at(folder: Path, scene: Callable[[Stage, RefereeServer], Awaitable[None]]) -> None:
    async def with_referee() -> None:
        address = f"unix:{folder}/r.sock"
        server = RefereeServer(address, control_key="key")
        await server.start()
        try:
            await scene(Stage(referee=address, control_key="key", launcher=LocalLauncher(address)), server)
        finally:
            await server.stop()

    asyncio.run(with_referee())


def test_job_run_twice(tmp_path: Path, store: Store) -> None:
    """The second run of a sitting finds nothing to do, and the results are there once."""
    season = running_season(store)
    (sitting,) = store.sittings.due()
    done: list[bool] = []

    async def scene(stage: Stage) -> None:
        done.extend([await play_from_store(store, sitting, stage=stage, lease=LEASE) for _ in range(2)])

    play(tmp_path, scene)
    assert done == [True, False]
    assert store.sittings.get(sitting).state is SittingState.DONE
    assert store.seasons.progress(season.id).matches_stored == 1
    assert store.results.faults(season.id) == ()


def test_suspended_bot_is_not_started(tmp_path: Path, store: Store) -> None:
    """It forfeits its tables, without a fault; the others play, and the match counts."""
    season = running_season(store)
    (sitting,) = store.sittings.due()
    with store._database.writing() as connection:
        row = {"season_id": season.id, "entrant": 2, "sitting_id": sitting, "at": utc_now(), "results_version": 0}
        connection.execute(insert(suspensions).values(cause="exits", detail="it ended 4 times", **row))

    async def scene(stage: Stage) -> None:
        assert await play_from_store(store, sitting, stage=stage, lease=LEASE)

    play(tmp_path, scene)
    (match,) = store.results.matches(season.id)
    (forfeit,) = match.forfeits
    assert match.players[forfeit.seat] == 2
    assert (forfeit.kind, forfeit.detail) == ("absent", "sits out: suspended, it ended 4 times")
    assert (forfeit.deal, store.results.faults(season.id)) == (1, ())


def test_claim_that_was_lost(tmp_path: Path, store: Store) -> None:
    """A worker whose claim was taken over drops everything quietly; the newer attempt plays the sitting."""
    season = running_season(store)
    (sitting,) = store.sittings.due()
    done: list[bool] = []

    before = set(descendants(os.getpid()))  # what earlier tests keep, such as multiprocessing's tracker

    async def scene(stage: Stage) -> None:
        asleep = asyncio.create_task(play_from_store(store, sitting, stage=stage, lease=timedelta(seconds=0.4)))
        await wait_until_async(lambda: store.sittings.get(sitting).state is SittingState.CLAIMED)
        take_back(tmp_path, sitting)
        done.append(await asleep)
        assert set(descendants(os.getpid())) <= before
        done.append(await play_from_store(store, sitting, stage=stage, lease=LEASE))

    play(tmp_path, scene)
    assert done == [False, True]
    assert store.seasons.progress(season.id).matches_stored == 1


def test_our_failure_gives_the_sitting_back(tmp_path: Path, store: Store) -> None:
    """When we cannot start bots, the sitting is due again at once and nobody has a fault."""
    season = running_season(store)
    (sitting,) = store.sittings.due()

    async def scene(stage: Stage) -> None:
        with pytest.raises(SittingVoidError):
            await play_from_store(store, sitting, stage=replace(stage, launcher=NoLauncher()), lease=LEASE)

    play(tmp_path, scene)
    assert store.sittings.due() == (sitting,)
    assert store.results.faults(season.id) == ()


class WaitingLauncher(LocalLauncher):
    """One that starts nothing until it may."""

    def __init__(self, referee: str) -> None:
        super().__init__(referee)
        self.may_start = asyncio.Event()

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> LocalProcess:
        """As a launcher does."""
        await self.may_start.wait()
        return await super().start(bot, token, limits)


def test_a_referee_that_goes_away_hands_the_sitting_back(tmp_path: Path, store: Store) -> None:
    """What it has not begun is due again at once, and no bot has seen it; who asks it after that hears that it goes."""
    season = running_season(store)
    (sitting,) = store.sittings.due()

    async def scene(stage: Stage, server: RefereeServer) -> None:
        launcher = WaitingLauncher(stage.referee)
        waiting = replace(stage, launcher=launcher)
        playing = asyncio.create_task(play_from_store(store, sitting, stage=waiting, lease=LEASE))
        await wait_until_async(lambda: server.referee.sitting_count == 1)
        draining = asyncio.create_task(server.drain())
        await wait_until_async(lambda: server.referee.draining)
        launcher.may_start.set()
        with pytest.raises(HandedBackError, match="has handed back the tables that it had not begun"):
            await playing
        await draining
        assert store.sittings.due() == (sitting,)
        with pytest.raises(RefereeDrainingError):
            await play_from_store(store, sitting, stage=stage, lease=LEASE)

    play_at(tmp_path, scene)
    assert store.sittings.due() == (sitting,)
    assert store.sittings.get(sitting).given_back == "RefereeDrainingError: the referee is going away"
    assert store.results.faults(season.id) == ()


def test_a_sitting_whose_secret_is_elsewhere(tmp_path: Path, store: Store) -> None:
    """It cannot be claimed, and says why, where the status of its season looks; with its vault it is played."""
    running_season(store)
    (sitting,) = store.sittings.due()
    without = Store.open(database_url(tmp_path), vault=Vault.open(f"sqlite:///{tmp_path}/other.sqlite3"))

    async def scene(stage: Stage) -> None:
        with pytest.raises(LeagueError, match="has no secret"):
            await play_from_store(without, sitting, stage=stage, lease=LEASE)
        found = store.sittings.get(sitting)
        assert (found.attempt, found.state) == (0, SittingState.PLANNED)
        assert "has no secret for the commitment" in found.given_back
        assert await play_from_store(store, sitting, stage=stage, lease=LEASE)

    play(tmp_path, scene)
    without.close()
    assert store.sittings.get(sitting).given_back == ""


def test_bot_whose_folder_is_gone(tmp_path: Path, store: Store) -> None:
    """A bot whose folder is gone is our failure: the sitting is given back, and the error names the folder."""
    folder = tmp_path / "mine"
    folder.mkdir()
    text = 'name="mine"\nversion="1"\nlanguage="x"\nrun=["true"]\nvariants=["*"]\n'
    (folder / "bot.toml").write_text(text)
    register_bot(store, find_bot(str(folder)))
    running_season(store, (*BOTS[:3], str(folder)))
    (folder / "bot.toml").unlink()
    (sitting,) = store.sittings.due()

    async def scene(stage: Stage) -> None:
        with pytest.raises(BotError, match="mine"):
            await play_from_store(store, sitting, stage=stage, lease=LEASE)

    play(tmp_path, scene)
    assert store.sittings.due() == (sitting,)


def test_bot_that_is_not_built_here(tmp_path: Path, store: Store) -> None:
    """A bot is built when it is entered, and again by the worker that finds its folder without what was built."""
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.copy(find_bot("lowest").folder / "bot.py", folder)
    (folder / "bot.toml").write_text(
        'name="mine"\nversion="1"\nlanguage="x"\nbuild=["cp", "bot.py", "build/made.py"]\n'
        'run=["python", "build/made.py"]\nvariants=["*"]\n'
    )
    season = running_season(store, (*BOTS[:3], str(folder)))
    assert (folder / "build" / "made.py").is_file()
    shutil.rmtree(folder / "build")
    (sitting,) = store.sittings.due()

    async def scene(stage: Stage) -> None:
        assert await play_from_store(store, sitting, stage=stage, lease=LEASE)

    play(tmp_path, scene)
    assert store.results.faults(season.id) == ()


def test_sweep_run_twice(store: Store, valkey: Redis) -> None:
    """A sweep queues what is due; a second one queues nothing more; after a wipe it queues it again."""
    running_season(store)
    queue = work_queue(valkey)
    due = tuple(Piece(Work.SITTING, each) for each in store.sittings.due())
    assert sweep(store, queue) == due
    assert sweep(store, queue) == ()
    valkey.flushall()
    assert sweep(store, queue) == due


def test_sweep_takes_back_what_went_silent(tmp_path: Path, store: Store, valkey: Redis) -> None:
    """A sitting whose worker is not heard of any more is queued again under a new attempt."""
    running_season(store)
    queue = work_queue(valkey)
    (sitting,) = store.sittings.due()
    claim = store.sittings.claim(sitting, "worker")
    assert claim is not None
    assert sweep(store, queue) == ()
    take_back(tmp_path, sitting)
    assert sweep(store, queue) == (Piece(Work.SITTING, sitting),)
    assert store.sittings.get(sitting).attempt > claim.attempt
