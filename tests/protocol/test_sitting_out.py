"""Bots that sit out: never started, their tables forfeited from the first action, and nobody waits for them."""

from __future__ import annotations

from dataclasses import replace

from referee.control_messages import read_plan
from referee.plans import PlayerPlan, SittingEnd, SittingPlan
from referee.verification import verify
from tests.protocol.fakes import HandDriven
from tests.protocol.plans import sitting_plan
from workers.referee_client import plan_message

REASON = "suspended, it overran its time too often"


def without(plan: SittingPlan, *places: int) -> SittingPlan:
    """The plan with the players at these places sitting out."""
    players = [replace(each, sits_out=REASON) if at in places else each for at, each in enumerate(plan.players)]
    return replace(plan, players=tuple(players))


def test_a_bot_that_sits_out_is_not_started_and_forfeits_from_the_first_action() -> None:
    """The others play all their tables; the record says absent and why, and there is no fault."""
    sitting = HandDriven(without(sitting_plan(tables=3), 2))
    assert [start.player for start in sitting.starts] == [0, 1, 3]
    sitting.start_all()
    sitting.play_out()
    assert sitting.events[-1] == SittingEnd("")
    assert sitting.faults == []
    assert len(sitting.records) == 3
    for record in sitting.records.values():
        assert [(each["seat"], each["kind"], each["deal"]) for each in record["forfeits"]] == [(2, "absent", 1)]
        assert record["forfeits"][0]["detail"] == f"sits out: {REASON}"
        assert [str(problem) for problem in verify(record).problems] == []


def test_a_sitting_of_nobody_is_played_at_once() -> None:
    """Without a single process, by the stand-in alone."""
    sitting = HandDriven(without(sitting_plan(tables=2), 0, 1, 2, 3))
    for _ in range(3):
        sitting.turn()
    assert sitting.starts == []
    assert sitting.events[-1] == SittingEnd("")
    assert [len(record["forfeits"]) for record in sitting.records.values()] == [4, 4]


def test_who_sits_out_is_told_to_the_referee() -> None:
    """The worker's plan comes out of the control protocol as it went in."""
    plan = replace(sitting_plan(), players=(PlayerPlan("a", "1"), PlayerPlan("b", "2", 3, REASON)) * 2)
    assert read_plan(plan_message(plan)) == replace(plan, tables=tuple(replace(t, season=None) for t in plan.tables))
