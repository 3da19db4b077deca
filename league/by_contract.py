"""Points of a bot by contract: where it loses.

Pure. Against the mean of its tables, not corrected for who sat there; deals that a stand-in finished are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.estimates import Estimate, estimate
from league.sums import ContractSums


@dataclass(frozen=True, kw_only=True)
class ContractPoints:
    """Points per deal of one bot in one contract against the mean of its tables."""

    contract: str
    boards: int
    deals: int
    points: Estimate


def points_by_contract(sums: Mapping[str, ContractSums], seats: int) -> tuple[ContractPoints, ...]:
    """Points per deal of one bot by contract, in the order given; a ratio of sums, clustered by board."""
    return tuple(_contract_points(contract, part, seats) for contract, part in sums.items() if part.deals)


def _contract_points(contract: str, part: ContractSums, seats: int) -> ContractPoints:
    ratio = part.points / part.deals
    variance = 0.0
    if part.boards > 1:
        rest = part.points_squared - 2.0 * ratio * part.points_by_deals + ratio**2 * part.deals_squared
        variance = rest * part.boards / (part.boards - 1) / part.deals**2 / seats**2
    return ContractPoints(
        contract=contract,
        boards=part.boards,
        deals=part.deals,
        points=estimate(ratio / seats, variance, part.boards - 1),
    )


def by_contract_json(found: Sequence[ContractPoints]) -> list[dict[str, Any]]:
    """The JSON of one bot's points by contract; `low` and `high` are null with fewer than two boards."""
    return [
        {
            "contract": one.contract,
            "boards": one.boards,
            "deals": one.deals,
            "points_per_deal": one.points.value,
            "low": one.points.low,
            "high": one.points.high,
        }
        for one in found
    ]
