"""A proxy on the loopback that cuts connections: what a bad network does to a bot."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from types import TracebackType


class CuttingProxy:
    """Passes on to a UNIX socket; each connection up to the first `connections` is cut after some bytes to the bot."""

    def __init__(self, target: Path, *, after_bytes: int, connections: int = 4) -> None:
        self.address = ""
        self._target = target
        self._after_bytes = after_bytes
        self._to_cut = connections
        self._serving: set[asyncio.Task[None]] = set()
        self._copying: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> CuttingProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()
        for copying in self._copying:
            copying.cancel()
        if self._serving:
            await asyncio.wait(self._serving)

    async def _serve(self, from_bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._serving.add(serving)
        from_referee, to_referee = await asyncio.open_unix_connection(str(self._target))
        left = self._after_bytes if self._to_cut > 0 else None
        self._to_cut -= 1
        ways = {
            asyncio.create_task(_copy(from_bot, to_referee, None)),
            asyncio.create_task(_copy(from_referee, to_bot, left)),
        }
        self._copying |= ways
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for writer in (to_bot, to_referee):
            writer.transport.abort()
        self._copying -= ways
        self._serving.discard(serving)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter, left: int | None) -> None:
    """Copy until either side ends, or so many bytes have gone."""
    with contextlib.suppress(ConnectionError):
        while (left is None or left > 0) and (chunk := await source.read(4096)):
            sink.write(chunk)
            await sink.drain()
            left = None if left is None else left - len(chunk)
