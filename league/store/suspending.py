"""Suspensions by an organiser, and the lifting of any.

Owns what a lifted suspension does to what a bot is judged by; suspensions by the rules are `league.store.conduct`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from league.errors import LeagueError
from league.model import SeasonState, SuspensionCause
from league.orders import checked_reason
from league.store.ladder_versions import raise_ladder_version
from league.store.rows import season_row
from league.store.schema import entrants, faults, suspensions


def suspend(connection: Connection, season_id: int, label: str, reason: str, now: datetime) -> None:
    """Suspends an entrant from now on, as the rules would.

    Raises LeagueError when it is suspended already, there is none of this label, the season has ended, or the reason
    will not do.
    """
    told = checked_reason(reason)
    season = season_row(connection, season_id, lock=True)
    if season.state == SeasonState.ENDED:
        raise LeagueError(f"season {season_id} ({season.name}) has ended: nobody is suspended in it any more")
    entrant = _entrant(connection, season_id, label)
    if connection.scalar(select(suspensions.c.detail).where(_this(season_id, entrant.number))) is not None:
        raise LeagueError(f"{label} is suspended in season {season_id} already")
    connection.execute(
        insert(suspensions).values(
            season_id=season_id,
            entrant=entrant.number,
            cause=SuspensionCause.ORGANISER.value,
            detail=f"by an organiser: {told}",
            sitting_id=None,
            results_version=season.matches_stored,
            at=now,
        )
    )
    raise_ladder_version(connection, season_id)


def lift(connection: Connection, season_id: int, label: str) -> str:
    """Lifts a suspension; returns why there was one. What the bot did before is not held against it again.

    Raises LeagueError when it is not suspended, or there is none of this label.
    """
    season_row(connection, season_id, lock=True)
    entrant = _entrant(connection, season_id, label)
    detail = connection.scalar(select(suspensions.c.detail).where(_this(season_id, entrant.number)))
    if detail is None:
        raise LeagueError(f"{label} is not suspended in season {season_id}")
    connection.execute(delete(suspensions).where(_this(season_id, entrant.number)))
    last_fault = connection.scalar(select(func.max(faults.c.id)).where(faults.c.season_id == season_id)) or 0
    this_entrant = (entrants.c.season_id == season_id) & (entrants.c.number == entrant.number)
    fresh = {"sittings": 0, "overrun_sittings": 0, "forgiven_fault": last_fault}
    connection.execute(update(entrants).where(this_entrant).values(fresh))
    raise_ladder_version(connection, season_id)
    return str(detail)


def _entrant(connection: Connection, season_id: int, label: str) -> Row[Any]:
    query = select(entrants).where(entrants.c.season_id == season_id, entrants.c.label == label)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise LeagueError(f"no bot {label!r} in season {season_id}: name it as the season's page does")
    return row


def _this(season_id: int, entrant: int) -> Any:
    return (suspensions.c.season_id == season_id) & (suspensions.c.entrant == entrant)
