"""The audit of a season as organisers read it: which pairs are flagged, and out of how many.

Owns what is shown of it: pairs that are not flagged are counted, never named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.pages.estimates import decimals_of, half_width
from league.collusion import BOARDS_EACH_WAY, Lack
from league.estimates import Estimate


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
    """The section: `asked` of `pairs` ordered pairs could be judged; `chance` is that of any flag in honest play.

    `lack`: what there is where none could; None too where that was not kept. `each_way`: boards that a pair takes.
    """

    boards: int
    pairs: int
    asked: int
    chance: float
    flagged: tuple[FlaggedPair, ...]
    decimals: int
    lack: Lack | None
    each_way: int


def audit_part(kept: Mapping[str, Any], labels: Mapping[int, str]) -> AuditPart:
    """The section of a season, from what is kept of its latest audit; `labels` by entrant."""
    flagged = tuple(_flagged(one, labels) for one in kept["flagged"])
    return AuditPart(
        boards=kept["boards"],
        pairs=kept["pairs"],
        asked=kept["asked"],
        chance=kept["family_wise"],
        flagged=flagged,
        decimals=decimals_of(max((abs(one.points) for one in flagged), default=0.0)),
        lack=Lack(**kept["lack"]) if kept.get("lack") else None,
        each_way=BOARDS_EACH_WAY,
    )


def _flagged(one: Mapping[str, Any], labels: Mapping[int, str]) -> FlaggedPair:
    points = Estimate(value=one["points_per_deal"], low=one["low"], high=one["high"])
    return FlaggedPair(
        giver=labels[one["giver"]],
        taker=labels[one["taker"]],
        boards=one["boards_together"],
        points=points.value,
        low=points.low,
        high=points.high,
        error=half_width(points),
        p_adjusted=one["p_adjusted"],
    )
