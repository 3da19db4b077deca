"""The score sheet, as players write it on paper: deals by seats, halves and total, or the chooser's grid.

Owns the arrangement of points that the record has; computes no points but sums of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """A row of the sheet. `kind`: deal, half or final; `sign`: minus, plus or ""; `until`: the last deal it counts."""

    kind: str
    number: int | None
    until: int
    name: str
    trump: str | None
    sign: str
    cells: tuple[Cell, ...]
    total: int | None


@dataclass(frozen=True, slots=True)
class GridRow:
    """Who has chosen one contract: by seat, the numbers of the deals; `left`: how often it may still be chosen."""

    name: str
    by_seat: tuple[tuple[int, ...], ...]
    left: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole sheet. `tinted`: rows come in no fixed order, so each one shows its sign."""

    rows: tuple[Row, ...]
    tinted: bool
    grid: tuple[GridRow, ...]
    settlement: str

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


def sheet(record: Mapping[str, Any], variant: Variant, seats: Sequence[Seat], words: Words, current: int) -> Sheet:
    """The sheet of a record; `current` is the deal being looked at, up to which the grid of choices goes."""
    in_rows = is_chosen(variant)
    deals = [_deal_row(deal, variant, words, marks_chooser=in_rows) for deal in record["deals"]]
    finished = [row for row in deals if row.total is not None]
    rows = deals if in_rows else _with_halves(deals, len(seats))
    if finished:
        rows = [*rows, _sum_row("final", "", finished, len(seats))]
    return Sheet(
        rows=tuple(rows),
        tinted=in_rows,
        grid=_grid(record, variant, words, current) if in_rows else (),
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
