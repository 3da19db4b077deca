"""A live sitting ends, however close the end of its last table is to its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest
from redis import Redis as PlainRedis
from redis.asyncio import Redis

from league.live import LiveSitting, LiveTable, tables_key, wanted_key
from tests.workers.waiting import wait_until_async
from workers.live import Show

pytestmark = pytest.mark.slow

SITTING = LiveSitting(
    sitting=7,
    attempt=1,
    season=1,
    rotation=3,
    variant="russian-14",
    tables=(LiveTable(match_id="aa", board=1, names=("a", "b", "c", "d")),),
)


async def deaf(match_ids: Collection[str]) -> None:
    """Whoever is told which tables are watched, and does nothing."""


def test_a_cancellation_that_something_swallows_still_ends_it(valkey_url: str) -> None:
    """Whatever is awaited may let one pass, as Redis' client does now and then: the next round notices."""

    async def scene() -> None:
        show = Show(valkey_url, SITTING)
        reached, swallowed = asyncio.Event(), asyncio.Event()

        async def swallowing(match_ids: Collection[str]) -> None:
            reached.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                swallowed.set()

        async with Redis.from_url(valkey_url) as redis:
            await redis.sadd(wanted_key(7), "aa")
            running = asyncio.create_task(show.run(swallowing))
            await asyncio.wait_for(reached.wait(), 10)
            running.cancel()
            ended, _ = await asyncio.wait([running], timeout=10)
            assert swallowed.is_set()
            assert ended and running.cancelled()

    asyncio.run(scene())


@pytest.mark.parametrize("pause_s", [0.0, 0.01, 0.06, 0.2])
def test_what_is_cancelled_right_after_a_change_ends(pause_s: float, valkey_url: str, valkey: PlainRedis) -> None:
    """The last table is over and the sitting with it, in one breath: the show ends, and takes its list with it."""

    async def scene() -> None:
        show = Show(valkey_url, SITTING)
        show.begun("aa")
        running = asyncio.create_task(show.run(deaf))
        await wait_until_async(lambda: valkey.exists(tables_key(7)) == 1)
        await asyncio.sleep(pause_s)
        show.over("aa")
        running.cancel()
        ended, _ = await asyncio.wait([running], timeout=10)
        assert ended and running.cancelled()

    asyncio.run(scene())
    assert valkey.exists(tables_key(7)) == 0
