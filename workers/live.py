"""Tells whoever watches how the tables of a live sitting stand: word of them goes to Redis, wishes come from there.

Owns what passes between one sitting and Redis. Without readers that is a few commands a second for a whole sitting. A
Redis that fails costs the pictures, never the sitting.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from datetime import timedelta

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from league.live import (
    LIST_SECONDS,
    PICTURE_SECONDS,
    SITTINGS,
    LiveSitting,
    LiveTable,
    in_order,
    picture_key,
    tables_key,
    wanted_key,
)

LOOK_EVERY = timedelta(milliseconds=500)
"""How soon it is noticed that somebody watches a table."""

GATHER_FOR = timedelta(milliseconds=50)
"""How long pictures are gathered before they are passed on together."""

AFTER_FAILURE = timedelta(seconds=3)

Watch = Callable[[Collection[str]], Awaitable[None]]
"""Has the referee show these tables and no others."""

_LOG = logging.getLogger(__name__)


class Show:
    """The tables of one live sitting, as they begin, change and end. Its methods but `run` return at once."""

    def __init__(self, redis_url: str, sitting: LiveSitting) -> None:
        """`sitting` names every table there may be; only those that have begun are listed."""
        self._redis_url = redis_url
        self._sitting = sitting
        self._planned = {table.match_id: table for table in sitting.tables}
        self._begun: dict[str, LiveTable] = {}
        self._pictures: dict[str, bytes] = {}
        self._listed = ""
        self._list_again_at = 0.0
        self._changed = asyncio.Event()

    def begun(self, match_id: str) -> None:
        """A table is being played from now on."""
        self._begun[match_id] = self._planned[match_id]

    def shown(self, match_id: str, picture: bytes) -> None:
        """A watched table looks so now; one that has not been passed on yet is forgotten."""
        self._pictures[match_id] = picture
        self._changed.set()

    def over(self, match_id: str) -> None:
        """A table is over."""
        self._begun.pop(match_id, None)
        self._changed.set()

    async def run(self, watch: Watch) -> None:
        """Pass everything on until cancelled; `watch` is told whenever other tables are wanted than before."""
        async with Redis.from_url(self._redis_url, retry=Retry(NoBackoff(), 1), socket_timeout=5) as redis:
            try:
                await self._run(redis, watch)
            finally:
                with contextlib.suppress(RedisError, OSError, TimeoutError):
                    await asyncio.shield(self._leave(redis))

    async def _run(self, redis: Redis, watch: Watch) -> None:
        wanted: frozenset[str] = frozenset()
        task = asyncio.current_task()
        assert task is not None
        while not task.cancelling():  # Redis' client lets a cancellation pass that comes while it connects or reads
            try:
                asked = await self._pass_on(redis)
            except (RedisError, OSError, TimeoutError) as error:
                self._listed = ""
                _LOG.warning("sitting %s cannot be watched: %s", self._sitting.sitting, error)
                await asyncio.sleep(AFTER_FAILURE.total_seconds())
                continue
            asked &= self._planned.keys()
            if asked != wanted:
                wanted = asked
                await watch(wanted)
            await asyncio.sleep(GATHER_FOR.total_seconds())
            with contextlib.suppress(TimeoutError):
                # not wait_for: of Python 3.11, it lets a cancellation pass that comes together with a change
                async with asyncio.timeout(LOOK_EVERY.total_seconds()):
                    await self._changed.wait()
        raise asyncio.CancelledError

    async def _pass_on(self, redis: Redis) -> frozenset[str]:
        """Write everything that is known; return which tables are wanted."""
        self._changed.clear()
        pictures, self._pictures = self._pictures, {}
        sitting = self._sitting.sitting
        async with redis.pipeline(transaction=False) as words:
            self._list_tables(words)
            for match_id, picture in pictures.items():
                words.set(picture_key(match_id), picture, ex=PICTURE_SECONDS)
                words.publish(picture_key(match_id), picture)
            words.smembers(wanted_key(sitting))
            wanted: Iterable[bytes] = (await words.execute())[-1]
        return frozenset(match_id.decode() for match_id in wanted)

    def _list_tables(self, words: Pipeline) -> None:
        """Write the list of tables where it has changed, or else often enough for it to be believed."""
        listed = replace(self._sitting, tables=in_order(self._begun.values())).text()
        now = time.monotonic()
        if listed == self._listed and now < self._list_again_at:
            return
        self._listed, self._list_again_at = listed, now + LIST_SECONDS / 4
        words.set(tables_key(self._sitting.sitting), listed, ex=LIST_SECONDS)
        words.zadd(SITTINGS, {str(self._sitting.sitting): time.time()})

    async def _leave(self, redis: Redis) -> None:
        await self._pass_on(redis)
        await redis.delete(tables_key(self._sitting.sitting))
        await redis.zrem(SITTINGS, str(self._sitting.sitting))
