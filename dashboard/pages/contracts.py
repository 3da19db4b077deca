"""Points by contract of every bot of a season: where each wins and loses.

Owns what is shown of the sums by contract. A bot is compared with the mean of its tables in that contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.pages.estimates import decimals_for, half_width
from dashboard.pages.tables import Window, heat_step, shown_part, windows
from dashboard.words import Words
from league.by_contract import ContractPoints, points_by_contract
from league.ladder import Ladder, LadderRow
from league.model import Progress, Season
from league.sums import ContractSums
from referee.rules import Contract, parse_variant


@dataclass(frozen=True, slots=True)
class ContractCell:
    """A bot in a contract, in points per deal; `clear`: above or below its tables, by `p_holm`."""

    points: float
    low: float | None
    high: float | None
    error: float | None
    deals: int
    boards: int
    p_holm: float | None
    clear: bool
    heat: int


@dataclass(frozen=True, slots=True)
class ContractLine:
    """A contract through all bots that are shown; None where a bot has not played it itself."""

    contract: str
    name: str
    scoring: str
    cells: tuple[ContractCell | None, ...]


@dataclass(frozen=True, slots=True)
class BotColumn:
    """A bot: its place on the ladder, and the contract where it clearly loses most (empty: nowhere clearly)."""

    number: int
    name: str
    worst: str
    worst_points: float


@dataclass(frozen=True, slots=True)
class ContractsPage:
    """The model of the page."""

    season: Season
    progress: Progress
    bots: tuple[BotColumn, ...]
    lines: tuple[ContractLine, ...]
    windows: tuple[Window, ...]
    decimals: int
    clear: int
    cells: int


def contracts_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    sums: Mapping[tuple[int, str], ContractSums],
    words: Words,
    *,
    first: int = 1,
) -> ContractsPage:
    """The page of a season; of many bots the window that holds place `first` of the ladder.

    `sums` are by entrant and contract.
    """
    rated = [row for row in ladder.rows if row.rating.boards]
    parts = windows(len(rated), min(max(1, first), max(1, len(rated))))
    chosen = shown_part(rated, parts) if rated else ()
    contracts = parse_variant(season.variant).contracts
    points = {row.entry.entrant: _points_of(row, sums, season, tuple(contracts)) for row in chosen}
    every = [one for of_bot in points.values() for one in of_bot.values()]
    largest = max((_in_shares(one, contracts[one.contract], season.seats) for one in every), default=0.0)
    lines = tuple(
        ContractLine(
            contract=key,
            name=words.contract(contract),
            scoring=words.scoring(contract),
            cells=tuple(_cell(points[row.entry.entrant].get(key), contract, season.seats, largest) for row in chosen),
        )
        for key, contract in contracts.items()
        if any(key in of_bot for of_bot in points.values())
    )
    cells = [cell for line in lines for cell in line.cells if cell is not None]
    return ContractsPage(
        season=season,
        progress=progress,
        bots=tuple(_column(row, at, lines) for at, row in enumerate(chosen)),
        lines=lines,
        windows=parts if len(parts) > 1 else (),
        decimals=decimals_for(one.points for one in every),
        clear=sum(cell.clear for cell in cells),
        cells=len(cells),
    )


def _points_of(
    row: LadderRow, sums: Mapping[tuple[int, str], ContractSums], season: Season, contracts: Sequence[str]
) -> dict[str, ContractPoints]:
    entrant = row.entry.entrant
    mine = {key: sums[entrant, key] for key in contracts if (entrant, key) in sums}
    return {one.contract: one for one in points_by_contract(mine, season.seats)}


def _in_shares(one: ContractPoints, contract: Contract, seats: int) -> float:
    """How far from the mean, in what a seat gets of the contract: contracts count very different things."""
    return abs(one.points.value) * seats / (abs(contract.total) or 100.0)


def _cell(one: ContractPoints | None, contract: Contract, seats: int, largest: float) -> ContractCell | None:
    if one is None:
        return None
    points = one.points
    far = _in_shares(one, contract, seats)
    return ContractCell(
        points=points.value,
        low=points.low,
        high=points.high,
        error=half_width(points),
        deals=one.deals,
        boards=one.boards,
        p_holm=one.p_holm,
        clear=one.is_clear,
        heat=heat_step(far if points.value > 0 else -far, largest, clear=one.is_clear),
    )


def _column(row: LadderRow, at: int, lines: Sequence[ContractLine]) -> BotColumn:
    below = [(cell.points, line.name) for line in lines for cell in [line.cells[at]] if cell and cell.clear]
    points, name = min(below, default=(0.0, ""))
    is_loss = points < 0
    return BotColumn(
        number=row.rank,
        name=row.entry.label,
        worst=name if is_loss else "",
        worst_points=points if is_loss else 0.0,
    )
