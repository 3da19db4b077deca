"""Rows of the tables as the dataclasses of `league.model`, shared by the parts of the store.

Owns the translation and the look-ups by id whose failure is the caller's mistake; changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select

from league.errors import LeagueError, NotThereError, Thing
from league.model import (
    Board,
    BoardSet,
    Entrant,
    Fault,
    FaultKind,
    MatchForfeit,
    MatchRow,
    Season,
    SeasonCounts,
    SeasonKind,
    SeasonState,
    Sitting,
    SittingState,
)
from league.store.bots import version_columns, version_from
from league.store.schema import board_sets, boards, bot_versions, bots, entrants, faults, matches, seasons, sittings

# Made once: with each result all of them are asked, and to write a statement costs as much as to run it.
_SEASON = select(seasons).where(seasons.c.id == bindparam("of_id"))
_LOCKED_SEASON = _SEASON.with_for_update()
_SITTING = select(sittings).where(sittings.c.id == bindparam("of_id"))
_LOCKED_SITTING = _SITTING.with_for_update()


def season_from(row: Row[Any]) -> Season:
    """A season from a row of `seasons`."""
    return Season(
        id=row.id,
        name=row.name,
        kind=SeasonKind(row.kind),
        state=SeasonState(row.state),
        variant=row.variant,
        seats=row.seats,
        deal_count=row.deal_count,
        boards=row.boards,
        set_count=row.set_count,
        player_sets=row.player_sets,
        time_control=row.time_control,
        commitment=row.commitment,
        deal_salt=row.deal_salt,
        secret=row.secret,
        balance=row.balance,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        rolling=row.rolling,
        ending=row.ending,
        ladder_version=row.ladder_version,
        absent_after_ms=row.absent_after_ms,
    )


def season_row(connection: Connection, season_id: int, *, lock: bool = False) -> Row[Any]:
    """The row of a season; `lock`: nobody else changes it before this transaction ends.

    Raises LeagueError naming the seasons there are.
    """
    row = connection.execute(_LOCKED_SEASON if lock else _SEASON, {"of_id": season_id}).one_or_none()
    if row is None:
        raise NotThereError(Thing.SEASON, season_id, f"{season_id}: {known_seasons(connection)}")
    return row


def rotations_of(season: Row[Any]) -> int:
    """In how many rotations each board of a season is played."""
    return SeasonKind(season.kind).rotations(season.seats)


def known_seasons(connection: Connection) -> str:
    """The end of a sentence that says which seasons there are."""
    rows = connection.execute(select(seasons.c.id, seasons.c.name).order_by(seasons.c.id.desc()).limit(10)).all()
    if not rows:
        return "there is none yet, make one with `king season create`"
    return "there are " + ", ".join(f"{row.id} ({row.name})" for row in reversed(rows))


def board_from(row: Row[Any], season: Row[Any]) -> Board:
    """A board from a row of `boards` and that of its season.

    Of an open season nobody is told who meets on a board before its set is over: `players` is empty.
    """
    unseen = season.kind == SeasonKind.OPEN and row.deal_secret is None
    return Board(
        season=row.season_id,
        number=row.number,
        set_number=row.set_number,
        players=() if unseen else tuple(row.players),
        commitment=row.commitment,
        deal_secret=row.deal_secret,
        void=row.void,
        replaces=row.replaces,
    )


def set_row(connection: Connection, season_id: int, number: int) -> Row[Any]:
    """The row of a set of boards, which must be there."""
    this_set = (board_sets.c.season_id == season_id) & (board_sets.c.number == number)
    return connection.execute(select(board_sets).where(this_set)).one()


def sets_of(
    connection: Connection, season_id: int, *, first: int = 1, limit: int | None = None
) -> tuple[BoardSet, ...]:
    """The sets of boards of a season by number, from `first` on, all or so many."""
    chosen = (
        select(board_sets)
        .where(board_sets.c.season_id == season_id, board_sets.c.number >= first)
        .order_by(board_sets.c.number)
        .limit(limit)
    )
    rows = connection.execute(chosen).all()
    if not rows:
        return ()
    between = boards.c.set_number.between(rows[0].number, rows[-1].number)
    numbers = (
        select(
            boards.c.set_number,
            func.min(boards.c.number).label("first"),
            func.max(boards.c.number).label("last"),
            func.count().label("boards"),
        )
        .where(boards.c.season_id == season_id, between, boards.c.replaces.is_(None))
        .group_by(boards.c.set_number)
    )
    by_set = {row.set_number: row for row in connection.execute(numbers)}
    return tuple(
        BoardSet(
            season=season_id,
            number=row.number,
            first_board=by_set[row.number].first,
            last_board=by_set[row.number].last,
            board_count=by_set[row.number].boards,
            entrant_count=row.entrant_count,
            deal_salt=row.deal_salt,
            results_version=row.results_version,
            over_at=row.over_at,
        )
        for row in rows
        if row.number in by_set
    )


def counts_of(connection: Connection, season_id: int) -> SeasonCounts:
    """How many boards and sets a season has."""
    of_season = board_sets.c.season_id == season_id
    row = connection.execute(
        select(
            func.count().label("sets"),
            func.count(board_sets.c.over_at).label("over"),
            func.count(board_sets.c.deal_salt.distinct()).label("salts"),
        ).where(of_season)
    ).one()
    last = connection.scalar(select(func.max(boards.c.number)).where(boards.c.season_id == season_id))
    return SeasonCounts(last_board=last or 0, sets=row.sets, sets_over=row.over, salts=row.salts)


def sitting_from(row: Row[Any]) -> Sitting:
    """A sitting from a row of `sittings`."""
    return Sitting(
        id=row.id,
        season=row.season_id,
        set_number=row.set_number,
        rotation=row.rotation,
        state=SittingState(row.state),
        attempt=row.attempt,
        worker=row.worker,
        lease_until=row.lease_until,
        given_back=row.given_back,
        match_count=row.match_count,
        stored_count=row.stored,
        waiting_since=row.waiting_since,
    )


def sitting_row(connection: Connection, sitting_id: int, *, lock: bool = False) -> Row[Any]:
    """The row of a sitting; LeagueError when there is none. `lock` as in `season_row`."""
    row = connection.execute(_LOCKED_SITTING if lock else _SITTING, {"of_id": sitting_id}).one_or_none()
    if row is None:
        raise LeagueError(f"no sitting {sitting_id}: sittings are made when a season starts")
    return row


def select_entrants() -> Select[Any]:
    """Entrants with their bot versions."""
    columns = [entrants.c.season_id, entrants.c.number, entrants.c.label, entrants.c.withdrawn_at, *version_columns()]
    return select(*columns).join_from(entrants, bot_versions).join(bots)


def entrant_from(row: Row[Any]) -> Entrant:
    """An entrant from a row of `select_entrants`."""
    return Entrant(
        season=row.season_id,
        number=row.number,
        label=row.label,
        bot=version_from(row),
        withdrawn_at=row.withdrawn_at,
    )


def entrants_of(connection: Connection, season_id: int) -> tuple[Entrant, ...]:
    """The entrants of a season by number."""
    query = select_entrants().where(entrants.c.season_id == season_id).order_by(entrants.c.number)
    return tuple(map(entrant_from, connection.execute(query)))


def labels_of(connection: Connection, season_id: int) -> tuple[str, ...]:
    """The labels of a season's entrants by number."""
    query = select(entrants.c.label).where(entrants.c.season_id == season_id).order_by(entrants.c.number)
    return tuple(connection.scalars(query))


def select_matches() -> Select[Any]:
    """Matches with their set and whether that is over."""
    over = board_sets.c.over_at.is_not(None).label("public")
    return (
        select(matches, boards.c.set_number, over)
        .join_from(matches, boards)
        .join(board_sets, (board_sets.c.season_id == boards.c.season_id) & (board_sets.c.number == boards.c.set_number))
    )


def match_from(row: Row[Any], labels: Sequence[str]) -> MatchRow:
    """A match from a row of `select_matches`; `labels` are those of the season's entrants."""
    return MatchRow(
        match_id=row.match_id,
        season=row.season_id,
        board=row.board,
        rotation=row.rotation,
        set_number=row.set_number,
        sitting=row.sitting_id,
        attempt=row.attempt,
        number=row.number,
        players=tuple(row.players),
        labels=tuple(labels[player] for player in row.players),
        scores=tuple(row.scores),
        totals=tuple(row.totals),
        places=tuple(row.places),
        forfeits=tuple(forfeit_from_json(forfeit) for forfeit in row.forfeits),
        public=row.public,
        ended_at=row.ended_at,
    )


def forfeit_to_json(forfeit: MatchForfeit) -> dict[str, Any]:
    """A forfeit as it is kept in the column `forfeits`."""
    return asdict(forfeit)


def forfeit_from_json(kept: dict[str, Any]) -> MatchForfeit:
    """A forfeit from the column `forfeits`."""
    return MatchForfeit(**{**kept, "kind": FaultKind(kept["kind"])})


def select_faults() -> Select[Any]:
    """Faults with the label of the entrant."""
    of_entrant = (entrants.c.season_id == faults.c.season_id) & (entrants.c.number == faults.c.entrant)
    return select(faults, entrants.c.label).join_from(faults, entrants, of_entrant)


def fault_from(row: Row[Any]) -> Fault:
    """A fault from a row of `select_faults`."""
    return Fault(
        id=row.id,
        season=row.season_id,
        sitting=row.sitting_id,
        attempt=row.attempt,
        process=row.process,
        entrant=row.entrant,
        label=row.label,
        kind=FaultKind(row.kind),
        detail=row.detail,
        forfeits=row.forfeits,
        match_ids=tuple(row.match_ids),
        at=row.at,
    )
