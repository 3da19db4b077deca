"""Shows what passes on bots' streams to whoever wants to see it; `king check` does.

Must not change, delay or judge anything.
"""

from __future__ import annotations

from typing import NoReturn, Protocol

import grpc
import grpc.aio


class StreamWatch(Protocol):
    """Sees what passes on the streams of bots, which count from 1; must not wait."""

    def heard(self, stream: int, frame: bytes) -> None:
        """A frame of a bot has come."""

    def sent(self, stream: int, frame: bytes) -> None:
        """A frame is being handed to the transport."""

    def closed(self, stream: int, status: str, detail: str) -> None:
        """The stream has ended, with the name of its status and the words that the bot is told if it is there."""


class BotContext(Protocol):
    """What the service needs of a stream of gRPC."""

    async def read(self) -> object:
        """The next frame as bytes; anything else when there is none any more."""

    async def write(self, message: bytes) -> None:
        """Write a frame."""

    async def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """End the stream with a status that is not OK."""


class WatchedContext:
    """A stream of gRPC that a watch looks at. Use as a context, around all that is done with it."""

    def __init__(self, context: BotContext, watch: StreamWatch, stream: int) -> None:
        """Show the stream of the number `stream` to `watch`."""
        self._context = context
        self._watch = watch
        self._stream = stream
        self._aborted: tuple[str, str] | None = None

    async def read(self) -> object:
        """As in `BotContext`."""
        frame = await self._context.read()
        if isinstance(frame, bytes):
            self._watch.heard(self._stream, frame)
        return frame

    async def write(self, message: bytes) -> None:
        """As in `BotContext`."""
        self._watch.sent(self._stream, message)
        await self._context.write(message)

    async def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """As in `BotContext`."""
        self._aborted = code.name, details
        await self._context.abort(code, details)

    def __enter__(self) -> WatchedContext:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        broken = (grpc.StatusCode.CANCELLED.name, "the connection broke") if error else (grpc.StatusCode.OK.name, "")
        self._watch.closed(self._stream, *(self._aborted or broken))
