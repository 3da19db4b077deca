"""How the league stands, in a few numbers for who watches over it: what waits, since when, and what has gone silent.

Only reads, and takes as long as a page. What of it deserves somebody's attention is said by the alerts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from league.histories import moments
from league.model import SeasonState, SittingState
from league.store.database import Database
from league.store.history_schema import moments as moment_table
from league.store.presence import NOTE_LASTS
from league.store.schema import boards, matches, remote_bots, seasons, sittings
from league.store.sittings import SittingStore
from league.store.submission_schema import submissions, unrated_boards
from league.submissions import WAITING
from league.unrated import UnratedState

DUE_AT_MOST: Final = 1000
"""More sittings that are due are not counted."""
_NONE: Final = timedelta()


@dataclass(frozen=True, kw_only=True)
class LeagueGauges:
    """How a league stands.

    Attributes:
        seasons_running: seasons that are being played.
        matches_stored: of all seasons.
        sittings_due: sittings that could be taken up now; not more than `DUE_AT_MOST`.
        sittings_claimed: sittings that workers are at.
        leases_expired: claims of any work whose leases have run out, and that no sweep has taken back.
        standstill: of seasons that have something to play now, the longest time without a result.
        submissions_waiting: submitted bots that the arena has work with.
        submission_wait: how long the oldest of them has waited.
        unrated_waiting: challenges and qualifying boards that are not over.
        ratings_age: how long ratings that are due for a running season's page have not been written.
        remotes_connected: remote bots that are connected, as the last sweep saw it.
    """

    seasons_running: int = 0
    matches_stored: int = 0
    sittings_due: int = 0
    sittings_claimed: int = 0
    leases_expired: int = 0
    standstill: timedelta = _NONE
    submissions_waiting: int = 0
    submission_wait: timedelta = _NONE
    unrated_waiting: int = 0
    ratings_age: timedelta = _NONE
    remotes_connected: int = 0


class GaugeStore:
    """Reads how a league stands."""

    def __init__(self, database: Database, clock: Callable[[], datetime], work: SittingStore) -> None:
        self._database = database
        self._clock = clock
        self._work = work

    def read(self) -> LeagueGauges:
        """The numbers of this moment. Raises StoreUnusableError as every reading."""
        due = self._work.due(limit=DUE_AT_MOST)
        now = self._clock()
        with self._database.reading() as connection:
            running = connection.execute(select(seasons).where(seasons.c.state == SeasonState.RUNNING.value)).all()
            waiting = _submissions(connection)
            claimed = sittings.c.state == SittingState.CLAIMED.value
            busy = {*_seasons_of(connection, due), *connection.scalars(select(sittings.c.season_id).where(claimed))}
            return LeagueGauges(
                seasons_running=len(running),
                matches_stored=connection.scalar(select(func.coalesce(func.sum(seasons.c.matches_stored), 0))) or 0,
                sittings_due=len(due),
                sittings_claimed=_count(connection, sittings, claimed),
                leases_expired=sum(
                    _count(connection, table, table.c.lease_until <= now)
                    for table in (sittings, submissions, unrated_boards)
                ),
                standstill=_longest(now - _last_result(connection, season) for season in running if season.id in busy),
                submissions_waiting=len(waiting),
                submission_wait=_longest(now - received_at for received_at in waiting),
                unrated_waiting=_count(
                    connection,
                    unrated_boards,
                    unrated_boards.c.state.in_((UnratedState.PLANNED.value, UnratedState.CLAIMED.value)),
                ),
                ratings_age=_longest(
                    now - since
                    for season in running
                    for since in [_oldest_missing(connection, season)]
                    if since is not None
                ),
                remotes_connected=_count(
                    connection, remote_bots, remote_bots.c.connected & (remote_bots.c.noted_at > now - NOTE_LASTS)
                ),
            )


def _longest(times: Iterable[timedelta]) -> timedelta:
    return max((_NONE, *times))


def _count(connection: Connection, table: Any, which: Any) -> int:
    return connection.scalar(select(func.count()).select_from(table).where(which)) or 0


def _submissions(connection: Connection) -> Sequence[datetime]:
    """When those came that are not done with."""
    query = select(submissions.c.received_at).where(submissions.c.state.in_(sorted(WAITING)))
    return connection.scalars(query).all()


def _seasons_of(connection: Connection, ids: Sequence[int]) -> Sequence[int]:
    return connection.scalars(select(sittings.c.season_id).where(sittings.c.id.in_(ids)).distinct()).all()


def _last_result(connection: Connection, season: Row[Any]) -> datetime:
    """When a season had its last result, or was begun."""
    return _stored_at(connection, season.id, season.matches_stored) or season.started_at or season.created_at


def _oldest_missing(connection: Connection, season: Row[Any]) -> datetime | None:
    """Since when ratings are due that nobody has written; None while there are none."""
    written = set(connection.scalars(select(moment_table.c.boards).where(moment_table.c.season_id == season.id)))
    missing = set(moments(season.boards_over, ended=False)) - written
    if not missing:
        return None
    whole = select(boards.c.whole_at).where(boards.c.season_id == season.id, boards.c.whole_at.is_not(None))
    at_result = connection.scalar(whole.order_by(boards.c.whole_at).offset(min(missing) - 1).limit(1))
    return None if at_result is None else _stored_at(connection, season.id, at_result)


def _stored_at(connection: Connection, season_id: int, number: int) -> datetime | None:
    query = select(matches.c.ended_at).where(matches.c.season_id == season_id, matches.c.number == number)
    return connection.scalar(query)
