"""Sittings queued again at an organiser's word: those that hang, and those that were given back.

Owns nothing that the sweep does by itself. What is stored stays; the claim of whoever plays it now is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from league.errors import LeagueError
from league.model import SeasonState, Sitting, SittingState
from league.store.rows import season_row, sitting_from
from league.store.schema import sittings
from league.store.sittings import locked, take_back
from league.store.vault import Vault


def requeue(
    connection: Connection,
    vault: Callable[[], Vault],
    season_id: int,
    *,
    sitting: int | None,
    set_number: int | None,
    reason: str,
) -> tuple[int, ...]:
    """Has sittings of a season that are not done played in new attempts; returns their ids.

    Raises LeagueError when the season does not run, or there is nothing of it that is not done.
    """
    season = season_row(connection, season_id, lock=True)
    if season.state not in {SeasonState.RUNNING, SeasonState.PAUSED}:
        raise LeagueError(f"season {season_id} ({season.name}) is {season.state}: nothing of it is being played")
    found = _not_done(connection, season_id, sitting, set_number)
    if not found:
        what = f"sitting {sitting}" if sitting is not None else f"set {set_number}" if set_number is not None else ""
        told = f"{what} of season {season_id}" if what else f"season {season_id}"
        raise LeagueError(f"there is nothing in {told} that is still to be played")
    for each in found:
        _take_back(connection, vault, each.id, reason)
    return tuple(each.id for each in found)


def unfinished(connection: Connection, season_id: int, limit: int) -> tuple[tuple[Sitting, ...], int]:
    """Sittings of a season that are not done, those being played first, then those given back; and their number."""
    wanted = (sittings.c.season_id == season_id) & (sittings.c.state != SittingState.DONE.value)
    order = (sittings.c.state != SittingState.CLAIMED.value, sittings.c.given_back == "", sittings.c.id)
    rows = connection.execute(select(sittings).where(wanted).order_by(*order).limit(limit)).all()
    count = connection.scalar(select(func.count()).select_from(sittings).where(wanted)) or 0
    return tuple(map(sitting_from, rows)), count


def _not_done(
    connection: Connection, season_id: int, sitting: int | None, set_number: int | None
) -> Sequence[Row[Any]]:
    wanted = (sittings.c.season_id == season_id) & (sittings.c.state != SittingState.DONE.value)
    if sitting is not None:
        wanted &= sittings.c.id == sitting
    if set_number is not None:
        wanted &= sittings.c.set_number == set_number
    return connection.execute(select(sittings).where(wanted).order_by(sittings.c.id)).all()


def _take_back(connection: Connection, vault: Callable[[], Vault], sitting_id: int, reason: str) -> None:
    season, sitting = locked(connection, sitting_id)
    if sitting.state == SittingState.CLAIMED:
        take_back(connection, vault, season, sitting, reason)
