"""Whole answers as ASGI messages: caught from an application, and sent.

Owns entity tags of pages and feeds: a hash of what is sent, so that a reader who has it already is told so in a few
bytes. Must not know what a page shows. Streams, which say no length, pass through untouched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Header = tuple[bytes, bytes]

_TAGGED = (b"text/html", b"application/json", b"application/atom+xml")
_OF_BODY = frozenset({b"content-length", b"content-type", b"content-encoding"})
MUST_ASK = b"no-cache"
"""A browser may keep a page, and asks whether it is still the one before it shows it again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: status, headers by names in lower case, and body."""

    status: int
    headers: tuple[Header, ...]
    body: bytes

    def header(self, name: bytes) -> bytes:
        """The first header of this name; empty without one."""
        return next((value for key, value in self.headers if key == name), b"")

    @property
    def size(self) -> int:
        """About how many bytes it takes to keep."""
        return len(self.body) + sum(len(name) + len(value) for name, value in self.headers)

    def tagged(self) -> Answer:
        """The same with a tag of its body, and a word that caches must ask; what has such words keeps them."""
        added: list[Header] = []
        if not self.header(b"etag"):
            added.append((b"etag", b'"%s"' % hashlib.sha256(self.body).hexdigest()[:32].encode()))
        if not self.header(b"cache-control"):
            added.append((b"cache-control", MUST_ASK))
        return Answer(self.status, (*self.headers, *added), self.body)

    def not_modified(self) -> Answer:
        """That what the reader has is still right."""
        return Answer(304, tuple(one for one in self.headers if one[0] not in _OF_BODY), b"")

    def is_known(self, if_none_match: bytes) -> bool:
        """Whether a reader with these tags has it: by weak comparison, as for reading."""
        tag = self.header(b"etag").removeprefix(b"W/")
        known = [one.strip().removeprefix(b"W/") for one in if_none_match.split(b",")]
        return bool(tag) and (tag in known or b"*" in known)

    async def send(self, send: Send, if_none_match: bytes = b"") -> None:
        """Sends it, or that the reader has it."""
        told = self.not_modified() if if_none_match and self.is_known(if_none_match) else self
        await send({"type": "http.response.start", "status": told.status, "headers": list(told.headers)})
        await send({"type": "http.response.body", "body": told.body})


def header_of(scope: Scope, name: bytes) -> bytes:
    """All values of a request's header, joined by commas (cookies by semicolons); empty without one."""
    found = [value for key, value in scope["headers"] if key == name]
    return (b"; " if name == b"cookie" else b", ").join(found)


def without(headers: Iterable[Header], name: bytes) -> list[Header]:
    """The headers but those of one name."""
    return [one for one in headers if one[0] != name]


async def caught(app: ASGIApp, scope: Scope, receive: Receive) -> Answer:
    """What an application answers, which must end."""
    started: Message = {}
    parts: list[bytes] = []

    async def catch(message: Message) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(scope, receive, catch)
    return Answer(started["status"], tuple(started["headers"]), b"".join(parts))


class EntityTags:
    """ASGI middleware: pages, twins and feeds have tags, and a reader who has the page is told so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; tag what comes back if it is a whole page that may be kept."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        tags = header_of(scope, b"if-none-match")
        waiting: list[Message] = []

        async def tag(message: Message) -> None:
            if message["type"] == "http.response.start" and _may_be_tagged(message):
                waiting.append(message)
            elif not waiting:
                await send(message)
            elif message.get("more_body"):
                waiting.append(message)
            else:
                start, *bodies = [*waiting, message]
                body = b"".join(one.get("body", b"") for one in bodies)
                await Answer(start["status"], tuple(start["headers"]), body).tagged().send(send, tags)

        await self._app(scope, receive, tag)


def _may_be_tagged(start: Message) -> bool:
    headers = dict(start["headers"])
    return (
        start["status"] == 200
        and b"content-length" in headers
        and headers.get(b"content-type", b"").partition(b";")[0] in _TAGGED
        and b"no-store" not in headers.get(b"cache-control", b"")
    )
