"""A relay for one bot process: a socket in the file system, from which bytes go to a referee on another machine.

Owns connections, their number and their pace, and the end of TLS: the bot speaks plainly on the socket. Reads nothing
of what it passes on, and holds little of it: who sends faster than the other takes waits. Whatever goes wrong closes
the bot's connection; it is never led elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import ssl
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
WAITING_CONNECTIONS: Final = 8
"""So many wait in the kernel to be taken; who dials beyond that waits to dial, and costs the worker nothing."""
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
    """Where relays lead: an address of a referee, and how it is dialled.

    `context`: for TLS. `name`: what the certificate must have, if not the address's host.
    """

    address: str
    context: ssl.SSLContext | None
    name: str = ""

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
        return cls(address, context, tls.name)

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection.

        Raises:
            OSError: there is none; ssl.SSLError is one.
            TimeoutError: nobody answers.
        """
        host, port = host_and_port(self.address)
        name = (self.name or host) if self.context is not None else None
        async with asyncio.timeout(CONNECT_LIMIT_S):
            return await asyncio.open_connection(host, port, ssl=self.context, server_hostname=name, limit=CHUNK_BYTES)


class Relay:
    """Takes connections at `path` until it is closed; `relaying` opens one."""

    def __init__(self, way: Exit, path: Path) -> None:
        """Lead to the end of `way`."""
        self.path = path
        self._way = way
        self._turn = asyncio.Lock()
        self._open: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()

    def begin(self) -> None:
        """Begin to take connections, of any user: bots in sandboxes have users of their own."""
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(os.fspath(self.path))
            self.path.chmod(0o666)
            listener.listen(WAITING_CONNECTIONS)
            listener.setblocking(False)
        except BaseException:
            listener.close()
            raise
        self._listener = listener
        self._taking = asyncio.create_task(self._take_all())

    async def end(self) -> None:
        """Take no more connections and break all that there are."""
        tasks = {self._taking, *self._open}
        for task in tasks:
            task.cancel()
        try:
            await asyncio.wait(tasks)
        finally:  # also of who is told to end while it ends
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
        if not self._taking.cancelled():
            self._taking.result()

    async def _take_all(self) -> None:
        """Take one connection after the other and not too often: the relays of other bots run in this loop too."""
        while True:
            await _readable(self._listener)
            try:
                connection, _ = self._listener.accept()
            except BlockingIOError:  # who dialled is gone again
                continue
            except OSError as error:  # such as no open file left
                self._tell_once(f"takes no connection now: {error.strerror or error}")
            else:
                self._take(connection)
            await asyncio.sleep(DIAL_EVERY_S)

    def _take(self, connection: socket.socket) -> None:
        if len(self._open) >= CONNECTIONS_AT_MOST:
            connection.close()
            return
        task = asyncio.create_task(self._serve(connection))
        self._open.add(task)
        task.add_done_callback(lambda done: self._forget(done, connection))

    def _forget(self, task: asyncio.Task[None], connection: socket.socket) -> None:
        self._open.discard(task)
        connection.close()  # one that was cancelled before it began has closed nothing
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("a bot's relay failed and closed a connection", exc_info=error)

    async def _serve(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=CHUNK_BYTES)
        try:
            await self._lead(reader, writer)
        finally:
            writer.transport.abort()

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            outer_reader, outer_writer = await self._dial()
        except (OSError, TimeoutError) as error:
            self._tell_once(self._reason_of(error))
            return
        try:
            await _pass_both_ways((reader, outer_writer), (outer_reader, writer))
        finally:
            outer_writer.transport.abort()

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Dial the referee, one connection after the other."""
        async with self._turn:
            return await self._way.dial()

    def _reason_of(self, error: OSError) -> str:
        address = self._way.address
        if isinstance(error, ssl.SSLError):
            return tls_reason(address, error)
        return f"no referee answers at {address}: {error.strerror or error or 'it takes too long'}"

    def _tell_once(self, reason: str) -> None:
        if reason not in self._told:
            self._told.add(reason)
            _LOG.warning("a bot's relay: %s", reason)


@contextlib.asynccontextmanager
async def relaying(way: Exit) -> AsyncIterator[Path]:
    """A relay while the context lasts; its socket.

    Raises:
        RelayError: there is no folder for its socket, or no socket to be had.
    """
    with contextlib.ExitStack() as held:
        try:
            folder = held.enter_context(socket_folder("king-relay-"))
        except NoShortFolderError as error:
            raise RelayError(str(error)) from error
        relay = Relay(way, folder / "referee.sock")
        try:
            relay.begin()
        except OSError as error:
            raise RelayError(f"no socket can be made for it: {error.strerror or error}") from error
        try:
            yield relay.path
        finally:
            await relay.end()


async def _readable(listener: socket.socket) -> None:
    """Wait for a connection without taking it: one taken by a task that is cancelled meanwhile would be nobody's."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(listener, ready.set)
    try:
        await ready.wait()
    finally:
        if listener.fileno() >= 0:
            loop.remove_reader(listener)


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
