"""A sitting out of the store with submitted bots: made ready and played in sandboxes, or refused with the reason."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from pathlib import Path

import pytest

from league.model import SittingState
from league.store import Store
from referee.server import RefereeServer
from tests.sandbox.guests import GUESTS, Guest, archive_of
from tests.sandbox.submitted_bots import season_of
from tests.workers.stores import LEASE
from workers.bots import BotError
from workers.claimed import play_from_store
from workers.launchers import launcher_for
from workers.sandbox import Sandbox
from workers.sitting import Stage
from workers.submitted import SubmittedBots

pytestmark = pytest.mark.slow


def play(store: Store, sandbox: Sandbox, bots: SubmittedBots | None) -> None:
    (sitting,) = store.sittings.due()

    async def scene() -> None:
        with tempfile.TemporaryDirectory(prefix="king-") as folder:
            address = f"unix:{folder}/r.sock"
            server = RefereeServer(address, control_key="key")
            await server.start()
            try:
                stage = Stage(referee=address, control_key="key", launcher=launcher_for(address, sandbox))
                assert await play_from_store(store, sitting, stage=stage, lease=LEASE, submitted=bots)
            finally:
                await server.stop()

    asyncio.run(scene())
    assert store.sittings.get(sitting).state is SittingState.DONE


def test_a_sitting_of_submitted_bots(store: Store, sandbox: Sandbox, tmp_path: Path) -> None:
    """Archives that the store knows by their hashes are unpacked and played, without a fault."""
    archive = archive_of(GUESTS["python"])
    sha256 = hashlib.sha256(archive).hexdigest()
    season = season_of(store, sha256)
    play(store, sandbox, SubmittedBots(tmp_path / "submitted", sandbox, {sha256: archive}.__getitem__))
    assert store.results.faults(season.id) == ()
    assert store.seasons.progress(season.id).matches_stored == 1


def test_a_worker_without_a_place_for_them(store: Store, sandbox: Sandbox) -> None:
    """A worker that cannot take submitted bots gives the sitting back, and says why."""
    season_of(store, "0" * 64)
    with pytest.raises(BotError, match="was submitted, and this worker has no place"):
        play(store, sandbox, None)
    (sitting,) = store.sittings.due()
    assert "no place for such bots" in store.sittings.get(sitting).given_back


def test_a_bot_that_cannot_be_sandboxed(
    store: Store, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no bubblewrap for the launcher, the sitting is void through our fault, and nobody has a fault."""
    archive = archive_of(Guest(folder="python/kit"))
    sha256 = hashlib.sha256(archive).hexdigest()
    season = season_of(store, sha256)
    (sitting,) = store.sittings.due()
    monkeypatch.setenv("PATH", str(tmp_path))

    async def scene() -> None:
        server = RefereeServer("127.0.0.1:0", control_key="key")
        await server.start()
        try:
            stage = Stage(referee=server.address, control_key="key", launcher=launcher_for(server.address))
            bots = SubmittedBots(tmp_path / "submitted", sandbox, {sha256: archive}.__getitem__)
            await play_from_store(store, sitting, stage=stage, lease=LEASE, submitted=bots)
        finally:
            await server.stop()

    with pytest.raises(Exception, match="runs in a sandbox only"):
        asyncio.run(scene())
    assert store.results.faults(season.id) == ()
    assert store.sittings.get(sitting).state is SittingState.PLANNED
