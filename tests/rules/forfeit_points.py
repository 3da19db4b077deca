"""What a seat falls behind its table's mean in a match: the measure of `forfeit_points`.

Run as a module it prints the 99th percentile for each variant named: `python -m tests.rules.forfeit_points VARIANT...`.
"""

import sys

from referee.random_match import random_match
from referee.rules import Variant, parse_variant

MATCHES = 500
SHARE = 0.99


def loss(variant: Variant, matches: int = MATCHES) -> float:
    """Return the 99th percentile of (table mean - points) over all seats of random matches, seeds from 0."""
    behind: list[float] = []
    for seed in range(matches):
        totals = random_match(variant, seed)["totals"]
        mean = sum(totals) / len(totals)
        behind += [mean - points for points in totals]
    return sorted(behind)[int(SHARE * len(behind))]


if __name__ == "__main__":
    for text in sys.argv[1:]:
        row = parse_variant(text)
        print(f"{row.id}: {loss(row):.0f}, its row says {row.forfeit_points}")
