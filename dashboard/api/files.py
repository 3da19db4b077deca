"""What is asked for by programs and is no JSON: feeds, exports, logs as text, streams of events.

Owns how such an address is known, the media types, and what the OpenAPI document says of their answers. They go out as
they are made, however long they are; `dashboard.api.front` counts them, but for streams.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fastapi.responses import Response

_ENDINGS: Final = (".atom", ".csv", ".tar.gz", ".txt", "/events")
EVENTS: Final = "text/event-stream"


def may_be_file(path: str) -> bool:
    """Whether an address ends as one of a file or stream; a bot may be called so, too: the document tells."""
    return path.endswith(_ENDINGS) and not path.startswith("/static/")


class AtomFeed(Response):
    """An Atom feed (RFC 4287)."""

    media_type = "application/atom+xml"


class CsvFile(Response):
    """A table, with a line of heads."""

    media_type = "text/csv"


class Archive(Response):
    """A tar archive, packed by gzip."""

    media_type = "application/gzip"


class TextFile(Response):
    """Plain text."""

    media_type = "text/plain"


class EventStream(Response):
    """Server-sent events."""

    media_type = EVENTS


@dataclass(frozen=True, slots=True)
class FileKind:
    """What answers of a media type have: headers beside those of limits, a tag, words in a language."""

    subject: str
    headers: tuple[str, ...] = ()
    is_tagged: bool = False
    has_language: bool = False
    is_counted: bool = True


FILE_KINDS: Final[Mapping[str, FileKind]] = MappingProxyType(
    {
        "application/atom+xml": FileKind("Files", ("Content-Language", "ETag"), is_tagged=True, has_language=True),
        "text/csv": FileKind("Files", ("Content-Disposition",)),
        "application/gzip": FileKind("Files", ("Content-Disposition",)),
        "text/plain": FileKind("Files"),
        EVENTS: FileKind("Streams", has_language=True, is_counted=False),
    }
)
