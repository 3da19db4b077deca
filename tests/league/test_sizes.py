"""What a season would come to is what the planner makes of it."""

from __future__ import annotations

import pytest

from league.errors import LeagueError
from league.pairing import plan_season
from league.sizes import planned_size

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("owners", "seats", "boards", "player_sets"),
    [
        ([""] * 4, 4, 3, None),
        ([""] * 6, 4, 1, None),
        ([""] * 6, 4, 2, 7),
        ([""] * 5, 3, 1, None),
        ([""] * 13, 4, 1, 13),
        ([""] * 13, 4, 1, 20),
        (["", "", "", "a", "b"], 4, 1, None),
        (["", "", "", "a", "a", "b"], 4, 2, None),
    ],
)
def test_a_size_is_that_of_the_plan(owners: list[str], seats: int, boards: int, player_sets: int | None) -> None:
    """Boards, boards of a bot, and whether all pairs meet equally, for house bots and others."""
    plan = plan_season(owners, seats=seats, boards=boards, player_sets=player_sets)
    size = planned_size(owners, seats=seats, rotations=seats, boards=boards, player_sets=player_sets)
    assert size.boards == len(plan.boards)
    assert size.matches == len(plan.boards) * seats
    assert plan.balance.boards_per_bot.least <= size.boards_per_bot <= plan.balance.boards_per_bot.most
    if size.is_even:
        assert plan.balance.meetings.least == plan.balance.meetings.most


def test_too_few_bots_have_no_size() -> None:
    """The error says how many are needed."""
    with pytest.raises(LeagueError, match="needs 4"):
        planned_size(["a"] * 9, seats=4, rotations=4, boards=1)
