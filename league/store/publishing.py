"""What becomes public when: a set's secrets when its last sitting is over, the season's when all sets are.

Owns these moments; each happens once, inside the transaction that makes it due.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, select, update

from league.model import SeasonState, SittingState
from league.store.ladder_versions import raise_ladder_version
from league.store.plans import tell_balance
from league.store.rows import season_row
from league.store.schema import board_sets, boards, seasons, sitting_remotes, sittings
from league.store.sealing import deal_secret_of


def sitting_is_over(connection: Connection, sitting: Row[Any], secret: str, now: datetime) -> None:
    """Marks a sitting as done, and what that ends: its set, and with the last set the season."""
    connection.execute(
        update(sittings)
        .where(sittings.c.id == sitting.id)
        .values(state=SittingState.DONE.value, lease_until=None, given_back="")
    )
    this_set = (board_sets.c.season_id == sitting.season_id) & (board_sets.c.number == sitting.set_number)
    connection.execute(update(board_sets).where(this_set).values(sittings_open=board_sets.c.sittings_open - 1))
    if connection.scalar(select(board_sets.c.sittings_open).where(this_set)) == 0:
        _publish_set(connection, sitting.season_id, sitting.set_number, secret, now)


def _publish_set(connection: Connection, season_id: int, set_number: int, secret: str, now: datetime) -> None:
    of_set = (boards.c.season_id == season_id) & (boards.c.set_number == set_number)
    _publish_boards(connection, season_id, secret, list(connection.scalars(select(boards.c.number).where(of_set))))
    this_set = (board_sets.c.season_id == season_id) & (board_sets.c.number == set_number)
    connection.execute(update(board_sets).where(this_set).values(over_at=now))
    connection.execute(update(seasons).where(seasons.c.id == season_id).values(sets_open=seasons.c.sets_open - 1))
    season = season_row(connection, season_id)
    if season.sets_open == 0 and (season.ending or not season.rolling):
        _end(connection, season_id, secret, now)


def publish_season(connection: Connection, season: Row[Any], secret: str, now: datetime) -> None:
    """Ends a season before its plan is played: sittings lose their claims, everything stored becomes public."""
    connection.execute(
        update(sittings)
        .where(sittings.c.season_id == season.id, sittings.c.state == SittingState.CLAIMED.value)
        .values(state=SittingState.PLANNED.value, lease_until=None, worker="", attempt=sittings.c.attempt + 1)
    )
    closed = (boards.c.season_id == season.id) & boards.c.deal_secret.is_(None)
    _publish_boards(connection, season.id, secret, list(connection.scalars(select(boards.c.number).where(closed))))
    still_open = (board_sets.c.season_id == season.id) & board_sets.c.over_at.is_(None)
    connection.execute(update(board_sets).where(still_open).values(over_at=now))
    _end(connection, season.id, secret, now)


def close_plan(connection: Connection, season: Row[Any], secret: str, now: datetime) -> None:
    """Ends a rolling season after what has begun: sets that nobody has taken up are dropped from the plan, and their
    secrets published; without any other left the season ends.
    """
    this_set = (sittings.c.season_id == board_sets.c.season_id) & (sittings.c.set_number == board_sets.c.number)
    begun = exists().where(this_set, sittings.c.attempt > 0)
    query = select(board_sets.c.number).where(
        board_sets.c.season_id == season.id, board_sets.c.over_at.is_(None), ~begun
    )
    if not season.ending:
        connection.execute(update(seasons).where(seasons.c.id == season.id).values(ending=True))
        raise_ladder_version(connection, season.id)
    drop_sets(connection, season, list(connection.scalars(query)), secret, now)
    if season_row(connection, season.id).sets_open == 0:
        _end(connection, season.id, secret, now)


def drop_sets(connection: Connection, season: Row[Any], dropped: list[int], secret: str, now: datetime) -> None:
    """Takes sets of boards that nobody has taken up out of the plan, for good: their secrets are published."""
    of_sets = (boards.c.season_id == season.id) & boards.c.set_number.in_(dropped)
    numbers = list(connection.scalars(select(boards.c.number).where(of_sets)))
    _publish_boards(connection, season.id, secret, numbers)
    connection.execute(update(boards).where(of_sets).values(void=True))
    going = (sittings.c.season_id == season.id) & sittings.c.set_number.in_(dropped)
    ids = select(sittings.c.id).where(going)
    connection.execute(delete(sitting_remotes).where(sitting_remotes.c.sitting_id.in_(ids)))
    connection.execute(delete(sittings).where(going))
    these = (board_sets.c.season_id == season.id) & board_sets.c.number.in_(dropped)
    connection.execute(update(board_sets).where(these).values(over_at=now, sittings_open=0))
    connection.execute(
        update(seasons)
        .where(seasons.c.id == season.id)
        .values(
            boards_planned=seasons.c.boards_planned - len(numbers),
            sets_open=seasons.c.sets_open - len(dropped),
        )
    )
    if dropped:
        tell_balance(connection, season.id)
        raise_ladder_version(connection, season.id)


def _publish_boards(connection: Connection, season_id: int, secret: str, numbers: list[int]) -> None:
    if not numbers:
        return
    row = (boards.c.season_id == season_id) & (boards.c.number == bindparam("of_number"))
    connection.execute(
        update(boards).where(row).values(deal_secret=bindparam("published")),
        [{"of_number": number, "published": deal_secret_of(secret, number)} for number in numbers],
    )


def _end(connection: Connection, season_id: int, secret: str, now: datetime) -> None:
    connection.execute(
        update(seasons)
        .where(seasons.c.id == season_id)
        .values(
            state=SeasonState.ENDED.value,
            secret=secret,
            ended_at=now,
            sets_open=0,
            ladder_version=seasons.c.ladder_version + 1,
        )
    )
