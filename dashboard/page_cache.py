"""Pages of a season's standings, kept ready to be sent for as long as nothing on them can have changed.

Owns which pages these are and when one is still right: it is of the newest version of its season's ladder, of the
newest list of seasons (a form names them), and of this minute (pages tell today from other days, and forecast an end).
One that differs by the minute alone is sent through the next minute, while it is made anew for those who come later;
and so is, of whatever version, a large one that took long to make, for a few times as long: with a result between any
two readers each would wait for one of his own else.
Each request is compared with the versions as the store has them after it came: one query tells those of all that wait.
Must not know what a page shows. Readers who are signed in get pages of their own, and never one from here.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from weakref import WeakKeyDictionary

import structlog
from anyio import to_thread
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.answers import Answer, Header, caught, header_of, without
from dashboard.encodings import takes_gzip
from dashboard.translate import pick_language
from dashboard.visitors import SESSION_COOKIE

KEPT_BYTES: Final = 64 * 2**20
_PAGES = re.compile(r"/seasons/([0-9]{1,9})/(?:ladder|crosstable|contracts)(?:\.json)?\Z")
_log = structlog.get_logger(__name__)
_CHOICES = ("language", "theme", "suits")
_DECIDING = frozenset({b"accept-encoding", b"accept-language", b"authorization", b"cookie"})
_SECRETS: Final = (b"authorization", SESSION_COOKIE.encode())
_REMEMBERED_BYTES: Final = 1000
"""Headers that are longer are read anew each time."""

COSTLY_S: Final = 1.0
COSTLY_BYTES: Final = 100 * 2**10
"""What took so long, and is as large as it is sent, may be sent while it is made anew."""
TIMES_AS_OLD: Final = 3
"""How old it may be then, in times of what it took."""

Key = tuple[str | bytes | bool, ...]
"""Which page, and for whom: address, language, the reader's choices, and whether it is compressed."""
Versions = Callable[[set[int]], Mapping[int, tuple[int, ...]]]
"""The versions of seasons by id, as the store has them now; of unknown seasons none."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a page was made of: the version of its season, and the minute."""

    version: tuple[int, ...]
    minute: datetime

    def may_do_for(self, newest: Stamp) -> bool:
        """Whether what has changed since is at most the minute, once and on the same day."""
        passed, is_today = newest.minute - self.minute, self.minute.date() == newest.minute.date()
        return self.version == newest.version and is_today and timedelta() <= passed <= timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Page:
    """An answer, what it was made of, how long that took, and when it began, by a clock that only counts."""

    stamp: Stamp
    answer: Answer
    took_s: float
    began_s: float

    @property
    def is_costly(self) -> bool:
        return self.took_s >= COSTLY_S and self.answer.size >= COSTLY_BYTES

    def may_be_sent(self, newest: Stamp, now_s: float) -> bool:
        """Whether a reader of now may have it."""
        if self.stamp.may_do_for(newest):
            return True
        is_young = now_s - self.began_s <= TIMES_AS_OLD * self.took_s
        return self.is_costly and is_young and self.stamp.minute.date() == newest.minute.date()


@dataclass(slots=True)
class _Kept:
    """Pages, the one used last at the end, within a bound of bytes."""

    limit: int
    _pages: OrderedDict[Key, _Page] = field(default_factory=OrderedDict)
    _bytes: int = 0

    def find(self, key: Key) -> _Page | None:
        known = self._pages.get(key)
        if known is not None:
            self._pages.move_to_end(key)
        return known

    def keep(self, key: Key, page: _Page) -> None:
        self._drop(key)
        self._pages[key] = page
        self._bytes += page.answer.size
        while self._bytes > self.limit:
            self._drop(next(iter(self._pages)))

    def _drop(self, key: Key) -> None:
        known = self._pages.pop(key, None)
        if known is not None:
            self._bytes -= known.answer.size


class _VersionDesk:
    """Tells versions to all who wait, by one look at the store; who comes while it looks waits for the next look."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._waiting: list[tuple[int, asyncio.Future[tuple[int, ...] | None]]] = []
        self._looking: asyncio.Task[None] | None = None

    async def version(self, season: int) -> tuple[int, ...] | None:
        """The version of a season that is at least as new as this call; None for an unknown one."""
        told: asyncio.Future[tuple[int, ...] | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((season, told))
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return await told

    async def _look(self) -> None:
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            try:
                found = await to_thread.run_sync(self._versions, {season for season, _told in waiting})
            except Exception as error:  # whoever waits gets it
                for _season, told in waiting:
                    if not told.done():
                        told.set_exception(error)
            else:
                for season, told in waiting:
                    if not told.done():  # else its reader has gone away
                        told.set_result(found.get(season))
        self._looking = None


class PageCache:
    """ASGI middleware, outside of all that makes pages: what it does not keep it passes on."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        versions: Versions,
        clock: Callable[[], datetime],
        limit: int = KEPT_BYTES,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._versions = versions
        self._clock = clock
        self._seconds = seconds
        self._kept = _Kept(limit)
        self._desks: WeakKeyDictionary[asyncio.AbstractEventLoop, _VersionDesk] = WeakKeyDictionary()
        self._making: dict[tuple[Key, Stamp], asyncio.Future[Answer | None]] = {}
        self._costly: dict[Key, asyncio.Future[Answer | None]] = {}
        """Of pages that are known to be costly, the latest making of each."""
        self._alone: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from what is kept, or pass a request on and keep what comes back."""
        season = _season_of(scope)
        key = None if season is None else _key_of(scope)
        if season is None or key is None:
            await self._app(scope, receive, send)
            return
        version = await self._desk().version(season)
        if version is None:
            await self._app(scope, receive, send)
            return
        stamp = Stamp(version, self._clock().replace(second=0, microsecond=0))
        known = self._kept.find(key)
        if known is None or not known.may_be_sent(stamp, self._seconds()):
            answer = await self._made(key, stamp, scope, receive)
        else:
            answer = known.answer
            if known.stamp != stamp:
                self._make_soon(key, stamp, scope)
        await answer.send(send, header_of(scope, b"if-none-match"))

    def _desk(self) -> _VersionDesk:
        loop = asyncio.get_running_loop()
        if loop not in self._desks:
            self._desks[loop] = _VersionDesk(self._versions)
        return self._desks[loop]

    def _make_soon(self, key: Key, stamp: Stamp, scope: Scope) -> None:
        """Has a page made that nobody waits for, unless it is being made."""
        if self._in_making(key, stamp) is None:
            making = asyncio.create_task(self._made_alone(key, stamp, scope))
            self._alone.add(making)
            making.add_done_callback(self._alone.discard)

    async def _made_alone(self, key: Key, stamp: Stamp, scope: Scope) -> None:
        try:
            await self._made(key, stamp, scope, _no_body)
        except Exception as error:  # in a minute somebody waits for it, and is told
            _log.warning("page not made anew", path=scope["path"], error=repr(error))

    async def _made(self, key: Key, stamp: Stamp, scope: Scope, receive: Receive) -> Answer:
        """Makes a page, while others who want the same wait for it; if it is none to be kept, each makes its own."""
        known = self._in_making(key, stamp)
        if known is not None and known.get_loop() is asyncio.get_running_loop():
            return await asyncio.shield(known) or await self._caught(scope, receive)
        making = asyncio.get_running_loop().create_future()
        self._making[key, stamp] = making
        former = self._kept.find(key)
        if former is not None and former.is_costly:
            self._costly[key] = making
        good: Answer | None = None
        began_s = self._seconds()
        try:
            answer = await self._caught(scope, receive)
            if _may_be_kept(answer):
                good = answer
                self._kept.keep(key, _Page(stamp, answer, self._seconds() - began_s, began_s))
            return answer
        finally:
            making.set_result(good)
            del self._making[key, stamp]
            if self._costly.get(key) is making:
                del self._costly[key]

    def _in_making(self, key: Key, stamp: Stamp) -> asyncio.Future[Answer | None] | None:
        """A page that is being made and will do: of this very stamp, or of whatever stamp where it takes long."""
        return self._making.get((key, stamp)) or self._costly.get(key)

    async def _caught(self, scope: Scope, receive: Receive) -> Answer:
        whole = {**scope, "headers": without(scope["headers"], b"if-none-match")}
        return await caught(self._app, whole, receive)


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _season_of(scope: Scope) -> int | None:
    """The season whose standings are asked for; None where it is another page, or sent to one."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    found = _PAGES.match(scope["path"])
    return int(found[1]) if found else None


def _key_of(scope: Scope) -> Key | None:
    """Which page for whom; None for readers who are signed in."""
    deciding = tuple([one for one in scope["headers"] if one[0] in _DECIDING])
    choices = (_choices_of if _may_be_remembered(deciding) else _choices_of.__wrapped__)(deciding)
    return None if choices is None else (scope.get("raw_path", b""), scope["query_string"], *choices)


def _may_be_remembered(headers: tuple[Header, ...]) -> bool:
    """Whether headers are short and hold no secret."""
    told = b"".join([name + value for name, value in headers])
    return len(told) <= _REMEMBERED_BYTES and not any(secret in told for secret in _SECRETS)


@lru_cache(maxsize=512)
def _choices_of(headers: tuple[Header, ...]) -> Key | None:
    """What a reader's headers choose, read as the page's makers read them; None for who is signed in."""
    request = Request({"type": "http", "headers": headers})
    cookies, asked = request.cookies, request.headers
    if SESSION_COOKIE in cookies or asked.get("authorization"):
        return None
    language = pick_language(asked.get("accept-language", ""))
    compressed = takes_gzip(", ".join(asked.getlist("accept-encoding")))
    return (language, *(cookies.get(name, "") for name in _CHOICES), compressed)


def _may_be_kept(answer: Answer) -> bool:
    cache_control = answer.header(b"cache-control")
    return (
        answer.status == 200
        and bool(answer.header(b"etag"))
        and not answer.header(b"set-cookie")
        and b"private" not in cache_control
        and b"no-store" not in cache_control
    )
