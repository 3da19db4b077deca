"""The form in which an answer goes out: whole, compressed, or as the word that nothing has changed.

Owns the choice between them. The compressed form has an entity tag of its own; a caller that has either is up to date.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

from dashboard.api.validators import compressed, form_held, tag_of
from dashboard.encodings import takes_gzip

COMPRESS_FROM_BYTES = 1000
_OF_THE_BODY = ("Content-Type", "Content-Length", "Content-Encoding")


@dataclass
class Held:
    """An answer that is held until it is whole."""

    status: int = 500
    headers: MutableHeaders = field(default_factory=MutableHeaders)
    body: bytes = b""
    has_begun: bool = False

    async def take(self, message: Message) -> None:
        """Takes what an application sends."""
        if message["type"] == "http.response.start":
            self.status, self.has_begun = message["status"], True
            self.headers, self.body = MutableHeaders(raw=list(message["headers"])), b""
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")

    async def go(self, send: Send, *, with_body: bool) -> None:
        """Sends it; to HEAD without its body."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers.raw})
        await send({"type": "http.response.body", "body": self.body if with_body else b""})

    @property
    def is_kept(self) -> bool:
        """Whether callers may keep it."""
        return self.status in {200, 304} and "no-store" not in self.headers.get("cache-control", "")


async def choose_form(held: Held, asked: Mapping[str, str]) -> None:
    """Tags the answer, by its bytes unless it has its version's tag, and brings it into the form that was asked for."""
    tag = held.headers.get("etag")
    if held.is_kept:
        held.headers.setdefault("Cache-Control", "no-cache")
        tag = tag or tag_of(held.body)
        had = form_held(asked.get("if-none-match", ""), tag)
        if had is not None or held.status == 304:
            _not_modified(held, had or tag)
            return
        held.headers["ETag"] = tag
    if takes_gzip(asked.get("accept-encoding", "")) and len(held.body) >= COMPRESS_FROM_BYTES:
        held.body = await to_thread.run_sync(_gzipped, held.body)
        held.headers["Content-Encoding"] = "gzip"
        if tag is not None:
            held.headers["ETag"] = compressed(tag)
    if held.status != 204:
        held.headers["Content-Length"] = str(len(held.body))


def _not_modified(held: Held, tag: str) -> None:
    held.status, held.body = 304, b""
    for name in _OF_THE_BODY:
        del held.headers[name]
    held.headers["ETag"] = tag


def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=6, mtime=0)
