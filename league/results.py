"""What one match means for statistics, taken from its record.

Pure. Owns the reading of scores, places and forfeits out of a record, and nothing of how they are summed up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.errors import LeagueError
from league.model import FaultKind, MatchForfeit
from referee.rules import Variant, match_scores

Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class DealPoints:
    """Points of one regular deal. `own` says by seat whether the bot itself played it to the end."""

    contract: str
    points: tuple[int, ...]
    own: tuple[bool, ...]


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """One match for statistics; everything is by seat. `players` are numbers of entrants.

    `scores` is what decides the places, higher is better, in points of a whole match of `deals` regular deals;
    `places` are shared by ties (1, 2, 2, 4).
    """

    board: int
    rotation: int
    players: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[bool, ...]
    deals: int
    deal_points: tuple[DealPoints, ...] = ()


def result_of(record: Record, players: Sequence[int], variant: Variant) -> MatchResult:
    """Reads a finished record. `players`: the entrant at each seat.

    Raises LeagueError when the match is not over or does not belong to the variant.
    """
    _check(record, variant)
    regular = [deal for deal in record["deals"] if deal["number"] <= variant.deal_count]
    forfeits = forfeits_of(record)
    failed = {forfeit.seat for forfeit in forfeits}
    return MatchResult(
        board=record["context"]["board"],
        rotation=record["context"]["rotation"],
        players=tuple(players),
        scores=match_scores(variant, record["deals"]),
        places=tuple(record["places"]),
        forfeited=tuple(seat in failed for seat in range(variant.seats)),
        deals=variant.deal_count,
        deal_points=tuple(_deal_points(deal, forfeits) for deal in regular),
    )


def forfeits_of(record: Record) -> tuple[MatchForfeit, ...]:
    """The forfeits of a record."""
    return tuple(
        MatchForfeit(
            seat=forfeit["seat"],
            kind=FaultKind(forfeit["kind"]),
            deal=forfeit["deal"],
            action=forfeit["action"],
            detail=forfeit["detail"],
        )
        for forfeit in record["forfeits"]
    )


def _deal_points(deal: Record, forfeits: Sequence[MatchForfeit]) -> DealPoints:
    taken_over = {forfeit.seat for forfeit in forfeits if forfeit.deal <= deal["number"]}
    points = tuple(deal["points"])
    return DealPoints(
        contract=deal["contract"], points=points, own=tuple(seat not in taken_over for seat in range(len(points)))
    )


def _check(record: Record, variant: Variant) -> None:
    ended = record["termination"]["kind"]
    if ended != "normal":
        raise LeagueError(f"match {record['match_id']!r} ended as {ended!r}: only a match that is over has a result")
    if record["variant"] != variant.base_id:
        raise LeagueError(
            f"match {record['match_id']!r} is of variant {record['variant']!r}, not {variant.base_id!r}: "
            "ladders never mix variants"
        )
