"""A relay for one bot process: a socket in the file system, from which bytes go to a referee on another machine.

Owns connections, their number and their pace, and the end of TLS: the bot speaks plainly on the socket. Reads nothing
of what it passes on, and holds little of it: who sends faster than the other takes waits. Whatever goes wrong closes
the bot's connection; it is never led elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.addresses import ENCRYPTED, Door, door_of, host_and_port
from workers.client_tls import ClientTls
from workers.dialling import DoorError, tls_context, tls_reason
from workers.socket_folder import NoShortFolderError, socket_folder

CONNECTIONS_AT_MOST: Final = 4
"""At once, for one process: one that dials anew may have an old one that is not known to be dead yet."""
DIAL_EVERY_S: Final = 0.05
CONNECT_LIMIT_S: Final = 10.0
CHUNK_BYTES: Final = 1 << 16
WAITING_BYTES: Final = 1 << 17
"""How much may wait to be sent, in each direction of a connection, before nothing more is read."""

_LOG = logging.getLogger(__name__)


class RelayError(Exception):
    """There can be no relay: the text says why."""


@dataclass(frozen=True)
class Exit:
    """Where relays lead: an address of a referee, and how it is dialled. `context`: for TLS."""

    address: str
    context: ssl.SSLContext | None

    @classmethod
    def to(cls, address: str, tls: ClientTls) -> Exit:
        """The way to a bots' address.

        Raises:
            RelayError: it is no address for bots, or files that it takes will not do.
        """
        door = door_of(address)
        if door is Door.MUTUAL:  # over it a bot could give orders with the worker's certificate
            raise RelayError(f"{address} is for workers alone, and no bot is led there")
        try:
            context = tls_context(address, tls) if door in ENCRYPTED else None
            host_and_port(address)
        except (DoorError, ValueError) as error:
            raise RelayError(str(error)) from error
        return cls(address, context)

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection.

        Raises:
            OSError: there is none; ssl.SSLError is one.
            TimeoutError: nobody answers.
        """
        host, port = host_and_port(self.address)
        name = host if self.context is not None else None
        async with asyncio.timeout(CONNECT_LIMIT_S):
            return await asyncio.open_connection(host, port, ssl=self.context, server_hostname=name, limit=CHUNK_BYTES)


class Relay:
    """Takes connections at `socket` until it is closed; `relaying` opens one."""

    def __init__(self, way: Exit, socket: Path) -> None:
        """Lead to the end of `way`."""
        self.socket = socket
        self._way = way
        self._turn = asyncio.Lock()
        self._dialled_at = -DIAL_EVERY_S
        self._open: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()

    async def run(self) -> asyncio.Server:
        """Begin to take connections, of any user: bots in sandboxes have users of their own."""
        server = await asyncio.start_unix_server(self._take, self.socket, limit=CHUNK_BYTES)
        self.socket.chmod(0o666)
        return server

    async def end(self) -> None:
        """Break all connections."""
        for task in self._open:
            task.cancel()
        if self._open:
            await asyncio.wait(self._open)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._open) >= CONNECTIONS_AT_MOST:
            writer.transport.abort()
            return
        self._open.add(task)
        try:
            await self._lead(reader, writer)
        finally:
            self._open.discard(task)
            writer.transport.abort()

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            outer_reader, outer_writer = await self._dial()
        except (OSError, TimeoutError) as error:
            self._tell_once(error)
            return
        try:
            await _pass_both_ways((reader, outer_writer), (outer_reader, writer))
        finally:
            outer_writer.transport.abort()

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Dial the referee, one connection after the other and not too often."""
        async with self._turn:
            await asyncio.sleep(self._dialled_at + DIAL_EVERY_S - time.monotonic())
            self._dialled_at = time.monotonic()
            return await self._way.dial()

    def _tell_once(self, error: OSError) -> None:
        address = self._way.address
        if isinstance(error, ssl.SSLError):
            reason = tls_reason(address, error)
        else:
            reason = f"no referee answers at {address}: {error.strerror or error or 'it takes too long'}"
        if reason not in self._told:
            self._told.add(reason)
            _LOG.warning("a bot's relay: %s", reason)


@contextlib.asynccontextmanager
async def relaying(way: Exit) -> AsyncIterator[Path]:
    """A relay while the context lasts; its socket.

    Raises:
        RelayError: there is no folder for its socket.
    """
    with contextlib.ExitStack() as held:
        try:
            folder = held.enter_context(socket_folder("king-relay-"))
        except NoShortFolderError as error:
            raise RelayError(str(error)) from error
        relay = Relay(way, folder / "referee.sock")
        server = await relay.run()
        try:
            yield relay.socket
        finally:
            server.close()
            await relay.end()


async def _pass_both_ways(*ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Pass bytes on until one side has ended: HTTP/2 has no use for half a connection."""
    passing = [asyncio.create_task(_pass_on(reader, writer)) for reader, writer in ways]
    try:
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in passing:
            task.cancel()
        ends = await asyncio.gather(*passing, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, OSError):
            raise end


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.set_write_buffer_limits(high=WAITING_BYTES)
    while chunk := await reader.read(CHUNK_BYTES):
        writer.write(chunk)
        await writer.drain()
    writer.close()  # what is written is still sent
    await writer.wait_closed()
