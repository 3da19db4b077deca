"""Bots that are withdrawn from a rolling season: no longer paired, they keep their rating and their place.

Owns the column `withdrawn_at` of `entrants`. Boards that are planned are still played; the salts of later sets go on
counting them, as the list of entrants only grows.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, update

from league.errors import LeagueError
from league.model import SeasonState
from league.store.ladder_versions import raise_ladder_version
from league.store.rows import entrants_of
from league.store.schema import entrants


def withdraw(connection: Connection, season: Row[Any], number: int, now: datetime) -> None:
    """Withdraws an entrant from a locked season; twice: nothing happens.

    Raises LeagueError where the season is not a rolling one that is being played, or has no such entrant.
    """
    if not season.rolling:
        raise LeagueError(
            f"season {season.id} ({season.name}) is closed: its plan was fixed at the start, and all in it play it; "
            "bots are withdrawn from rolling seasons"
        )
    if season.state not in {SeasonState.RUNNING, SeasonState.PAUSED}:
        raise LeagueError(f"season {season.id} ({season.name}) is {season.state}: nobody is being paired in it")
    _set(connection, season, number, now)


def reinstate(connection: Connection, season: Row[Any], number: int) -> None:
    """Pairs a withdrawn entrant again; one that is not withdrawn stays as it is."""
    _set(connection, season, number, None)


def _set(connection: Connection, season: Row[Any], number: int, at: datetime | None) -> None:
    known = next((one for one in entrants_of(connection, season.id) if one.number == number), None)
    if known is None:
        raise LeagueError(f"no entrant {number} in season {season.id}: ask for its entrants")
    if (known.withdrawn_at is None) == (at is None):
        return
    this_entrant = (entrants.c.season_id == season.id) & (entrants.c.number == number)
    connection.execute(update(entrants).where(this_entrant).values(withdrawn_at=at))
    raise_ladder_version(connection, season.id)
