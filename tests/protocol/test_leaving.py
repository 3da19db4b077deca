"""Readers of calls that are over are nobody's business any more."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import grpc.aio
from structlog.testing import capture_logs

from referee.leaving import LeftReaders


async def failing() -> None:
    raise ConnectionError("the call was aborted")


async def failures_nobody_saw() -> list[dict[str, Any]]:
    """What asyncio complains of when a reader that has failed is left."""
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    reader = asyncio.create_task(failing())
    await asyncio.wait({reader})
    LeftReaders().add(reader)
    del reader
    gc.collect()
    return told


async def failing_with(failure: Exception) -> None:
    raise failure


async def told_of(failure: Exception) -> list[str]:
    """What is logged of a reader that fails when it has been left."""
    with capture_logs() as logs:
        reader = asyncio.create_task(failing_with(failure))
        LeftReaders().add(reader)
        await asyncio.wait({reader})
        await asyncio.sleep(0)
    return [line["why"] for line in logs]


def test_a_reader_ends_with_its_call() -> None:
    """How readers end when the call does is not told of, and anything else is."""
    assert asyncio.run(told_of(grpc.aio.UsageError("RPC already finished."))) == []
    assert asyncio.run(told_of(grpc.aio.AbortError("Locally aborted."))) == []
    assert asyncio.run(told_of(ValueError("no"))) == ["ValueError: no"]


def test_reader_that_failed_with_its_call_is_not_complained_of() -> None:
    """A reader that had failed when it was left is not told of as one whose failure nobody has seen."""
    assert asyncio.run(failures_nobody_saw()) == []
