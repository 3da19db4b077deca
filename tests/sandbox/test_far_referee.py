"""Submitted bots at a referee on another machine: the worker shows its certificate, and leads bots there by relays."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from league.model import SittingState
from league.store import Store
from referee.server import RefereeServer
from tests.protocol.certificates import ArenaFiles
from tests.sandbox.guests import GUESTS, archive_of
from tests.sandbox.submitted_bots import season_of, submitted
from tests.workers.stores import LEASE
from workers.addresses import control_address
from workers.claimed import play_from_store
from workers.launcher import LaunchError, Limits
from workers.launchers import launcher_for
from workers.referee_client import CertificateRefusedError
from workers.sandbox import Sandbox
from workers.sitting import Stage
from workers.submitted import SubmittedBots

pytestmark = pytest.mark.slow


@pytest.fixture
def files(tmp_path: Path) -> ArenaFiles:
    return ArenaFiles(tmp_path)


async def play(store: Store, sandbox: Sandbox, files: ArenaFiles, bots: SubmittedBots) -> None:
    """Play the sitting that is due at a referee with encrypted doors alone."""
    (sitting,) = store.sittings.due()
    server = RefereeServer(
        "tls://127.0.0.1:0", more_addresses=("mtls://127.0.0.1:0",), control_key="key", tls=files.server
    )
    await server.start()
    referee = ",".join((server.address, *server.more_addresses))
    launcher = launcher_for(referee, sandbox, tls=files.client)
    stage = Stage(referee=control_address(referee), control_key="key", launcher=launcher, tls=files.client)
    try:
        assert await play_from_store(store, sitting, stage=stage, lease=LEASE, submitted=bots)
    finally:
        await server.stop()


def test_a_sitting_at_a_referee_elsewhere(store: Store, sandbox: Sandbox, files: ArenaFiles, tmp_path: Path) -> None:
    """Bots in sandboxes and bots of the house play, without a fault, at a referee that is reached by TLS alone."""
    archive = archive_of(GUESTS["python"])
    sha256 = hashlib.sha256(archive).hexdigest()
    season = season_of(store, sha256, house="cd").id
    asyncio.run(play(store, sandbox, files, SubmittedBots(tmp_path / "s", sandbox, {sha256: archive}.__getitem__)))
    assert store.results.faults(season) == ()
    assert store.seasons.progress(season).matches_stored == 1


def test_a_worker_that_is_not_taken_says_so(store: Store, sandbox: Sandbox, files: ArenaFiles, tmp_path: Path) -> None:
    """A worker with an expired certificate gives the sitting back with the reason; no bot saw a card or has a fault."""
    archive = archive_of(GUESTS["python"])
    sha256 = hashlib.sha256(archive).hexdigest()
    season = season_of(store, sha256, house="cd").id
    (sitting,) = store.sittings.due()
    files.authority.sign("worker", expired=True)
    with pytest.raises(CertificateRefusedError, match="certificate has expired"):
        asyncio.run(play(store, sandbox, files, SubmittedBots(tmp_path / "s", sandbox, {sha256: archive}.__getitem__)))
    kept = store.sittings.get(sitting)
    assert kept.state is SittingState.PLANNED
    assert "worker.crt is not taken by anybody now: certificate has expired" in kept.given_back
    assert store.results.faults(season) == ()


DIAL = (
    "import os, socket\n"
    "dialled = socket.socket(socket.AF_UNIX)\n"
    "dialled.connect(os.environ['KING_REFEREE'].removeprefix('unix:'))\n"
    "try:\n    dialled.send(b'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))\n"
    "    heard = len(dialled.recv(9))\nexcept ConnectionError:\n    heard = 0\n"
    "print(heard, os.path.dirname(os.environ['KING_REFEREE']))\n"
)


@pytest.mark.parametrize("believed", [True, False])
def test_what_a_sandbox_sees_of_a_relay(
    sandbox: Sandbox, files: ArenaFiles, bot_folder: Path, *, believed: bool
) -> None:
    """A sandbox has one socket, as with a referee next to it; of a referee that is not believed it hears nothing."""
    tls = files.client if believed else files.stranger_client

    async def scene() -> str:
        server = RefereeServer("tls://127.0.0.1:0", control_key="key", tls=files.server)
        await server.start()
        try:
            launcher = launcher_for(server.address, sandbox, tls=tls)
            process = await launcher.start(submitted(bot_folder, "python", "-c", DIAL), "t", Limits())
            assert await process.wait() == 0
            return process.stderr()
        finally:
            await server.stop(0)

    assert asyncio.run(scene()) == ("9 unix:/run/king\n" if believed else "0 unix:/run/king\n")


def test_without_roots_no_bot_starts(sandbox: Sandbox, files: ArenaFiles, bot_folder: Path) -> None:
    """Where the file of authorities is gone, a bot is not started at all, through our fault."""
    files.authority.path.unlink()
    launcher = launcher_for("tls://127.0.0.1:1", sandbox, tls=files.client)
    with pytest.raises(LaunchError, match=r"has no way to the referee: .* cannot be read"):
        asyncio.run(launcher.start(submitted(bot_folder, "true"), "t", Limits()))
