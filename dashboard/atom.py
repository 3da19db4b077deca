"""Atom feeds (RFC 4287): entries in, a document out.

Owns the format. Ids are made from what an entry is about, so that they stay when addresses or hosts change.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree as Tree

from dashboard.times import iso

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_XML_SPACE = frozenset("\t\n\r")
_IDS = uuid.UUID("4c5a3d0e-5a7b-5d55-9a39-0e6f2f1f3c11")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One thing that happened. `about` names it for its id; `link` is a path of this site."""

    about: str
    title: str
    text: str
    link: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: `about` names it for its id, `link` is the page it belongs to, `own_link` where it is itself."""

    about: str
    title: str
    link: str
    own_link: str
    updated: datetime
    entries: Sequence[FeedEntry]


def stable_id(about: str) -> str:
    """The id of what a text names, the same for ever: a UUID of version 5."""
    return uuid.uuid5(_IDS, about).urn


def document(feed: Feed, *, base: str, language: str) -> bytes:
    """The feed as XML in UTF-8; `base` is what paths are appended to, such as "https://example.org"."""
    Tree.register_namespace("", _ATOM)
    root = Tree.Element(_tag("feed"), {"xml:lang": language})
    _text(root, "id", stable_id(feed.about))
    _text(root, "title", feed.title)
    _text(root, "updated", iso(feed.updated))
    author = Tree.SubElement(root, _tag("author"))
    _text(author, "name", "King Arena")
    _link(root, "self", base + feed.own_link, MEDIA_TYPE)
    _link(root, "alternate", base + feed.link, "text/html")
    for entry in feed.entries:
        _entry(root, entry, base)
    written: bytes = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _entry(root: Tree.Element, entry: FeedEntry, base: str) -> None:
    element = Tree.SubElement(root, _tag("entry"))
    _text(element, "id", stable_id(entry.about))
    _text(element, "title", entry.title)
    _text(element, "updated", iso(entry.updated))
    _link(element, "alternate", base + entry.link, "text/html")
    _text(element, "content", entry.text)


def _tag(name: str) -> str:
    return f"{{{_ATOM}}}{name}"


def _text(parent: Tree.Element, name: str, text: str) -> None:
    """A child with a text, without the control characters that XML cannot hold."""
    element = Tree.SubElement(parent, _tag(name), {"type": "text"} if name in {"title", "content"} else {})
    element.text = "".join(letter for letter in text if letter in _XML_SPACE or _is_xml(ord(letter)))


def _is_xml(code: int) -> bool:
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def _link(parent: Tree.Element, relation: str, address: str, media_type: str) -> None:
    Tree.SubElement(parent, _tag("link"), {"rel": relation, "href": address, "type": media_type})
