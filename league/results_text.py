"""The text of a file of results, and what those who read it have in common.

Pure. Owns line numbers, the names of columns, and what was left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import BinaryIO, NoReturn

from league.errors import LeagueError

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "match": ("match", "match_id", "game", "game_id"),
    "board": ("board", "board_id"),
    "player": ("player", "bot"),
    "place": ("place", "rank"),
    "points": ("points", "score"),
}
"""The columns of CSV and fields of JSON that are read, and the names each may have."""
NOT_UTF8 = "not all of it is UTF-8: the other lines were read as Latin-1"

LONGEST_LINE = 16 << 20

_LONGEST_TEXT = 1000
"""A longer text of an error is one with a whole line of the file in it."""

_REASONS = 10
_MORE_REASONS = "for other reasons of these kinds"
"""Why all matches are left out whose reasons are too many to tell."""

_READ_AT_ONCE = 1 << 20

_NO_TEXT = "there is a zero byte: results are text, as CSV, JSON lines or PGN"
_TOO_LONG = f"the line has more than {LONGEST_LINE >> 20} MiB: results are CSV, JSON lines or PGN"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class ResultsFormat(StrEnum):
    """How a file says results."""

    CSV = "csv"
    JSON_LINES = "jsonl"
    PGN = "pgn"


FORMAT_NAMES: Mapping[ResultsFormat, str] = {
    ResultsFormat.CSV: "CSV",
    ResultsFormat.JSON_LINES: "JSON lines",
    ResultsFormat.PGN: "PGN",
}


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file of results, with what ends them: a line feed, a carriage return, or both.

    A line longer than LONGEST_LINE is cut somewhere behind that.
    """
    rest = b""
    while part := file.read(_READ_AT_ONCE):
        *whole, rest = (rest + part).splitlines(keepends=True)
        yield from whole
        if rest.endswith(b"\n") or len(rest) > LONGEST_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest


def plain_name(name: str) -> str:
    """The name of a column as it is looked for."""
    return name.strip().lower()


def columns_in(names: Sequence[str]) -> dict[str, int]:
    """Where the columns are, by the names that they may have, the first one of which comes before others."""
    at = {plain_name(name): number for number, name in reversed(list(enumerate(names)))}
    found: dict[str, int] = {}
    for column, words in COLUMNS.items():
        for word in words:
            if word in at:
                found[column] = at[word]
                break
    return found


class ResultsText:
    """The text of a file, and what there is to say of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._skipped: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        self._notes: list[str] = []
        self._latin = False

    def lines(self, lines: Iterable[bytes]) -> Iterator[str]:
        """The lines as text. Those that are not UTF-8 are Latin-1, as older PGN is."""
        for number, line in enumerate(lines, 1):
            if number == 1:
                if line.startswith(_UTF16):
                    self.fail(1, "the text is UTF-16: save it as UTF-8")
                line = line.removeprefix(b"\xef\xbb\xbf")  # noqa: PLW2901
            if b"\0" in line or len(line) > LONGEST_LINE:
                self.fail(number, _NO_TEXT if b"\0" in line else _TOO_LONG)
            try:
                yield line.decode()
            except UnicodeDecodeError:
                self._latin = True
                yield line.decode("latin-1")

    def fail(self, line: int, text: str) -> NoReturn:
        """Raises the error of a line."""
        shown = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"
        raise LeagueError(f"{self.name}: line {line}: {shown}")

    def skip(self, why: str, line: int) -> None:
        """Leaves a match out, and remembers why, if there are not too many reasons."""
        if len(self._skipped) >= _REASONS and why not in self._skipped:
            why = _MORE_REASONS
        self._skipped[why] += 1
        self._first.setdefault(why, line)

    def note(self, sentence: str) -> None:
        """Remembers something to say of the results."""
        self._notes.append(sentence)

    def all_notes(self) -> tuple[str, ...]:
        """What was left out, in sentences."""
        skipped = (
            f"{count} {'match' if count == 1 else 'matches'} left out: {why} (the first in line {self._first[why]})"
            for why, count in self._skipped.items()
        )
        return (*skipped, *self._notes, *([NOT_UTF8] if self._latin else []))
