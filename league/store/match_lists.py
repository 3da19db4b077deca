"""Lists of matches, the one stored last first, a part at a time.

Owns which matches are wanted and in which order they are found. A season's matches are read along its numbers, and
those of several seasons are merged: a part costs as much in a store of a million matches as in a small one, and a bot
that is at every fiftieth table costs a few thousand looks by key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Executable, Row, Select, Text, cast, exists, or_, select, union_all

from league.model import FaultKind, MatchRow
from league.store.rows import select_matches
from league.store.schema import board_sets, bot_versions, bots, entrants, match_players, matches, seasons

SEASONS_AT_ONCE: Final = 32
"""So many are looked through by one query, each by its own key."""


@dataclass(frozen=True, kw_only=True)
class MatchFilter:
    """Which matches: all conditions that are given hold. `bot` is a bot's name, in any version; `variant` is whole.

    `entrants`: their numbers in the season, which must be given then; all of them sat at the table. `opponent`: as
    `bot`. `public`: whether cards may be shown; `since` and `until`: when it ended, the latter left out. `faults`:
    somebody forfeited it, by one of these kinds.
    """

    season: int | None = None
    board: int | None = None
    bot: str | None = None
    opponent: str | None = None
    entrants: tuple[int, ...] = ()
    faults: tuple[FaultKind, ...] = ()
    variant: str | None = None
    public: bool | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that must have been at the table."""
        return tuple(name for name in (self.bot, self.opponent) if name is not None)


@dataclass(frozen=True, kw_only=True)
class ListedMatch:
    """A match of a list, with the key from which the list goes on."""

    key: int
    match: MatchRow


def find_matches(connection: Connection, which: MatchFilter, *, limit: int, before: int | None) -> Sequence[Row[Any]]:
    """The rows of the newest `limit` matches, of those with keys less than `before`."""
    query = select_matches().where(*_conditions(which)).limit(limit)
    numbers = [_entrants_called(connection, name) for name in which.names]
    seasons_wanted = _seasons_of(connection, which, numbers)
    if seasons_wanted is None:
        if before is not None:
            query = query.where(matches.c.id < before)
        return connection.execute(query.order_by(matches.c.id.desc())).all()
    found: list[Row[Any]] = []
    comes_before = _comes_before(connection, before)
    with_newest = _with_newest(connection, seasons_wanted)
    for start in range(0, len(with_newest), SEASONS_AT_ONCE):
        if len(found) == limit and found[-1].id > with_newest[start][1]:
            break
        parts = []
        for season, _ in with_newest[start : start + SEASONS_AT_ONCE]:
            there = [*((number,) for number in which.entrants), *(known[season] for known in numbers)]
            of_season = query.where(matches.c.season_id == season, *(_has_any(season, those) for those in there))
            parts.append(of_season.where(*comes_before(season)).order_by(matches.c.number.desc()))
        found += connection.execute(_together(parts))
        found = sorted(found, key=lambda row: row.id, reverse=True)[:limit]
    return found


def _together(parts: Sequence[Select[Any]]) -> Executable:
    """All rows of some queries, in any order."""
    return parts[0] if len(parts) == 1 else union_all(*(select(part.subquery()) for part in parts))


def _seasons_of(
    connection: Connection, which: MatchFilter, numbers: Sequence[Mapping[int, Collection[int]]]
) -> set[int] | None:
    """The seasons in which there may be matches that are wanted; None: in all."""
    wanted: list[set[int]] = [set(of_season) for of_season in numbers]
    if which.season is not None:
        wanted.append({which.season})
    if which.variant is not None:
        wanted.append(set(connection.scalars(select(seasons.c.id).where(seasons.c.variant == which.variant))))
    return set.intersection(*wanted) if wanted else None


def _entrants_called(connection: Connection, name: str) -> dict[int, list[int]]:
    """The numbers of the entrants that are versions of a bot, by season."""
    numbers = select(entrants.c.season_id, entrants.c.number)
    query = numbers.select_from(entrants).join(bot_versions).join(bots).where(bots.c.name == name)
    found: dict[int, list[int]] = {}
    for season, number in connection.execute(query):
        found.setdefault(season, []).append(number)
    return found


def _with_newest(connection: Connection, wanted: Collection[int]) -> Sequence[tuple[int, int]]:
    """Of these seasons those that have matches, and the key of the newest match of each, the newest first."""
    newest = (
        select(matches.c.id)
        .where(matches.c.season_id == seasons.c.id)
        .order_by(matches.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = connection.execute(select(seasons.c.id, newest).where(seasons.c.id.in_(wanted)))
    return sorted(((season, key) for season, key in rows if key is not None), key=lambda one: one[1], reverse=True)


def _comes_before(connection: Connection, before: int | None) -> Callable[[int], Sequence[ColumnElement[bool]]]:
    """Says of a season when its matches come before one in the list: by its number if that is of the same season."""
    if before is None:
        return lambda season: ()
    known = connection.execute(select(matches.c.season_id, matches.c.number).where(matches.c.id == before)).first()

    def conditions(season: int) -> Sequence[ColumnElement[bool]]:
        if known is not None and known.season_id == season:
            return (matches.c.number < known.number,)
        return (matches.c.id < before,)

    return conditions


def _conditions(which: MatchFilter) -> list[ColumnElement[bool]]:
    """What hangs on neither seasons nor bots."""
    conditions: list[ColumnElement[bool]] = []
    if which.board is not None:
        conditions.append(matches.c.board == which.board)
    if which.faults:
        conditions.append(or_(*(_has_forfeit(kind) for kind in which.faults)))
    if which.public is not None:
        over = board_sets.c.over_at.is_not(None)
        conditions.append(over if which.public else ~over)
    if which.since is not None:
        conditions.append(matches.c.ended_at >= which.since)
    if which.until is not None:
        conditions.append(matches.c.ended_at < which.until)
    return conditions


def _has_any(season: int, numbers: Collection[int]) -> ColumnElement[bool]:
    """Whether one of these entrants of the season sat at the table."""
    return exists(
        select(match_players.c.number).where(
            match_players.c.season_id == season,
            match_players.c.entrant.in_(numbers),
            match_players.c.number == matches.c.number,
        )
    )


def _has_forfeit(kind: FaultKind) -> ColumnElement[bool]:
    """Whether a seat was forfeited by this kind of fault: the column is JSON, kept as text by every database."""
    return cast(matches.c.forfeits, Text).contains(json.dumps({"kind": kind.value})[1:-1])
