"""Lists of matches, and the page of a match that is not public yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.pages.replay import Where
from league.model import Entrant, MatchRow, Progress, Season, Sitting


@dataclass(frozen=True, slots=True)
class Result:
    """A bot's part of a match, or of a board's rotation."""

    label: str
    points: int
    place: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A row of the list: results in the order of places."""

    match_id: str
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


@dataclass(frozen=True, slots=True)
class MatchList:
    """The model of the page. `older` is the number to page on from; None at the end."""

    season: Season | None
    seasons: tuple[Choice, ...]
    bots: tuple[Choice, ...]
    bot: str
    rows: tuple[ListedMatch, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class NotPublic:
    """A match whose cards are not shown yet: its result, and how far its set of boards is."""

    where: Where
    season: Season
    results: tuple[Result, ...]
    ended_at: datetime
    set_stored: int
    set_planned: int
    progress: Progress


def results_of(row: MatchRow) -> tuple[Result, ...]:
    """The results of a match, best place first."""
    forfeited = {forfeit.seat for forfeit in row.forfeits}
    by_seat = [
        Result(label=label, points=row.totals[seat], place=row.places[seat], forfeited=seat in forfeited)
        for seat, label in enumerate(row.labels)
    ]
    return tuple(sorted(by_seat, key=lambda result: result.place))


def listed(row: MatchRow) -> ListedMatch:
    """A match as lists show it."""
    return ListedMatch(row.match_id, row.number, row.board, row.rotation, results_of(row), row.public, row.ended_at)


def match_list(
    season: Season | None,
    seasons: Sequence[Season],
    entrants: Sequence[Entrant],
    rows: Sequence[MatchRow],
    bot: Entrant | None,
    last: MatchRow | None,
) -> MatchList:
    """The page of a season's matches, of one bot where `bot` is given; `last` is the row to page on from."""
    return MatchList(
        season=season,
        seasons=tuple(Choice(str(one.id), f"{one.name} · {one.variant}") for one in seasons),
        bots=tuple(Choice(entrant.label, entrant.label) for entrant in entrants),
        bot=bot.label if bot else "",
        rows=tuple(listed(row) for row in rows),
        older=last.number if last else None,
    )


def not_public(
    row: MatchRow, season: Season, where: Where, sittings: Sequence[Sitting], progress: Progress
) -> NotPublic:
    """The page of a match while its set of boards is being played."""
    return NotPublic(
        where=where,
        season=season,
        results=results_of(row),
        ended_at=row.ended_at,
        set_stored=sum(sitting.stored_count for sitting in sittings),
        set_planned=sum(sitting.match_count for sitting in sittings),
        progress=progress,
    )
