"""The list of matches: what a reader asks for, checked, and the page of what was found.

Owns which questions there are and what an address of the list means. Finding is the store's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta

from dashboard.errors import AddressError
from dashboard.pages.matches import Result, results_of
from league.model import FaultKind, MatchRow, Season
from league.store.match_lists import ListedMatch

PLACES = ("1", "2", "3", "4")
ANY_FAULT = "any"


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the query of the list asks, as texts; empty: does not matter.

    `season` is an id or name, `bot` and `opponent` names; `place` is the bot's, `fault` a kind or "any"; `since` and
    `until` are days, both included.
    """

    season: str = ""
    bot: str = ""
    opponent: str = ""
    variant: str = ""
    place: str = ""
    fault: str = ""
    since: str = ""
    until: str = ""

    def query(self) -> Mapping[str, str]:
        """The query that asks the same."""
        texts = {field.name: str(getattr(self, field.name)) for field in fields(self)}
        return {name: text for name, text in texts.items() if text}


def fault_kinds(text: str) -> tuple[FaultKind, ...]:
    """The kinds of fault asked for.

    Raises:
        AddressError: naming the kinds there are.
    """
    if text == ANY_FAULT:
        return tuple(FaultKind)
    if text and text not in set(FaultKind):
        there = ", ".join((*FaultKind, ANY_FAULT))
        raise AddressError(_("fault=%(text)s is no kind of fault: use %(there)s"), text=text, there=there)
    return (FaultKind(text),) if text else ()


def place_asked(question: Question) -> int | None:
    """The place asked for.

    Raises:
        AddressError: if it is none, or nobody's.
    """
    if not question.place:
        return None
    if question.place not in PLACES:
        raise AddressError(_("place=%(text)s is no place: use 1 to 4"), text=question.place)
    if not question.bot:
        raise AddressError(_("place=%(text)s is a place of a bot: say which with bot=…"), text=question.place)
    return int(question.place)


def day(text: str, name: str, *, end: bool = False) -> datetime | None:
    """The beginning of a day (UTC), or its end.

    Raises:
        AddressError: if it is no day.
    """
    if not text:
        return None
    try:
        found = datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        return found + timedelta(days=1) if end else found
    except (ValueError, OverflowError):
        sentence = _("%(name)s=%(text)s is no day: write it as 2026-11-29")
        raise AddressError(sentence, name=name, text=text) from None


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the list: results in the order of places. `key`: the list can be gone on with after it."""

    key: int
    match_id: str
    season: int
    season_name: str
    number: int
    board: int
    rotation: int
    results: tuple[Result, ...]
    public: bool
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a select: value and text."""

    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What the form's selects offer: seasons, variants, names of bots."""

    seasons: Sequence[Season]
    variants: Sequence[str]
    bots: Sequence[str]


@dataclass(frozen=True, slots=True)
class MatchList:
    """The model of the page. `older` is the key to go on with; None at the end. `season`: the only one asked for."""

    season: Season | None
    question: Question
    seasons: tuple[Choice, ...]
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    rows: tuple[Line, ...]
    older: int | None


def line(found: ListedMatch, seasons: Mapping[int, Season]) -> Line:
    """A match as the list shows it."""
    row: MatchRow = found.match
    return Line(
        key=found.key,
        match_id=row.match_id,
        season=row.season,
        season_name=seasons[row.season].name,
        number=row.number,
        board=row.board,
        rotation=row.rotation,
        results=results_of(row),
        public=row.public,
        ended_at=row.ended_at,
    )


def match_list(
    season: Season | None,
    question: Question,
    offered: Offered,
    rows: Sequence[ListedMatch],
    seasons: Mapping[int, Season],
    older: int | None,
) -> MatchList:
    """The page of what was found; `seasons`: those of the rows by id."""
    return MatchList(
        season=season,
        question=question,
        seasons=tuple(Choice(str(one.id), f"{one.name} · {one.variant}") for one in offered.seasons),
        variants=tuple(offered.variants),
        bots=tuple(offered.bots),
        rows=tuple(line(row, seasons) for row in rows),
        older=older,
    )
