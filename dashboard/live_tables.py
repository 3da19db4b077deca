"""Tables being played, as workers tell of them through Redis: the list, a table's last picture, and every new one.

Owns the dashboard's side of `league.live`, and looks at the rule about watching once more before anything is shown.
Without a Redis there is nothing to watch. Must not draw anything.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import structlog
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from league.live import (
    LIST_SECONDS,
    SITTINGS,
    WANTED_SECONDS,
    LiveSitting,
    LiveTable,
    find_table,
    picture_key,
    read_sitting,
    tables_key,
    wanted_key,
)
from league.store import Store

Picture = dict[str, Any]

FIRST_PICTURE_S: Final = 1.5
"""How long a page waits for the first picture of a table that nobody watched."""

_TIMEOUT_S: Final = 2.0
_WISH_EVERY_S: Final = 3.0
_LAST_PICTURE_S: Final = 0.3
_AFTER_FAILURE_S: Final = 3.0
_LOG = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Seen:
    """A table that may be watched, and how it looks; None before the first picture."""

    sitting: LiveSitting
    table: LiveTable
    picture: Picture | None


Tell = Callable[[Seen], Awaitable[None]]
"""Is told how a table looks; until it returns, only the newest picture is kept."""


class LiveTables:
    """What can be watched now. Its synchronous methods may be used from several threads."""

    def __init__(self, store: Store, redis_url: str) -> None:
        """Read what workers say at `redis_url`; an empty one: nothing is ever heard."""
        self._store = store
        self._url = redis_url
        self._redis = Redis.from_url(redis_url, **_limits(Retry(NoBackoff(), 0))) if redis_url else None

    @property
    def is_connected(self) -> bool:
        """Whether this dashboard was told where workers say how their tables stand."""
        return self._redis is not None

    def check(self) -> None:
        """Ask Redis for next to nothing. Raises RedisError if it is away, or lets this dashboard read nothing."""
        if self._redis is not None:
            self._redis.zrangebyscore(SITTINGS, "+inf", "+inf", start=0, num=1)

    def sittings(self) -> tuple[LiveSitting, ...]:
        """The sittings whose tables may be watched now, of the lowest number first. A Redis that is away has none."""
        try:
            return self._heard()
        except RedisError as error:
            _LOG.warning("live tables cannot be read", error=str(error))
            return ()

    def _heard(self) -> tuple[LiveSitting, ...]:
        if self._redis is None:
            return ()
        newest: list[Any] = self._redis.zrangebyscore(SITTINGS, time.time() - 60 * LIST_SECONDS, "+inf")
        texts = self._redis.mget([tables_key(int(number)) for number in newest]) if newest else []
        found = sorted((read_sitting(text) for text in texts if text), key=lambda one: one.sitting)
        return tuple(one for one in found if self._store.live.may_be_watched(one.sitting))

    def find(self, match_id: str) -> tuple[LiveSitting, LiveTable] | None:
        """The table of a match, if it may be watched now."""
        return find_table(self.sittings(), match_id)

    def look(self, match_id: str) -> Seen | None:
        """A table as it is now; asks for a picture, and waits a moment for the first one. None: not to be watched."""
        found = self.find(match_id)
        if found is None or self._redis is None:
            return None
        deadline = time.monotonic() + FIRST_PICTURE_S
        try:
            self._wish(self._redis, found[0].sitting, match_id)
            text = self._redis.get(picture_key(match_id))
            while text is None and time.monotonic() < deadline:
                time.sleep(0.1)
                text = self._redis.get(picture_key(match_id))
        except RedisError as error:
            _LOG.warning("a table's picture cannot be read", error=str(error))
            text = None
        return Seen(*found, None if text is None else _picture(text))

    @staticmethod
    def _wish(redis: Redis, sitting: int, match_id: str) -> None:
        with redis.pipeline(transaction=False) as words:
            words.sadd(wanted_key(sitting), match_id)
            words.expire(wanted_key(sitting), WANTED_SECONDS)
            words.execute()

    async def follow(self, match_id: str, tell: Tell) -> None:
        """Tell every picture of a table until it is over, is gone or cannot be watched any more.

        Of pictures that come faster than they are taken only the newest is told. A Redis that is away is waited for.
        """
        if not self._url:
            return
        is_said = False
        while True:
            try:
                async with AsyncRedis.from_url(self._url, **_limits(AsyncRetry(NoBackoff(), 0))) as redis:
                    await self._follow(redis, match_id, tell)
                    return
            except (RedisError, OSError) as error:
                if not is_said:
                    _LOG.warning("a table cannot be followed", error=str(error))
                is_said = True
            await asyncio.sleep(_AFTER_FAILURE_S)

    def _find_now(self, match_id: str) -> tuple[LiveSitting, LiveTable] | None:
        return find_table(self._heard(), match_id)

    async def _follow(self, redis: AsyncRedis, match_id: str, tell: Tell) -> None:
        found = await asyncio.to_thread(self._find_now, match_id)
        if found is None:
            return
        async with redis.pubsub() as channel:
            await channel.subscribe(picture_key(match_id))
            text: bytes | str | None = await redis.get(picture_key(match_id))
            wish_at = 0.0
            while True:
                if text is not None:
                    seen = Seen(*found, _picture(text))
                    await tell(seen)
                    if is_over(seen):
                        return
                if time.monotonic() >= wish_at:
                    if await asyncio.to_thread(self._find_now, match_id) is None:
                        await self._tell_last(channel, found, tell)
                        return
                    await self._wish_again(redis, found[0].sitting, match_id)
                    wish_at = time.monotonic() + _WISH_EVERY_S
                _end_if_cancelled()
                text = await _newest(channel, max(0.0, wish_at - time.monotonic()))

    @staticmethod
    async def _tell_last(channel: PubSub, found: tuple[LiveSitting, LiveTable], tell: Tell) -> None:
        """A table that is gone from the list may have left its last picture."""
        text = await _newest(channel, _LAST_PICTURE_S)
        if text is not None:
            await tell(Seen(*found, _picture(text)))

    @staticmethod
    async def _wish_again(redis: AsyncRedis, sitting: int, match_id: str) -> None:
        async with redis.pipeline(transaction=False) as words:
            words.sadd(wanted_key(sitting), match_id)
            words.expire(wanted_key(sitting), WANTED_SECONDS)
            await words.execute()


def is_over(seen: Seen) -> bool:
    """Whether the match is over that a picture is of."""
    return seen.picture is not None and seen.picture["places"] is not None


def _end_if_cancelled() -> None:
    """End a task that was cancelled while it told Redis something.

    The client sends by `asyncio.wait_for`, which in Python 3.11 forgets a cancellation that comes as the sending ends.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _limits(retry: Any) -> dict[str, Any]:
    return {"socket_timeout": _TIMEOUT_S, "socket_connect_timeout": _TIMEOUT_S, "retry": retry}


def _picture(text: str | bytes) -> Picture:
    picture: Picture = json.loads(text)
    return picture


async def _newest(channel: PubSub, wait_s: float) -> bytes | None:
    """The newest picture published; waits for the first so long, None if none came."""
    newest = await channel.get_message(ignore_subscribe_messages=True, timeout=wait_s)
    while (newer := await channel.get_message(ignore_subscribe_messages=True, timeout=0.0)) is not None:
        newest = newer
    return None if newest is None else newest["data"]
