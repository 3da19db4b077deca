"""How large a season would be, without planning it.

Pure. Says of settings what `league.pairing.plan_season` would make of them: how many sets of players, boards, matches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from league.cyclic_designs import exact_set_count
from league.designs import ALL_SETS_AT_MOST, every_set, usual_set_count
from league.pairing import check_enough


@dataclass(frozen=True, kw_only=True)
class PlannedSize:
    """What a closed season comes to. `boards_per_bot`: on average; `is_even`: all pairs meet equally often."""

    player_sets: int
    boards: int
    matches: int
    boards_per_bot: float
    is_even: bool


def planned_size(
    owners: Sequence[str], *, seats: int, rotations: int, boards: int, player_sets: int | None = None
) -> PlannedSize:
    """The size of a closed season of bots with these owners (empty: a house bot), its settings as in `NewSeason`.

    Raises LeagueError when there are too few bots.
    """
    check_enough(owners, seats)
    usual = usual_set_count(len(owners), seats)
    every = len(every_set(owners, seats)) if usual <= ALL_SETS_AT_MOST else 0
    all_meet = player_sets is None and 0 < every <= ALL_SETS_AT_MOST
    sets = every if all_meet else player_sets or usual
    even_by_design = (sets * boards) % exact_set_count(len(owners), seats) == 0
    is_all = sets == math.comb(len(owners), seats)
    return PlannedSize(
        player_sets=sets,
        boards=sets * boards,
        matches=sets * boards * rotations,
        boards_per_bot=sets * boards * seats / len(owners),
        is_even=not any(owners) and (is_all or even_by_design),
    )
