"""Cuts the connections between a bot and the referee, as a network does: at any byte, without a word."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

_PIECE_BYTES = 65536


class CuttingProxy:
    """Passes bytes between whoever dials it and the socket `target`, until it is told to cut."""

    def __init__(self, target: Path) -> None:
        self.cuts: list[float] = []
        """When connections were cut, in seconds of the monotonic clock."""
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()

    @contextlib.asynccontextmanager
    async def listening(self, path: Path) -> AsyncIterator[None]:
        """Listen on the socket `path`."""
        server = await asyncio.start_unix_server(self._serve, path)
        _open_to_all(path)
        try:
            yield
        finally:
            server.close()
            self._abort_all()

    def cut(self) -> None:
        """Cut every connection there is; new ones are taken."""
        if self._writers:
            self.cuts.append(time.monotonic())
            self._abort_all()

    def _abort_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward, back = await asyncio.open_unix_connection(self._target)
        except OSError:  # the referee has gone
            writer.close()
            return
        ends = {writer, back}
        self._writers |= ends
        try:
            await asyncio.gather(_pass(reader, back), _pass(onward, writer))
        finally:
            self._writers -= ends


def _open_to_all(socket: Path) -> None:
    socket.chmod(0o666)  # a bot in a sandbox has a user of its own


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):  # it was cut
        while piece := await reader.read(_PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
    writer.close()
