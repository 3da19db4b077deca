"""The additive sums made anew from the stored matches.

Owns the way from rows of `matches` to sums; what sums are is `league.sums`. The same matches give the same sums, to
the last bit, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, exists, func, select, update

from league.pair_sums import PairSums
from league.results import MatchResult
from league.store.commits import result_from
from league.store.database import patiently
from league.store.histories import rewrite_moments
from league.store.pairs import forget_pairs, gathering_pairs, write_pairs
from league.store.rows import rotations_of
from league.store.schema import boards, matches, seasons, set_sums
from league.store.sums import forget_sums, write_boards
from referee.rules import parse_variant

_ROWS_AT_ONCE = 1000


def rebuild_sums(connection: Connection, season: Row[Any]) -> int:
    """Throws away a season's sums and makes them from its matches; returns how many whole boards there are.

    So is what is kept of its past: pairs of bots, and ratings as they stood.
    """
    patiently(connection)
    forget_sums(connection, season.id)
    forget_pairs(connection, season.id)
    _date_boards(connection, season)
    variant = parse_variant(season.variant)
    pairs: dict[tuple[int, int], PairSums] = {}
    boards_read = gathering_pairs(_whole_boards(connection, season), variant, pairs)
    count = write_boards(connection, season.id, boards_read, variant)
    write_pairs(connection, season.id, pairs)
    rewrite_moments(connection, season)
    return count


def _date_boards(connection: Connection, season: Row[Any]) -> None:
    """Says of each whole board which result made it so."""
    of_board = (matches.c.season_id == boards.c.season_id) & (matches.c.board == boards.c.number)
    latest = select(func.max(matches.c.number)).where(of_board).scalar_subquery()
    of_season = boards.c.season_id == season.id
    connection.execute(update(boards).where(of_season).values(whole_at=None))
    connection.execute(update(boards).where(of_season, boards.c.stored == rotations_of(season)).values(whole_at=latest))


def rebuild_missing(connection: Connection) -> None:
    """Rebuilds the sums of every season that has whole boards but no sums, as a change of their layout leaves it."""
    has_sums = exists().where(set_sums.c.season_id == seasons.c.id)
    for season in connection.execute(select(seasons).where(seasons.c.boards_over > 0, ~has_sums)).all():
        rebuild_sums(connection, season)


def _whole_boards(connection: Connection, season: Row[Any]) -> Iterator[list[MatchResult]]:
    """The boards whose rotations are all stored, in the order in which they became whole."""
    wanted = ["board", "rotation", "players", "scores", "places", "forfeits", "deal_points"]
    query = (
        select(*(matches.c[name] for name in wanted))
        .join_from(boards, matches)
        .where(boards.c.season_id == season.id, boards.c.whole_at.is_not(None))
        .order_by(boards.c.whole_at, matches.c.rotation)
        .execution_options(yield_per=_ROWS_AT_ONCE)
    )
    for _, rows in groupby(connection.execute(query), key=lambda row: row.board):
        yield [result_from(row, season.deal_count) for row in rows]
