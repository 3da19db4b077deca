"""The same cards in other hands: what each hand of a deal made in every rotation of its board.

Owns the comparison with the mean of a hand and its seven steps of heat. Seat s has the same cards in every rotation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.words import Words
from referee.rules import Contract, Variant

_FIRST_STEPS = (0.06, 0.5, 1.1)


@dataclass(frozen=True, slots=True)
class RotationRecord:
    """A rotation of the board, its record ready."""

    number: int
    match_id: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RotationHead:
    """A column of the table."""

    number: int
    match_id: str
    this: bool


@dataclass(frozen=True, slots=True)
class HandCell:
    """Who held the hand in one rotation, the points it made, and how that compares with the hand's mean."""

    name: str
    points: int
    heat: int
    this: bool
    contract: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand through the rotations."""

    at: str
    cells: tuple[HandCell, ...]


@dataclass(frozen=True, slots=True)
class Others:
    """The whole table."""

    rotations: tuple[RotationHead, ...]
    rows: tuple[HandRow, ...]


def heat(points: float, mean: float, contract: Contract, seats: int) -> int:
    """Seven steps from −3 to 3: how far from the mean of this hand, in shares of what a seat gets of the contract."""
    fair = abs(contract.total) / seats or 1.0
    off = abs(points - mean) / fair
    step = sum(off >= least for least in _FIRST_STEPS)
    return step if points > mean else -step


def others(
    rotations: Sequence[RotationRecord], variant: Variant, deal: int, here: str, places: Sequence[str], words: Words
) -> Others | None:
    """The table for one deal; None unless at least two rotations have played it."""
    played = [one for one in rotations if len(one.record["deals"]) >= deal and one.record["deals"][deal - 1]["points"]]
    if len(played) < 2:
        return None
    contracts = {one.record["deals"][deal - 1]["contract"] for one in played}
    order = sorted(range(variant.seats), key=lambda seat: ("top", "left", "right", "bottom").index(places[seat]))
    return Others(
        rotations=tuple(RotationHead(one.number, one.match_id, one.match_id == here) for one in played),
        rows=tuple(
            HandRow(places[seat], _cells(played, variant, deal, seat, here, words, names_contract=len(contracts) > 1))
            for seat in order
        ),
    )


def _cells(
    played: Sequence[RotationRecord],
    variant: Variant,
    deal: int,
    seat: int,
    here: str,
    words: Words,
    *,
    names_contract: bool,
) -> tuple[HandCell, ...]:
    deals = [one.record["deals"][deal - 1] for one in played]
    mean = sum(one["points"][seat] for one in deals) / len(deals)
    return tuple(
        HandCell(
            name=rotation.record["players"][seat]["bot"],
            points=one["points"][seat],
            heat=heat(one["points"][seat], mean, variant.contracts[one["contract"]], variant.seats),
            this=rotation.match_id == here,
            contract=words.contract(variant.contracts[one["contract"]]) if names_contract else "",
        )
        for rotation, one in zip(played, deals, strict=True)
    )
