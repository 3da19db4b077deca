"""Official ratings as they stood: recomputed from the boards that were whole at several moments of a season.

Pure. Owns which moments are shown; every rating is the league's own, of the boards until then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from dashboard.pages.played import PlayedBoard
from league.ratings import Ratings, rate
from league.sums import SetSums
from referee.rules import Variant

MOST_MOMENTS = 24
_MOMENTS_OF_MANY = 6
_MANY_BOTS = 60


@dataclass(frozen=True, slots=True)
class Prefix:
    """The ratings of all entrants after the first `boards` whole boards, the last made whole by result `at_result`."""

    boards: int
    at_result: int
    ratings: Ratings


_NONE_KNOWN: Mapping[int, Prefix] = MappingProxyType({})


def moments(boards: int, most: int = MOST_MOMENTS) -> tuple[int, ...]:
    """How many boards each prefix has: multiples of a round step, and all of them; none with fewer than two boards.

    Steps are 1, 2, 5, 10, …, so that most moments stay when more boards come in.
    """
    if boards < 2:
        return ()
    step = next(part * 10**power for power in count() for part in (1, 2, 5) if boards <= part * 10**power * most)
    return tuple(sorted({*range(step, boards + 1, step), boards} - {1}))


def prefix_ratings(
    boards: Sequence[PlayedBoard],
    *,
    bot_count: int,
    variant: Variant,
    known: Mapping[int, Prefix] = _NONE_KNOWN,
) -> tuple[Prefix, ...]:
    """The ratings at several moments, oldest first; `known` ones, by their number of boards, are not made again.

    Many bots are rated at fewer moments, for each costs more.
    """
    wanted = moments(len(boards), MOST_MOMENTS if bot_count <= _MANY_BOTS else _MOMENTS_OF_MANY)
    sums: dict[tuple[int, ...], SetSums] = {}
    found = []
    for number, board in enumerate(boards, start=1):
        so_far = sums.get(board.sums.players)
        sums[board.sums.players] = board.sums if so_far is None else so_far + board.sums
        if number in wanted and number not in known:
            ratings = rate(list(sums.values()), bot_count=bot_count, deals=variant.deal_count)
            found.append(Prefix(boards=number, at_result=board.at_result, ratings=ratings))
    kept = [known[number] for number in wanted if number in known]
    return tuple(sorted([*found, *kept], key=lambda prefix: prefix.boards))
