"""Seasons: made, entered, started, paused, ended.

Owns the table `seasons` and the states a season passes through. A start that is asked for twice is one start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, update

from league.errors import LeagueError
from league.model import (
    BotVersion,
    Entrant,
    NewSeason,
    Season,
    SeasonKind,
    SeasonState,
)
from league.names import seen_only
from league.pairing import check_enough, require_moderate
from league.store.bots import version_of
from league.store.database import Database
from league.store.entering import require_active
from league.store.ladder_versions import raise_ladder_version
from league.store.plans import (
    SaltedEntries,
    entrant_row,
    late_label,
    make_plan,
    numbered,
    owners_of,
    renumber,
    write_boards,
)
from league.store.publishing import close_plan, publish_season
from league.store.rolling import first_growth, write_growth
from league.store.rows import (
    entrant_from,
    entrants_of,
    labels_of,
    season_from,
    season_row,
    select_entrants,
)
from league.store.schema import entrants, seasons
from league.store.season_views import SeasonViews
from league.store.vault import Vault
from league.store.withdrawals import reinstate, withdraw
from referee.rules import RulesError, Variant, parse_variant

GROWS_BY_AT_MOST = 1000
"""More boards than this are not planned at a time in a rolling season."""

ABSENT_AFTER_MS_AT_MOST = 24 * 3600 * 1000
"""No sitting waits longer than a day for a remote bot."""


class SeasonStore(SeasonViews):
    """Makes seasons and moves them on."""

    def __init__(self, database: Database, vault: Callable[[], Vault], clock: Callable[[], datetime]) -> None:
        super().__init__(database, clock)
        self._vault = vault

    def create(self, new: NewSeason) -> Season:
        """Makes a season, draws its secret and publishes the commitment; entries are open from now on.

        Raises LeagueError for an unknown variant or numbers that are not positive.
        """
        variant = _variant(new.variant)
        _check(new)
        commitment = self._vault().draw()
        values = {
            "name": new.name,
            "kind": new.kind.value,
            "absent_after_ms": new.absent_after_ms,
            "state": SeasonState.PLANNED.value,
            "variant": variant.id,
            "seats": variant.seats,
            "deal_count": variant.deal_count,
            "boards": new.boards,
            "set_count": new.set_count,
            "player_sets": new.player_sets,
            "rolling": new.rolling,
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

        A rolling season takes entries until it is ended: whoever comes late, or comes back after it was withdrawn, is
        paired from the next boards on.
        Raises LeagueError when entries are closed, or there is no such season or version.
        """
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            mine = select_entrants().where(entrants.c.season_id == season_id, entrants.c.bot_version_id == version_id)
            known = connection.execute(mine).one_or_none()
            if known is not None:
                if known.withdrawn_at is None:
                    return entrant_from(known)
                _require_entries(season)
                reinstate(connection, season, known.number)
                return entrant_from(connection.execute(mine).one())
            _require_entries(season)
            bot = version_of(connection, version_id)
            _check_kind(season, bot)
            require_active(connection, bot)
            taken = labels_of(connection, season_id)
            number = len(taken)
            label = bot.name if season.state == SeasonState.PLANNED else late_label(bot, taken)
            connection.execute(insert(entrants).values(entrant_row(season_id, number, version_id, label)))
            raise_ladder_version(connection, season_id)
            return entrant_from(connection.execute(mine).one())

    def withdraw(self, season_id: int, number: int) -> Entrant:
        """Pairs an entrant of a rolling season no more; it plays what is planned and keeps its rating. Twice: nothing.

        Raises LeagueError when the season is not a rolling one that is being played, or has no such entrant.
        """
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            withdraw(connection, season, number, self._clock())
            return next(one for one in entrants_of(connection, season_id) if one.number == number)

    def start(self, season_id: int) -> Season:
        """Closes entries, fixes the salt, writes the plan and lets the season run. Running already: nothing happens.

        Raises LeagueError when it is paused or ended, or too few bots have entered.
        """
        self._plan_ahead(season_id)
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state == SeasonState.RUNNING:
                return season_from(season)
            _require(season, "be started", SeasonState.PLANNED)
            secret = self._vault().secret(season.commitment)
            entered = entrants_of(connection, season_id)
            begin_plan = self._begin_rolling if season.rolling else self._plan_all
            begin_plan(connection, season, entered, secret)
            return self._change(
                connection,
                season_id,
                state=SeasonState.RUNNING.value,
                deal_salt=SaltedEntries.of(entered).salt,
                started_at=self._clock(),
            )

    def _plan_ahead(self, season_id: int) -> None:
        """Has the plan at hand before anything is locked: a large one takes longer than others wait for the store."""
        with self._database.reading() as connection:
            season, entered = season_row(connection, season_id), entrants_of(connection, season_id)
        if season.state == SeasonState.PLANNED and not season.rolling:
            make_plan(season, numbered(season_id, entered), self._vault().secret(season.commitment))

    @staticmethod
    def _plan_all(connection: Connection, season: Row[Any], entered: Sequence[Entrant], secret: str) -> None:
        in_order = renumber(connection, season.id, entered)
        plan = make_plan(season, in_order, secret)
        write_boards(connection, season, plan.boards, in_order, SaltedEntries.of(entered), secret)
        counts = {"boards_planned": len(plan.boards), "sets_open": plan.set_count, "balance": str(plan.balance)}
        connection.execute(update(seasons).where(seasons.c.id == season.id).values(counts))

    @staticmethod
    def _begin_rolling(connection: Connection, season: Row[Any], entered: Sequence[Entrant], secret: str) -> None:
        check_enough(owners_of(entered), season.seats)
        write_growth(connection, season, first_growth(season, renumber(connection, season.id, entered)), secret)

    def pause(self, season_id: int) -> Season:
        """Lets running sittings finish and gives out no more. Paused already: nothing happens."""
        return self._move(season_id, "be paused", SeasonState.RUNNING, SeasonState.PAUSED)

    def resume(self, season_id: int) -> Season:
        """Gives out sittings again. Running already: nothing happens."""
        return self._move(season_id, "be resumed", SeasonState.PAUSED, SeasonState.RUNNING)

    def end(self, season_id: int, *, void: bool = False) -> Season:
        """Ends a season before its plan is played and publishes its secrets. Twice: nothing happens.

        A rolling one grows no more, takes no entries, and ends when all sets of boards that have begun are over; sets
        that have not are dropped. `void`, and closed seasons always: it ends at once, and running sittings lose their
        claims.
        """
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state != SeasonState.ENDED:
                begun = season.rolling and not void and season.state != SeasonState.PLANNED
                end = close_plan if begun else publish_season
                end(connection, season, self._vault().secret(season.commitment), self._clock())
            return season_from(season_row(connection, season_id))

    def _move(self, season_id: int, what: str, before: SeasonState, after: SeasonState) -> Season:
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if season.state == after:
                return season_from(season)
            _require(season, what, before)
            return self._change(connection, season_id, state=after.value)

    @staticmethod
    def _change(connection: Connection, season_id: int, **values: object) -> Season:
        connection.execute(update(seasons).where(seasons.c.id == season_id).values(values))
        raise_ladder_version(connection, season_id)
        return season_from(season_row(connection, season_id))


def _variant(text: str) -> Variant:
    try:
        return parse_variant(text)
    except RulesError as error:
        raise LeagueError(str(error)) from None


def _check(new: NewSeason) -> None:
    if not 1 <= len(new.name) <= 128:
        raise LeagueError(f"the season's name {new.name!r} must have 1 to 128 characters")
    if seen_only(new.name) != new.name:
        raise LeagueError(f"the season's name {new.name!r} has characters that cannot be seen: leave them out")
    for name, value in (("boards", new.boards), ("set_count", new.set_count), ("player_sets", new.player_sets)):
        if value is not None and value < 1:
            raise LeagueError(f"{name} is {value}: it must be 1 or more")
    require_moderate(new.player_sets or 1, new.boards)
    if not 0 <= new.absent_after_ms <= ABSENT_AFTER_MS_AT_MOST:
        most_s = ABSENT_AFTER_MS_AT_MOST // 1000
        raise LeagueError(f"a remote bot is absent after {new.absent_after_ms} ms: from 0 to {most_s} s are right")
    if new.rolling and new.boards > GROWS_BY_AT_MOST:
        raise LeagueError(f"boards is {new.boards}: a rolling season grows by at most {GROWS_BY_AT_MOST} at a time")


def _check_kind(season: Row[Any], bot: BotVersion) -> None:
    if bot.remote and season.kind != SeasonKind.OPEN:
        raise LeagueError(
            f"{bot.name} is a remote bot, and season {season.id} ({season.name}) is a managed one: remote bots, whose "
            "memory nobody can clear, play in open seasons"
        )


def _require_entries(season: Row[Any]) -> None:
    if not season.rolling or season.state == SeasonState.ENDED:
        _require(season, "take entries", SeasonState.PLANNED)
    if season.ending:
        raise LeagueError(f"season {season.id} ({season.name}) ends and takes no more entries")


def _require(season: Row[Any], what: str, *states: SeasonState) -> None:
    if season.state not in states:
        raise LeagueError(
            f"season {season.id} ({season.name}) is {season.state} and cannot {what}: "
            f"it would have to be {' or '.join(states)}"
        )
