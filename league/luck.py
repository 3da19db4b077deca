"""The luck of the deal: how much of a match's result the cards decide, and how much of it a board takes out.

Pure. A deviation is taken as bot + hand + rest, for fixed bots, where a hand is the cards of one seat of a board. The
deviations of a table sum to nothing, and so do those of a hand over its rotations, bots left aside: what is left to
vary is counted for that, since reading shares off the sums of squares alone gives nonsense on such tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from league.solver import layout_of, least_squares
from league.sums import SetSums, add_up


@dataclass(frozen=True, kw_only=True)
class Luck:
    """Variances of a bot's points per deal in one match, from `boards` boards, each as if its seat were alone.

    `hand`: of the cards; `bot_on_board`: of how a bot takes to a board's cards, the same in all its rotations; `rest`:
    of all else. `share`: of the cards, over all three. An estimate of a variance may come out below zero.
    """

    boards: int
    hand: float
    bot_on_board: float
    rest: float

    @property
    def share(self) -> float | None:
        """The luck share, from 0 to 1; None where nothing varies."""
        total = self.hand + self.bot_on_board + self.rest
        return min(1.0, max(0.0, self.hand / total)) if total > 0.0 else None


def luck(sums: Sequence[SetSums], *, deals: int) -> Luck | None:
    """The luck of a season from the sums of its boards without a forfeit; None where they are too few to tell, or are
    played once: then no hand was in more than one bot's hands.

    `deals` are the regular deals of a match.
    """
    merged = [part for part in add_up(sums) if part.boards]
    if not merged:
        return None
    present = sorted({player for part in merged for player in part.players})
    sets = layout_of(merged, present)
    n, boards = sets.seats, int(sets.boards.sum())
    unit = 1.0 / (n * deals)
    strengths, _ = least_squares(sets, unit)
    degrees = boards * (n - 1) - (len(present) - 1)
    if degrees < 1 or n < 3 or sets.rotations < n:
        return None
    of_hands = sum(part.part("hand_squares")[0] for part in merged) * unit**2 / n
    of_bots = float(sets.devs_products.trace(axis1=1, axis2=2).sum()) * unit**2 / n
    of_all = sum(part.part("squares")[0] for part in merged) * unit**2
    centred = strengths[sets.at] - strengths[sets.at].mean(axis=1, keepdims=True)
    fitted = float((sets.boards[:, None] * centred**2).sum()) * n
    rest = (of_all - of_hands - of_bots) / (boards * (n - 1) * (n - 2))
    return Luck(
        boards=boards,
        hand=(of_hands / (boards * (n - 1)) - rest) / n,
        bot_on_board=((of_bots - fitted) / degrees - rest) / n,
        rest=rest,
    )


def luck_json(found: Luck | None) -> dict[str, Any] | None:
    """The JSON of a season's luck; null where boards cannot tell."""
    if found is None:
        return None
    return {
        "boards": found.boards,
        "share": found.share,
        "hand_variance": found.hand,
        "bot_on_board_variance": found.bot_on_board,
        "rest_variance": found.rest,
    }
