"""Seasons: made, entered, started, paused, ended, and how far they are.

Owns the table `seasons` and the states a season passes through. A start that is asked for twice is one start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from league.errors import LeagueError
from league.model import (
    Board,
    Entrant,
    NewSeason,
    Progress,
    Season,
    SeasonKind,
    SeasonState,
    SittingState,
)
from league.store.database import Database
from league.store.plans import entrant_row, make_plan, renumber, write_plan
from league.store.publishing import publish_season
from league.store.rows import (
    board_from,
    entrant_from,
    entrants_of,
    known_seasons,
    season_from,
    season_row,
    select_entrants,
)
from league.store.schema import boards, bot_versions, bots, entrants, matches, seasons, sittings
from league.store.sealing import salt_of
from league.store.vault import Vault
from referee.rules import RulesError, Variant, parse_variant

_RESULTS_FOR_SPEED = 200


class SeasonStore:
    """Makes seasons and moves them on."""

    def __init__(self, database: Database, vault: Callable[[], Vault], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock

    def create(self, new: NewSeason) -> Season:
        """Makes a season, draws its secret and publishes the commitment; entries are open from now on.

        Raises LeagueError for an unknown variant or numbers that are not positive.
        """
        variant = _variant(new.variant)
        _check(new)
        commitment = self._vault().draw()
        values = {
            "name": new.name,
            "kind": SeasonKind.MANAGED.value,
            "state": SeasonState.PLANNED.value,
            "variant": variant.id,
            "seats": variant.seats,
            "deal_count": variant.deal_count,
            "boards": new.boards,
            "set_count": new.set_count,
            "player_sets": new.player_sets,
            "time_control": new.time_control,
            "commitment": commitment,
            "balance": "",
            "created_at": self._clock(),
        }
        with self._database.writing() as connection:
            season_id = connection.execute(insert(seasons).values(values).returning(seasons.c.id)).scalar_one()
            return season_from(season_row(connection, season_id))

    def enter(self, season_id: int, version_id: int) -> Entrant:
        """Enters a bot version while entries are open; one that has entered already is returned as it is.

        Raises LeagueError when the season has started, or there is no such season or version.
        """
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            mine = select_entrants().where(entrants.c.season_id == season_id, entrants.c.bot_version_id == version_id)
            known = connection.execute(mine).one_or_none()
            if known is not None:
                return entrant_from(known)
            _require(season, "take entries", SeasonState.PLANNED)
            label = connection.scalar(_name_of(version_id))
            if label is None:
                raise LeagueError(f"no bot version {version_id}: register the bot first")
            number = connection.scalar(select(func.count()).where(entrants.c.season_id == season_id)) or 0
            connection.execute(insert(entrants).values(entrant_row(season_id, number, version_id, label)))
            return entrant_from(connection.execute(mine).one())

    def start(self, season_id: int) -> Season:
        """Closes entries, fixes the salt, writes the plan and lets the season run. Running already: nothing happens.

        Raises LeagueError when it is paused or ended, or too few bots have entered.
        """
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state == SeasonState.RUNNING:
                return season_from(season)
            _require(season, "be started", SeasonState.PLANNED)
            secret = self._vault().secret(season.commitment)
            entered = entrants_of(connection, season_id)
            plan = make_plan(season, entered)
            renumber(connection, season_id, entered)
            write_plan(connection, season, plan, secret)
            return self._change(
                connection,
                season_id,
                state=SeasonState.RUNNING.value,
                deal_salt=salt_of([one.bot.version_hash for one in entered]),
                balance=str(plan.balance),
                boards_planned=len(plan.boards),
                sets_open=plan.set_count,
                started_at=self._clock(),
            )

    def pause(self, season_id: int) -> Season:
        """Lets running sittings finish and gives out no more. Paused already: nothing happens."""
        return self._move(season_id, "be paused", SeasonState.RUNNING, SeasonState.PAUSED)

    def resume(self, season_id: int) -> Season:
        """Gives out sittings again. Running already: nothing happens."""
        return self._move(season_id, "be resumed", SeasonState.PAUSED, SeasonState.RUNNING)

    def end(self, season_id: int) -> Season:
        """Ends a season early and publishes its secrets; running sittings lose their claims. Twice: nothing happens."""
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state != SeasonState.ENDED:
                publish_season(connection, season, self._vault().secret(season.commitment), self._clock())
            return season_from(season_row(connection, season_id))

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
                raise LeagueError(f"no season {text!r}: {known_seasons(connection)}")
            return season_from(row)

    def all(self) -> tuple[Season, ...]:
        """All seasons, the newest first."""
        with self._database.reading() as connection:
            return tuple(map(season_from, connection.execute(select(seasons).order_by(seasons.c.id.desc()))))

    def of_bot(self, name: str) -> tuple[tuple[Season, Entrant], ...]:
        """The seasons that a bot has entered, the newest first, and as what; empty for an unknown bot."""
        with self._database.reading() as connection:
            query = (
                select_entrants().where(bots.c.name == name).order_by(entrants.c.season_id.desc(), entrants.c.number)
            )
            return tuple(
                (season_from(season_row(connection, row.season_id)), entrant_from(row))
                for row in connection.execute(query).all()
            )

    def entrants(self, season_id: int) -> tuple[Entrant, ...]:
        """The entrants of a season by number."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return entrants_of(connection, season_id)

    def boards(self, season_id: int) -> tuple[Board, ...]:
        """The boards of a season by number; none while it is planned."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            query = select(boards).where(boards.c.season_id == season_id).order_by(boards.c.number)
            return tuple(map(board_from, connection.execute(query)))

    def board(self, season_id: int, number: int) -> Board:
        """One board; LeagueError says which numbers there are."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            query = select(boards).where(boards.c.season_id == season_id, boards.c.number == number)
            row = connection.execute(query).one_or_none()
            if row is None:
                has = (
                    f"it has boards 1 to {season.boards_planned}" if season.boards_planned else "it is not planned yet"
                )
                raise LeagueError(f"no board {number} in season {season_id}: {has}")
            return board_from(row)

    def progress(self, season_id: int) -> Progress:
        """How far a season is, and when it is expected to end."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            states = _sittings_by_state(connection, season_id)
            planned = season.boards_planned * season.seats
            end, error = self._expected_end(connection, season, planned - season.matches_stored)
        return Progress(
            season=season_id,
            state=SeasonState(season.state),
            matches_planned=planned,
            matches_stored=season.matches_stored,
            boards_planned=season.boards_planned,
            boards_over=season.boards_over,
            sittings_planned=sum(states.values()),
            sittings_done=states.get(SittingState.DONE, 0),
            sittings_claimed=states.get(SittingState.CLAIMED, 0),
            results_version=season.matches_stored,
            expected_end=end,
            expected_end_error_seconds=error,
        )

    def _expected_end(
        self, connection: Connection, season: Row[Any], remaining: int
    ) -> tuple[datetime | None, float | None]:
        """From the speed of the latest results, as if they came at random: the relative error is 1 / √results."""
        if season.state != SeasonState.RUNNING or remaining == 0 or season.matches_stored < 2:
            return None, None
        seen = min(_RESULTS_FOR_SPEED, season.matches_stored - 1)
        first = connection.scalar(
            select(matches.c.ended_at).where(
                matches.c.season_id == season.id, matches.c.number == season.matches_stored - seen
            )
        )
        now = self._clock()
        if first is None or now <= first:
            return None, None
        left_seconds = remaining * (now - first).total_seconds() / seen
        return now + timedelta(seconds=left_seconds), 1.96 * left_seconds * math.sqrt(1 / seen + 1 / remaining)

    def _move(self, season_id: int, what: str, before: SeasonState, after: SeasonState) -> Season:
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state != after:
                _require(season, what, before)
            return self._change(connection, season_id, state=after.value)

    @staticmethod
    def _change(connection: Connection, season_id: int, **values: object) -> Season:
        connection.execute(update(seasons).where(seasons.c.id == season_id).values(values))
        return season_from(season_row(connection, season_id))


def _sittings_by_state(connection: Connection, season_id: int) -> dict[str, int]:
    query = (
        select(sittings.c.state, func.count().label("sittings"))
        .where(sittings.c.season_id == season_id)
        .group_by(sittings.c.state)
    )
    return {row.state: row.sittings for row in connection.execute(query)}


def _name_of(version_id: int) -> Select[Any]:
    return select(bots.c.name).join_from(bots, bot_versions).where(bot_versions.c.id == version_id)


def _variant(text: str) -> Variant:
    try:
        return parse_variant(text)
    except RulesError as error:
        raise LeagueError(str(error)) from None


def _check(new: NewSeason) -> None:
    if not 1 <= len(new.name) <= 128:
        raise LeagueError(f"the season's name {new.name!r} must have 1 to 128 characters")
    for name, value in (("boards", new.boards), ("set_count", new.set_count), ("player_sets", new.player_sets)):
        if value is not None and value < 1:
            raise LeagueError(f"{name} is {value}: it must be 1 or more")


def _require(season: Row[Any], what: str, *states: SeasonState) -> None:
    if season.state not in states:
        raise LeagueError(
            f"season {season.id} ({season.name}) is {season.state} and cannot {what}: "
            f"it would have to be {' or '.join(states)}"
        )
