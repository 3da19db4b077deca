"""Seasons as they are looked up: one or many, their entrants, boards and sets, suspensions, and how far they are.

Reads the table `seasons` and what belongs to a season; changes nothing. What moves seasons on is `seasons.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, false, func, or_, select

from league.errors import NotThereError, Thing
from league.model import (
    Board,
    BoardSet,
    Entrant,
    Progress,
    Season,
    SeasonCounts,
    Suspension,
)
from league.store.conduct import suspensions_of, suspensions_of_bot
from league.store.database import Database
from league.store.progress import progress_of
from league.store.rows import (
    board_from,
    counts_of,
    entrant_from,
    entrants_of,
    known_seasons,
    season_from,
    season_row,
    select_entrants,
    sets_of,
)
from league.store.schema import board_sets, boards, bot_versions, bots, entrants, seasons


class SeasonViews:
    """Looks seasons up."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def get(self, season_id: int) -> Season:
        """The season with this id; LeagueError names those there are."""
        with self._database.reading() as connection:
            return season_from(season_row(connection, season_id))

    def find(self, text: str) -> Season:
        """The season with this id or name, of several with one name the newest; LeagueError names those there are."""
        is_id = text.isascii() and text.isdigit() and len(text) < 10
        with self._database.reading() as connection:
            wanted = seasons.c.id == int(text) if is_id else seasons.c.name == text
            row = connection.execute(select(seasons).where(wanted).order_by(seasons.c.id.desc()).limit(1)).one_or_none()
            if row is None:
                raise NotThereError(Thing.SEASON, text, f"{text!r}: {known_seasons(connection)}")
            return season_from(row)

    def all(self) -> tuple[Season, ...]:
        """All seasons, the newest first."""
        with self._database.reading() as connection:
            return tuple(map(season_from, connection.execute(select(seasons).order_by(seasons.c.id.desc()))))

    def of_bot(self, name: str) -> tuple[tuple[Season, Entrant], ...]:
        """The seasons that a bot has entered, the newest first, and as what; empty for an unknown bot."""
        query = select_entrants().where(bots.c.name == name).order_by(entrants.c.season_id.desc(), entrants.c.number)
        with self._database.reading() as connection:
            entered = tuple(map(entrant_from, connection.execute(query)))
            there = _seasons_by_id(connection, {one.season for one in entered})
            return tuple((there[one.season], one) for one in entered)

    def latest_of_bots(self, names: Collection[str]) -> Mapping[str, Season]:
        """The newest season of each of these bots that has entered any, by the bot's name."""
        newest = (
            select(bots.c.name, func.max(entrants.c.season_id).label("season"))
            .join_from(entrants, bot_versions)
            .join(bots)
            .where(bots.c.name.in_(names))
            .group_by(bots.c.name)
        )
        with self._database.reading() as connection:
            latest = {row.name: row.season for row in connection.execute(newest)}
            there = _seasons_by_id(connection, set(latest.values()))
            return {name: there[season] for name, season in latest.items()}

    def entrants(self, season_id: int) -> tuple[Entrant, ...]:
        """The entrants of a season by number."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return entrants_of(connection, season_id)

    def boards(self, season_id: int, *, first: int = 1, limit: int | None = None) -> tuple[Board, ...]:
        """The boards of a season by number, from one on, all or so many; none while it is planned."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            query = select(boards).where(boards.c.season_id == season_id, boards.c.number >= first)
            rows = connection.execute(query.order_by(boards.c.number).limit(limit))
            return tuple(board_from(row, season) for row in rows)

    def public_boards(self, season_id: int, numbers: Sequence[int]) -> frozenset[int]:
        """Those of some boards whose secrets are published."""
        these = (boards.c.season_id == season_id) & boards.c.number.in_(numbers) & boards.c.deal_secret.is_not(None)
        with self._database.reading() as connection:
            return frozenset(connection.scalars(select(boards.c.number).where(these)))

    def counts(self, season_id: int) -> SeasonCounts:
        """How many boards and sets a season has."""
        with self._database.reading() as connection:
            return counts_of(connection, season_row(connection, season_id).id)

    def board(self, season_id: int, number: int) -> Board:
        """One board; LeagueError says which numbers there are."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            query = select(boards).where(boards.c.season_id == season.id, boards.c.number == number)
            row = connection.execute(query).one_or_none()
            if row is None:
                last = connection.scalar(select(func.max(boards.c.number)).where(boards.c.season_id == season.id))
                has = f"it has boards 1 to {last}" if last else "it is not planned yet"
                raise NotThereError(Thing.BOARD, number, f"{number} in season {season_id}: {has}")
            return board_from(row, season)

    def sets(self, season_id: int, *, first: int = 1, limit: int | None = None) -> tuple[BoardSet, ...]:
        """The sets of boards of a season by number, from one on, all or so many, with what fixed their salts.

        None while it is planned.
        """
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return sets_of(connection, season_id, first=first, limit=limit)

    def board_set(self, season_id: int, number: int) -> BoardSet:
        """One set of boards, which must be there."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return sets_of(connection, season_id, first=number, limit=1)[0]

    def suspensions(self, season_id: int) -> tuple[Suspension, ...]:
        """Who is suspended in a season and why, the earliest first."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return suspensions_of(connection, season_id)

    def suspensions_of_bot(self, name: str) -> tuple[Suspension, ...]:
        """The suspensions of a bot in any version, by season; none of an unknown bot."""
        with self._database.reading() as connection:
            return suspensions_of_bot(connection, name)

    def published_at(self, sets: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], datetime]:
        """When those of some sets of boards, given by season and number, that are over became public."""
        these = [
            (board_sets.c.season_id == season) & (board_sets.c.number == number) for season, number in sorted(sets)
        ]
        query = select(board_sets).where(or_(false(), *these), board_sets.c.over_at.is_not(None))
        with self._database.reading() as connection:
            return {(row.season_id, row.number): row.over_at for row in connection.execute(query)}

    def ladder_versions(self, ids: Collection[int]) -> Mapping[int, tuple[int, int]]:
        """Of several seasons by id the version of the ladder, and the newest season there is; of unknown ones none.

        While both stay, so does every page of these seasons' standings.
        """
        newest = select(func.max(seasons.c.id)).scalar_subquery()
        query = select(seasons.c.id, seasons.c.ladder_version, newest.label("newest")).where(
            seasons.c.id.in_(sorted(ids))
        )
        with self._database.reading() as connection:
            return {row.id: (row.ladder_version, row.newest) for row in connection.execute(query)}

    def some(self, ids: Collection[int]) -> Mapping[int, Season]:
        """Several seasons by id; of unknown ones none."""
        with self._database.reading() as connection:
            return _seasons_by_id(connection, ids)

    def progress(self, season_id: int) -> Progress:
        """How far a season is, and when it is expected to end."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            return progress_of(connection, [season], self._clock())[season_id]

    def progress_of(self, season_ids: Sequence[int]) -> Mapping[int, Progress]:
        """The progress of several seasons by id; of unknown ones none."""
        with self._database.reading() as connection:
            rows = connection.execute(select(seasons).where(seasons.c.id.in_(season_ids))).all()
            return progress_of(connection, rows, self._clock())


def _seasons_by_id(connection: Connection, ids: Collection[int]) -> Mapping[int, Season]:
    rows = connection.execute(select(seasons).where(seasons.c.id.in_(sorted(ids))))
    return {row.id: season_from(row) for row in rows}
