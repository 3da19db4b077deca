"""Files of results at `king rate`: CSV, JSON lines and PGN.

Owns what must hold: a file is refused with one sentence, or rated; every number told is finite, every name is one that
the file has.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from league.errors import LeagueError
from league.open_ladder import Asked, rated_json
from league.results_file import read_results
from league.results_text import lines_of
from referee.rules import record_text
from tests.fuzz.engine import WrongAnswerError, check_sentence
from tests.fuzz.mutation import TEXTS, change_bytes, change_json, change_json_text, change_text, json_bytes
from tests.rules.records import record_of

MOST_BYTES = 20_000
_CSV = "match,board,player,place,points\n1,1,a,1,10\n1,1,b,2,-3\n2,1,b,1,4.5\n2,1,a,2,0\n3,2,a,1,1\n3,2,c,1,1\n"
_LINES = (
    '{"match":1,"players":[{"player":"a","place":1,"points":3},{"player":"b","place":2,"points":-1}]}\n'
    '{"match":"m","board":2,"player":"a","place":1}\n{"match":"m","board":2,"player":"b","place":1}\n'
)
_PGN = (
    '[Event "x"]\n[Round "1"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {comment} e5 1-0\n\n'
    '[White "b"]\n[Black "a"]\n[Result "1/2-1/2"]\n\n*\n'
)
_WORDS = (
    *(
        "match",
        "player",
        "place",
        "points",
        "board",
        "rank",
        "score",
        ",",
        ";",
        "\t",
        '"',
        '""',
        "\n",
        "\r",
        "\r\n",
        "1e308",
    ),
    *(
        "-1e308",
        "nan",
        "inf",
        "1_0",
        "[White",
        "[Result",
        '"1-0"]',
        '"0-1"]',
        "1/2-1/2",
        "{",
        "}",
        "(",
        "$1",
        "%",
        ";",
        "\\",
    ),
    *('{"match":', '"players":[]', "null", "9" * 400, "1e-320", "=", "\ufeff", "\x85", "\u2028"),
)


class Results:
    """The surface."""

    def __init__(self) -> None:
        self._record = record_of("russian-14", 3)

    def seeds(self) -> Sequence[bytes]:
        """Good files of each form, and odd ones."""
        record = record_text(self._record)
        texts = [
            *(_CSV, _LINES, _PGN, _CSV.replace(",", ";"), _CSV.replace(",", "\t"), _CSV.replace("\n", "\r"), record),
            *(
                record + record.replace('"match_id":"', '"match_id":"2'),
                "",
                "\n\n",
                "[",
                "{",
                "[[]]",
                '"',
                "match",
                "\ufeff",
            ),
            *(
                _CSV.replace("10", word)
                for word in ("nan", "1e999", "1e308", "-1e308", "5e-324", "9" * 5000, "0x1", "٣")
            ),
            *(_CSV.replace("a", text) for text in TEXTS[:20]),
            "match,player,place\n" + "".join(f"{n},p{n % 7},{n % 3}\n" for n in range(40)),
            "match,player,points\n" + "".join(f"{n // 2},p{n % 50},{n}\n" for n in range(100)),
        ]
        return [text.encode("utf-8", "replace") for text in texts] + [
            _CSV.encode("utf-16"),
            _PGN.encode() + b"\xff",
            b"\0",
        ]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another text, other values in its lines, or bytes that are no text."""
        kind = chance.randrange(4)
        if kind == 0:
            return change_bytes(source, chance, tuple(word.encode("utf-8", "replace") for word in _WORDS))[:MOST_BYTES]
        if kind == 1 and source.startswith(b"{"):
            return _change_line(source, chance)
        text = source.decode("utf-8", "replace")
        for _ in range(chance.choice((1, 2, 4))):
            text = change_text(text, chance, _WORDS)[:MOST_BYTES]
        return text.encode("utf-8", "replace")[:MOST_BYTES]

    def attempt(self, given: bytes) -> str:
        """Read it as it looks, and rate it."""
        try:
            results = read_results(lines_of(io.BytesIO(given)), name="FILE", board_tag=None)
            answer = rated_json(results, Asked())
        except LeagueError as error:
            return check_sentence(str(error), most=3000)
        _check_finite(answer)
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        notes = " ".join(map(str, answer.get("notes", ())))
        return f"rated {len(results.players)} {check_sentence(notes, most=3000)}"


def _change_line(source: bytes, chance: Random) -> bytes:
    lines = source.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        lines[at] = json_bytes(change_json(json.loads(lines[at]), chance))
    except (ValueError, RecursionError):
        lines[at] = change_json_text(lines[at], chance)
    return b"\n".join(lines)


def _check_finite(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise WrongAnswerError(f"a number of the answer is {value}")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        _check_finite(each)


@contextmanager
def open_results(_folder: Path) -> Iterator[Results]:
    """The surface needs nothing."""
    yield Results()
