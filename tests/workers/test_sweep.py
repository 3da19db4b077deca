"""The sweep that goes on beside the platform never ends, whatever goes wrong in it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from league.errors import LeagueError
from tests.workers.waiting import wait_until_async
from workers.sweep import sweep_for_ever


def test_sweep_goes_on_after_any_error() -> None:
    """A sweep that fails says so once, goes on with the next beat, and says when it works again."""
    errors: list[Exception] = [LeagueError("the database\nis locked"), KeyError("x")]
    lines: list[str] = []

    def sweep_once() -> None:
        if errors:
            raise errors.pop(0)

    async def scene() -> None:
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(sweep_once, lines.append, timedelta(milliseconds=1))
        )
        await wait_until_async(lambda: len(lines) == 2 or sweeping.done())
        sweeping.cancel()

    asyncio.run(scene())
    assert lines == [
        "the sweep fails and goes on trying: LeagueError: the database is locked",
        "the sweep works again",
    ]
