"""Readers of calls that are over are nobody's business any more."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

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


def test_reader_that_failed_with_its_call_is_not_complained_of() -> None:
    """A reader that had failed when it was left is not told of as one whose failure nobody has seen."""
    assert asyncio.run(failures_nobody_saw()) == []
