"""The audit of a season as organisers read it: which pairs are flagged, and out of how many.

Owns what is shown of it: pairs that are not flagged are counted, never named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.pages.estimates import decimals_for, half_width
from league.collusion import Audit, PairEffect


@dataclass(frozen=True, slots=True)
class FlaggedPair:
    """What the presence of `giver` is worth to `taker`, in points per deal, on `boards` boards of both."""

    giver: str
    taker: str
    boards: int
    points: float
    low: float | None
    high: float | None
    error: float | None
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class AuditPart:
    """The section: `asked` of `pairs` ordered pairs could be judged; `chance` is that of any flag in honest play."""

    boards: int
    pairs: int
    asked: int
    chance: float
    flagged: tuple[FlaggedPair, ...]
    decimals: int


def audit_part(found: Audit, labels: Mapping[int, str]) -> AuditPart:
    """The section of a season; `labels` by entrant."""
    return AuditPart(
        boards=found.boards,
        pairs=len(found.pairs),
        asked=sum(one.p is not None for one in found.pairs),
        chance=found.family_wise,
        flagged=tuple(_flagged(one, labels) for one in found.flagged),
        decimals=decimals_for(one.effect for one in found.flagged),
    )


def _flagged(one: PairEffect, labels: Mapping[int, str]) -> FlaggedPair:
    if one.effect is None:
        raise ValueError(f"the pair {one.giver}, {one.taker} is flagged without an effect")
    return FlaggedPair(
        giver=labels[one.giver],
        taker=labels[one.taker],
        boards=one.boards,
        points=one.effect.value,
        low=one.effect.low,
        high=one.effect.high,
        error=half_width(one.effect),
        p_adjusted=one.p_adjusted,
    )
