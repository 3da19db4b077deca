"""What is said of a season whose number of sets of players leaves pairs of bots meeting unequally often.

Owns one line, and plans to be able to say it. Must not change the season.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.model import Season

PLANNED_UP_TO_BOARDS = 5000
"""A plan of more takes a while, and is made when the season starts anyway."""


def balance_line(season: Season, owners: Sequence[str]) -> str | None:
    """What balance a closed season with `player_sets` will have, if pairs do not meet equally often; else None.

    `owners`: of the bots that have entered, empty for house bots.
    """
    from league.errors import LeagueError
    from league.pairing import offered_sizes, plan_season
    from league.sizes import planned_size

    seats, boards, player_sets = season.seats, season.boards, season.player_sets
    if player_sets is None:
        return None
    try:
        size = planned_size(owners, seats=seats, rotations=season.rotations, boards=boards, player_sets=player_sets)
    except LeagueError:  # of an open season, which others may still enter
        return None
    if size.is_even:
        return None
    balance = "pairs meet at most two boards apart"
    if size.boards <= PLANNED_UP_TO_BOARDS:
        balance = str(plan_season(owners, seats=seats, boards=boards, player_sets=player_sets).balance)
    offered = ", ".join(str(one.player_sets) for one in offered_sizes(len(owners), seats))
    even = "" if any(owners) else f"; all pairs meet equally often with --player-sets {offered}"
    return f"--player-sets {player_sets} with {len(owners)} bots: {balance}{even}"
