"""Games of two players in PGN: who had which side, and the result; moves and comments are passed over.

Pure. Tags may come in any order and number, several on a line, with blank lines anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from league.errors import LeagueError

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_UNMARKED = re.compile(r'^\s*\[\s*(\w+)\s+"(.*)"\s*\]\s*$')
_ESCAPED = re.compile(r'\\(["\\])')

WHITE_AND_BLACK: Mapping[str, tuple[float, float]] = {
    "1-0": (1.0, 2.0),
    "0-1": (2.0, 1.0),
    "1/2-1/2": (1.0, 1.0),
    "1/2": (1.0, 1.0),
    "½-½": (1.0, 1.0),
    "0.5-0.5": (1.0, 1.0),
}
"""The places of White and Black by what the tag Result says; any other word is no result."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """The tags of one game, as they stand there, and the line of the first of them, from 1."""

    line: int
    tags: Mapping[str, str]


def games(lines: Iterable[str]) -> Iterator[Game]:
    """The games of lines of PGN.

    A game begins with a tag after moves, or with a tag that the game before has had already. Raises LeagueError when a
    comment does not end.
    """
    tags: dict[str, str] = {}
    first = comment = 0
    moves = False
    for number, text in enumerate(lines, 1):
        if comment:
            _, closed, rest = text.partition("}")
            comment = number if closed and _comment_stays_open(rest) else 0 if closed else comment
        elif found := _tags_of(text) if "[" in text and text.lstrip()[0] == "[" else None:
            for tag, value in found:
                if tags and (moves or tag in tags):
                    yield Game(line=first, tags=tags)
                    tags = {}
                first, moves = (first if tags else number), False
                tags[tag] = value
        elif "{" in text and text[0] != "%":
            moves = True
            comment = number if _comment_stays_open(text) else 0
        elif not moves:
            moves = not text.isspace() and text[0] != "%"
    if comment:
        raise LeagueError(f"line {comment}: the comment that begins here does not end: a }} is expected")
    if tags:
        yield Game(line=first, tags=tags)


def begins_with_tag(text: str) -> bool:
    """Whether a line begins with a tag."""
    return bool(_TAG.match(text) or _UNMARKED.match(text))


def _tags_of(text: str) -> list[tuple[str, str]]:
    """The tags on a line; where quotes within a value were not marked as such, the one tag that the line is."""
    return _TAG.findall(text) or _UNMARKED.findall(text)


def tag_text(value: str) -> str:
    """The value of a tag as it is meant: without the signs before quotes."""
    return _ESCAPED.sub(r"\1", value).strip() if "\\" in value else value.strip()


def _comment_stays_open(text: str) -> bool:
    """Whether a { of a line of moves has no } on it; what follows ; is a comment to the end of the line."""
    if text.rfind("}") > text.rfind("{"):
        return False
    while "{" in text:
        before, _, after = text.partition("{")
        if ";" in before:
            return False
        _, closed, text = after.partition("}")
        if not closed:
            return True
    return False
