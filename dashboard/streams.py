"""Server-sent events: how a stream of pieces goes to a reader, and when it ends.

Owns the shape of the events. Each reader is sent only the pieces that differ from those sent before; the first event
of a connection has them all, so whoever comes again (`Last-Event-ID`) lacks nothing.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi.responses import Response
from sse_starlette import EventSourceResponse, ServerSentEvent

SEPARATOR: Final = "\n"

PING_S: Final = 15
"""How often a silent stream says that it is there."""

SEND_TIMEOUT_S: Final = 10.0
"""A reader that takes nothing for so long is let go."""

COME_AGAIN_MS: Final = 2000
"""After how long a browser comes again."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """One moment of something that changes: its number, drawn pieces by name, and what a script needs beside them."""

    number: str
    pieces: Mapping[str, str]
    marks: Mapping[str, Any]
    last: bool = False


def stream(told: AsyncIterator[Pieces]) -> Response:
    """The answer that goes on until there is no more, the reader goes, or does not keep up."""
    return EventSourceResponse(_events(told), ping=PING_S, send_timeout=SEND_TIMEOUT_S, sep=SEPARATOR)


def nothing_more() -> Response:
    """Tells a browser not to come again."""
    return Response(status_code=204)


async def _events(told: AsyncIterator[Pieces]) -> AsyncIterator[ServerSentEvent]:
    sent: dict[str, str] = {}
    async for moment in told:
        changed = {name: piece for name, piece in moment.pieces.items() if sent.get(name) != piece}
        sent.update(changed)
        text = json.dumps({"pieces": changed, **moment.marks}, ensure_ascii=False, separators=(",", ":"))
        yield ServerSentEvent(text, event="state", id=moment.number, retry=COME_AGAIN_MS, sep=SEPARATOR)
        if moment.last:
            yield ServerSentEvent("{}", event="end", sep=SEPARATOR)
            return
