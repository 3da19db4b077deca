"""Results as JSON lines: a match, a player's row of one, or a whole record of a match of King on each line.

Pure. The names of fields are those of columns of CSV.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from league.errors import LeagueError
from league.open_results import NOT_GIVEN, Collector, Entry
from league.results import result_of
from league.results_text import COLUMNS, ResultsText
from referee.rules import RulesError, Variant, variant_with

RECORD_FORMAT = "king-record/1"

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonLines:
    """Reads JSON lines into a collector."""

    def __init__(self, text: ResultsText, collector: Collector) -> None:
        self._text = text
        self._collector = collector
        self._variants: dict[str, Variant] = {}
        self._rated = 0

    def read(self, lines: Iterable[str]) -> int | None:
        """Reads all lines; returns the deals of a match if records of King say it."""
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._read_line(self._object(line, number), number)
        if not self._variants:
            return None
        if self._rated:
            raise LeagueError("records of King and other matches are mixed: rate them apart")
        return next(iter(self._variants.values())).deal_count

    def _object(self, line: str, number: int) -> Mapping[str, Any]:
        try:
            value = json.loads(line, parse_constant=_refuse)
            if _ESCAPED_SURROGATE.search(line):
                json.dumps(value, ensure_ascii=False).encode()
        except RecursionError:
            self._text.fail(number, "its JSON is nested too deeply")
        except UnicodeEncodeError as error:
            self._text.fail(number, f"half of a surrogate pair, {error.object[error.start]!a}, is no letter of Unicode")
        except json.JSONDecodeError as error:
            at = min(error.pos, len(line.rstrip())) + 1
            self._text.fail(number, f"no JSON object on one line: {error.msg} at character {at}")
        except ValueError as error:
            self._text.fail(number, f"no JSON object on one line: {str(error).partition(';')[0]}")
        if not isinstance(value, dict):
            self._text.fail(number, f"a JSON object is expected on each line, not {type(value).__name__}")
        return value

    def _read_line(self, value: Mapping[str, Any], line: int) -> None:
        if value.get("format") == RECORD_FORMAT:
            self._read_record(value, line)
        elif "players" in value:
            self._rated += 1
            self._read_match(value, line)
        else:
            self._rated += 1
            name = self._word(value, "match", line)
            match = self._collector.match(name, self._board(value, line), line)
            self._collector.add_all(match, [self._entry(value, line)], line)

    def _read_match(self, value: Mapping[str, Any], line: int) -> None:
        players = value["players"]
        if not isinstance(players, list) or not all(isinstance(one, dict) for one in players):
            self._text.fail(line, 'players: a list such as [{"player": "a", "place": 1}, …] is expected')
        entries = [self._entry(one, line) for one in players]
        board = self._board(value, line)
        if _field(value, "match") is None:
            content = sorted((one.player, one.place, one.points) for one in entries)
            match = self._collector.unnamed_match(repr(content), board)
        else:
            match = self._collector.match(self._word(value, "match", line), board, line)
        if not entries:
            self._text.fail(line, "players is empty: a match has two players or more")
        self._collector.add_all(match, entries, line)

    def _entry(self, value: Mapping[str, Any], line: int) -> Entry:
        return Entry(
            player=self._word(value, "player", line),
            place=self._number(value, "place", line),
            points=self._number(value, "points", line),
        )

    def _word(self, value: Mapping[str, Any], column: str, line: int) -> str:
        word = _field(value, column)
        text = str(word).strip() if isinstance(word, (str, int)) and not isinstance(word, bool) else ""
        if not text:
            self._text.fail(line, f"{column} is {json.dumps(word)[:60]}: a name or a whole number is expected")
        return text

    def _board(self, value: Mapping[str, Any], line: int) -> str:
        return "" if _field(value, "board") is None else self._word(value, "board", line)

    def _number(self, value: Mapping[str, Any], column: str, line: int) -> float:
        number = _field(value, column)
        if number is None:
            return NOT_GIVEN
        if isinstance(number, bool) or not isinstance(number, (int, float)) or not abs(number) < math.inf:
            self._text.fail(line, f"{column} {json.dumps(number)[:60]}: a finite number such as 2 or -3.5 is expected")
        try:
            return float(number)
        except OverflowError:
            self._text.fail(line, f"{column} has {len(str(number))} digits: that is too much")

    def _read_record(self, record: Mapping[str, Any], line: int) -> None:
        try:
            if record["termination"]["kind"] != "normal":
                self._text.skip(f"the match is {record['termination']['kind']}", line)
                return
            self._add_record(record, self._variant_of(record, line), line)
        except RulesError as error:
            self._text.fail(line, str(error))
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, LeagueError):
                raise
            self._text.fail(line, f"no whole record of a match ({error!r}): `king verify` says what it lacks")

    def _variant_of(self, record: Mapping[str, Any], line: int) -> Variant:
        key = json.dumps([record["variant"], record["options"]], sort_keys=True)
        if key not in self._variants:
            self._variants[key] = variant_with(record["variant"], record["options"])
        if len(self._variants) > 1:
            one, other = (variant.id for variant in self._variants.values())
            self._text.fail(line, f"a record of {other} after records of {one}: ratings never mix variants")
        return self._variants[key]

    def _add_record(self, record: Mapping[str, Any], variant: Variant, line: int) -> None:
        labels = [f"{player['bot']} {player['version']}" for player in record["players"]]
        context = record["context"]
        board = "" if context["board"] is None else f"{context['season'] or ''}\0{context['board']:09}"
        located = {**record, "context": {"board": context["board"] or 0, "rotation": context["rotation"] or 0}}
        result = result_of(located, range(len(labels)), variant)
        entries = [
            Entry(player=label, place=place, points=score, forfeit_cost=variant.forfeit_points if gone else NOT_GIVEN)
            for label, place, score, gone in zip(labels, result.places, result.scores, result.forfeited, strict=True)
        ]
        self._collector.add_all(self._collector.match(record["match_id"], board, line), entries, line)


def _field(value: Mapping[str, Any], column: str) -> Any:
    return next((value[word] for word in COLUMNS[column] if value.get(word) is not None), None)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")
