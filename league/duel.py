"""Two players of results from anywhere against each other: counts of matches and of pairs of matches on one board.

Pure. What counts say is `league.game_pairs`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from league.errors import LeagueError
from league.open_results import OpenResults


@dataclass(frozen=True, kw_only=True)
class Duel:
    """The matches of players number `a` and `b`, seen from a.

    `matches`: lost, tied, won. `pairs`: boards of two matches, by the points that a made on them: 0, ½, 1, 1½, 2; None
    where boards have other numbers of matches, or none has two. `alone`: matches that are the only one of their board.
    """

    a: int
    b: int
    matches: tuple[int, int, int]
    pairs: tuple[int, int, int, int, int] | None
    alone: int

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts to go by: of pairs where there are, else of matches."""
        return self.pairs or self.matches


def is_duel(results: OpenResults) -> bool:
    """Whether the results are of two players."""
    return len(results.players) == 2


def duel_of(results: OpenResults, a: int | None = None) -> Duel:
    """The duel of the two players of results; `a` None: seen from the one that was named first.

    Raises LeagueError when there are not two.
    """
    if not is_duel(results):
        raise LeagueError(f"{len(results.players)} players: a duel is of two; give the matches of two alone")
    first = results.first_named if a is None else a
    own, other = (results.standing[results.player == player] for player in (first, 1 - first))
    half_points = 2 * (own < other) + (own == other)
    board = results.board[results.player == first]
    per_board = np.bincount(board)
    made = np.bincount(board, half_points)[per_board == 2].astype(np.int64)
    lost, tied, won = np.bincount(half_points, minlength=3).tolist()
    paired = len(made) and per_board.max() == 2
    return Duel(
        a=first,
        b=1 - first,
        matches=(lost, tied, won),
        pairs=tuple(np.bincount(made, minlength=5).tolist()) if paired else None,
        alone=int((per_board == 1).sum()),
    )
