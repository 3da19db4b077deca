"""Remote bots where there are several referees: one process, a stream to each, one sitting at a time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from league.model import SeasonState
from league.store import Store
from referee.server import RefereeServer
from tests.e2e.test_bridge import FIRST_ACTION
from tests.protocol.certificates import ArenaFiles
from tests.workers.stores import LEASE
from tests.workers.test_remote_sittings import open_season
from tests.workers.test_several_referees import KEY, referees, silent, stages_of
from workers.bots import find_bot
from workers.claimed import play_from_store
from workers.finding import Referees
from workers.presence import note_presence
from workers.referee_client import describe_referee, tell_remote_bots

pytestmark = pytest.mark.slow


KIT = (sys.executable, str(find_bot("random").folder / "bot.py"))
BRIDGE = (sys.executable, "-m", "king_cli", "bridge", "--", sys.executable, "-c", FIRST_ACTION)


@contextmanager
def owl_of(
    addresses: Sequence[str], token: str, command: Sequence[str] = KIT, **more: str
) -> Iterator[subprocess.Popen[str]]:
    """A bot that its owner has started."""
    environment = os.environ | {"KING_REFEREE": ",".join(addresses), "KING_TOKEN": token} | more
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def is_at(server: RefereeServer, bot: str) -> bool:
    state = await describe_referee(server.address, [bot], control_key=KEY)
    return bot in state.remotes and state.remotes[bot].connected


async def until_at(servers: Sequence[RefereeServer], store: Store, told: Referees) -> None:
    """Sweep until the owl is connected to each of these."""
    bot = str(store.bots.remote("owl").bot.id)
    while not all([await is_at(server, bot) for server in servers]):
        await asyncio.to_thread(note_presence, store, told)
        await asyncio.sleep(0.05)
    await asyncio.to_thread(note_presence, store, told)


@pytest.mark.parametrize("command", [KIT, BRIDGE], ids=["kit", "bridge"])
def test_a_remote_bot_plays_at_whichever_referee_there_is(store: Store, command: tuple[str, ...]) -> None:
    """It has a stream to both; when one has gone its sittings are played at the other, by the same process.

    When its token is revoked it ends.
    """
    season, token = open_season(store)

    async def scenario() -> None:
        async with referees(4, 4) as servers:
            addresses = [server.address for server in servers]
            told, dialled = Referees(each=tuple(addresses), control_key=KEY), list[str]()
            with owl_of(addresses, token, command) as owl:
                await until_at(servers, store, told)
                stages = stages_of(*addresses, dialled=dialled)
                (sitting,) = store.sittings.due(limit=1)
                assert await play_from_store(store, sitting, stage=stages, lease=LEASE)
                gone, left = sorted(servers, key=lambda server: server.address != dialled[0])
                await gone.stop(0.2)
                await until_at([left], store, told)
                (sitting,) = store.sittings.due(limit=1)
                assert await play_from_store(store, sitting, stage=stages, lease=LEASE)
                assert dialled[-1] == left.address
                assert owl.poll() is None
                store.bots.revoke_token(store.bots.remote("owl").bot.id)
                await asyncio.to_thread(note_presence, store, told)
                assert await asyncio.to_thread(owl.wait) == 1

    asyncio.run(asyncio.wait_for(scenario(), 120))
    assert store.seasons.get(season.id).state is SeasonState.ENDED
    assert store.results.faults(season.id) == ()


def test_one_referee_by_two_addresses_has_one_stream(store: Store) -> None:
    """The stream that was replaced is not dialled again, and the bot stays."""
    _, token = open_season(store)

    async def scenario() -> None:
        server = RefereeServer("127.0.0.1:0", more_addresses=("127.0.0.1:0",), control_key=KEY)
        await server.start()
        try:
            both = (server.address, *server.more_addresses)
            with owl_of(both, token) as owl:
                told = Referees(each=(server.address,), control_key=KEY)
                await until_at([server], store, told)
                await asyncio.sleep(1)
                assert await is_at(server, str(store.bots.remote("owl").bot.id))
                assert owl.poll() is None
        finally:
            await server.stop(0.2)

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_a_referee_that_has_not_heard_of_the_token_yet_ends_nobody(store: Store, tmp_path: Path) -> None:
    """One that refuses the token of a bot which others have taken is dialled again, and takes it once it is told."""
    _, token = open_season(store)

    async def scenario() -> None:
        async with referees(4) as (first,):
            later = RefereeServer(f"unix:{tmp_path}/r.sock", control_key=KEY)
            with owl_of([first.address, later.address], token) as owl:
                told = Referees(each=(first.address,), control_key=KEY)
                await until_at([first], store, told)
                await later.start()
                await asyncio.to_thread(tell_remote_bots, later.address, {}, control_key=KEY)
                await asyncio.to_thread(until_said, owl, "UNAUTHENTICATED")
                both = Referees(each=(first.address, later.address), control_key=KEY)
                await until_at([first, later], store, both)
                assert owl.poll() is None
                await later.stop(0.2)

    asyncio.run(asyncio.wait_for(scenario(), 60))


def until_said(process: subprocess.Popen[str], word: str) -> None:
    """Wait until a word is in a line of what a process says to its owner."""
    assert process.stderr is not None
    assert any(word in line for line in process.stderr)


def test_a_referee_that_says_nothing_hides_nobody(store: Store) -> None:
    """Who is connected to another one counts as connected."""
    _, token = open_season(store)

    async def scenario() -> None:
        with silent() as listener:
            async with referees(4) as (server,):
                both = (f"127.0.0.1:{listener.getsockname()[1]}", server.address)
                with owl_of([server.address], token):
                    await until_at([server], store, Referees(each=both, control_key=KEY))
                    assert store.bots.remote("owl").connected

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_another_process_with_the_token_ends_this_one(store: Store) -> None:
    """When all streams are replaced by those of another process, it says so and ends, as with one referee."""
    _, token = open_season(store)

    async def scenario() -> None:
        async with referees(4, 4) as servers:
            addresses = [server.address for server in servers]
            told = Referees(each=tuple(addresses), control_key=KEY)
            with owl_of(addresses, token) as older:
                await until_at(servers, store, told)
                with owl_of(addresses, token):
                    assert await asyncio.to_thread(older.wait) == 1
                    assert older.stderr is not None
                    assert "another stream has replaced this one" in older.stderr.read()
                    await until_at(servers, store, told)

    asyncio.run(asyncio.wait_for(scenario(), 60))


@pytest.mark.parametrize("command", [KIT, BRIDGE], ids=["kit", "bridge"])
def test_a_name_is_dialled_at_each_address_and_its_certificate_believed(
    store: Store, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Where a number is dialled the certificate is that of the name; an address with nobody there does no harm."""
    _, token = open_season(store)
    files = ArenaFiles(tmp_path)
    tls = replace(files.server, pair=files.authority.sign("named", "localhost"))

    async def scenario() -> None:
        server = RefereeServer("tls://127.0.0.1:0", more_addresses=("127.0.0.1:0",), control_key=KEY, tls=tls)
        await server.start()
        (orders,) = server.more_addresses
        try:
            name = server.address.replace("127.0.0.1", "localhost")
            with owl_of([name], token, command, KING_TLS_ROOTS=str(files.authority.path)) as owl:
                bot = str(store.bots.remote("owl").bot.id)
                while bot not in (await describe_referee(orders, [bot], control_key=KEY)).remotes:
                    await asyncio.to_thread(note_presence, store, Referees(each=(orders,), control_key=KEY))
                    await asyncio.sleep(0.05)
                assert owl.poll() is None
        finally:
            await server.stop(0.2)

    asyncio.run(asyncio.wait_for(scenario(), 60))
