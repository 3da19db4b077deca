"""Paging by cursors: lists are read a part at a time, and nobody misses an item because others came in meanwhile.

Owns cursors and the links to the next part. A cursor holds the key of the last item seen and a check over that key and
the list it belongs to: a made-up one, or one of another list, is refused. It holds nothing secret and needs no key.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Query, Request, Response
from pydantic import BaseModel, Field

from dashboard.api.models.common import LARGEST_ID
from dashboard.api.problems import ProblemError, ProblemKind, ProblemPart

LIMIT_DEFAULT = 50
LIMIT_AT_MOST = 200
_CHECK_BYTES = 9
_VERSION = 1
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_PAGING = frozenset({"cursor", "limit"})
Key = tuple[int | str, ...]
_Item = TypeVar("_Item")
_Row = TypeVar("_Row")


class Part(BaseModel, Generic[_Item]):
    """A part of a list."""

    items: list[_Item] = Field(description="The items of this part, in the list's order.")
    next: str | None = Field(
        description="The address of the next part, with the same filters; null at the end of the list.",
        json_schema_extra={"format": "uri-reference"},
    )


def _check(scope: str, key: bytes) -> bytes:
    return hashlib.sha256(scope.encode() + b"\n" + key).digest()[:_CHECK_BYTES]


def write_cursor(scope: str, key: Sequence[int | str]) -> str:
    """The cursor after the item with a key, in the list `scope`."""
    text = json.dumps([_VERSION, *key], separators=(",", ":")).encode()
    return urlsafe_b64encode(_check(scope, text) + text).decode().rstrip("=")


def read_cursor(scope: str, cursor: str) -> Key:
    """The key that a cursor holds.

    Raises:
        ProblemError: if it is no cursor of the list `scope`.
    """
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (binascii.Error, ValueError):
        raise _not_of_this_list() from None
    check, text = raw[:_CHECK_BYTES], raw[_CHECK_BYTES:]
    if check != _check(scope, text):
        raise _not_of_this_list()
    try:
        version, *key = json.loads(text)
    except (TypeError, ValueError):
        raise _not_of_this_list() from None
    if version != _VERSION or not all(map(_is_of_key, key)):
        raise _not_of_this_list()
    return tuple(key)


def _is_of_key(one: object) -> bool:
    """Whether the store could have it as a part of a key: anybody can make the check of a cursor."""
    if isinstance(one, str):
        return _NO_TEXT.search(one) is None
    return type(one) is int and 0 <= one <= LARGEST_ID


def _not_of_this_list() -> ProblemError:
    told = "cursor is none of this list with these filters: take next of the part before, or begin without a cursor"
    return ProblemError(ProblemKind.INVALID_CURSOR, told, (ProblemPart(detail=told, parameter="cursor"),))


@dataclass(frozen=True)
class Paging:
    """Which part of a list is asked for: `limit` items after the one with `key` (None: from the beginning)."""

    request: Request
    limit: int
    key: Key | None

    def part(
        self, response: Response, rows: Sequence[_Row], key: Callable[[_Row], Key], show: Callable[[_Row], _Item]
    ) -> Part[_Item]:
        """The answer, from up to `limit` + 1 rows; the one too many tells that there is a next part."""
        shown = rows[: self.limit]
        following = self._address(key(shown[-1])) if len(rows) > self.limit else None
        if following is not None:
            response.headers["Link"] = f'<{following}>; rel="next"'
        return Part(items=[show(row) for row in shown], next=following)

    def slice(self, response: Response, rows: Sequence[_Row], show: Callable[[_Row], _Item]) -> Part[_Item]:
        """The answer from all rows of a short list, in a fixed order; the key is the place in it."""
        start = self.first_key() if self.key is not None else 0
        numbered = list(enumerate(rows, start=1))[start : start + self.limit + 1]
        return self.part(response, numbered, lambda row: (row[0],), lambda row: show(row[1]))

    def first_key(self) -> int:
        """The key, which is one whole number.

        Raises:
            ProblemError: if it is none.
        """
        if self.key is not None and len(self.key) == 1 and isinstance(self.key[0], int):
            return self.key[0]
        raise _not_of_this_list()

    def first_text(self) -> str:
        """The key, which is one text.

        Raises:
            ProblemError: if it is none.
        """
        if self.key is not None and len(self.key) == 1 and isinstance(self.key[0], str):
            return self.key[0]
        raise _not_of_this_list()

    def pair(self) -> tuple[int, int] | None:
        """The key as two whole numbers; None from the beginning.

        Raises:
            ProblemError: if it is neither.
        """
        if self.key is None:
            return None
        first, second = self.key[0], self.key[-1]
        if len(self.key) == 2 and isinstance(first, int) and isinstance(second, int):
            return first, second
        raise _not_of_this_list()

    def number(self) -> int | None:
        """The key as one whole number; None from the beginning."""
        return None if self.key is None else self.first_key()

    def _address(self, key: Key) -> str:
        query = [(name, value) for name, value in self.request.query_params.multi_items() if name != "cursor"]
        query.append(("cursor", write_cursor(_scope(self.request), key)))
        return f"{_path(self.request)}?{urlencode(query)}"


def _path(request: Request) -> str:
    return str(request.scope["raw_path"], "ascii").partition("?")[0]


def _scope(request: Request) -> str:
    kept = sorted((name, value) for name, value in request.query_params.multi_items() if name not in _PAGING)
    return f"{_path(request)}?{urlencode(kept)}"


def paging(
    request: Request,
    limit: Annotated[
        int, Query(ge=1, le=LIMIT_AT_MOST, description="How many items a part has at most.")
    ] = LIMIT_DEFAULT,
    cursor: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=600,
            pattern=r"^[A-Za-z0-9_-]+$",
            description="Where to go on: as `next` of the part before has it. Opaque; good for the same filters only.",
        ),
    ] = None,
) -> Paging:
    """The part that a request asks for.

    Raises:
        ProblemError: if the cursor is none of the list.
    """
    return Paging(request, limit, None if cursor is None else read_cursor(_scope(request), cursor))
