"""Standings of a season: ladder, crosstable, points by contract, audit and live ratings, read from the additive sums.

Owns the cache of what was computed last: each is good for one version of a ladder, and made
by one thread while others wait.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Row, and_, or_, select

from league.by_contract import ContractPoints, points_by_contract
from league.collusion import Audit, audit
from league.errors import LeagueError
from league.ladder import Ladder, LadderEntry, Order, make_ladder
from league.luck import Luck, luck
from league.model import SeasonKind
from league.pair_sums import PairSums
from league.standings import Crosstable, crosstable
from league.store.database import Database
from league.store.pairs import read_pair, read_pairs
from league.store.rows import entrant_from, entrants_of, season_row, select_entrants
from league.store.schema import entrants, match_players, matches, seasons
from league.store.sums import SeasonSums, read_contract_sums, read_set_sums, read_sums
from league.sums import ContractSums
from referee.rules import parse_variant

_KEPT = 64
_Made = TypeVar("_Made")


@dataclass(frozen=True, kw_only=True)
class LivePoint:
    """The live Elo of a bot after its match that was the `number`-th result of the season."""

    number: int
    live_elo: float


class StandingsStore:
    """Computes standings, each once for every state of a season."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[object, ...], Future[object]] = OrderedDict()

    def ladder(self, season_id: int, order: Order = Order.ELO) -> Ladder:
        """The ladder of a season, in an order; LeagueError for an unknown season."""
        with self._database.reading() as connection:
            return self._ladder(connection, season_row(connection, season_id), order)

    def ladders(self, season_ids: Sequence[int]) -> Mapping[int, Ladder]:
        """The ladders of several seasons by id, in as few queries as one; of unknown ones none."""
        with self._database.reading() as connection:
            rows = connection.execute(select(seasons).where(seasons.c.id.in_(season_ids))).all()
            wanted = {row.id: ("ladder", *_state(row)) for row in rows}
            inputs = _LadderInputs(connection, [row for row in rows if not self._is_made(wanted[row.id])])
            return {row.id: self._once(wanted[row.id], partial(inputs.ladder, row)) for row in rows}

    def pair(self, season_id: int, a: int, b: int) -> PairSums | None:
        """Two entrants on the boards of both, seen from `a`; None where they have none."""
        with self._database.reading() as connection:
            return read_pair(connection, season_id, a, b)

    def pairs(self, season_id: int, among: Sequence[int]) -> Mapping[tuple[int, int], PairSums]:
        """All pairs a < b of some entrants that have boards together."""
        with self._database.reading() as connection:
            return read_pairs(connection, season_id, among)

    def contracts(self, season_id: int) -> Mapping[tuple[int, str], ContractSums]:
        """The additive sums by entrant and contract."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return read_contract_sums(connection, season_id)

    def crosstable(self, season_id: int) -> Crosstable:
        """All against all, in the ladder's order."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            ladder = self._ladder(connection, season, Order.ELO)
            key = ("crosstable", *_state(season))
            return self._once(key, lambda: _make_crosstable(connection, season_id, ladder))

    def _ladder(self, connection: Connection, season: Row[Any], order: Order) -> Ladder:
        made = self._once(("ladder", *_state(season)), lambda: _LadderInputs(connection, [season]).ladder(season))
        return made if order is Order.ELO else made.in_order(order)

    def by_contract(self, season_id: int, entrant: int) -> tuple[ContractPoints, ...]:
        """Points per deal of an entrant in each contract it has played, in the variant's order."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            _check_entrant(connection, season_id, entrant)
            sums = read_contract_sums(connection, season_id, entrant)
            mine: dict[str, ContractSums] = {}
            for contract in parse_variant(season.variant).contracts:
                if (entrant, contract) in sums:
                    mine[contract] = sums[entrant, contract]
            return points_by_contract(mine, season.seats)

    def audit(self, season_id: int) -> Audit:
        """The audit for collusion of a season's boards without a forfeit."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            key = ("audit", *_state(season))
            clean = read_sums(connection, season_id).clean
        return self._once(key, lambda: audit(clean, deals=season.deal_count))

    def luck(self, season_id: int) -> Luck | None:
        """The luck of the deal in a season's boards without a forfeit; None where they are too few."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            return luck(read_sums(connection, season_id).clean, deals=season.deal_count)

    def live_history(self, season_id: int, entrant: int, limit: int = 500) -> tuple[LivePoint, ...]:
        """The live Elo of an entrant after each of its latest matches, oldest first."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            mine = (match_players.c.season_id == season_id) & (match_players.c.entrant == entrant)
            newest = (
                select(match_players.c.number, match_players.c.live_elo)
                .where(mine)
                .order_by(match_players.c.number.desc())
                .limit(limit)
            )
            rows = connection.execute(newest).all()
            return tuple(LivePoint(number=row.number, live_elo=row.live_elo) for row in reversed(rows))

    def sums(self, season_id: int) -> SeasonSums:
        """The additive sums of a season."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            return read_sums(connection, season_id)

    def version(self, season_id: int) -> str:
        """Names what the season's standings are made of: the same as long as none of them can change."""
        with self._database.reading() as connection:
            return "-".join(map(str, _state(season_row(connection, season_id))))

    def _is_made(self, key: tuple[object, ...]) -> bool:
        with self._lock:
            return key in self._made

    def _once(self, key: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
        """Makes what is asked for, while others who ask for the same wait for it."""
        with self._lock:
            known = self._made.get(key)
            if known is None:
                own: Future[object] = Future()
                self._made[key] = own
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
            else:
                self._made.move_to_end(key)
        if known is not None:
            return cast(_Made, known.result())
        try:
            made = make()
        except BaseException as error:
            with self._lock:
                self._made.pop(key, None)
            own.set_exception(error)
            raise
        own.set_result(made)
        return made


def _state(season: Row[Any]) -> tuple[int, int]:
    """What changes whenever a ladder may."""
    return season.id, season.ladder_version


class _LadderInputs:
    """What ladders are made of, read for several seasons at once; of a season that is not among them, when asked."""

    def __init__(self, connection: Connection, seasons_read: Sequence[Row[Any]]) -> None:
        self._connection = connection
        ids = [season.id for season in seasons_read]
        self._sums = read_set_sums(connection, ids) if ids else {}
        self._entries = _entries(connection, ids) if ids else {}
        self._updated_at = _latest(connection, seasons_read) if ids else {}

    def ladder(self, season: Row[Any]) -> Ladder:
        """The ladder of a season."""
        if season.id not in self._sums:  # it was at hand when the others were read, and has been given up since
            return _LadderInputs(self._connection, [season]).ladder(season)
        return make_ladder(
            self._entries[season.id],
            self._sums[season.id].clean,
            self._sums[season.id].flagged,
            variant=parse_variant(season.variant),
            results_version=season.matches_stored,
            updated_at=self._updated_at.get(season.id),
            kind=SeasonKind(season.kind),
        )


def _latest(connection: Connection, of_seasons: Sequence[Row[Any]]) -> Mapping[int, datetime]:
    """When the latest result of each season came in."""
    latest = [
        and_(matches.c.season_id == season.id, matches.c.number == season.matches_stored) for season in of_seasons
    ]
    query = select(matches.c.season_id, matches.c.ended_at).where(or_(*latest))
    return {row.season_id: row.ended_at for row in connection.execute(query)}


def _entries(connection: Connection, season_ids: Sequence[int]) -> Mapping[int, list[LadderEntry]]:
    query = (
        select_entrants()
        .add_columns(entrants.c.matches, entrants.c.live_elo, entrants.c.faults)
        .where(entrants.c.season_id.in_(season_ids))
        .order_by(entrants.c.season_id, entrants.c.number)
    )
    found: dict[int, list[LadderEntry]] = {season: [] for season in season_ids}
    for row in connection.execute(query):
        found[row.season_id].append(_entry(row))
    return found


def _entry(row: Row[Any]) -> LadderEntry:
    one = entrant_from(row)
    return LadderEntry(
        entrant=one.number,
        label=one.label,
        bot=one.bot.name,
        version=one.bot.version,
        language=one.bot.language,
        owner=one.bot.owner,
        house=one.bot.house,
        matches=row.matches,
        live_elo=row.live_elo,
        faults=row.faults,
    )


def _make_crosstable(connection: Connection, season_id: int, ladder: Ladder) -> Crosstable:
    sums = read_sums(connection, season_id)
    return crosstable(
        [row.entry.entrant for row in ladder.rows],
        [row.entry.label for row in ladder.rows],
        [*sums.clean, *sums.flagged],
        ladder.differences,
    )


def _check_entrant(connection: Connection, season_id: int, entrant: int) -> None:
    has = [row.number for row in entrants_of(connection, season_id)]
    if entrant not in has:
        known = f"it has 0 to {len(has) - 1}" if has else "nobody has entered"
        raise LeagueError(f"no entrant {entrant} in season {season_id}: {known}")
