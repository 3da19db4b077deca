"""One stream to a bot: a queue, and the one task that writes it.

Owns the way from a frame that was handed over to the transport. `send` and `close` never wait, so that no table ever
does; a bot that does not read fills the queue, and what that costs is decided elsewhere.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Protocol

from referee.processes import Ending


class FrameWriter(Protocol):
    """What can write a frame, and waits while the other side does not read."""

    async def write(self, message: bytes) -> None:
        """Write one frame; by one task at a time."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Why and with which words a stream is closed."""

    ending: Ending
    detail: str


class BotStream:
    """A `Stream` over a transport; `write_all` is its writer task."""

    def __init__(self, writer: FrameWriter) -> None:
        self.unsent_bytes = 0
        self.closing: Closing | None = None
        self.closed = asyncio.Event()
        """Set when the stream is to be closed."""
        self._writer = writer
        self._frames: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def send(self, frame: bytes) -> None:
        """Hand over a frame, to be sent after those before it."""
        if self.closing is None:
            self._frames.append(frame)
            self.unsent_bytes += len(frame)
            self._wake()

    def close(self, ending: Ending, detail: str) -> None:
        """Close after what was handed over is sent; the first reason stands.

        A stream that was replaced sends nothing more: its successor is sent all of it anew.
        """
        if self.closing is None:
            if ending is Ending.REPLACED:
                self.unsent_bytes -= sum(map(len, self._frames))
                self._frames.clear()
            self.closing = Closing(ending, detail)
            self.closed.set()
            self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    async def write_all(self) -> None:
        """Write what is handed over, until the stream is to be closed and all is written."""
        while True:
            while self._frames:
                frame = self._frames.popleft()
                await self._writer.write(frame)
                self.unsent_bytes -= len(frame)
            if self.closing is not None:
                return
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
