"""What is wrong with a bad plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.plans import PlanError, PlayerPlan, SittingPlan, check_plan
from tests.protocol.plans import sitting_plan, table_plan

GOOD = sitting_plan(tables=2)


def with_table(**changes: Any) -> SittingPlan:
    """The plan with its second table changed."""
    return replace(GOOD, tables=(GOOD.tables[0], replace(GOOD.tables[1], **changes)))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (replace(GOOD, sitting=""), "sitting: empty"),
        (replace(GOOD, attempt=0), "attempt: 0; attempts count from 1"),
        (replace(GOOD, variant="russian-15"), "russian-14"),
        (replace(GOOD, time_control="bank=1"), "bank=1 is no duration"),
        (replace(GOOD, tables=()), "tables: none"),
        (replace(GOOD, players=(PlayerPlan("", "1"), *GOOD.players[1:])), "players[0].bot: empty"),
        (replace(GOOD, players=(PlayerPlan("a", "1", -1), *GOOD.players[1:])), "players[0].process_limit: -1"),
        (with_table(match_id=""), "tables[1].match_id: empty"),
        (with_table(match_id=GOOD.tables[0].match_id), "match_id 'match-7-1' is given twice"),
        (with_table(board=0), "tables[1].board: 0; boards count from 1"),
        (with_table(rotation=4), "tables[1].rotation: 4; rotations are 0 to 3"),
        (with_table(deal_secret=b"short"), "tables[1].deal_secret: 5 bytes; it has 32"),
        (with_table(deal_salt=b""), "tables[1].deal_salt: 0 bytes; it has 32"),
        (with_table(players=(0, 1, 2)), "tables[1].players: 3 players; russian-14 has 4 seats"),
        (with_table(players=(0, 1, 2, 4)), "tables[1].players: 4 is no place in players, which has 4"),
        (with_table(players=(0, 1, 2, 2)), "a player holds two seats"),
        (with_table(deal_secret=GOOD.tables[0].deal_secret), "tables[0] and tables[1] have the same deals"),
    ],
)
def test_bad_plan_is_refused_with_the_place(plan: SittingPlan, words: str) -> None:
    """The error names the place in the plan and what would be right."""
    with pytest.raises(PlanError) as error:
        check_plan(plan)
    assert words in str(error.value)


def test_same_deals_are_fine_for_different_players() -> None:
    """Two tables with the same deals may be in one sitting if no player sees both."""
    players = tuple(PlayerPlan(f"b{place}", "1") for place in range(8))
    same = replace(table_plan(1, (4, 5, 6, 7)), match_id="other")
    plan = replace(GOOD, players=players, tables=(table_plan(1), same))
    assert check_plan(plan).plan == plan


def test_secrets_are_not_shown() -> None:
    """Printing a plan shows no secret."""
    assert repr(GOOD.tables[0].deal_secret) not in repr(GOOD)
