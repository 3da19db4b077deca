"""The live Elo: online, after every match, for show. Official ratings are `league.ratings`.

Pure. The sum of the ratings of a match is preserved while all its players share one K.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

START = 1500.0
FIRST_MATCHES = 30
K_FIRST, K_LATER = 32.0, 16.0


def expected_score(own: float, other: float) -> float:
    """The expected score, 0 to 1, of a rating against another on the 400-point scale."""
    return 1.0 / (1.0 + math.pow(10.0, (other - own) / 400.0))


def k_factor(matches_before: int) -> float:
    """K of a bot that has played so many matches."""
    return K_FIRST if matches_before < FIRST_MATCHES else K_LATER


def updated_ratings(
    ratings: Sequence[float], pair_scores: Sequence[Sequence[float]], k_factors: Sequence[float]
) -> tuple[float, ...]:
    """Ratings after a match of n players; all are read before any is written.

    `pair_scores[i][j]` is 1, ½ or 0 as i won, tied or lost against j.
    """
    n = len(ratings)
    return tuple(
        own
        + k_factors[i] / (n - 1) * sum(pair_scores[i][j] - expected_score(own, ratings[j]) for j in range(n) if j != i)
        for i, own in enumerate(ratings)
    )


def pair_scores_of(totals: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """1, ½ or 0 for each pair as the first total is above, equal to or below the second."""
    return tuple(tuple(1.0 if a > b else 0.5 if a == b else 0.0 for b in totals) for a in totals)
