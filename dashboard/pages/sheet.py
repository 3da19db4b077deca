"""The score sheet, as players write it on paper: deals by seats in halves, the chooser's grid, or blocks of contracts.

Owns the arrangement of points that the record has; computes no points but sums of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dashboard.numbers import signed
from dashboard.pages.deal import Seat
from dashboard.words import Words
from referee.rules import Contract, Group, Step, Variant


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of one seat in one row; None where they are not known yet."""

    points: int | None
    chose: bool = False
    made_king: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the sheet. `sign`: minus, plus or ""; `until`: the last deal it counts.

    `kind`: deal, open (a deal of a block that nobody has ordered yet), half or final. In a block `by` is the seat whose
    turn of the contract it is.
    """

    kind: str
    number: int | None
    until: int
    name: str
    trump: str | None
    sign: str
    cells: tuple[Cell, ...]
    total: int | None
    by: int | None = None


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that stand together. `name` is the contract of a block, empty where each row has its own."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class GridRow:
    """Who has chosen one contract: by seat, the numbers of the deals; `left`: how often it may still be chosen."""

    name: str
    by_seat: tuple[tuple[int, ...], ...]
    left: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole sheet. `tinted`: rows come in no fixed order, so each shows its sign; `in_blocks`: by contract."""

    groups: tuple[RowGroup, ...]
    tinted: bool
    in_blocks: bool
    grid: tuple[GridRow, ...]
    settlement: str

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, from the top."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def is_limited(self) -> bool:
        """Whether some contract of the grid may be chosen so many times only."""
        return any(row.left is not None for row in self.grid)


def sign_of(contract: Contract | None) -> str:
    """Whether a contract is one to fear or to seek."""
    if contract is None:
        return ""
    return "minus" if contract.group is Group.PENALTY else "plus"


def is_chosen(variant: Variant) -> bool:
    """Whether players pick the contracts, so that the order of deals differs from match to match."""
    return any({Step.CHOOSE, Step.ORDER} & set(plan.opening.steps) for plan in variant.deals)


def is_in_blocks(variant: Variant) -> bool:
    """Whether each seat has each contract once, so that a contract is a block of one row for each seat."""
    return is_chosen(variant) and all(contract.seat_limit == 1 for contract in variant.contracts.values())


def sheet(record: Mapping[str, Any], variant: Variant, seats: Sequence[Seat], words: Words, current: int) -> Sheet:
    """The sheet of a record; `current` is the deal being looked at, up to which the grid of choices goes."""
    in_order, in_blocks = is_chosen(variant), is_in_blocks(variant)
    deals = [_deal_row(deal, variant, words, marks_chooser=in_order) for deal in record["deals"]]
    finished = [row for row in deals if row.total is not None]
    if in_blocks:
        groups = _blocks(record, deals, variant, words)
    else:
        groups = [RowGroup("", tuple(deals if in_order else _with_halves(deals, len(seats))))]
    if finished:
        groups.append(RowGroup("", (_sum_row("final", "", finished, len(seats)),)))
    return Sheet(
        groups=tuple(groups),
        tinted=in_order and not in_blocks,
        in_blocks=in_blocks,
        grid=_grid(record, variant, words, current) if in_order and not in_blocks else (),
        settlement=_settlement(record, seats, words),
    )


def _deal_row(deal: Mapping[str, Any], variant: Variant, words: Words, *, marks_chooser: bool) -> Row:
    contract = variant.contracts.get(deal["contract"] or "")
    points = deal["points"]
    seats = range(variant.seats)
    return Row(
        kind="deal",
        number=deal["number"],
        until=deal["number"],
        name=words.contract(contract) if contract else words.say(_("not chosen yet")),
        trump=deal["trump"],
        sign=sign_of(contract),
        cells=tuple(
            Cell(
                points=None if points is None else points[seat],
                chose=marks_chooser and deal["declarer"] == seat,
                made_king=deal["made_king"] == seat,
            )
            for seat in seats
        ),
        total=None if points is None else sum(points),
    )


def _with_halves(deals: Sequence[Row], seats: int) -> list[Row]:
    rows: list[Row] = []
    for sign in ("minus", "plus"):
        half = [row for row in deals if row.sign == sign]
        finished = [row for row in half if row.total is not None]
        rows += half
        if finished:
            rows.append(_sum_row("half", sign, finished, seats))
    return rows


def _blocks(record: Mapping[str, Any], deals: Sequence[Row], variant: Variant, words: Words) -> list[RowGroup]:
    """A block for each contract, each half with its sums. In a block the seats' own deals of it, also those to come."""
    of = {(deal["contract"], deal["declarer"]): row for deal, row in zip(record["deals"], deals, strict=True)}
    groups: list[RowGroup] = []
    for sign in ("minus", "plus"):
        contracts = [contract for contract in variant.contracts.values() if sign_of(contract) == sign]
        for contract in contracts:
            rows = [of.get((contract.id, seat)) or _open_row(contract, variant, words) for seat in range(variant.seats)]
            name = words.contract(contract)
            groups.append(RowGroup(name, tuple(replace(row, by=seat) for seat, row in enumerate(rows))))
        finished = [row for row in deals if row.sign == sign and row.total is not None]
        if finished:
            groups.append(RowGroup("", (_sum_row("half", sign, finished, variant.seats),)))
    return groups


def _open_row(contract: Contract, variant: Variant, words: Words) -> Row:
    return Row(
        kind="open",
        number=None,
        until=variant.deal_count + 1,
        name=words.contract(contract),
        trump=None,
        sign=sign_of(contract),
        cells=(Cell(points=None),) * variant.seats,
        total=None,
    )


def _sum_row(kind: str, sign: str, rows: Sequence[Row], seats: int) -> Row:
    sums = [sum(row.cells[seat].points or 0 for row in rows) for seat in range(seats)]
    return Row(
        kind=kind,
        number=None,
        until=max(row.until for row in rows),
        name="",
        trump=None,
        sign=sign,
        cells=tuple(Cell(points=points) for points in sums),
        total=sum(sums),
    )


def _grid(record: Mapping[str, Any], variant: Variant, words: Words, current: int) -> tuple[GridRow, ...]:
    chosen = [
        (deal["contract"], deal["declarer"], deal["number"])
        for deal in record["deals"]
        if deal["number"] <= current and deal["contract"] is not None
    ]
    return tuple(
        GridRow(
            name=words.contract(contract),
            by_seat=tuple(
                tuple(number for name, seat, number in chosen if name == contract.id and seat == of)
                for of in range(variant.seats)
            ),
            left=None
            if contract.match_limit is None
            else contract.match_limit - sum(name == contract.id for name, _seat, _number in chosen),
        )
        for contract in variant.contracts.values()
    )


def _settlement(record: Mapping[str, Any], seats: Sequence[Seat], words: Words) -> str:
    amounts = record["settlement"]
    if amounts is None:
        return ""
    gains = ", ".join(f"{seat.name} {signed(amounts[seat.number])}" for seat in seats)
    return words.say(_("The winner collects the differences. Settlement: %(amounts)s."), amounts=gains)
