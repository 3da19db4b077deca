"""Points of a bot by contract: where it loses.

Pure. Against the mean of its tables, not corrected for who sat there; deals that a stand-in finished are left out.
Owns when a bot is clearly above or below its tables in a contract: many contracts are looked at together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from league.estimates import Estimate, estimate, two_sided_p
from league.sums import ContractSums
from league.verdicts import SURE_BELOW_P, holm


@dataclass(frozen=True, kw_only=True)
class ContractPoints:
    """Points per deal of one bot in one contract against the mean of its tables.

    `p`: two-sided, against 0; `p_holm`: after Holm's correction over all contracts of the bot. None where boards cannot
    tell.
    """

    contract: str
    boards: int
    deals: int
    points: Estimate
    p: float | None
    p_holm: float | None

    @property
    def is_clear(self) -> bool:
        """Whether the bot is clearly above or below its tables."""
        return self.p_holm is not None and self.p_holm < SURE_BELOW_P


def points_by_contract(sums: Mapping[str, ContractSums], seats: int) -> tuple[ContractPoints, ...]:
    """Points per deal of one bot by contract, in the order given; a ratio of sums, clustered by board."""
    found = [_contract_points(contract, part, seats) for contract, part in sums.items() if part.deals]
    adjusted = holm([one.p for one in found])
    return tuple(replace(one, p_holm=p_holm) for one, p_holm in zip(found, adjusted, strict=True))


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
        p=two_sided_p(ratio / seats, variance, part.boards - 1),
        p_holm=None,
    )


def by_contract_json(found: Sequence[ContractPoints]) -> list[dict[str, Any]]:
    """The JSON of one bot's points by contract; `low`, `high` and p are null with fewer than two boards."""
    return [
        {
            "contract": one.contract,
            "boards": one.boards,
            "deals": one.deals,
            "points_per_deal": one.points.value,
            "low": one.points.low,
            "high": one.points.high,
            "p": one.p,
            "p_holm": one.p_holm,
        }
        for one in found
    ]
