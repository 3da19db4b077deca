"""Unrated boards with a remote bot: when they can be played, against whom, and what came of the qualifying ones.

Owns the table `unrated_remotes`. The boards themselves are `unrated.py`'s, who is connected is `presence.py`'s.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, exists, false, func, insert, select
from sqlalchemy.sql.elements import ColumnElement

from league.model import BotVersion, SittingState
from league.store.bots import version_columns, version_from
from league.store.presence import NOTE_LASTS
from league.store.schema import bot_versions, bots, remote_bots, sitting_remotes, sittings
from league.store.submission_schema import unrated_boards, unrated_remotes
from league.store.unrated_rows import board_from
from league.unrated import SPARRING, Purpose, UnratedBoard, UnratedState

WAITS: Final = timedelta(minutes=1)
"""For so long a challenge waits for a remote bot that has gone. A qualifying board waits for as long as it takes."""


def note_remote(connection: Connection, board_id: int, version_id: int) -> None:
    """Notes that a remote bot takes part in a board."""
    connection.execute(insert(unrated_remotes).values(board_id=board_id, bot_version_id=version_id))


def with_remote() -> ColumnElement[bool]:
    """Whether a remote bot takes part in a board of the same query."""
    return exists().where(unrated_remotes.c.board_id == unrated_boards.c.id)


def is_ready(now: datetime) -> ColumnElement[bool]:
    """Whether the remote bots of a board of the same query are connected and play nothing."""
    idle = and_(remote_bots.c.connected, remote_bots.c.noted_at > now - NOTE_LASTS, ~_plays_now())
    waits = exists().where(
        unrated_remotes.c.board_id == unrated_boards.c.id,
        remote_bots.c.bot_version_id == unrated_remotes.c.bot_version_id,
        ~func.coalesce(idle, false()),
    )
    return ~waits


def _plays_now() -> ColumnElement[bool]:
    """Whether a remote bot of the same query plays a sitting or a board."""
    sat, other = sitting_remotes.alias("sat"), unrated_remotes.alias("other")
    board = unrated_boards.alias("other_board")
    sits = exists().where(
        sat.c.bot_version_id == remote_bots.c.bot_version_id,
        sittings.c.id == sat.c.sitting_id,
        sittings.c.state == SittingState.CLAIMED.value,
    )
    plays = exists().where(
        other.c.bot_version_id == remote_bots.c.bot_version_id,
        board.c.id == other.c.board_id,
        board.c.state == UnratedState.CLAIMED.value,
    )
    return sits | plays


def can_be_played(connection: Connection, board_id: int, now: datetime) -> bool:
    """Whether a board need not wait for a remote bot.

    Locks its remote bots, so that none is taken up twice at the same time.
    """
    mine = select(unrated_remotes.c.bot_version_id).where(unrated_remotes.c.board_id == board_id)
    locked = select(remote_bots.c.bot_version_id).where(remote_bots.c.bot_version_id.in_(mine))
    connection.execute(locked.order_by(remote_bots.c.bot_version_id).with_for_update())
    query = select(unrated_boards.c.id).where(unrated_boards.c.id == board_id, is_ready(now))
    return connection.scalar(query) is not None


def sparring(connection: Connection, count: int) -> list[BotVersion]:
    """House bots to qualify against, `count` of them or as many as there are, in an order drawn by lot."""
    newest = select(func.max(bot_versions.c.id)).join(bots).where(bots.c.house, bots.c.name.in_(SPARRING))
    query = select(*version_columns()).join_from(bot_versions, bots)
    rows = connection.execute(query.where(bot_versions.c.id.in_(newest.group_by(bots.c.id))))
    found = sorted(map(version_from, rows), key=lambda bot: SPARRING.index(bot.name))[:count]
    return random.SystemRandom().sample(found, len(found))


def latest_qualifying(connection: Connection, versions: Collection[int]) -> Mapping[int, UnratedBoard]:
    """The latest qualifying boards of remote bots, by the ids of their versions; none for one that has none."""
    newest = (
        select(unrated_remotes.c.bot_version_id, func.max(unrated_boards.c.id).label("board_id"))
        .join(unrated_boards, unrated_boards.c.id == unrated_remotes.c.board_id)
        .where(
            unrated_remotes.c.bot_version_id.in_(sorted(versions)),
            unrated_boards.c.purpose == Purpose.QUALIFYING.value,
        )
        .group_by(unrated_remotes.c.bot_version_id)
        .subquery()
    )
    query = select(unrated_boards, newest.c.bot_version_id).join(newest, newest.c.board_id == unrated_boards.c.id)
    return {row.bot_version_id: board_from(row) for row in connection.execute(query)}


def given_up(now: datetime) -> Select[Any]:
    """The challenges whose remote bot has been gone for longer than they wait."""
    gone = exists().where(
        unrated_remotes.c.board_id == unrated_boards.c.id,
        remote_bots.c.bot_version_id == unrated_remotes.c.bot_version_id,
        remote_bots.c.absent_since <= now - WAITS,
    )
    waits = (unrated_boards.c.state == UnratedState.PLANNED.value) & (unrated_boards.c.created_at <= now - WAITS)
    challenge = unrated_boards.c.purpose == Purpose.CHALLENGE.value
    return select(unrated_boards).where(challenge, waits, gone).order_by(unrated_boards.c.id)
