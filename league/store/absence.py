"""What follows when a remote bot is not there, or has seen cards of a sitting that is to be played again.

Owns the dealing anew of boards: a board that a remote bot may have seen is never played again. Who is connected is
`presence.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, insert, select, update

from league.model import Claim, FaultKind, NewFault
from league.pairing import PlannedBoard
from league.store.faults import add_fault
from league.store.plans import board_row, next_board_number
from league.store.publishing import drop_sets
from league.store.rows import entrants_of
from league.store.schema import board_sets, boards, matches, sitting_remotes, sittings


def note_absence(connection: Connection, season: Row[Any], claim: Claim, secret: str, now: datetime) -> None:
    """Notes one fault of each bot that has not come to a claimed sitting; in a rolling season the sets that nobody has
    taken up and that have it are dropped, for others to be planned from those who are there.
    """
    gone: list[int] = []
    for place, player in enumerate(claim.players):
        if player.absent:
            gone.append(player.bot.id)
            fault = NewFault(
                number=-place,  # those that the referee sees count from 1
                player=place,
                process=0,
                kind=FaultKind.ABSENT,
                detail=player.absent,
                forfeits=True,
                match_ids=tuple(table.match_id for table in claim.tables if place in table.players),
            )
            add_fault(connection, claim, fault, player.entrant, now)
    if season.rolling:
        _drop_sets_of(connection, season, gone, secret, now)


def _drop_sets_of(connection: Connection, season: Row[Any], gone: list[int], secret: str, now: datetime) -> None:
    of_set = (sittings.c.season_id == board_sets.c.season_id) & (sittings.c.set_number == board_sets.c.number)
    begun = exists().where(of_set, sittings.c.attempt > 0)
    theirs = exists().where(
        of_set, sitting_remotes.c.sitting_id == sittings.c.id, sitting_remotes.c.bot_version_id.in_(gone)
    )
    this_season = board_sets.c.season_id == season.id
    query = select(board_sets.c.number).where(this_season, board_sets.c.over_at.is_(None), ~begun, theirs)
    dropped = list(connection.scalars(query))
    if dropped:
        drop_sets(connection, season, dropped, secret, now)


def redraw_seen(connection: Connection, season: Row[Any], sitting: Row[Any], secret: str) -> None:
    """Deals those boards of a sitting anew that are not stored and have a remote bot: it may have seen the cards.

    The new board has the next unused number, and so another secret, and the same players and set; the old one is void.
    """
    remote = {one.number for one in entrants_of(connection, season.id) if one.bot.remote}
    stored = exists().where(matches.c.season_id == boards.c.season_id, matches.c.board == boards.c.number)
    of_set = (boards.c.season_id == season.id) & (boards.c.set_number == sitting.set_number)
    rows = connection.execute(select(boards).where(of_set, ~boards.c.void, ~stored).order_by(boards.c.number)).all()
    seen = [row for row in rows if remote & set(row.players)]
    if not seen:
        return
    first = next_board_number(connection, season.id)
    connection.execute(
        update(boards).where(of_set, boards.c.number.in_([row.number for row in seen])).values(void=True)
    )
    connection.execute(
        insert(boards),
        [
            board_row(
                season.id,
                PlannedBoard(number=first + at, set_number=row.set_number, players=tuple(row.players)),
                secret,
                replaces=row.number,
            )
            for at, row in enumerate(seen)
        ],
    )
