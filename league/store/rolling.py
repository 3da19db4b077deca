"""Rolling seasons as they grow: each time by one set of boards, chosen by `league.rolling`.

Owns when a plan grows and what its choice rests on. Several may ask at once: a set is written by one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, func, select, update

from league.errors import LeagueError
from league.model import Entrant, SeasonKind, SeasonState, SittingState
from league.pairing import PlannedBoard, balance_of
from league.rolling import DUE_AT_LEAST, Contender, error_of, next_boards
from league.seating import seated_once
from league.store.conduct import suspended_in
from league.store.database import Database
from league.store.ladder_versions import raise_ladder_version
from league.store.plans import SaltedEntries, next_board_number, owners_of, write_boards
from league.store.presence import connected_of
from league.store.rows import entrants_of, season_row
from league.store.schema import board_sets, boards, seasons, sittings
from league.store.sums import read_sums
from league.store.vault import Vault

Players = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class _Growth:
    """The next boards of a season, and the state of it that they were chosen from."""

    entered: tuple[Entrant, ...]
    planned: tuple[Players, ...]
    results_version: int
    sets: int
    orders: tuple[Players, ...]


class RollingStore:
    """Has the plans of rolling seasons grow."""

    def __init__(self, database: Database, vault: Callable[[], Vault], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock

    def grow_all(self) -> tuple[int, ...]:
        """Has the plan of every rolling season that runs grow until two of its sittings are due; says of which it did.

        Nothing happens while a season is paused or ends, or while too few bots that are not suspended may meet.
        Raises LeagueError naming the seasons that could not grow, when all others have.
        """
        with self._database.reading() as connection:
            growing = seasons.c.rolling & ~seasons.c.ending & (seasons.c.state == SeasonState.RUNNING.value)
            ids = list(connection.scalars(select(seasons.c.id).where(growing).order_by(seasons.c.id)))
        grown: list[int] = []
        failed: dict[int, Exception] = {}
        for season_id in ids:
            try:
                sets = sum(self.grow(season_id) for _ in range(DUE_AT_LEAST))
            except Exception as error:  # one season that is broken must not stop the others
                failed[season_id] = error
            else:
                grown += [season_id] * (sets > 0)
        if failed:
            told = "; ".join(f"season {season}: {error}" for season, error in failed.items())
            raise LeagueError(f"rolling seasons could not grow: {told}") from next(iter(failed.values()))
        return tuple(grown)

    def grow(self, season_id: int) -> bool:
        """Adds one set of boards to the plan of a rolling season if it needs one; says whether it did."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            growth = _next_growth(connection, season, self._clock()) if _needs_boards(connection, season) else None
        if growth is None:
            return False
        with self._database.writing() as connection:
            season = season_row(connection, season_id, lock=True)
            if _sets(connection, season_id) != growth.sets or not _needs_boards(connection, season):
                return False
            write_growth(connection, season, growth, self._vault().secret(season.commitment))
            return True


def first_growth(season: Row[Any], entered: Sequence[Entrant]) -> _Growth:
    """The first boards of a rolling season, about whose bots nothing is known; none when too few bots may meet."""
    contenders = [
        Contender(entrant=one.number, owner=owner) for one, owner in zip(entered, owners_of(entered), strict=True)
    ]
    orders = next_boards(contenders, (), seats=season.seats, boards=season.boards)
    return _Growth(entered=tuple(entered), planned=(), results_version=0, sets=0, orders=orders)


def write_growth(connection: Connection, season: Row[Any], growth: _Growth, secret: str) -> None:
    """Writes a set of boards, with the next unused numbers and the salt of those who have entered."""
    first = next_board_number(connection, season.id)
    planned: Sequence[PlannedBoard] = [
        PlannedBoard(number=first + at, set_number=growth.sets + 1, players=order)
        for at, order in enumerate(growth.orders)
    ]
    if season.kind == SeasonKind.OPEN:
        planned = seated_once(planned, growth.planned)
    entries = SaltedEntries.of(growth.entered, growth.results_version)
    write_boards(connection, season, planned, growth.entered, entries, secret)
    balance = balance_of([*growth.planned, *growth.orders], owners_of(growth.entered))
    connection.execute(
        update(seasons)
        .where(seasons.c.id == season.id)
        .values(
            balance=str(balance),
            boards_planned=seasons.c.boards_planned + len(planned),
            sets_open=seasons.c.sets_open + 1,
        )
    )
    raise_ladder_version(connection, season.id)


def _needs_boards(connection: Connection, season: Row[Any]) -> bool:
    if season.state != SeasonState.RUNNING or season.ending or not season.rolling:
        return False
    of_season = sittings.c.season_id == season.id
    other = sittings.alias("other")
    claimed = exists().where(
        other.c.season_id == season.id,
        other.c.set_number == sittings.c.set_number,
        other.c.state == SittingState.CLAIMED.value,
    )
    due = select(func.count(sittings.c.set_number.distinct())).where(
        of_season, sittings.c.state == SittingState.PLANNED.value, sittings.c.waiting_since.is_(None), ~claimed
    )
    return (connection.scalar(due) or 0) < DUE_AT_LEAST


def _sets(connection: Connection, season_id: int) -> int:
    return connection.scalar(select(func.count()).where(board_sets.c.season_id == season_id)) or 0


def _next_growth(connection: Connection, season: Row[Any], now: datetime) -> _Growth | None:
    entered = entrants_of(connection, season.id)
    of_season = (boards.c.season_id == season.id) & ~boards.c.void
    query = select(boards.c.players).where(of_season).order_by(boards.c.number)
    planned = tuple(tuple(players) for players in connection.scalars(query))
    contenders = _contenders(connection, season, entered, now)
    orders = next_boards(contenders, planned, seats=season.seats, boards=season.boards)
    if not orders:
        return None
    return _Growth(
        entered=entered,
        planned=planned,
        results_version=season.matches_stored,
        sets=_sets(connection, season.id),
        orders=orders,
    )


def _contenders(connection: Connection, season: Row[Any], entered: Sequence[Entrant], now: datetime) -> list[Contender]:
    """Who may be paired; of the remote bots, those that are connected."""
    here = connected_of(connection, now, [one.bot.id for one in entered if one.bot.remote])
    suspended = suspended_in(connection, season.id)
    known = _errors(connection, season, len(entered))
    contenders = []
    for one, owner in zip(entered, owners_of(entered), strict=True):
        if one.bot.remote and one.bot.id not in here:
            continue
        if one.number not in suspended and one.withdrawn_at is None:
            boards_over, error = known.get(one.number, (0, None))
            contenders.append(Contender(entrant=one.number, owner=owner, boards_over=boards_over, error=error))
    return contenders


def _errors(connection: Connection, season: Row[Any], bot_count: int) -> Mapping[int, tuple[int, float | None]]:
    """Of each entrant, on how many boards its points per deal rest and their standard error."""
    sums = read_sums(connection, season.id)
    if not sums.clean and not sums.flagged:
        return {}
    from league.ratings import rate  # here, for its numerics take long to load

    ratings = rate([*sums.clean, *sums.flagged], bot_count=bot_count, deals=season.deal_count)
    return {bot.entrant: (bot.boards, error_of(bot.points, bot.boards)) for bot in ratings.bots}
