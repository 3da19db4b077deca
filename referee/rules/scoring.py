"""What decides a match: scores, places, settlement. Owns one function for each value of `WinnerRule`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.rules.contracts import Group
from referee.rules.variant import Variant, WinnerRule

DealPoints = tuple[str, Sequence[int]]
"""The contract of a finished deal and its points by seat."""


def totals(variant: Variant, deals: Sequence[DealPoints]) -> tuple[int, ...]:
    """Add up the points by seat."""
    return tuple(sum(points[seat] for _, points in deals) for seat in range(variant.seats))


def _highest_sum(variant: Variant, deals: Sequence[DealPoints]) -> tuple[int, ...]:
    return totals(variant, deals)


def _smallest_penalties(variant: Variant, deals: Sequence[DealPoints]) -> tuple[int, ...]:
    penalties = [deal for deal in deals if variant.contracts[deal[0]].group is Group.PENALTY]
    return tuple(-abs(total) for total in totals(variant, penalties))


WINNER_RULES: Final[Mapping[WinnerRule, Callable[[Variant, Sequence[DealPoints]], tuple[int, ...]]]] = {
    WinnerRule.HIGHEST_SUM: _highest_sum,
    WinnerRule.SMALLEST_PENALTIES: _smallest_penalties,
}
"""Scores by seat, higher is better."""


def scores(variant: Variant, deals: Sequence[DealPoints]) -> tuple[int, ...]:
    """Return what decides the places, by seat, higher is better; all the deals given count."""
    return WINNER_RULES[variant.winner](variant, deals)


def places(by_seat: Sequence[int]) -> tuple[int, ...]:
    """Rank scores: the highest is 1, equal scores share a place (1, 1, 3, 4)."""
    return tuple(1 + sum(other > score for other in by_seat) for score in by_seat)


def lead_is_shared(by_seat: Sequence[int]) -> bool:
    """Whether more than one seat has the highest score."""
    return places(by_seat).count(1) > 1


def settlement(sums: Sequence[int]) -> tuple[int, ...]:
    """Return what each seat wins or pays: the winner collects the difference of the sums from every other seat.

    Shared winners split it in whole points; what is left over goes one point each in seat order.
    """
    best = max(sums)
    winners = [seat for seat, total in enumerate(sums) if total == best]
    share, left_over = divmod(sum(best - total for total in sums), len(winners))
    return tuple(
        share + (winners.index(seat) < left_over) if seat in winners else total - best
        for seat, total in enumerate(sums)
    )
