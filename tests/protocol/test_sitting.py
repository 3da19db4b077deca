"""A sitting from its plan to its end, with the clock, the bots and the worker moved by hand."""

from __future__ import annotations

import pytest
from king.v1 import arena_pb2 as pb

from referee.faults import MESSAGES_AT_MOST
from referee.plans import (
    CpuWaitWanted,
    PlayerPlan,
    ProcessReady,
    ReportError,
    SittingEnd,
    SittingPlan,
    StopProcess,
    TableResult,
)
from referee.processes import Ending, Phase
from referee.verification import verify
from tests.protocol.clients import choice, requests_of
from tests.protocol.fakes import MS, HandDriven
from tests.protocol.plans import sitting_plan, table_plan


def forfeits_of(sitting: HandDriven, match_id: str) -> list[tuple[int, str]]:
    """Who forfeited in a match, and how."""
    return [(forfeit["seat"], forfeit["kind"]) for forfeit in sitting.records[match_id]["forfeits"]]


@pytest.mark.slow
def test_sitting_is_played_to_its_end() -> None:
    """Processes are asked for, get ready, play all tables, and are closed well; the end comes last."""
    sitting = HandDriven(sitting_plan(tables=3))
    assert [(start.process, start.player) for start in sitting.starts] == [(1, 0), (2, 1), (3, 2), (4, 3)]
    sitting.start_all()
    assert [event for event in sitting.events if isinstance(event, ProcessReady)] == [
        ProcessReady(process, 64) for process in (1, 2, 3, 4)
    ]
    sitting.play_out()
    assert sitting.events[-1] == SittingEnd("")
    assert len(sitting.records) == 3
    assert [stream.ending for stream in sitting.streams.values()] == [Ending.DONE] * 4
    for record in sitting.records.values():
        assert [str(problem) for problem in verify(record).problems] == []


def test_tokens_differ_and_are_not_shown() -> None:
    """Every process has a token of its own, and no event prints one."""
    sitting = HandDriven(sitting_plan())
    tokens = {start.token for start in sitting.starts}
    assert len(tokens) == 4
    assert not any(token in repr(sitting.events) for token in tokens)


def test_tables_begin_when_all_their_bots_are_ready() -> None:
    """Nobody is asked before the last of the four is ready."""
    sitting = HandDriven(sitting_plan())
    for process in (1, 2, 3):
        sitting.dial(process)
    assert all(not requests_of(stream.take()) for stream in sitting.streams.values())
    sitting.dial(4)
    assert sum(len(requests_of(stream.take())) for stream in sitting.streams.values()) == 1


@pytest.mark.slow
def test_table_limit_is_kept() -> None:
    """A bot that takes two tables is given two, and the next when one is over."""
    sitting = HandDriven(sitting_plan(tables=5))
    sitting.start_all(table_limit=2)
    assert [len(process.open_seats) for process in sitting.sitting.processes.values()] == [2] * 4
    sitting.play_out()
    assert len(sitting.records) == 5


def test_sitting_with_different_players_at_its_tables() -> None:
    """Tables of one sitting may have different players, in different seats."""
    plan = SittingPlan(
        "s", 1, "russian-14", "", tuple(PlayerPlan(f"b{n}", "1") for n in range(6)),
        (table_plan(1, (0, 1, 2, 3)), table_plan(2, (5, 4, 3, 2)), table_plan(3, (1, 5, 0, 4))),
    )  # fmt: skip
    sitting = HandDriven(plan)
    sitting.start_all()
    sitting.play_out()
    assert [each["bot"] for each in sitting.records["match-7-2"]["players"]] == ["b5", "b4", "b3", "b2"]


def test_overrun_waits_for_the_report_of_the_worker() -> None:
    """When a clock runs out, the worker is asked how long the process had no CPU before that counts."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.wait(10_101)
    assert sitting.events[-1] == CpuWaitWanted(number)
    sitting.report_wait(number, 0, wanted=False)
    assert sitting.faults == []
    sitting.report_wait(number, 0)
    assert [(fault.kind, fault.forfeits) for fault in sitting.faults] == [("timeout", False)]


def test_time_without_a_cpu_saves_a_bot() -> None:
    """A bot that had no CPU gets the time back, and its answer, come meanwhile, counts."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    sitting.wait(10_101)
    sitting.say(number, choice(request.request_id, 0))
    assert sitting.process(number).waiting_seats != []
    sitting.report_wait(number, 4000)
    assert sitting.faults == []
    assert sitting.process(number).clock.left_ns(sitting.now_ns) == 3_999_000_000
    sitting.play_out()
    assert len(sitting.records) == 1


def test_answer_after_the_clock_ran_out_is_late() -> None:
    """An answer that came below zero is passed over, and the stand-in's action stands."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    sitting.now_ms += 10_101
    sitting.say(number, choice(request.request_id, 0))
    assert sitting.events[-1] == CpuWaitWanted(number)
    sitting.report_wait(number)
    assert [fault.kind for fault in sitting.faults] == ["timeout"]
    sitting.play_out()
    taken = [action["by"] for deal in sitting.records["match-7-1"]["deals"] for action in deal["actions"]]
    assert taken.count("stand_in") == 1


def test_tables_without_bots_are_played_one_a_turn() -> None:
    """When all bots of a sitting are absent, each turn plays one table, so that other sittings have theirs."""
    sitting = HandDriven(sitting_plan(tables=3))
    for _ in range(2):
        for start in list(sitting.starts):
            if sitting.process(start.process).live:
                sitting.sitting.process_exited(start.process, exit_status=1, detail="", now_ns=0)
        sitting.sitting.end_turn(0)
        sitting.events += sitting.sitting.take_events()
    written = [len(sitting.records)]
    while not sitting.sitting.over:
        sitting.wait(50)
        written.append(len(sitting.records))
    assert written == [1, 2, 3]
    assert sitting.events[-1] == SittingEnd("")


def test_worker_that_does_not_report_costs_no_bot_anything() -> None:
    """Where no report comes for ten seconds, the worker has stopped or is cut off: the sitting is void."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.wait(10_101)
    sitting.wait(9_999)
    assert not sitting.sitting.over
    sitting.wait(1)
    assert sitting.faults == []
    reason = f"the worker did not say within 10 s how long process {number} had no CPU"
    assert sitting.events[-1] == SittingEnd(reason)


def test_bot_is_not_blamed_while_its_worker_is_not_heard() -> None:
    """An answer that did not come while no report of the worker came either may be under way: the sitting is void."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.report_regularly(number)
    sitting.wait(10_101)
    sitting.report_wait(number)
    assert sitting.faults == []
    (end,) = (event for event in sitting.events if isinstance(event, SittingEnd))
    assert end.void_reason == f"the worker was not heard for 10.1 s: whether process {number} was late is not known"


def test_bot_that_is_late_beside_a_worker_that_is_heard_is_to_blame() -> None:
    """Reports that come regularly leave the bot no excuse."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.report_regularly(number, 102)
    assert [fault.kind for fault in sitting.faults] == []
    sitting.report_wait(number)
    assert [fault.kind for fault in sitting.faults] == ["timeout"]
    assert not sitting.sitting.over


@pytest.mark.slow
def test_overrun_is_one_fault_for_all_open_requests() -> None:
    """However many requests are open, an overrun is one fault; it names their matches, and all go on."""
    sitting = HandDriven(sitting_plan(tables=12))
    sitting.start_all()
    number = max(sitting.sitting.processes, key=lambda each: len(sitting.process(each).waiting_seats))
    waiting = len(sitting.process(number).waiting_seats)
    assert waiting > 1
    others = [other for other in sitting.streams if other != number]
    while sum([sitting.answer(other) for other in others]):
        pass
    sitting.overrun(number)
    (fault,) = sitting.faults
    assert (fault.process, fault.kind, len(fault.match_ids)) == (number, "timeout", waiting)
    sitting.play_out()
    assert len(sitting.records) == 12


def test_clock_restarts_at_half_of_the_bank_and_the_next_frame_goes_out() -> None:
    """After an overrun the bot is asked again at once when its turn comes, with half of its bank."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.overrun(number)
    while sitting.asked() != number:
        sitting.answer(sitting.asked())
    (request,) = requests_of(sitting.streams[number].take())[-1:]
    assert request.time_left_ms == 5_100
    assert request.time_taken_last_ms == 10_101


def test_third_overrun_forfeits_open_tables_and_restarts_the_bot() -> None:
    """The third overrun costs the open table; a new process takes the table not begun."""
    sitting = HandDriven(sitting_plan(tables=2))
    sitting.start_all(table_limit=1)
    number = sitting.asked()
    player = sitting.process(number).player
    for _ in range(3):
        sitting.overrun(number)
        while len(sitting.faults) < 3 and sitting.asked() != number:
            sitting.answer(sitting.asked())
    assert [fault.forfeits for fault in sitting.faults] == [False, False, True]
    assert sitting.streams[number].ending is Ending.LATE
    assert StopProcess(number) in sitting.events
    assert [start.player for start in sitting.starts].count(player) == 2
    sitting.start_all(table_limit=1)
    sitting.play_out()
    lost = sorted(match for match, record in sitting.records.items() if record["forfeits"])
    assert len(lost) == 1
    assert forfeits_of(sitting, lost[0]) == [(player, "timeout")]


def test_lag_of_the_referee_is_given_back() -> None:
    """A tick that comes late gives its lag back to every open frame before it looks at the clocks."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.wait(12_000, lag_ms=11_950)
    assert sitting.faults == []
    assert not any(isinstance(event, CpuWaitWanted) for event in sitting.events)


def test_lag_of_a_bots_own_frames_is_not_given_back() -> None:
    """A bot whose own frames kept the referee busy is charged for it."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.process(number).handled_ns = 11_950_000_000
    sitting.wait(12_000, lag_ms=11_950)
    assert sitting.events[-1] == CpuWaitWanted(number)


def test_waiting_of_the_referee_is_given_back() -> None:
    """What the referee itself waited for a CPU is given back, though each of its beats was in time."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.now_ms += 10_200
    sitting.sitting.tick(sitting.now_ns, 0, 200 * MS)
    sitting.turn()
    assert not any(isinstance(event, CpuWaitWanted) for event in sitting.events)
    assert sitting.process(number).clock.left_ns(sitting.now_ns) == 100 * MS


def test_exit_of_a_process_is_a_fault_at_once() -> None:
    """A process that ends forfeits its open tables without waiting for its clock, and is not stopped again."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.sitting.process_exited(2, exit_status=-9, detail="", now_ns=0)
    sitting.turn()
    assert [(fault.kind, fault.detail) for fault in sitting.faults] == [("exit", "the process ended by signal 9")]
    assert StopProcess(2) not in sitting.events
    sitting.play_out()
    assert forfeits_of(sitting, "match-7-1") == [(1, "exit")]


def test_exit_of_a_process_that_is_done_is_no_fault() -> None:
    """A bot ends by itself when its last table is over; if it does not, it is stopped after a while."""
    plan = SittingPlan(
        "s", 1, "russian-14", "", tuple(PlayerPlan(f"b{n}", "1") for n in range(5)),
        (table_plan(1, (0, 1, 2, 3)), table_plan(2, (4, 1, 2, 3))),
    )  # fmt: skip
    sitting = HandDriven(plan)
    for process in (1, 2, 3, 4):
        sitting.dial(process)
    sitting.play_out()
    assert sitting.process(1).phase is Phase.DONE
    assert [sitting.process(number).phase for number in (2, 3, 4)] == [Phase.READY] * 3
    sitting.wait(1_990)
    assert StopProcess(1) not in sitting.events
    sitting.wait(20)
    assert StopProcess(1) in sitting.events
    sitting.sitting.process_exited(1, exit_status=0, detail="", now_ns=sitting.now_ns)
    sitting.dial(5)
    sitting.play_out()
    assert sitting.faults == []
    assert sitting.events[-1] == SittingEnd("")


def test_second_failure_forfeits_the_rest() -> None:
    """After two failures a bot is absent at every table not begun, and is not started again."""
    sitting = HandDriven(sitting_plan(tables=4))
    sitting.start_all(table_limit=1)
    sitting.sitting.process_exited(1, exit_status=1, detail="oops", now_ns=0)
    sitting.turn()
    sitting.start_all(table_limit=1)
    sitting.play_out_until(1)
    sitting.sitting.process_exited(5, exit_status=1, detail="oops", now_ns=sitting.now_ns)
    sitting.turn()
    sitting.play_out()
    assert [len(fault.match_ids) for fault in sitting.faults] == [1, 3]
    kinds = sorted(kind for match in sitting.records for _, kind in forfeits_of(sitting, match))
    assert kinds == ["absent", "absent", "exit", "exit"]
    assert [start.player for start in sitting.starts].count(0) == 2
    details = {
        forfeit["detail"]
        for record in sitting.records.values()
        for forfeit in record["forfeits"]
        if forfeit["kind"] == "absent"
    }
    assert details == {"failed twice in this sitting before the table began, last by exit"}


def test_late_start_is_counted_from_the_report_of_the_worker() -> None:
    """The start-up allowance runs from the worker's report, and waiting for a CPU is given back."""
    sitting = HandDriven(sitting_plan())
    sitting.wait(60_000)
    assert not any(isinstance(event, CpuWaitWanted) for event in sitting.events)
    sitting.sitting.process_started(1, sitting.now_ns)
    sitting.wait(30_001)
    sitting.report_wait(1, 5_000)
    assert sitting.faults == []
    sitting.wait(5_000)
    sitting.report_wait(1, 5_000)
    assert [(fault.kind, fault.process) for fault in sitting.faults] == [("absent", 1)]
    assert [start.player for start in sitting.starts] == [0, 1, 2, 3, 0]


def test_refusal_is_told_with_the_fault() -> None:
    """A bot that was refused for its protocol version and never got ready is told why in its fault."""
    sitting = HandDriven(sitting_plan())
    sitting.sitting.process_started(1, 0)
    sitting.process(1).last_refusal = "protocol version 2 is not spoken"
    sitting.wait(30_001)
    sitting.report_wait(1)
    assert "its last stream was refused: protocol version 2 is not spoken" in sitting.faults[0].detail


def test_processes_are_added_for_a_bot_that_takes_few_tables() -> None:
    """A bot gets more processes only once its limit is known, as many as its tables need, up to its own limit."""
    sitting = HandDriven(sitting_plan(tables=7, process_limit=3))
    assert len(sitting.starts) == 4
    sitting.dial(1, table_limit=3)
    assert [start.player for start in sitting.starts[4:]] == [0, 0]
    sitting.dial(2, table_limit=7)
    assert [start.player for start in sitting.starts[4:]] == [0, 0]


def test_joined_frames_are_heard_together() -> None:
    """A frame with `more` is heard when the last of its parts has come."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    sitting.say(number, choice(request.request_id, 0), more=True)
    assert sitting.asked() == number
    sitting.say(number)
    assert sitting.asked() != number


def test_joined_frames_have_no_more_messages_than_one() -> None:
    """Frames that go on for ever are not gathered for ever: together they have as many messages as one may have."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    half = [choice(request.request_id, 0)] * (MESSAGES_AT_MOST // 2)
    for _ in range(2):
        sitting.say(number, *half, more=True)
    assert sitting.faults == []
    sitting.say(number, choice(request.request_id, 0), more=True)
    (fault,) = sitting.faults
    assert (fault.process, fault.kind) == (number, "protocol")
    assert f"the limit is {MESSAGES_AT_MOST}" in fault.detail


def test_frame_of_an_old_stream_is_passed_over() -> None:
    """What still comes on a stream that was replaced counts for nothing."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    old = sitting.streams[number]
    sitting.dial(number)
    sitting.sitting.receive(sitting.process(number), old, b"\xff", 0)
    sitting.turn()
    assert sitting.faults == []


def test_bot_that_does_not_read_is_at_fault() -> None:
    """More than the limit waiting for a bot is a fault at the next tick."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.streams[3].unsent_bytes = (4 << 20) + 1
    sitting.wait(50)
    assert [(fault.process, fault.kind) for fault in sitting.faults] == [(3, "protocol")]


def test_records_wait_for_the_rest_of_the_frame() -> None:
    """A table's record is written when the time of its last decisions is known, not before."""
    sitting = HandDriven(sitting_plan(tables=2))
    sitting.start_all()
    held: dict[int, list[pb.Request]] = {}
    for _ in range(2_000):
        for number in sitting.streams:
            held.setdefault(number, []).extend(requests_of(sitting.streams[number].take()))
        number = max(held, key=lambda each: len(held[each]))
        if not held[number]:
            break
        sitting.say(number, choice(held[number].pop(0).request_id, 0))
        over = [table for table in sitting.sitting._tables.values() if table.over]
        assert all(not table.timings_known for table in over)
    assert len(sitting.records) == 2


def test_void_sitting_blames_nobody() -> None:
    """A sitting that is given up tells its bots why, sends no more records, and has no faults."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.sitting.void("the worker could not start process 2", Ending.DROPPED, 0)
    sitting.events += sitting.sitting.take_events()
    assert sitting.events[-1] == SittingEnd("the worker could not start process 2")
    for stream in sitting.streams.values():
        assert stream.ending is Ending.DROPPED
        assert stream.take()[-1].table_end.aborted == "the worker could not start process 2"
    assert sitting.faults == []
    assert not any(isinstance(event, TableResult) for event in sitting.events)


def test_report_about_an_unknown_process_is_refused() -> None:
    """The worker cannot report what was never asked for."""
    sitting = HandDriven(sitting_plan())
    with pytest.raises(ReportError, match="process 9 was never asked for; there are 1 to 4"):
        sitting.sitting.process_started(9, 0)


def test_fault_comes_before_the_records_it_bears_on() -> None:
    """The worker hears of a fault before it gets the record that shows it."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.sitting.process_exited(1, exit_status=1, detail="", now_ns=0)
    sitting.turn()
    sitting.play_out()
    order = [type(event).__name__ for event in sitting.events]
    assert order.index("FaultSeen") < order.index("TableResult")


def test_numbers_of_tables_are_drawn_by_lot() -> None:
    """A table's number does not follow its place in the plan."""
    sitting = HandDriven(sitting_plan(tables=30))
    sitting.start_all()
    begun = [table.plan.board for _, table in sorted(sitting.sitting._tables.items())]
    assert sorted(begun) == list(range(1, 31))
    assert begun != list(range(1, 31))
