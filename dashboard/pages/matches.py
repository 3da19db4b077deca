"""A match as lists show it, and the page of a match that is not public yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.pages.replay import Where
from league.model import MatchRow, Progress, Season, Sitting


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
