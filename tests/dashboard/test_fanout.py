"""Many readers of one source: what each is told, who is let go, and when the source runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any

import pytest

from dashboard.fanout import WAITING_AT_MOST, CrowdedError, FanOut, Tell
from dashboard.stream_places import ClientCrowdedError, StreamPlaces
from dashboard.streams import Pieces, _events


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scene, 30))


class Source:
    """A source that the test speaks through."""

    def __init__(self) -> None:
        self.tells: dict[str, Tell[int]] = {}
        self.begun, self.over, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def __call__(self, key: str, tell: Tell[int]) -> None:
        self.tells[key] = tell
        self.begun.set()
        try:
            await self.over.wait()
        finally:
            self.ended.set()


async def begun(readers: Sequence[AsyncIterator[int]], source: Source) -> list[asyncio.Future[int]]:
    """The first thing that each reader will be told, once the source runs."""
    waiting: list[asyncio.Future[int]] = [asyncio.ensure_future(anext(reader)) for reader in readers]
    await source.begun.wait()
    return waiting


def test_all_readers_are_told_the_same() -> None:
    """One source tells all who listen, and runs once for them."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        readers = [fan.read("a"), fan.read("a")]
        waiting = await begun(readers, source)
        source.tells["a"](1)
        assert await asyncio.gather(*waiting) == [1, 1]
        assert fan.reader_count == 2

    run(scene())


def test_whoever_comes_later_is_first_told_the_newest() -> None:
    """A reader that joins, or comes again, begins with the whole of what there is."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        first = fan.read("a")
        waiting = await begun([first], source)
        source.tells["a"](1)
        source.tells["a"](2)
        await asyncio.gather(*waiting)
        assert await anext(fan.read("a")) == 2

    run(scene())


def test_a_slow_reader_is_let_go_and_the_others_are_not() -> None:
    """Who lets more wait than may is told nothing more; a reader that keeps up is told everything."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        slow, quick = fan.read("a"), fan.read("a")
        waiting = await begun([slow, quick], source)
        source.tells["a"](0)
        await asyncio.gather(*waiting)
        heard = []
        for number in range(1, WAITING_AT_MOST + 2):
            source.tells["a"](number)
            heard.append(await anext(quick))
        assert heard == list(range(1, WAITING_AT_MOST + 2))
        assert [told async for told in slow] == []
        assert fan.reader_count == 1

    run(scene())


def test_the_source_ends_with_its_last_reader() -> None:
    """Nobody listens: the source is cancelled, and begins anew for the next."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        reader = fan.read("a")
        waiting = await begun([reader], source)
        source.tells["a"](1)
        await asyncio.gather(*waiting)
        await reader.aclose()
        await source.ended.wait()
        assert fan.reader_count == 0

    run(scene())


def test_readers_end_with_the_source() -> None:
    """A source that has no more to tell ends everybody's reading, after what was told."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        reader = fan.read("a")
        waiting = await begun([reader], source)
        source.tells["a"](1)
        source.over.set()
        assert await waiting[0] == 1
        assert [told async for told in reader] == []

    run(scene())


def test_no_more_readers_than_can_be_served() -> None:
    """One more than the limit is refused in words."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source, readers_at_most=1)
        await begun([fan.read("a")], source)
        with pytest.raises(CrowdedError, match="1 readers"):
            await anext(fan.read("a"))

    run(scene())


def test_one_client_takes_no_more_places_than_its_own() -> None:
    """A client's streams beyond its limit are refused, others' are not; a place is free again when a stream ends."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        places = StreamPlaces(2)
        held = [places.held("ann", fan.read(key)) for key in "ab"]
        waiting = await begun(held, source)
        with pytest.raises(ClientCrowdedError, match="2 streams are open"):
            await anext(places.held("ann", fan.read("c")))
        other = await begun([places.held("bob", fan.read("a"))], source)
        await asyncio.sleep(0)
        assert (places.taken, fan.reader_count) == (3, 3)
        for future in (*waiting, *other):
            future.cancel()
        await asyncio.wait([*waiting, *other])
        assert (places.taken, fan.reader_count) == (0, 0)
        again = await begun([places.held("ann", fan.read("d"))], source)
        await asyncio.sleep(0)
        assert places.taken == 1
        again[0].cancel()
        await asyncio.wait(again)

    run(scene())


def test_without_a_limit_a_client_may_have_any_number() -> None:
    """Nought sets no limit, as with the limits of the API."""

    async def scene() -> None:
        source = Source()
        fan: FanOut[str, int] = FanOut(source)
        places = StreamPlaces(0)
        waiting = await begun([places.held("ann", fan.read("a")) for _ in range(100)], source)
        await asyncio.sleep(0)
        assert places.taken == 100
        for future in waiting:
            future.cancel()
        await asyncio.wait(waiting)

    run(scene())


def test_a_reader_is_sent_only_what_has_changed() -> None:
    """The first event has every piece, later ones those that differ; the last is followed by the end."""

    async def told() -> AsyncIterator[Pieces]:
        yield Pieces("1", {"a": "x", "b": "y"}, {"count": 1})
        yield Pieces("2", {"a": "x", "b": "z"}, {"count": 2}, last=True)

    async def scene() -> None:
        events = [event async for event in _events(told())]
        assert [event.data for event in events] == [
            '{"pieces":{"a":"x","b":"y"},"count":1}',
            '{"pieces":{"b":"z"},"count":2}',
            "{}",
        ]
        assert [event.id for event in events] == ["1", "2", None]
        assert [event.event for event in events] == ["state", "state", "end"]

    run(scene())
