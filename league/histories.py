"""Ratings as they stood: at which moments of a season they are kept, and one such rating.

Pure. A moment is a number of whole boards, in the order in which boards became whole: what the ladder says of the first
so many boards never changes again. Who keeps them is `league.store.histories`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from league.estimates import Estimate

MOMENTS_AT_MOST = 24


@dataclass(frozen=True, kw_only=True)
class PastRating:
    """The official numbers of an entrant when `season_boards` boards were whole, the last by result `at_result`.

    `boards`: whole boards of its own until then.
    """

    season_boards: int
    at_result: int
    boards: int
    elo: Estimate
    points: Estimate | None


def step_of(boards: int) -> int:
    """After how many boards comes the next moment: a power of two, so that the moments of a longer season are among
    those of a shorter one, and nothing is ever rated twice.
    """
    return next(1 << power for power in count() if boards <= MOMENTS_AT_MOST << power)


def moments(boards: int, *, ended: bool) -> tuple[int, ...]:
    """The moments kept of a season with so many whole boards; its end is one, whatever its number."""
    step = step_of(boards)
    kept = range(step, boards + 1, step)
    return (*kept, boards) if ended and boards % step else tuple(kept)
