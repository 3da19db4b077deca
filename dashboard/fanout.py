"""One source, many readers: what is told by a source goes to everybody who listens to it, as long as somebody does.

Owns who listens, and the bound on what waits for each. A reader that does not keep up is let go, and comes again if it
likes; the first thing anybody is told is the newest there is. Knows nothing of what is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from typing import Generic, TypeVar

WAITING_AT_MOST = 16
"""How many things may wait for one reader: whoever is further behind is let go."""

READERS_AT_MOST = 1000
"""How many may listen to one fan-out at once, in this process."""

_Key = TypeVar("_Key", bound=Hashable)
_Told = TypeVar("_Told")

Tell = Callable[[_Told], None]
"""Tells all readers of a source something."""

Source = Callable[[_Key, Tell[_Told]], Awaitable[None]]
"""Tells what there is to tell of a key until it has no more, or is cancelled because nobody listens."""


class CrowdedError(Exception):
    """So many listen already that no more can, in this process."""


class _Topic(Generic[_Told]):
    """The readers of one key, and what they were told last."""

    def __init__(self) -> None:
        self.newest: list[_Told] = []
        self.readers: set[asyncio.Queue[_Told | None]] = set()
        self.following: asyncio.Task[None] | None = None

    def tell(self, told: _Told) -> None:
        self.newest = [told]
        for queue in tuple(self.readers):
            try:
                queue.put_nowait(told)
            except asyncio.QueueFull:
                self.let_go(queue)

    def let_go(self, queue: asyncio.Queue[_Told | None]) -> None:
        self.readers.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)

    def close(self) -> None:
        for queue in tuple(self.readers):
            if queue.full():
                self.let_go(queue)
            else:
                queue.put_nowait(None)
        self.readers.clear()


class FanOut(Generic[_Key, _Told]):
    """Readers by key; the source of a key runs while it has any. To be used within one event loop."""

    def __init__(self, source: Source[_Key, _Told], *, readers_at_most: int = READERS_AT_MOST) -> None:
        self._source = source
        self._readers_at_most = readers_at_most
        self._topics: dict[_Key, _Topic[_Told]] = {}

    @property
    def reader_count(self) -> int:
        """How many listen now."""
        return sum(len(topic.readers) for topic in self._topics.values())

    async def read(self, key: _Key) -> AsyncGenerator[_Told, None]:
        """Yield what is told of a key, the newest first if there is one, until the source ends or one is too slow.

        Raises:
            CrowdedError: if so many listen already that no more can.
        """
        if self.reader_count >= self._readers_at_most:
            raise CrowdedError(f"{self._readers_at_most} readers listen, which is as many as can")
        queue: asyncio.Queue[_Told | None] = asyncio.Queue(WAITING_AT_MOST)
        topic = self._join(key, queue)
        try:
            for newest in topic.newest:
                yield newest
            while (told := await queue.get()) is not None:
                yield told
        finally:
            self._leave(key, topic, queue)

    def _join(self, key: _Key, queue: asyncio.Queue[_Told | None]) -> _Topic[_Told]:
        topic = self._topics.get(key)
        if topic is None:
            topic = self._topics[key] = _Topic()
            topic.following = asyncio.get_running_loop().create_task(self._follow(key, topic))
        topic.readers.add(queue)
        return topic

    async def _follow(self, key: _Key, topic: _Topic[_Told]) -> None:
        try:
            await self._source(key, topic.tell)
        finally:
            if self._topics.get(key) is topic:
                del self._topics[key]
            topic.close()

    def _leave(self, key: _Key, topic: _Topic[_Told], queue: asyncio.Queue[_Told | None]) -> None:
        topic.readers.discard(queue)
        if topic.readers or topic.following is None:
            return
        if self._topics.get(key) is topic:
            del self._topics[key]
        topic.following.cancel()
