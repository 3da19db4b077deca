"""Owners enter their own bots in seasons; only what is active, or has qualified, is entered by anybody.

Owns the rules for submitted versions and for remote ones. Entries themselves are the seasons'; what an owner does goes
to the audit log in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.model import BotVersion, Entrant, Season, SeasonKind, SeasonState, SourceKind
from league.qualifying import Qualifying, qualifying_of
from league.store.audit_log import write_entry
from league.store.bots import version_of
from league.store.database import Database
from league.store.remote_boards import latest_qualifying
from league.store.remote_bots import select_remotes
from league.store.rows import season_from, season_row
from league.store.schema import bots, entrants, remote_bots, seasons
from league.store.submission_rows import submission_row_of
from league.store.submission_schema import submissions
from league.submissions import SubmissionState, WrongStateError
from referee.rules import parse_variant

SEASONS_AT_MOST = 100
"""So many seasons that take entries are looked through, the newest; older ones are entered by their ids."""

_Enter = Callable[[int, int], Entrant]


class EntryStore:
    """Enters submitted bots, and remote ones, for their owners."""

    def __init__(self, database: Database, clock: Callable[[], datetime], enter: _Enter) -> None:
        """`enter` is that of the seasons; it is called within the transaction."""
        self._database = database
        self._clock = clock
        self._enter = enter

    def seasons_for(self, submission_id: int, owner: str) -> tuple[tuple[Season, bool], ...]:
        """The seasons that an owner's active version could enter, or has entered while they take entries, newest first.

        The second value says whether it has. Empty unless it is active. Of hundreds of seasons the newest are told.
        """
        with self._database.reading() as connection:
            row = submission_row_of(connection, submission_id, owner)
            if row.state != SubmissionState.ACTIVE:
                return ()
            plays = [season for season in _taking_entries(connection) if _plays(row.variants, season)]
            return _with_entries(connection, plays, row.bot_version_id)

    def seasons_for_remote(self, version_id: int, owner: str) -> tuple[tuple[Season, bool], ...]:
        """The open seasons that an owner's remote bot could enter, or has entered, as `seasons_for`.

        Empty unless it has qualified.
        """
        with self._database.reading() as connection:
            if not _may_enter(connection, version_id, owner):
                return ()
            found = [season for season in _taking_entries(connection) if season.kind is SeasonKind.OPEN]
            return _with_entries(connection, found, version_id)

    def enter_remote(self, version_id: int, owner: str, season_id: int, *, by: Actor) -> Entrant:
        """Enters an owner's remote bot in an open season. Entered already: nothing happens.

        Raises LeagueError when the season takes no entries, is a managed one or unknown, or the bot is not the owner's;
        WrongStateError when it has not qualified.
        """
        with self._database.together() as connection:
            bot = version_of(connection, version_id)
            if not _may_enter(connection, version_id, owner):
                raise WrongStateError(f"{bot.name} {bot.version} has not qualified: then it enters a season")
            season_row(connection, season_id, lock=True)
            known = _has_entered(connection, season_id, version_id)
            entrant = self._enter(season_id, version_id)
            if not known:
                subject = f"{bot.name}@{bot.version}"
                write_entry(connection, self._clock(), by, Act.SEASON_ENTERED, subject, {"season": season_id})
            return entrant

    def enter(self, submission_id: int, owner: str, season_id: int, *, by: Actor) -> Entrant:
        """Enters an owner's active version in a season. Entered already: nothing happens.

        Raises LeagueError when the season takes no entries, is of another variant or kind, or either is unknown;
        WrongStateError when the version is not active.
        """
        with self._database.together() as connection:
            row = submission_row_of(connection, submission_id, owner, lock=True)  # it is not deleted meanwhile
            season = season_from(season_row(connection, season_id))
            if row.bot_version_id is None or row.state != SubmissionState.ACTIVE:
                raise WrongStateError(f"submission {submission_id} is {row.state}: only what is active enters a season")
            if not _plays(row.variants, season):
                plays = ", ".join(row.variants)
                raise LeagueError(f"{row.bot} {row.version} does not play {season.variant}; it plays {plays}")
            known = _has_entered(connection, season_id, row.bot_version_id)
            entrant = self._enter(season_id, row.bot_version_id)
            if not known:
                subject = f"{row.bot}@{row.version}"
                write_entry(connection, self._clock(), by, Act.SEASON_ENTERED, subject, {"season": season_id})
            return entrant


def require_active(connection: Connection, bot: BotVersion) -> None:
    """Raises WrongStateError for a version whose submission is not active; those without one are for the organiser."""
    if bot.source.kind is not SourceKind.ARCHIVE:
        return
    states = set(connection.scalars(select(submissions.c.state).where(submissions.c.bot_version_id == bot.id)))
    if states and SubmissionState.ACTIVE not in states:
        told = ", ".join(sorted(states))
        raise WrongStateError(f"{bot.name} {bot.version} is {told}: only active versions enter a season")


def _taking_entries(connection: Connection) -> list[Season]:
    """The newest seasons that take entries."""
    takes_entries = (seasons.c.state == SeasonState.PLANNED.value) | (
        seasons.c.rolling & (seasons.c.state != SeasonState.ENDED.value) & ~seasons.c.ending
    )
    query = select(seasons).where(takes_entries).order_by(seasons.c.id.desc()).limit(SEASONS_AT_MOST)
    return [season_from(season) for season in connection.execute(query)]


def _with_entries(
    connection: Connection, found: Sequence[Season], version_id: int | None
) -> tuple[tuple[Season, bool], ...]:
    entered = select(entrants.c.season_id).where(
        entrants.c.bot_version_id == version_id, entrants.c.withdrawn_at.is_(None)
    )
    has_entered = set(connection.scalars(entered))
    return tuple((season, season.id in has_entered) for season in found)


def _may_enter(connection: Connection, version_id: int, owner: str) -> bool:
    """Whether a remote bot is the owner's, has a good token, and has qualified."""
    query = select_remotes().where(bots.c.owner == owner, remote_bots.c.bot_version_id == version_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise LeagueError(f"{owner} has no remote bot with version id {version_id}")
    latest = latest_qualifying(connection, [version_id]).get(version_id)
    has_qualified = latest is not None and qualifying_of(latest) is Qualifying.PASSED
    return has_qualified and row.token_hash is not None


def _plays(variants: list[str], season: Season) -> bool:
    return "*" in variants or parse_variant(season.variant).base_id in variants


def _has_entered(connection: Connection, season_id: int, version_id: int) -> bool:
    mine = (entrants.c.season_id == season_id) & (entrants.c.bot_version_id == version_id)
    return connection.scalar(select(entrants.c.number).where(mine, entrants.c.withdrawn_at.is_(None))) is not None
