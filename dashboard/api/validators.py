"""Entity tags: whether what a caller has is still what it would get.

Owns tags and their comparison. A tag is strong: it differs whenever a byte of the answer does, so the compressed form
of an answer has a tag of its own, with a mark at its end.
"""

from __future__ import annotations

import hashlib
import re

from fastapi import Request, Response

_TAG = re.compile(r'(?:W/)?("[^"]*")')
_COMPRESSED = "-gzip"


class NotModified(Exception):  # noqa: N818 – no error
    """Raised by a handler: what the caller has is good."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


def tag_of(content: bytes) -> str:
    """The tag of an answer's bytes, or of what they are made of."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def compressed(tag: str) -> str:
    """The tag of the compressed form."""
    return f'{tag[:-1]}{_COMPRESSED}"'


def form_held(tags: str, tag: str) -> str | None:
    """The tag of the form of an answer that a caller has, by its `If-None-Match`; None if it has none.

    Compared weakly, as RFC 9110 asks for that header.
    """
    if tags.strip() == "*":
        return tag
    named = _TAG.findall(tags)
    return next((form for form in (tag, compressed(tag)) if form in named), None)


def by_version(request: Request, response: Response, *parts: object) -> None:
    """Gives the answer the tag of a version: `parts` say all that it is made of, beside the address.

    For answers that cost much to make. Raises NotModified when the caller has that version.
    """
    made_of = "\n".join([request.app.version, request.url.path, request.url.query, *map(str, parts)])
    tag = tag_of(made_of.encode())
    if form_held(request.headers.get("if-none-match", ""), tag) is not None:
        raise NotModified(tag)
    response.headers["ETag"] = tag
