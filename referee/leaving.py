"""Readers of calls that are over: they end by themselves, with the call.

gRPC keeps what it has set aside for a read for ever if the one who waits for it is cancelled: 130 bytes for each bot's
stream and each sitting, seen with grpcio 1.85. So nobody who reads is cancelled. Owns nothing but the tasks.
"""

from __future__ import annotations

import asyncio

import grpc.aio
import structlog


class LeftReaders:
    """Tasks that wait for one more frame of a call that its handler is done with."""

    def __init__(self) -> None:
        self._readers: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger("referee")

    def add(self, reader: asyncio.Task[None]) -> None:
        """Keep a reader until it ends; what it hears then is nobody's any more."""
        if not reader.done():
            self._readers.add(reader)
            reader.add_done_callback(self._forget)
        elif not reader.cancelled():
            reader.exception()  # whoever ends the call says why; asyncio is not to say that nobody asked

    def _forget(self, reader: asyncio.Task[None]) -> None:
        self._readers.discard(reader)
        failure = None if reader.cancelled() else reader.exception()
        # A read that goes on when its call ends fails with UsageError, or AbortError where we ended it with a status;
        # what else there is may be our mistake.
        if failure is not None and not isinstance(failure, grpc.aio.UsageError | grpc.aio.AbortError):
            self._log.info("a stream that was over ended otherwise", why=f"{type(failure).__name__}: {failure}")
