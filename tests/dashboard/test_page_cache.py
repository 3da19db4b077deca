"""Pages kept ready to be sent: for whom, how long, how many; and tags, by which a browser learns that it has a page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from dashboard.answers import Answer, EntityTags
from dashboard.page_cache import COSTLY_BYTES, COSTLY_S, TIMES_AS_OLD, PageCache

LADDER = "/seasons/1/ladder"


@dataclass
class Pages:
    """An application that counts what it was asked for, with versions and a clock that are moved by hand."""

    asked: list[str] = field(default_factory=list)
    looks: list[set[int]] = field(default_factory=list)
    version: int = 1
    now: datetime = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
    headers: Sequence[tuple[bytes, bytes]] = ()
    status: int = 200
    body: bytes = b"page %d"
    wait: asyncio.Event | None = None
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    takes_s: float = 0
    seconds: float = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        assert scope["type"] == "http"
        self.asked.append(scope["path"])
        self.seconds += self.takes_s
        body = self.body.replace(b"%d", str(len(self.asked)).encode())
        self.arrived.set()
        if self.wait is not None:
            await self.wait.wait()
        base = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": [*base, *self.headers]})
        await send({"type": "http.response.body", "body": body})

    def versions(self, seasons: set[int]) -> Mapping[int, tuple[int, ...]]:
        self.looks.append(set(seasons))
        return {season: (self.version, 9) for season in seasons if season < 100}

    def cache(self, limit: int = 10_000) -> PageCache:
        return PageCache(
            EntityTags(self), versions=self.versions, clock=lambda: self.now, limit=limit, seconds=lambda: self.seconds
        )


async def get(app: PageCache | EntityTags, path: str = LADDER, query: str = "", **headers: str) -> Answer:
    """What an application answers to GET."""
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": sent,
    }
    await app(scope, receive, send)
    start, *bodies = messages
    return Answer(start["status"], tuple(start["headers"]), b"".join(one.get("body", b"") for one in bodies))


async def bodies_of(app: PageCache, *asked: Mapping[str, str]) -> list[bytes]:
    return [(await get(app, **one)).body for one in asked]


def test_a_page_is_made_once_for_each_version() -> None:
    """As long as the version stays the page is sent as it was made; with another it is made anew."""

    async def run() -> None:
        pages = Pages()
        cache = pages.cache()
        assert await bodies_of(cache, {}, {}, {}) == [b"page 1"] * 3
        pages.version = 2
        assert await bodies_of(cache, {}, {}) == [b"page 2"] * 2
        assert len(pages.looks) == 5

    asyncio.run(run())


def test_a_page_is_made_anew_each_minute() -> None:
    """Pages tell today from other days, and forecast an end: who comes first in a minute gets the one before."""

    async def run() -> None:
        pages = Pages(wait=asyncio.Event())
        assert pages.wait is not None
        pages.wait.set()
        cache = pages.cache()
        await get(cache)
        pages.now += timedelta(seconds=59)
        assert (await get(cache)).body == b"page 1"
        pages.now += timedelta(seconds=1)
        pages.wait.clear()
        assert await bodies_of(cache, {}, {}) == [b"page 1"] * 2
        pages.wait.set()
        await asyncio.sleep(0.01)
        assert await bodies_of(cache, {}, {}) == [b"page 2"] * 2
        assert len(pages.asked) == 2

    asyncio.run(run())


@pytest.mark.parametrize(
    ("then", "now"),
    [("29T20:00:59", "29T20:02:00"), ("29T20:00:00", "29T19:59:59"), ("29T23:59:59", "30T00:00:00")],
)
def test_a_page_of_another_time_is_not_sent(then: str, now: str) -> None:
    """Older than the minute before, of another day, or of a time that has not come: the reader waits for a new one."""

    async def run() -> None:
        pages = Pages(now=datetime.fromisoformat(f"2026-11-{then}Z"))
        cache = pages.cache()
        await get(cache)
        pages.now = datetime.fromisoformat(f"2026-11-{now}Z")
        assert await bodies_of(cache, {}, {}) == [b"page 2"] * 2

    asyncio.run(run())


def test_a_page_of_the_minute_before_is_not_sent_for_a_new_version() -> None:
    """What is on it has changed."""

    async def run() -> None:
        pages = Pages()
        cache = pages.cache()
        await get(cache)
        pages.now, pages.version = pages.now + timedelta(minutes=1), 2
        assert await bodies_of(cache, {}, {}) == [b"page 2"] * 2

    asyncio.run(run())


def large(number: int) -> bytes:
    return b"page %d" % number + b" " * COSTLY_BYTES


async def large_page_made() -> tuple[Pages, PageCache, asyncio.Event]:
    """A large page has been made once; the next one waits until the event is set."""
    goes_on = asyncio.Event()
    pages = Pages(wait=goes_on, takes_s=COSTLY_S, body=b"page %d" + b" " * COSTLY_BYTES)
    cache = pages.cache(limit=1 << 20)
    goes_on.set()
    await get(cache)
    goes_on.clear()
    return pages, cache, goes_on


def test_a_large_page_that_took_long_is_sent_while_it_is_made_anew() -> None:
    """Of an older version, for a few times as long as it took; it is made once at a time; then readers wait."""

    async def run() -> None:
        pages, cache, goes_on = await large_page_made()
        for pages.version in (2, 3, 4):
            assert await bodies_of(cache, {}, {}) == [large(1)] * 2
        await asyncio.sleep(0.01)
        assert len(pages.asked) == 2
        goes_on.set()
        await asyncio.sleep(0.01)
        assert (await get(cache)).body == large(2)
        await asyncio.sleep(0.01)
        assert (await get(cache)).body == large(3)
        assert len(pages.asked) == 3
        pages.seconds += TIMES_AS_OLD * COSTLY_S
        pages.version = 5
        assert (await get(cache)).body == large(4)

    asyncio.run(run())


def test_readers_of_many_versions_wait_for_one_making() -> None:
    """When a large page is too old, who comes while it is made anew waits for that, though results come in."""

    async def run() -> None:
        pages, cache, goes_on = await large_page_made()
        pages.seconds += TIMES_AS_OLD * COSTLY_S + 1
        waiting = []
        for pages.version in (2, 3, 4):
            waiting.append(asyncio.create_task(get(cache)))
            await asyncio.sleep(0.01)
        goes_on.set()
        assert [(await one).body for one in waiting] == [large(2)] * 3

    asyncio.run(run())


@pytest.mark.parametrize(("takes_s", "size"), [(COSTLY_S, 0), (0, COSTLY_BYTES)])
def test_no_other_page_is_sent_of_an_older_version(takes_s: float, size: int) -> None:
    """A small one that took long, as on a busy machine, and a large one that is soon made, are of this moment."""

    async def run() -> None:
        pages = Pages(takes_s=takes_s, body=b"page %d" + b" " * size)
        cache = pages.cache(limit=1 << 20)
        await get(cache)
        pages.version = 2
        assert (await get(cache)).body.startswith(b"page 2")

    asyncio.run(run())


def test_a_large_page_of_yesterday_is_not_sent() -> None:
    """However long it took: it tells today from other days."""

    async def run() -> None:
        now = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
        pages = Pages(takes_s=COSTLY_S, body=b"page %d" + b" " * COSTLY_BYTES, now=now)
        cache = pages.cache(limit=1 << 20)
        await get(cache)
        pages.now += timedelta(seconds=1)
        assert (await get(cache)).body == large(2)

    asyncio.run(run())


def test_a_page_that_cannot_be_made_anew_is_tried_again() -> None:
    """While the one of the minute before will do its readers get that; then they are told."""

    async def run() -> None:
        pages = Pages()
        failing = False

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if failing:
                raise OSError("no database")
            await pages(scope, receive, send)

        cache = PageCache(EntityTags(app), versions=pages.versions, clock=lambda: pages.now)
        await get(cache)
        failing, pages.now = True, pages.now + timedelta(minutes=1)
        for _ in range(2):
            assert (await get(cache)).body == b"page 1"
            await asyncio.sleep(0.01)
        pages.now += timedelta(minutes=1)
        with pytest.raises(OSError, match="no database"):
            await get(cache)
        failing = False
        assert (await get(cache)).body == b"page 2"

    asyncio.run(run())


@pytest.mark.parametrize(
    "other",
    [
        {"accept_language": "ru"},
        {"cookie": "language=ru"},
        {"cookie": "theme=dark"},
        {"cookie": "a=b; suits=four"},
        {"cookie": "a[b]=1; language=ru"},
        {"accept_encoding": "gzip, br"},
        {"query": "order=points"},
        {"path": "/seasons/1/ladder.json"},
        {"path": "/seasons/2/ladder"},
    ],
)
def test_other_readers_get_other_pages(other: dict[str, str]) -> None:
    """By language, theme, colours of suits, compression, query and address; each is kept beside the first."""

    async def run() -> None:
        cache = Pages().cache()
        assert await bodies_of(cache, {}, other, {}, other) == [b"page 1", b"page 2", b"page 1", b"page 2"]

    asyncio.run(run())


@pytest.mark.parametrize(
    "alike", [{"accept_language": "en-GB,en;q=0.9"}, {"cookie": "king_visitor=abc"}, {"accept": "*/*"}]
)
def test_readers_who_see_the_same_share_a_page(alike: dict[str, str]) -> None:
    """What a page does not depend on makes no other page of it."""

    async def run() -> None:
        cache = Pages().cache()
        assert await bodies_of(cache, {}, alike) == [b"page 1"] * 2

    asyncio.run(run())


@pytest.mark.parametrize(
    "asked",
    [
        {"cookie": "theme=dark; king_session=secret"},
        {"cookie": "a[b]=1; king_session=secret"},
        {"cookie": f"theme={'x' * 2000}; king_session=secret"},
        {"authorization": "Bearer secret"},
        {"path": "/seasons/1"},
        {"path": "/seasons/x/ladder"},
        {"path": "/seasons/100/ladder"},
        {"path": "/account"},
    ],
)
def test_who_is_signed_in_and_other_pages_are_passed_on(asked: dict[str, str]) -> None:
    """Nothing is kept of them; neither of a season that is not there."""

    async def run() -> None:
        pages = Pages()
        cache = pages.cache()
        await get(cache)
        assert await bodies_of(cache, asked, asked) == [b"page 2", b"page 3"]
        assert (await get(cache)).body == b"page 1"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, [(b"set-cookie", b"language=ru")]),
        (200, [(b"cache-control", b"private, no-store")]),
        (404, []),
        (500, []),
    ],
)
def test_what_is_for_one_reader_or_no_page_is_not_kept(status: int, headers: list[tuple[bytes, bytes]]) -> None:
    """Answers with a cookie, private ones, and errors are sent and forgotten."""

    async def run() -> None:
        pages = Pages(status=status, headers=headers)
        cache = pages.cache()
        found = [await get(cache), await get(cache)]
        assert [one.body for one in found] == [b"page 1", b"page 2"]
        assert [one.status for one in found] == [status] * 2

    asyncio.run(run())


def test_readers_of_a_cold_page_wait_for_one() -> None:
    """Fifty at once have one page made; where it may not be kept, each gets its own."""

    async def run() -> None:
        pages = Pages(wait=asyncio.Event())
        cache = pages.cache()
        waiting = [asyncio.create_task(get(cache)) for _ in range(50)]
        await pages.arrived.wait()
        await asyncio.sleep(0.01)
        assert pages.wait is not None
        pages.wait.set()
        assert {one.body for one in await asyncio.gather(*waiting)} == {b"page 1"}
        pages.headers, pages.version = [(b"set-cookie", b"a=b")], 2
        assert len({one.body for one in await asyncio.gather(*(get(cache) for _ in range(5)))}) == 5

    asyncio.run(run())


def test_a_page_that_fails_its_maker_is_made_by_who_waits() -> None:
    """A request that breaks off takes none of those with it that wait for the same page."""

    async def run() -> None:
        pages = Pages(wait=asyncio.Event())
        cache = pages.cache()
        maker = asyncio.create_task(get(cache))
        await pages.arrived.wait()
        waiter = asyncio.create_task(get(cache))
        await asyncio.sleep(0.01)
        maker.cancel()
        assert pages.wait is not None
        pages.wait.set()
        assert (await waiter).body == b"page 2"
        assert maker.cancelled()

    asyncio.run(run())


def test_many_readers_share_a_look_at_the_versions() -> None:
    """Who comes while the store is asked waits for the next look: no page is older than its request."""

    async def run() -> None:
        pages = Pages()
        cache = pages.cache()
        await get(cache)
        pages.looks.clear()
        await asyncio.gather(*(get(cache, f"/seasons/{1 + at % 2}/ladder") for at in range(100)))
        assert len(pages.looks) <= 3
        assert set().union(*pages.looks) == {1, 2}

    asyncio.run(run())


def test_a_store_that_fails_fails_the_request_and_no_other() -> None:
    """The next request asks again."""

    async def run() -> None:
        pages = Pages()

        def broken(_seasons: set[int]) -> Mapping[int, tuple[int, ...]]:
            if len(pages.looks) < 1:
                pages.looks.append(set())
                raise OSError("no database")
            return pages.versions(_seasons)

        cache = PageCache(EntityTags(pages), versions=broken, clock=lambda: pages.now)
        with pytest.raises(OSError, match="no database"):
            await get(cache)
        assert (await get(cache)).body == b"page 1"

    asyncio.run(run())


def test_so_many_bytes_are_kept() -> None:
    """The pages used last stay, the others are made anew."""

    async def run() -> None:
        pages = Pages(body=b"x" * 1000 + b"%d")
        cache = pages.cache(limit=2600)
        first, second, third = ({"path": f"/seasons/{at}/ladder"} for at in (1, 2, 3))
        for one in (first, second, first, third, first, second):
            await get(cache, **one)
        assert pages.asked == [one["path"] for one in (first, second, third, second)]

    asyncio.run(run())


def test_a_reader_who_has_the_page_is_told_so() -> None:
    """The tag is that of what is sent; with it the answer is 304 without a body, by weak comparison, in lists too."""

    async def run() -> None:
        for app in (Pages().cache(), EntityTags(Pages(body=b"page"))):
            page = await get(app)
            tag = page.header(b"etag").decode()
            assert page.header(b"cache-control") == b"no-cache"
            for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
                told = await get(app, if_none_match=known)
                assert (told.status, told.body) == (304, b"")
                assert told.header(b"etag").decode() == tag
                assert not told.header(b"content-length")
            assert (await get(app, if_none_match='"other"')).status == 200

    asyncio.run(run())


def test_streams_and_private_pages_have_no_tag() -> None:
    """What has no length is passed on piece by piece, and what must not be stored is not tagged."""

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        await send({"type": "http.response.body", "body": b"two"})

    async def run() -> None:
        found = await get(EntityTags(stream))
        assert (found.body, found.header(b"etag")) == (b"onetwo", b"")
        private = await get(EntityTags(Pages(headers=[(b"cache-control", b"private, no-store")])))
        assert private.header(b"etag") == b""
        api = await get(EntityTags(Pages(headers=[(b"etag", b'"its own"')])))
        assert api.header(b"etag") == b'"its own"'

    asyncio.run(run())
