"""A relay passes bytes on to a referee on another machine, as much as the other side takes, and ends with its bot."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from referee.certificates import load_pair
from tests.protocol.arena import run
from tests.protocol.certificates import ArenaFiles, Authority
from tests.workers.waiting import wait_until_async
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.dialling import tls_context
from workers.relay import CHUNK_BYTES, CONNECTIONS_AT_MOST, WAITING_CONNECTIONS, Exit, RelayError, relaying

pytestmark = pytest.mark.slow

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
MUCH = 64 << 20


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(CHUNK_BYTES):
        writer.write(chunk)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def far_side(serve: Serve) -> AsyncIterator[str]:
    """Something that listens where the referee would: its address."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def connect(path: Path) -> Ends:
    return await asyncio.open_unix_connection(path)


async def ends_at_once(ends: Ends) -> bool:
    """Whether the other side closes a connection; this side is then closed too."""
    try:
        ended = await ends[0].read(1) == b""
    except ConnectionResetError:
        ended = True
    if ended:
        ends[1].close()
    return ended


def test_bytes_go_both_ways() -> None:
    """What a bot sends arrives, and what is answered comes back, byte for byte, however much it is."""
    sent = bytes(range(256)) * 8192

    async def scenario() -> None:
        async with far_side(echo) as address, relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            reader, writer = await connect(path)
            writer.write(sent)
            assert await reader.readexactly(len(sent)) == sent
            writer.close()

    run(scenario())


def test_a_referee_that_takes_nothing_holds_up_the_bot() -> None:
    """Whatever a bot sends to a referee that does not read, the relay holds a bounded part of it."""
    taken = asyncio.Event()
    got = 0

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal got
        await taken.wait()
        while chunk := await reader.read(CHUNK_BYTES):
            got += len(chunk)
        writer.close()

    async def scenario() -> None:
        async with far_side(deaf) as address, relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            _, writer = await connect(path)
            writer.transport.set_write_buffer_limits(high=0)
            sent = 0
            try:
                async with asyncio.timeout(2):
                    while sent < MUCH:
                        writer.write(bytes(CHUNK_BYTES))
                        sent += CHUNK_BYTES
                        await writer.drain()
            except TimeoutError:
                pass
            assert sent < MUCH  # the rest is in buffers of the kernel, which are bounded too
            taken.set()
            await writer.drain()
            writer.close()
            await wait_until_async(lambda: got == sent)

    run(scenario())


def test_what_the_referee_said_last_arrives() -> None:
    """When the referee ends a connection, the bot still gets all that was said before, and then the end."""

    async def speak_and_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        writer.write(b"x" * (1 << 20))
        writer.close()

    async def scenario() -> None:
        async with far_side(speak_and_end) as address, relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            reader, writer = await connect(path)
            assert len(await reader.read(-1)) == 1 << 20
            writer.close()

    run(scenario())


def test_the_end_of_a_relay_breaks_its_connections() -> None:
    """Once a bot is over, nothing of its relay is left: no connection, and no socket to dial."""
    open_outside = 0

    async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_outside
        open_outside += 1
        try:
            await echo(reader, writer)
        except ConnectionResetError:
            pass
        finally:
            open_outside -= 1
            writer.close()

    async def scenario() -> None:
        async with far_side(count) as address:
            async with relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
                ends = await connect(path)
                ends[1].write(b"hello")
                assert await ends[0].readexactly(5) == b"hello"
            assert await ends_at_once(ends)
            assert not path.parent.exists()
            with pytest.raises(OSError, match=r"No such file|refused"):
                await connect(path)
            await wait_until_async(lambda: open_outside == 0)

    run(scenario())


def test_so_many_connections_and_no_more() -> None:
    """One process has a few connections at once; one more is closed unheard, and one again after another's end."""

    async def scenario() -> None:
        async with far_side(echo) as address, relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            held = [await connect(path) for _ in range(CONNECTIONS_AT_MOST)]
            for reader, writer in held:
                writer.write(b"x")
                assert await reader.readexactly(1) == b"x"
            assert await ends_at_once(await connect(path))
            held.pop()[1].close()
            while True:  # the relay hears of it soon
                ends = await connect(path)
                ends[1].write(b"y")
                if not await ends_at_once(ends):
                    break
            for _, writer in (*held, ends):
                writer.close()

    run(scenario())


def test_who_dials_without_end_waits_to_dial() -> None:
    """However often a bot dials at once, a few connections wait to be taken, and the worker has no more open files."""

    async def scenario() -> None:
        async with far_side(echo) as address, relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            with ExitStack() as held:
                dialled = [held.enter_context(dialling(path)) for _ in range(64)]
                assert sum(one.fileno() >= 0 for one in dialled) <= 2 * WAITING_CONNECTIONS
            async with asyncio.timeout(30), relaying(Exit.to(address, PUBLIC_ROOTS)) as other:
                reader, writer = await connect(other)
                writer.write(b"x")
                assert await reader.readexactly(1) == b"x"
                writer.close()

    run(scenario())


@contextmanager
def dialling(path: Path) -> Iterator[socket.socket]:
    """A connection that waits to be taken; closed at once where no more can wait."""
    with socket.socket(socket.AF_UNIX) as one:
        one.setblocking(False)
        try:
            one.connect(str(path))
        except BlockingIOError:
            one.close()
        yield one


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("turns", range(8))
def test_a_connection_that_is_just_taken_ends_too(before: int, turns: int, caplog: pytest.LogCaptureFixture) -> None:
    """A relay that ends while a connection is taken, turned to or dialled leaves none, and nothing to tell of."""

    async def scenario() -> None:
        async with far_side(echo) as address:
            async with relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
                for _ in range(before):
                    await asyncio.sleep(0)
                taken = held.enter_context(dialling(path))
                for _ in range(turns):
                    await asyncio.sleep(0)
            reader, writer = await asyncio.open_unix_connection(sock=taken)
            async with asyncio.timeout(30):
                assert await ends_at_once((reader, writer))

    with ExitStack() as held:
        run(scenario())
    assert caplog.records == []


@pytest.mark.parametrize("turns", range(3))
def test_who_is_told_twice_to_end_leaves_no_socket(turns: int, caplog: pytest.LogCaptureFixture) -> None:
    """A relay whose owner is cancelled while it ends closes all that it has, too."""

    async def hold(address: str, opened: asyncio.Event) -> None:
        async with relaying(Exit.to(address, PUBLIC_ROOTS)) as path:
            held.enter_context(dialling(path))
            opened.set()
            await asyncio.Event().wait()

    async def scenario() -> None:
        async with far_side(echo) as address:
            opened = asyncio.Event()
            owner = asyncio.create_task(hold(address, opened))
            await opened.wait()
            for _ in range(5):
                await asyncio.sleep(0)
            owner.cancel()
            for _ in range(turns):
                await asyncio.sleep(0)
            owner.cancel()
            with pytest.raises(asyncio.CancelledError):
                await owner
        gc.collect()

    with ExitStack() as held:
        run(scenario())
    assert caplog.records == []


def test_nobody_answers(caplog: pytest.LogCaptureFixture) -> None:
    """Where no referee is, the bot's connection is closed, and the log says so once."""

    async def scenario() -> None:
        with caplog.at_level(logging.WARNING, "workers.relay"):
            async with relaying(Exit.to("127.0.0.1:1", PUBLIC_ROOTS)) as path:
                for _ in range(3):
                    assert await ends_at_once(await connect(path))

    run(scenario())
    assert [record.getMessage() for record in caplog.records] == [
        "a bot's relay: no referee answers at 127.0.0.1:1: Connect call failed ('127.0.0.1', 1)"
    ]


@pytest.mark.parametrize("believed", [True, False])
def test_the_relay_speaks_tls(tmp_path: Path, caplog: pytest.LogCaptureFixture, *, believed: bool) -> None:
    """The relay speaks TLS to a referee that it believes; to another it says nothing, and the log says why."""
    files = ArenaFiles(tmp_path)
    roots = files.authority.path if believed else Authority(tmp_path, "another").path
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(100))
        writer.write(b"heard")
        await writer.drain()
        writer.close()

    async def scenario() -> None:
        context = server_context(files)
        server = await asyncio.start_server(listen, "127.0.0.1", 0, ssl=context)
        address = f"tls://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with relaying(Exit.to(address, ClientTls(roots=roots))) as path:
            reader, writer = await connect(path)
            writer.write(b"the token")
            assert await reader.read(100) == (b"heard" if believed else b"")
            writer.close()
        server.close()

    run(scenario())
    assert heard == ([b"the token"] if believed else [])
    told = " ".join(record.getMessage() for record in caplog.records)
    assert believed or "is not believed: unable to get local issuer certificate" in told


def server_context(files: ArenaFiles) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    load_pair(context, files.referee)
    context.set_alpn_protocols(["h2"])
    return context


def test_no_relay_leads_to_the_door_for_workers(tmp_path: Path) -> None:
    """Through a relay no bot could use the worker's certificate: there is none to mtls://."""
    with pytest.raises(RelayError, match="is for workers alone, and no bot is led there"):
        Exit.to("mtls://127.0.0.1:1", ArenaFiles(tmp_path).client)


def test_a_relay_without_its_roots_is_not_opened() -> None:
    """Where the file of authorities is missing, there is no relay, rather than one that believes anybody."""
    with pytest.raises(RelayError, match=r"/nowhere\.pem cannot be read"):
        Exit.to("tls://127.0.0.1:1", ClientTls(roots=Path("/nowhere.pem")))


def test_a_relay_shows_no_certificate(tmp_path: Path) -> None:
    """What a relay dials with believes the same authorities, and has no certificate of the worker."""
    files = ArenaFiles(tmp_path)
    for door, shown in (("tls", False), ("mtls", True)):
        assert asks_and_gets(files, tls_context(f"{door}://127.0.0.1:1", files.client)) is shown


def asks_and_gets(files: ArenaFiles, client: ssl.SSLContext) -> bool:
    """Whether a client shows a certificate to a server that asks for one."""
    context = server_context(files)
    context.verify_mode = ssl.CERT_OPTIONAL
    context.load_verify_locations(files.authority.path)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    dialling = client.wrap_bio(to_client, to_server, server_hostname="127.0.0.1")
    serving = context.wrap_bio(to_server, to_client, server_side=True)
    for end in (dialling, serving, dialling, serving):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    return bool(serving.getpeercert())
