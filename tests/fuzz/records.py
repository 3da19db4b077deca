"""Changed records at all that reads records: `king verify`, `king legal`, `king ask`, the replay pages, the league.

Owns what must hold: each answers with a verdict or a sentence that can be shown; and a record that passes as verified,
nothing left unchecked, says what the record that was played says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx

from dashboard.view_app import create_view_app
from king_cli.asking.positions import asked_position
from king_cli.errors import UsageError
from league.errors import LeagueError
from league.results import result_of
from referee.clock import TimeControl
from referee.rules import RulesError, legal_json, parse_record, parse_variant, record_text
from referee.verification import Verification, verify, verify_text, verify_thoroughly
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.mutation import change_json, change_json_text, json_bytes, odd_value
from tests.rules.records import cut, record_of

VARIANTS = ("russian-14", "turkish-20", "classic[redemption=praise,seats=3]", "classic[redemption=talon]", "auction-11")
NOT_COMPARED = frozenset({"match_id", "context", "detail", "ms", "asked_with", "by", "bot", "version", "forfeits"})
"""What nobody can work out anew. Of forfeits `king verify` knows only that what is told of them is possible."""

LONGEST_SENTENCE = 2000
_PAGES_AT_MOST = 4
_WORDS = (
    *(
        "7S",
        "KH",
        "AD",
        "TC",
        "1S",
        "XX",
        "S",
        "H",
        "D",
        "C",
        "play",
        "choose",
        "order",
        "pass",
        "bid",
        "give",
        "offer",
    ),
    *("keep", "misere", "by_last", "name_trump", "two_tricks_each", "bot", "forced", "stand_in", "no_tricks", "trumps"),
    *(
        "normal",
        "unfinished",
        "aborted",
        "timeout",
        "exit",
        "absent",
        "random/1",
        "random/2",
        "king-record/1",
        "0" * 64,
    ),
)


def changed_meaning(source: Any, changed: Any, path: str = "") -> str:
    """Where a record says another thing than the one it was made of, beside fields that were added; else empty."""
    if isinstance(source, dict):
        if not isinstance(changed, dict):
            return path or "the record"
        found = (
            changed_meaning(value, changed.get(name), f"{path}.{name}")
            for name, value in source.items()
            if name not in NOT_COMPARED
        )
        return next(filter(None, found), "")
    if isinstance(source, list):
        if not isinstance(changed, list) or len(changed) != len(source):
            return path
        found = (
            changed_meaning(one, other, f"{path}[{at}]")
            for at, (one, other) in enumerate(zip(source, changed, strict=True))
        )
        return next(filter(None, found), "")
    return "" if type(source) is type(changed) and source == changed else path


class Records:
    """The surface."""

    def __init__(self) -> None:
        self._records = _played()
        self._by_seed = {record["deal_seed"]: record for record in self._records}
        self._loop = asyncio.new_event_loop()
        self._pages = 0

    def seeds(self) -> Sequence[bytes]:
        """Records of whole matches, of matches cut short, without secrets, and earlier trouble."""
        whole = self._records[0]
        hidden = {**whole, "deal_secret": None, "deal_salt": None, "deal_seed": None}
        forged = json.loads(json.dumps(whole))
        for action in forged["deals"][0]["actions"]:
            action["by"] = "stand_in"
        return [
            *map(json_bytes, self._records),
            json_bytes(hidden),
            json_bytes(forged),
            json_bytes(whole | {"match_id": "\ud800"}),
            json_bytes(whole | {"players": [{**one, "bot": "\ud800\0"} for one in whole["players"]]}),
            json_bytes(whole | {"match_id": "../../etc/passwd"}),
            json_bytes(whole).replace(b'"ms":null', b'"ms":1e999').replace(b'"board":', b'"board":NaN,"b":'),
            json_bytes(whole).replace(b'"deals":', b'"deals":[],"deals":'),
            b"[" * 100_000,
            b'{"format":"king-record/1","deals":' + b"9" * 5000 + b"}",
            record_text(whole).encode("utf-16"),
            b"",
        ]

    def change(self, source: bytes, chance: Random) -> bytes:
        """A record with another value, or text that is none."""
        if chance.random() < 0.12:
            return change_json_text(source, chance)
        try:
            record = json.loads(source)
        except (ValueError, RecursionError):
            record = chance.choice(self._records)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            record = change_json(record, chance, _made)
        try:
            return json_bytes(record)
        except (ValueError, RecursionError):
            return source

    def attempt(self, given: bytes) -> str:
        """Hand it to everybody."""
        try:
            record = parse_record(given)
        except RulesError as error:
            return _shown(str(error))
        verdict = verify_thoroughly(record)
        if verify(record) != verdict or verify_text(given) != verdict:
            raise WrongAnswerError("a quick look at a record tells something else than a thorough one")
        self._check_verdict(record, verdict)
        said = [_shown(str(verdict.problems[0])) if verdict.problems else "ok", *map(_shown, verdict.unchecked)]
        said.append(_sentence_of(lambda: legal_json(record)))
        said.append(self._sentence_of_page(record))
        if not verdict.problems:
            self._take_for_league(record)
        return " | ".join(said)

    def _check_verdict(self, record: dict[str, Any], verdict: Verification) -> None:
        for problem in verdict.problems:
            _shown(str(problem))
        if verdict.problems or verdict.unchecked:
            return
        source = self._by_seed.get(record["deal_seed"])
        if source is None:
            raise WrongAnswerError("a record of other deals passes")
        place = changed_meaning(source, record)
        if place:
            raise WrongAnswerError(f"a record passes that was changed at {place}")

    def _sentence_of_page(self, record: dict[str, Any]) -> str:
        try:
            app = create_view_app(record)
        except RulesError as error:
            return _shown(str(error))
        control, deals = TimeControl(), len(record["deals"])
        said = _sentence_of(lambda: asked_position(record, deal=deals, number=1, control=control))
        self._loop.run_until_complete(_look(app, deals))
        return f"shown {said}"

    def _take_for_league(self, record: dict[str, Any]) -> None:
        variant = parse_variant(_id_of(record))
        try:
            result_of(record, range(record["seats"]), variant)
        except LeagueError as error:
            _shown(str(error))

    def close(self) -> None:
        """End what shows the pages."""
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


def _played() -> list[dict[str, Any]]:
    """Records with different deals: whole ones, and some of matches cut short."""
    whole = [record_of(variant, seed) for seed, variant in enumerate(VARIANTS, 1)]
    return [*whole, *(cut(record_of(variant, 20 + at), 1, 9) for at, variant in enumerate(VARIANTS))]


def _id_of(record: dict[str, Any]) -> str:
    options = record["options"].items()
    texts = (f"{name}={'+'.join(map(str, value)) if isinstance(value, list) else value}" for name, value in options)
    return f"{record['variant']}[{','.join(texts)}]" if options else str(record["variant"])


def _made(chance: Random) -> Any:
    return chance.choice(_WORDS) if chance.random() < 0.4 else odd_value(chance)


def _shown(sentence: str) -> str:
    """A sentence that a terminal and a page can show."""
    if not sentence.isprintable():
        raise WrongAnswerError(f"a sentence has what cannot be seen: {sentence[:300]!a}")
    if len(sentence) > LONGEST_SENTENCE:
        raise WrongAnswerError(f"a sentence of {len(sentence)} letters")
    return sentence


def _sentence_of(asked: Any) -> str:
    try:
        json.dumps(asked(), default=str, ensure_ascii=False).encode()
    except (RulesError, UsageError) as error:
        return _shown(str(error))
    return "ok"


async def _look(app: Any, deals: int) -> None:
    """Look at the pages of a record; what they raise goes through."""
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://view") as client:
        for path in ("/", f"/index.json?deal={deals}&play=3", f"/deals/{deals}.json?view=1", "/record.json"):
            answer = await client.get(path)
            if answer.status_code not in {200, 404}:
                raise WrongAnswerError(f"{path} answers {answer.status_code}")


@contextmanager
def open_records(_folder: Path) -> Iterator[Records]:
    """The surface needs nothing."""
    surface = Records()
    try:
        yield surface
    finally:
        surface.close()
