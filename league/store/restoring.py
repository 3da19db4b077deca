"""What a league that comes out of a backup must do differently from then on.

After the backup it went on, and what it did then is lost: its cards may have been seen, and its numbers of boards used.
Owns what follows from that. Reading and writing archives is `backups.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, func, select, update

from league.model import SeasonState, SittingState
from league.store.rows import season_row
from league.store.schema import boards, seasons, sittings
from league.store.sittings import locked, redraw, take_back
from league.store.vault import Vault

BOARDS_SKIPPED = 1_000_000
"""Numbers of boards that a season leaves out after a restore: more than it can have used since the backup."""

_GOING_ON = (SeasonState.RUNNING.value, SeasonState.PAUSED.value)


def resume(connection: Connection, vault: Callable[[], Vault], reason: str) -> int:
    """Readies all seasons that are not over for being played on; returns how many boards are dealt anew.

    Claims are taken back, boards of open seasons that are not stored get other cards, and new boards get numbers, and
    so secrets, that the season has never used.
    """
    void = select(func.count()).select_from(boards).where(boards.c.void)
    before = connection.scalar(void) or 0
    for season_id in connection.scalars(select(seasons.c.id).where(seasons.c.state.in_(_GOING_ON))).all():
        _skip_numbers(connection, season_id)
        of_season = (sittings.c.season_id == season_id) & (sittings.c.state != SittingState.DONE.value)
        for sitting in connection.scalars(select(sittings.c.id).where(of_season).order_by(sittings.c.id)).all():
            _give_back(connection, vault, sitting, reason)
    return (connection.scalar(void) or 0) - before


def _skip_numbers(connection: Connection, season_id: int) -> None:
    highest = connection.scalar(select(func.max(boards.c.number)).where(boards.c.season_id == season_id)) or 0
    floor = max(highest, season_row(connection, season_id, lock=True).board_floor) + BOARDS_SKIPPED
    connection.execute(update(seasons).where(seasons.c.id == season_id).values(board_floor=floor))


def _give_back(connection: Connection, vault: Callable[[], Vault], sitting_id: int, reason: str) -> None:
    season, sitting = locked(connection, sitting_id)
    if sitting.state == SittingState.CLAIMED:
        take_back(connection, vault, season, sitting, reason)
    else:
        redraw(connection, vault, season, sitting)
