"""What bots have done in a season, and who is suspended for it: judged once, when a sitting is over.

Owns the table `suspensions` and the columns `sittings` and `overrun_sittings` of `entrants`. The rules themselves are
`league.suspension`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from league.model import FaultKind, Suspension, SuspensionCause
from league.store.ladder_versions import raise_ladder_version
from league.store.schema import boards, bot_versions, bots, entrants, faults, match_players, suspensions
from league.suspension import (
    EXITS_AT_MOST,
    EXITS_WITHIN_MATCHES,
    Conduct,
    suspension_cause,
    suspension_detail,
)


def judge_sitting(connection: Connection, season: Row[Any], sitting: Row[Any], now: datetime) -> None:
    """Counts a sitting that ends in this transaction for those who played it, and suspends who is due.

    Its faults must have been counted. A bot that is suspended already is left as it is.
    """
    playing = _who_plays(connection, season.id, sitting.set_number)
    late = (faults.c.sitting_id == sitting.id) & faults.c.counted & (faults.c.kind == FaultKind.TIMEOUT.value)
    overrun = set(connection.scalars(select(faults.c.entrant).where(late).distinct()))
    _add_one(connection, season.id, playing, "sittings")
    _add_one(connection, season.id, playing & overrun, "overrun_sittings")
    for entrant, conduct in _conduct(connection, season.id, playing).items():
        cause = suspension_cause(conduct)
        if cause is not None:
            _suspend(connection, season, sitting, now, entrant=entrant, cause=cause, conduct=conduct)


def suspended_in(connection: Connection, season_id: int) -> dict[int, str]:
    """Why each suspended entrant of a season is so, by number."""
    query = select(suspensions.c.entrant, suspensions.c.detail).where(suspensions.c.season_id == season_id)
    return {row.entrant: row.detail for row in connection.execute(query.order_by(suspensions.c.entrant))}


def suspensions_of(connection: Connection, season_id: int) -> tuple[Suspension, ...]:
    """The suspensions of a season, the earliest first."""
    query = _select_suspensions().where(suspensions.c.season_id == season_id)
    rows = connection.execute(query.order_by(suspensions.c.results_version, suspensions.c.entrant))
    return tuple(map(_suspension_from, rows))


def suspensions_of_bot(connection: Connection, name: str) -> tuple[Suspension, ...]:
    """The suspensions of a bot in any version, those of the newest seasons first."""
    query = _select_suspensions().where(bots.c.name == name)
    rows = connection.execute(query.order_by(suspensions.c.season_id.desc(), suspensions.c.entrant))
    return tuple(map(_suspension_from, rows))


def _suspension_from(row: Row[Any]) -> Suspension:
    return Suspension(
        season=row.season_id,
        entrant=row.entrant,
        label=row.label,
        owner=row.owner,
        cause=SuspensionCause(row.cause),
        detail=row.detail,
        sitting=row.sitting_id,
        results_version=row.results_version,
        at=row.at,
    )


def _select_suspensions() -> Select[Any]:
    of_entrant = (entrants.c.season_id == suspensions.c.season_id) & (entrants.c.number == suspensions.c.entrant)
    return (
        select(suspensions, entrants.c.label, bots.c.owner)
        .join_from(suspensions, entrants, of_entrant)
        .join(bot_versions, bot_versions.c.id == entrants.c.bot_version_id)
        .join(bots, bots.c.id == bot_versions.c.bot_id)
    )


def _who_plays(connection: Connection, season_id: int, set_number: int) -> set[int]:
    """The entrants of a set's boards that are not suspended."""
    of_set = (boards.c.season_id == season_id) & (boards.c.set_number == set_number)
    seated = {player for players in connection.scalars(select(boards.c.players).where(of_set)) for player in players}
    return seated - suspended_in(connection, season_id).keys()


def _add_one(connection: Connection, season_id: int, group: set[int], column: str) -> None:
    if group:
        these = (entrants.c.season_id == season_id) & entrants.c.number.in_(sorted(group))
        connection.execute(update(entrants).where(these).values({column: entrants.c[column] + 1}))


def _conduct(connection: Connection, season_id: int, playing: set[int]) -> dict[int, Conduct]:
    of_season = entrants.c.season_id == season_id
    rows = connection.execute(
        select(entrants).where(of_season, entrants.c.number.in_(sorted(playing))).order_by(entrants.c.number)
    ).all()
    exits = _exits(connection, season_id, playing)
    return {
        row.number: Conduct(
            matches=row.matches,
            exits=_recent(connection, season_id, row.number, exits.get(row.number, 0)),
            sittings=row.sittings,
            overrun_sittings=row.overrun_sittings,
        )
        for row in rows
    }


def _exits(connection: Connection, season_id: int, playing: set[int]) -> dict[int, int]:
    """The exits of these entrants that count, in all their matches."""
    mine = (faults.c.season_id == season_id) & faults.c.entrant.in_(sorted(playing))
    query = (
        select(faults.c.entrant, func.count().label("exits"))
        .join_from(faults, entrants)
        .where(mine, faults.c.id > entrants.c.forgiven_fault, faults.c.counted, faults.c.kind == FaultKind.EXIT.value)
        .group_by(faults.c.entrant)
    )
    return {row.entrant: row.exits for row in connection.execute(query)}


def _recent(connection: Connection, season_id: int, entrant: int, exits: int) -> int:
    """Of so many exits those within the latest 1,000 matches; looked up only where that can matter."""
    if exits <= EXITS_AT_MOST:
        return exits
    mine = (match_players.c.season_id == season_id) & (match_players.c.entrant == entrant)
    latest = select(match_players.c.number).where(mine).order_by(match_players.c.number.desc())
    first = connection.scalar(latest.limit(1).offset(EXITS_WITHIN_MATCHES - 1))
    if first is None:
        return exits
    query = (
        select(func.count())
        .join_from(faults, entrants)
        .where(
            faults.c.id > entrants.c.forgiven_fault,
            faults.c.season_id == season_id,
            faults.c.entrant == entrant,
            faults.c.counted,
            faults.c.kind == FaultKind.EXIT.value,
            faults.c.counted_after >= first - 1,
        )
    )
    return connection.scalar(query) or 0


def _suspend(
    connection: Connection,
    season: Row[Any],
    sitting: Row[Any],
    now: datetime,
    *,
    entrant: int,
    cause: SuspensionCause,
    conduct: Conduct,
) -> None:
    connection.execute(
        insert(suspensions).values(
            season_id=season.id,
            entrant=entrant,
            cause=cause.value,
            detail=suspension_detail(cause, conduct),
            sitting_id=sitting.id,
            results_version=season.matches_stored,
            at=now,
        )
    )
    raise_ladder_version(connection, season.id)
