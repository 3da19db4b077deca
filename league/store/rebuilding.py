"""The additive sums made anew from the stored matches.

Owns the way from rows of `matches` to sums; what sums are is `league.sums`. The same matches give the same sums, to
the last bit, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, exists, select

from league.results import MatchResult
from league.store.commits import result_from
from league.store.rows import rotations_of
from league.store.schema import matches, seasons, set_sums
from league.store.sums import forget_sums, write_boards
from referee.rules import parse_variant

_ROWS_AT_ONCE = 1000


def rebuild_sums(connection: Connection, season: Row[Any]) -> int:
    """Throws away a season's sums and makes them from its matches; returns how many whole boards there are."""
    forget_sums(connection, season.id)
    return write_boards(connection, season.id, _whole_boards(connection, season), parse_variant(season.variant))


def rebuild_missing(connection: Connection) -> None:
    """Rebuilds the sums of every season that has whole boards but no sums, as a change of their layout leaves it."""
    has_sums = exists().where(set_sums.c.season_id == seasons.c.id)
    for season in connection.execute(select(seasons).where(seasons.c.boards_over > 0, ~has_sums)).all():
        rebuild_sums(connection, season)


def _whole_boards(connection: Connection, season: Row[Any]) -> Iterator[list[MatchResult]]:
    columns = matches.c
    wanted = ["board", "rotation", "players", "scores", "places", "forfeits", "deal_points"]
    query = (
        select(*(columns[name] for name in wanted))
        .where(columns.season_id == season.id)
        .order_by(columns.board, columns.rotation)
        .execution_options(yield_per=_ROWS_AT_ONCE)
    )
    for _, rows in groupby(connection.execute(query), key=lambda row: row.board):
        board = [result_from(row, season.deal_count) for row in rows]
        if len(board) == rotations_of(season):
            yield board
