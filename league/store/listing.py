"""Lists, a part at a time: seasons, boards, entrants, bots, versions, matches, faults.

Owns the order of each list and the key from which it goes on, so that a list of any length costs one small query a
part. Every part is asked for with `limit`, and goes on after (or, newest first, before) the key of the last one seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from league.model import Board, BotVersion, Entrant, Fault, Season, SeasonState
from league.store.bots import version_columns, version_from
from league.store.database import Database
from league.store.match_lists import ListedMatch, MatchFilter, find_matches
from league.store.rows import (
    board_from,
    entrant_from,
    fault_from,
    match_from,
    season_from,
    season_row,
    select_entrants,
    select_faults,
)
from league.store.schema import (
    boards,
    bot_versions,
    bots,
    entrants,
    faults,
    seasons,
)


class ListingStore:
    """Reads lists; changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def seasons(
        self,
        *,
        limit: int,
        before: int | None = None,
        state: SeasonState | None = None,
        variant: str | None = None,
    ) -> tuple[Season, ...]:
        """Seasons, the newest first, before an id."""
        query = select(seasons).order_by(seasons.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(seasons.c.id < before)
        if state is not None:
            query = query.where(seasons.c.state == state.value)
        if variant is not None:
            query = query.where(seasons.c.variant == variant)
        with self._database.reading() as connection:
            return tuple(map(season_from, connection.execute(query)))

    def variants(self, *, limit: int) -> tuple[str, ...]:
        """The variants of seasons, that of the newest season first."""
        newest = func.max(seasons.c.id)
        query = select(seasons.c.variant).group_by(seasons.c.variant).order_by(newest.desc()).limit(limit)
        with self._database.reading() as connection:
            return tuple(connection.scalars(query))

    def entrants(self, season_id: int, *, limit: int, after: int = -1) -> tuple[Entrant, ...]:
        """Entrants of a season by number; LeagueError for an unknown season."""
        query = select_entrants().where(entrants.c.season_id == season_id, entrants.c.number > after)
        with self._database.reading() as connection:
            season_row(connection, season_id)
            rows = connection.execute(query.order_by(entrants.c.number).limit(limit))
            return tuple(map(entrant_from, rows))

    def entrant(self, season_id: int, label: str) -> Entrant | None:
        """The entrant of a season with this label, or of the bot with this name; LeagueError for an unknown season."""
        called = (entrants.c.label == label) | (bots.c.name == label)
        query = select_entrants().where(entrants.c.season_id == season_id, called).order_by(entrants.c.number)
        with self._database.reading() as connection:
            season_row(connection, season_id)
            found = tuple(map(entrant_from, connection.execute(query)))
            return next((one for one in found if one.label == label), next(iter(found), None))

    def boards(self, season_id: int, *, limit: int, after: int = 0) -> tuple[Board, ...]:
        """Boards of a season by number; LeagueError for an unknown season."""
        query = select(boards).where(boards.c.season_id == season_id, boards.c.number > after)
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            rows = connection.execute(query.order_by(boards.c.number).limit(limit))
            return tuple(board_from(row, season) for row in rows)

    def bots(self, *, limit: int, after: str = "") -> tuple[BotVersion, ...]:
        """The newest version of each bot, by name."""
        newest = select(func.max(bot_versions.c.id)).group_by(bot_versions.c.bot_id)
        query = (
            select(*version_columns())
            .join_from(bot_versions, bots)
            .where(bot_versions.c.id.in_(newest), bots.c.name > after)
        )
        with self._database.reading() as connection:
            return tuple(map(version_from, connection.execute(query.order_by(bots.c.name).limit(limit))))

    def versions(self, name: str, *, limit: int, before: int | None = None) -> tuple[BotVersion, ...]:
        """Versions of one bot, the newest first; none of an unknown bot."""
        query = select(*version_columns()).join_from(bot_versions, bots).where(bots.c.name == name)
        if before is not None:
            query = query.where(bot_versions.c.id < before)
        with self._database.reading() as connection:
            return tuple(map(version_from, connection.execute(query.order_by(bot_versions.c.id.desc()).limit(limit))))

    def entries(
        self, name: str, *, limit: int, after: tuple[int, int] | None = None
    ) -> tuple[tuple[Season, Entrant], ...]:
        """Seasons a bot has entered, and as what, the newest first; `after`: a season's id, an entrant's number."""
        query = select_entrants().where(bots.c.name == name)
        if after is not None:
            same = (entrants.c.season_id == after[0]) & (entrants.c.number > after[1])
            query = query.where((entrants.c.season_id < after[0]) | same)
        ordered = query.order_by(entrants.c.season_id.desc(), entrants.c.number).limit(limit)
        with self._database.reading() as connection:
            found = tuple(map(entrant_from, connection.execute(ordered)))
            wanted = select(seasons).where(seasons.c.id.in_([one.season for one in found]))
            by_id = {row.id: season_from(row) for row in connection.execute(wanted)}
            return tuple((by_id[one.season], one) for one in found)

    def matches(self, which: MatchFilter, *, limit: int, before: int | None = None) -> tuple[ListedMatch, ...]:
        """Matches, the one stored last first."""
        with self._database.reading() as connection:
            rows = find_matches(connection, which, limit=limit, before=before)
            labels = _labels(connection, rows)
            return tuple(ListedMatch(key=row.id, match=match_from(row, labels[row.season_id])) for row in rows)

    def faults(
        self, season_id: int, *, limit: int, before: int | None = None, entrant: int | None = None
    ) -> tuple[Fault, ...]:
        """Faults that count, the newest first; LeagueError for an unknown season."""
        query = select_faults().where(faults.c.season_id == season_id, faults.c.counted)
        if entrant is not None:
            query = query.where(faults.c.entrant == entrant)
        if before is not None:
            query = query.where(faults.c.id < before)
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return tuple(map(fault_from, connection.execute(query.order_by(faults.c.id.desc()).limit(limit))))


def _labels(connection: Connection, rows: Sequence[Row[Any]]) -> dict[int, tuple[str, ...]]:
    """The labels of all entrants of the seasons of some matches."""
    wanted = {row.season_id for row in rows}
    query = select(entrants.c.season_id, entrants.c.label).where(entrants.c.season_id.in_(wanted))
    found: dict[int, list[str]] = {season_id: [] for season_id in wanted}
    for row in connection.execute(query.order_by(entrants.c.season_id, entrants.c.number)):
        found[row.season_id].append(row.label)
    return {season_id: tuple(labels) for season_id, labels in found.items()}
