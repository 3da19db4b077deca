"""The additive sums as stored, and their rebuilding from results.

Owns the tables `set_sums` and `contract_sums`. Sums of boards with a forfeit are kept apart (`flagged`), so that a
ladder without them can be shown too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select, update

from league.results import MatchResult
from league.store.schema import contract_sums as contract_table
from league.store.schema import set_sums as set_table
from league.sums import ContractSums, SetSums, board_sums, contract_sums
from referee.rules import Variant

_SUMS = tuple(each.name for each in fields(ContractSums))
_OF_SEASON = contract_table.c.season_id == bindparam("season")
_KNOWN = select(contract_table.c.entrant, contract_table.c.contract).where(
    _OF_SEASON, contract_table.c.entrant.in_(bindparam("of", expanding=True))
)
_ADD = (
    update(contract_table)
    .where(_OF_SEASON, contract_table.c.entrant == bindparam("of"), contract_table.c.contract == bindparam("in"))
    .values({name: contract_table.c[name] + bindparam(f"more_{name}") for name in _SUMS})
)
_NEW = insert(contract_table).values(
    season_id=bindparam("season"),
    entrant=bindparam("of"),
    contract=bindparam("in"),
    **{name: bindparam(f"more_{name}") for name in _SUMS},
)


@dataclass(frozen=True, kw_only=True)
class SeasonSums:
    """All sums of a season: by set of players, of boards without and with a forfeit, and by (entrant, contract)."""

    clean: tuple[SetSums, ...]
    flagged: tuple[SetSums, ...]
    contracts: Mapping[tuple[int, str], ContractSums] = field(default_factory=dict)


def add_board(connection: Connection, season_id: int, results: Sequence[MatchResult], variant: Variant) -> None:
    """Adds a board whose rotations are all given."""
    flagged = any(any(result.forfeited) for result in results)
    _add_set_sums(connection, season_id, board_sums(results, variant.forfeit_points), flagged=flagged)
    _add_contract_sums(connection, season_id, contract_sums(results))


def write_boards(
    connection: Connection, season_id: int, boards: Iterable[Sequence[MatchResult]], variant: Variant
) -> int:
    """Writes the sums of a season that has none, from its whole boards; returns how many they are."""
    sets: dict[tuple[bool, tuple[int, ...]], SetSums] = {}
    contracts: dict[tuple[int, str], ContractSums] = {}
    count = 0
    for count, results in enumerate(boards, start=1):  # noqa: B007
        part = board_sums(results, variant.forfeit_points)
        key = any(any(result.forfeited) for result in results), part.players
        sets[key] = sets[key] + part if key in sets else part
        for bot_and_contract, made in contract_sums(results).items():
            contracts[bot_and_contract] = contracts.get(bot_and_contract, ContractSums()) + made
    set_rows = [
        {"season_id": season_id, "players": _key(part.players), "flagged": flagged, "sums": part.to_bytes()}
        for (flagged, _), part in sorted(sets.items())
    ]
    contract_rows = [
        {"season_id": season_id, "entrant": entrant, "contract": contract, **asdict(part)}
        for (entrant, contract), part in sorted(contracts.items())
    ]
    for table, rows in ((set_table, set_rows), (contract_table, contract_rows)):
        if rows:
            connection.execute(insert(table), rows)
    return count


def read_sums(connection: Connection, season_id: int) -> SeasonSums:
    """All sums of a season, in a fixed order."""
    of_sets = read_set_sums(connection, [season_id])[season_id]
    return SeasonSums(clean=of_sets.clean, flagged=of_sets.flagged, contracts=read_contract_sums(connection, season_id))


def read_set_sums(connection: Connection, season_ids: Sequence[int]) -> Mapping[int, SeasonSums]:
    """The sums of several seasons by set of players, without those by contract."""
    found: dict[tuple[int, bool], list[SetSums]] = {}
    for row in connection.execute(select(set_table).where(set_table.c.season_id.in_(season_ids))):
        players = tuple(map(int, row.players.split(",")))
        found.setdefault((row.season_id, row.flagged), []).append(SetSums.from_bytes(players, row.sums))
    return {
        season: SeasonSums(
            clean=_in_order(found.get((season, False), ())), flagged=_in_order(found.get((season, True), ()))
        )
        for season in season_ids
    }


def read_contract_sums(
    connection: Connection, season_id: int, entrant: int | None = None
) -> Mapping[tuple[int, str], ContractSums]:
    """The sums of a season by (entrant, contract), of all entrants or of one."""
    query = select(contract_table).where(contract_table.c.season_id == season_id)
    if entrant is not None:
        query = query.where(contract_table.c.entrant == entrant)
    rows = connection.execute(query).all()
    return {
        (row.entrant, row.contract): ContractSums(
            boards=row.boards,
            deals=row.deals,
            points=row.points,
            points_squared=row.points_squared,
            points_by_deals=row.points_by_deals,
            deals_squared=row.deals_squared,
        )
        for row in sorted(rows, key=lambda row: (row.entrant, row.contract))
    }


def forget_sums(connection: Connection, season_id: int) -> None:
    """Deletes a season's sums, to rebuild them from results."""
    connection.execute(delete(set_table).where(set_table.c.season_id == season_id))
    connection.execute(delete(contract_table).where(contract_table.c.season_id == season_id))


def _in_order(sums: Sequence[SetSums]) -> tuple[SetSums, ...]:
    return tuple(sorted(sums, key=lambda one: one.players))


def _key(players: Sequence[int]) -> str:
    return ",".join(map(str, players))


def _add_set_sums(connection: Connection, season_id: int, part: SetSums, *, flagged: bool) -> None:
    key = _key(part.players)
    row: ColumnElement[bool] = (
        (set_table.c.season_id == season_id) & (set_table.c.players == key) & (set_table.c.flagged == flagged)
    )
    known = connection.scalar(select(set_table.c.sums).where(row))
    if known is None:
        new = insert(set_table).values(season_id=season_id, players=key, flagged=flagged, sums=part.to_bytes())
        connection.execute(new)
    else:
        total = SetSums.from_bytes(part.players, known) + part
        connection.execute(update(set_table).where(row).values(sums=total.to_bytes()))


def _add_contract_sums(connection: Connection, season_id: int, made: Mapping[tuple[int, str], ContractSums]) -> None:
    """Adds what a board has made by (entrant, contract): some fifty rows, in three statements."""
    players = {entrant for entrant, _ in made}
    known = {(row.entrant, row.contract) for row in connection.execute(_KNOWN, {"season": season_id, "of": players})}
    rows = [
        ((entrant, contract) in known, _row(season_id, entrant, contract, part))
        for (entrant, contract), part in made.items()
    ]
    for statement, wanted in ((_ADD, True), (_NEW, False)):
        chosen = [row for is_known, row in rows if is_known is wanted]
        if chosen:
            connection.execute(statement, chosen)


def _row(season_id: int, entrant: int, contract: str, part: ContractSums) -> dict[str, Any]:
    more = {f"more_{name}": value for name, value in asdict(part).items()}
    return {"season": season_id, "of": entrant, "in": contract, **more}
