"""Results as CSV with a header: one row for each player of each match.

Pure. Commas, semicolons or tabs; columns in any order; columns that nobody asked for are passed over.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from league.open_results import NOT_GIVEN, Collector
from league.results_text import COLUMNS, ResultsText, columns_in, plain_name

DELIMITERS = ",;\t"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where in a row each column is, from 0, None if there is none; `last` is the last of those that are read."""

    match: int
    player: int
    board: int | None
    place: int | None
    points: int | None
    last: int


class ResultsTable:
    """CSV with a header: one row for each player of each match."""

    def __init__(self, text: ResultsText, collector: Collector) -> None:
        self._text = text
        self._collector = collector

    def read(self, lines: Iterable[str]) -> None:
        """Reads the header, then all rows."""
        plain = iter(lines)
        before, header = next((at, line) for at, line in enumerate(plain, 1) if line.strip())
        delimiter = max(DELIMITERS, key=lambda each: len(columns_in(_split(header, each))))
        names = _split(header, delimiter)
        columns = self._columns(names, before)
        reader = csv.reader(plain, delimiter=delimiter, strict=True, skipinitialspace=True)
        try:
            for row in reader:
                self._read_row(row, columns, len(names), before + reader.line_num)
        except csv.Error as error:
            self._text.fail(before + reader.line_num, f"no CSV: {error}")

    def _columns(self, names: Sequence[str], line: int) -> Columns:
        at = columns_in(names)
        lacking = [column for column in ("match", "player") if column not in at]
        if "place" not in at and "points" not in at:
            lacking.append("place or points")
        found = ", ".join(repr(name.strip()) for name in names[:12])
        if not at:
            self._text.fail(
                line, f"a header such as match,player,place or match,player,points is expected, not {found}"
            )
        if lacking:
            self._text.fail(line, f"the header lacks {', and '.join(lacking)}: it has {found}")
        doubled = [name for name, count in Counter(map(plain_name, names)).items() if count > 1 and name in COLUMNS]
        if doubled:
            self._text.fail(line, f"the header names {doubled[0]!r} twice")
        return Columns(
            match=at["match"],
            player=at["player"],
            board=at.get("board"),
            place=at.get("place"),
            points=at.get("points"),
            last=max(at.values()),
        )

    def _read_row(self, row: list[str], columns: Columns, width: int, line: int) -> None:
        if len(row) != width and (len(row) <= columns.last or any(map(str.strip, row[width:]))):
            if any(map(str.strip, row)):
                self._text.fail(line, f"{len(row)} cells, where the header has {width}")
            return
        name, player = row[columns.match].strip(), row[columns.player].strip()
        if not name or not player:
            if any(map(str.strip, row)):
                self._text.fail(line, f"{'player' if name else 'match'} is empty: each row names both")
            return
        board = "" if columns.board is None else row[columns.board].strip()
        place = "" if columns.place is None else row[columns.place].strip()
        points = "" if columns.points is None else row[columns.points].strip()
        self._collector.add(
            self._collector.match(name, board, line),
            player,
            self._number(place, "place", line) if place else NOT_GIVEN,
            self._number(points, "points", line) if points else NOT_GIVEN,
            line,
        )

    def _number(self, text: str, what: str, line: int) -> float:
        try:
            value = float(text)
        except ValueError:
            value = NOT_GIVEN
        if not math.isfinite(value) or "_" in text:
            self._text.fail(line, f"{what} {text.strip()[:60]!r}: a finite number such as 2 or -3.5 is expected")
        return value


def _split(header: str, delimiter: str) -> list[str]:
    return next(csv.reader([header], delimiter=delimiter, skipinitialspace=True), [])
