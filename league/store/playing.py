"""Where a bot version plays: what keeps it from being deleted, and what its withdrawal ends.

Owns no table. A version is needed as long as boards are still to be played with it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from league.model import SeasonState
from league.store.rows import season_row
from league.store.schema import board_sets, boards, entrants, seasons
from league.store.withdrawals import withdraw
from league.submissions import WrongStateError

_PLAYED: Final = (SeasonState.RUNNING.value, SeasonState.PAUSED.value)


def withdraw_everywhere(connection: Connection, version_id: int, now: datetime) -> None:
    """Withdraws a bot version from every rolling season that is played."""
    played = seasons.c.rolling & seasons.c.state.in_(_PLAYED)
    query = select(entrants.c.season_id, entrants.c.number).join_from(entrants, seasons)
    mine = query.where(entrants.c.bot_version_id == version_id, entrants.c.withdrawn_at.is_(None), played)
    for row in connection.execute(mine.order_by(entrants.c.season_id)).all():
        season = season_row(connection, row.season_id, lock=True)
        if season.state in _PLAYED:  # it may just have ended
            withdraw(connection, season, row.number, now)


def check_not_playing(connection: Connection, submission: Row[Any]) -> None:
    """Raises WrongStateError while a season may still need the archive of a submission (its row)."""
    if submission.bot_version_id is None:
        return
    entered = (entrants.c.bot_version_id == submission.bot_version_id) & (seasons.c.state != SeasonState.ENDED.value)
    columns = (seasons.c.id, seasons.c.name, seasons.c.rolling, entrants.c.number, entrants.c.withdrawn_at)
    rows = connection.execute(select(*columns).join_from(entrants, seasons).where(entered).order_by(seasons.c.id)).all()
    playing = [row.name for row in rows if not row.withdrawn_at or _has_boards(connection, row.id, row.number)]
    if playing:
        raise WrongStateError(
            f"{submission.bot} {submission.version} has entered {', '.join(playing)}, where it has to play: "
            "withdraw it now, and delete it when that is over"
        )


def _has_boards(connection: Connection, season_id: int, number: int) -> bool:
    """Whether boards that are planned and not over are still to be played with an entrant."""
    of_set = (board_sets.c.season_id == boards.c.season_id) & (board_sets.c.number == boards.c.set_number)
    query = select(boards.c.players).join_from(boards, board_sets, of_set)
    rows = connection.scalars(query.where(boards.c.season_id == season_id, board_sets.c.over_at.is_(None)))
    return any(number in players for players in rows)
