"""What a sitting makes of new streams and of frames that come while an overrun waits to be judged."""

from __future__ import annotations

import pytest
from king.v1 import arena_pb2 as pb

from referee.codec import BotFrame, Choice
from referee.plans import CpuWaitWanted
from referee.processes import Ending
from tests.protocol.clients import requests_of
from tests.protocol.fakes import HandDriven, KeptStream, hello
from tests.protocol.plans import sitting_plan


def test_new_stream_is_no_way_round_the_clock() -> None:
    """A choice in the first frame of a new stream is as late as any other once the clock has run out."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    sitting.now_ms += 10_101
    greeting, stream = hello(), KeptStream()
    frame = BotFrame([greeting, Choice(request.request_id, 0)], more=False)
    sitting.sitting.greet(sitting.process(number), stream, frame, greeting, sitting.now_ns)
    sitting.turn()
    assert sitting.events[-1] == CpuWaitWanted(number)
    assert len(sitting.process(number).waiting_seats) == 1
    sitting.report_wait(number)
    assert [(fault.kind, fault.forfeits) for fault in sitting.faults] == [("timeout", False)]
    assert stream.ending is None


def test_choice_on_a_new_stream_counts_when_the_time_is_given_back() -> None:
    """What came with `Hello` while an overrun waited is heard when the process had no CPU for so long."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    (request,) = requests_of(sitting.streams[number].take())
    sitting.wait(10_101)
    greeting = hello()
    frame = BotFrame([greeting, Choice(request.request_id, 0)], more=False)
    sitting.sitting.greet(sitting.process(number), KeptStream(), frame, greeting, sitting.now_ns)
    sitting.turn()
    assert len(sitting.process(number).waiting_seats) == 1
    sitting.report_wait(number, 4000)
    assert sitting.faults == []
    assert sitting.process(number).clock.left_ns(sitting.now_ns) == 3_999_000_000


@pytest.mark.parametrize(("frames", "words"), [([b"x" * ((1 << 20) + 1)], "1048576 bytes"), ([b""] * 18, "19 frames")])
def test_flood_while_an_overrun_waits_fails_at_once(frames: list[bytes], words: str) -> None:
    """Frames that wait for the worker's report are measured and counted when they come, not when they are heard."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.wait(10_101)
    for frame in frames:
        sitting.sitting.receive(sitting.process(number), sitting.streams[number], frame, sitting.now_ns)
    sitting.turn()
    (fault,) = sitting.faults
    assert fault.kind == "flood"
    assert words in fault.detail
    assert sitting.streams[number].ending is Ending.FLOOD


@pytest.mark.slow
def test_frames_that_wait_are_limited_in_bytes() -> None:
    """A bot that sends over 4 MiB while an overrun waits is judged without the worker's report."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    number = sitting.asked()
    sitting.wait(10_101)
    frame = pb.PlayRequest(messages=[pb.BotMessage()] * ((1 << 20) // 2 - 8), more=True).SerializeToString()
    for _ in range(4):
        sitting.sitting.receive(sitting.process(number), sitting.streams[number], frame, sitting.now_ns)
    assert sitting.process(number).overrun_count == 0
    sitting.sitting.receive(sitting.process(number), sitting.streams[number], b"\n\0" * 64, sitting.now_ns)
    assert sitting.process(number).overrun_count == 1


def test_wrong_table_limit_closes_the_stream_with_words() -> None:
    """A bot that says a wrong number of tables reads on its stream which are right; so it does when it is done."""
    sitting = HandDriven(sitting_plan())
    stream = sitting.dial(1, table_limit=257)
    assert stream.ending is Ending.FAULT
    assert "it is 1 to 256" in stream.detail
    assert [(fault.process, fault.kind) for fault in sitting.faults] == [(1, "protocol")]
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.play_out()
    assert sitting.dial(1, table_limit=257).ending is Ending.FAULT
    assert sitting.faults == []


def test_bot_that_redials_in_a_loop_is_a_flood() -> None:
    """Every stream counts as a frame of its process's life: too many of them fail it."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    idle = next(number for number in sitting.streams if number != sitting.asked())
    for _ in range(16):
        sitting.dial(idle)
    assert [(fault.process, fault.kind) for fault in sitting.faults] == [(idle, "flood")]
    assert sitting.streams[idle].ending is Ending.FLOOD
