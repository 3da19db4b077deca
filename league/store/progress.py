"""How far seasons are, and when they are expected to end; several in as few queries as one.

Owns that forecast. Changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, func, or_, select

from league.model import Progress, SeasonState, SittingState
from league.store.rows import rotations_of
from league.store.schema import matches, sittings

_RESULTS_FOR_SPEED = 200


def progress_of(connection: Connection, seasons: Sequence[Row[Any]], now: datetime) -> Mapping[int, Progress]:
    """The progress of seasons, given as rows of `seasons`, by id."""
    states = _sittings_by_state(connection, [season.id for season in seasons])
    since = _speed_since(connection, [season for season in seasons if _remaining(season)])
    return {season.id: _progress(season, states.get(season.id, {}), since.get(season.id), now) for season in seasons}


def _progress(season: Row[Any], states: Mapping[str, int], since: datetime | None, now: datetime) -> Progress:
    end, error = _expected_end(season, since, now)
    return Progress(
        season=season.id,
        state=SeasonState(season.state),
        matches_planned=season.boards_planned * rotations_of(season),
        matches_stored=season.matches_stored,
        boards_planned=season.boards_planned,
        boards_over=season.boards_over,
        sittings_planned=sum(states.values()),
        sittings_done=states.get(SittingState.DONE, 0),
        sittings_claimed=states.get(SittingState.CLAIMED, 0),
        results_version=season.matches_stored,
        expected_end=end,
        expected_end_error_seconds=error,
    )


def _sittings_by_state(connection: Connection, ids: Sequence[int]) -> dict[int, dict[str, int]]:
    query = (
        select(sittings.c.season_id, sittings.c.state, func.count().label("sittings"))
        .where(sittings.c.season_id.in_(ids))
        .group_by(sittings.c.season_id, sittings.c.state)
    )
    found: dict[int, dict[str, int]] = {}
    for row in connection.execute(query):
        found.setdefault(row.season_id, {})[row.state] = row.sittings
    return found


def _remaining(season: Row[Any]) -> int:
    """How many matches are left, of a season of which an end can be expected; else none."""
    if season.state != SeasonState.RUNNING or season.matches_stored < 2 or (season.rolling and not season.ending):
        return 0
    return max(0, int(season.boards_planned * rotations_of(season) - season.matches_stored))


def _seen(season: Row[Any]) -> int:
    """How many of the latest results tell the speed."""
    return min(_RESULTS_FOR_SPEED, int(season.matches_stored) - 1)


def _speed_since(connection: Connection, seasons: Sequence[Row[Any]]) -> dict[int, datetime]:
    """When the result before those that tell the speed came in."""
    if not seasons:
        return {}
    first = [
        and_(matches.c.season_id == season.id, matches.c.number == season.matches_stored - _seen(season))
        for season in seasons
    ]
    query = select(matches.c.season_id, matches.c.ended_at).where(or_(*first))
    return {row.season_id: row.ended_at for row in connection.execute(query)}


def _expected_end(season: Row[Any], since: datetime | None, now: datetime) -> tuple[datetime | None, float | None]:
    """From the speed of the latest results, as if they came at random: the relative error is 1 / √results."""
    if since is None or now <= since:
        return None, None
    seen, remaining = _seen(season), _remaining(season)
    left_seconds = remaining * (now - since).total_seconds() / seen
    return now + timedelta(seconds=left_seconds), 1.96 * left_seconds * math.sqrt(1 / seen + 1 / remaining)
