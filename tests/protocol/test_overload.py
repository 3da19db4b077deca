"""A referee that is behind, or plays as many tables as it takes: what would begin waits, and what is played goes on."""

from __future__ import annotations

import time
from dataclasses import replace

from referee.codec import BotFrame, Ready
from referee.overload import BEHIND_NS, CAUGHT_UP_NS, Overload
from referee.plans import CheckedPlan, StartProcess, check_plan
from referee.runs import BEAT_NS, Referee, SittingRun
from tests.protocol.fakes import MS, HandDriven, KeptStream, hello
from tests.protocol.plans import sitting_plan


def test_one_late_beat_is_no_overload() -> None:
    """Who is late once is not behind; who is late again and again is, until beats are in time again for a while."""
    overload = Overload()
    assert not overload.note(3 * BEHIND_NS, BEAT_NS)
    while not overload.behind:
        overload.note(2 * BEHIND_NS, BEAT_NS + 2 * BEHIND_NS)
    assert overload.lag_ns > BEHIND_NS
    assert not overload.note(0, BEAT_NS)
    while overload.behind:
        overload.note(0, BEAT_NS)
    assert overload.lag_ns <= CAUGHT_UP_NS


def test_tables_wait_while_there_is_no_room() -> None:
    """Without room a sitting begins one table, plays it to its end, then another; with room all that remain begin."""
    sitting = HandDriven(sitting_plan(tables=5))
    sitting.has_room = False
    sitting.start_all()
    assert sitting.sitting.open_table_count == 1
    sitting.play_out()
    assert (len(sitting.records), sitting.faults) == (5, [])

    other = HandDriven(sitting_plan(tables=5))
    other.has_room = False
    other.start_all()
    other.has_room = True
    assert other.sitting.open_table_count == 1
    other.wait(50)
    assert other.sitting.open_table_count == 5


def begin(referee: Referee, plan: CheckedPlan) -> SittingRun:
    """Have a sitting taken up, and its bots dial."""
    run = referee.take_up(plan)
    run.begin()
    starts = [event for event in run.take_events() if isinstance(event, StartProcess)]
    for start in starts:
        run.process_started(start.process)
        run.greet(run.sitting.processes[start.process], KeptStream(), BotFrame([hello(), Ready()], more=False), hello())
    return run


def named(sitting: str) -> CheckedPlan:
    """A sitting of three tables by a name."""
    return check_plan(replace(sitting_plan(tables=3), sitting=sitting))


def test_referee_plays_so_many_tables() -> None:
    """All sittings together have as many tables open as the referee takes, but each has one."""
    referee = Referee(sitting_limit=9, table_limit=4)
    runs = [begin(referee, named(name)) for name in ("one", "two", "three")]
    assert [run.sitting.open_table_count for run in runs] == [3, 1, 1]
    assert not referee.has_room()
    referee.let_go(runs[0])
    referee.beat(time.monotonic_ns(), at_once=True)
    assert [run.sitting.open_table_count for run in runs[1:]] == [3, 1]


def test_referee_that_is_behind_begins_no_tables() -> None:
    """While its beats come late tables wait; when they come in time again, they begin."""
    referee = Referee(sitting_limit=9)
    now_ns = 10**18
    for _ in range(20):
        now_ns += BEAT_NS + 4 * BEHIND_NS
        referee.beat(now_ns, at_once=True)
    assert not referee.has_room()
    run = begin(referee, named("one"))
    assert run.sitting.open_table_count == 1
    while not referee.has_room():
        now_ns += BEAT_NS
        referee.beat(now_ns, at_once=True)
    referee.beat(now_ns + MS, at_once=True)
    assert run.sitting.open_table_count == 3


def test_a_check_holds_no_tables() -> None:
    """A referee that is to begin all tables at once does so however late it is: a check has to see them together."""
    referee = Referee(sitting_limit=9, table_limit=2, holds_tables=False)
    now_ns = 10**18
    for _ in range(20):
        now_ns += BEAT_NS + 4 * BEHIND_NS
        referee.beat(now_ns, at_once=True)
    assert begin(referee, named("one")).sitting.open_table_count == 3
