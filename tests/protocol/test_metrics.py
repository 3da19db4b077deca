"""What the referee tells a scrape: gauges of what goes on, and counters that never fall."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from prometheus_client import CollectorRegistry

from referee.codec import BotFrame, Ready
from referee.metrics import RefereeMetrics
from referee.plans import FaultSeen, SittingEnd, StartProcess, TableResult, check_plan
from referee.processes import BotProcess
from referee.runs import Referee, SittingRun
from referee.tally import LATENCY_SLOTS, Outcome, RefereeTally, SittingTally
from tests.protocol.fakes import KeptStream, hello
from tests.protocol.plans import sitting_plan

PLAN = check_plan(sitting_plan(tables=2))


def scraped(referee: Referee) -> CollectorRegistry:
    """A registry that tells of a referee."""
    registry = CollectorRegistry()
    registry.register(RefereeMetrics(referee))
    return registry


def seat_all(run: SittingRun) -> None:
    """Have all bots dial and be ready."""
    run.begin()
    for token in [event.token for event in run.take_events() if isinstance(event, StartProcess)]:
        process = run.sitting.process_of(token)
        assert process is not None
        run.greet(process, KeptStream(), BotFrame([hello(), Ready()], more=False), hello())


def test_what_goes_on_is_told() -> None:
    """Sittings, tables, waiting tables and processes are counted while they are there, and gone when it is over."""
    referee = Referee(sitting_limit=3, holds_tables=True, table_limit=1)
    registry = scraped(referee)
    run = referee.take_up(PLAN)
    seat_all(run)
    told = {
        name: registry.get_sample_value(f"king_referee_{name}")
        for name in ("sittings", "sittings_limit", "tables", "tables_waiting", "bot_processes", "draining", "behind")
    }
    assert told == {
        "sittings": 1,
        "sittings_limit": 3,
        "tables": 1,
        "tables_waiting": 1,
        "bot_processes": 4,
        "draining": 0,
        "behind": 0,
    }
    referee.go_away()
    run.take_events()
    referee.let_go(run)
    assert registry.get_sample_value("king_referee_draining") == 1
    assert registry.get_sample_value("king_referee_sittings") == 0
    assert registry.get_sample_value("king_referee_tables_waiting") == 0
    assert registry.get_sample_value("king_referee_sittings_ended_total", {"outcome": "void"}) == 1


def test_a_fault_is_counted_by_its_kind_for_good() -> None:
    """A bot's exit is counted while the sitting goes on, and after it is over, once."""
    referee = Referee(sitting_limit=1)
    registry = scraped(referee)
    run = referee.take_up(PLAN)
    seat_all(run)
    run.process_exited(1, exit_status=3, detail="", launch_failed=False)
    run.take_events()
    of_exits = ("king_referee_faults_total", {"kind": "exit"})
    assert registry.get_sample_value(*of_exits) == 1
    referee.let_go(run)
    assert registry.get_sample_value(*of_exits) == 1


@pytest.mark.slow
def test_failures_of_ours_are_counted() -> None:
    """A bug in the referee is a number that somebody can be woken by."""
    referee = Referee(sitting_limit=1, deputize=lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    registry = scraped(referee)
    seat_all(referee.take_up(PLAN))
    assert registry.get_sample_value("king_referee_failures_total") == 1


def test_the_tally_of_a_superseded_attempt_is_not_lost() -> None:
    """An attempt that a newer one has replaced is counted until it is let go, and afterwards: no number falls."""
    referee = Referee(sitting_limit=1)
    registry = scraped(referee)
    older = referee.take_up(PLAN)
    seat_all(older)
    process = older.sitting.processes[1]
    process.latencies[20] += 5
    process.thought_ns += 4_000_000
    referee.take_up(replace(PLAN, plan=replace(PLAN.plan, attempt=2)))
    names = ("king_referee_decisions_total", "king_referee_decision_seconds_count", "king_referee_decision_seconds_sum")
    before = [registry.get_sample_value(name) for name in names]
    referee.let_go(older)
    assert [registry.get_sample_value(name) for name in names] == before
    assert before[:2] == [7, 7]  # two were asked and taken from their bots


@dataclass
class Played:
    """A sitting, as far as it is tallied."""

    tally: SittingTally = field(default_factory=SittingTally)
    tallied_processes: tuple[BotProcess, ...] = ()


def test_events_are_tallied() -> None:
    """Tables, faults and how it ended are counted from what the worker is told."""
    tally, played = RefereeTally(), Played()
    tally.open(played)
    for event in (
        TableResult("m1", b"{}"),
        FaultSeen(1, 0, "timeout", "late", False, ("m1",)),
        TableResult("m2", b"{}"),
        SittingEnd(""),
    ):
        played.tally.note(event)
    tally.close(played)
    sums = tally.sums()
    assert (sums.tables_played, dict(sums.faults), sums.failures) == (2, {"timeout": 1}, 0)
    assert dict(sums.sittings) == {Outcome.PLAYED: 1}
    assert sums.latencies == [0] * LATENCY_SLOTS
