"""One bot process: one frame in flight, held events, new streams."""

from __future__ import annotations

from referee import faults
from referee.clock import NS_PER_MS, TimeControl
from referee.codec import Choice, legal_bytes
from referee.faults import Fault, FaultKind
from referee.processes import BotProcess, Ending, Phase
from referee.rules import Action, ActionKind
from referee.seats import OpenRequest, TableLog, TableSeat
from tests.protocol.clients import requests_of
from tests.protocol.fakes import KeptStream

LEGAL = legal_bytes([Action(0, ActionKind.PASS), Action(0, ActionKind.KEEP)])


def piece(seat: TableSeat, text: str) -> bytes:
    """Something to tell: a note that is easy to see again."""
    return seat.codec.table_aborted(text)


def ready_process() -> tuple[BotProcess, KeptStream]:
    """A process that is ready, and its stream after the welcome."""
    process = BotProcess(process=1, player=0, token="t", control=TimeControl())
    stream = KeptStream()
    assert process.attach(stream, 0, 0) is None
    assert process.hear_ready() is None
    stream.take()
    return process, stream


def notes(stream: KeptStream) -> list[tuple[int, str]]:
    """What was told since the last time: table, and the note or "?" for a request."""
    return [(each.table, "?" if each.HasField("request") else each.table_end.aborted) for each in stream.take()]


def test_events_are_held_until_the_seat_is_asked() -> None:
    """What a seat learns goes out with its next request, not before, and in order."""
    process, stream = ready_process()
    seat = process.take_seat(table=5, seat=0, log=TableLog())
    seat.log.tell(piece(seat, "a"))
    seat.log.tell(piece(seat, "b"))
    process.flush(0)
    assert stream.frames == []
    seat.ask(LEGAL, 2)
    process.flush(0)
    assert len(stream.frames) == 1
    assert notes(stream) == [(5, "a"), (5, "b"), (5, "?")]


def test_one_frame_of_requests_is_in_flight() -> None:
    """What becomes ready while the bot thinks goes out together, once the last request is answered."""
    process, stream = ready_process()
    seats = [process.take_seat(table=table, seat=0, log=TableLog()) for table in (1, 2, 3, 4)]
    for seat in seats[:2]:
        seat.ask(LEGAL, 2)
    process.flush(0)
    first, second = requests_of(stream.take())
    for seat in seats[2:]:
        seat.log.tell(piece(seat, "end of deal"))
        seat.send_soon()
        seat.ask(LEGAL, 2)
        process.flush(0)
    assert isinstance(process.answer(Choice(second.request_id, 1), 0), OpenRequest)
    process.flush(0)
    assert stream.frames == []
    assert isinstance(process.answer(Choice(first.request_id, 0), 0), OpenRequest)
    process.flush(0)
    assert len(stream.frames) == 1
    assert notes(stream) == [(3, "end of deal"), (3, "?"), (4, "end of deal"), (4, "?")]


def test_what_needs_no_answer_goes_out_at_once() -> None:
    """The end of a deal goes out without a request, and starts no clock."""
    process, stream = ready_process()
    seat = process.take_seat(table=1, seat=0, log=TableLog())
    seat.log.tell(piece(seat, "held"))
    seat.log.tell(piece(seat, "end of deal"))
    seat.send_soon()
    process.flush(0)
    assert notes(stream) == [(1, "held"), (1, "end of deal")]
    assert not process.clock.running


def test_frame_time_is_shared_by_its_requests() -> None:
    """The time of a frame is known after its last answer, and counts a share for each request."""
    process, stream = ready_process()
    seats = [process.take_seat(table=table, seat=0, log=TableLog()) for table in (1, 2)]
    for seat in seats:
        seat.ask(LEGAL, 2)
    process.flush(0)
    first, second = requests_of(stream.take())
    assert (first.time_left_ms, first.time_taken_last_ms) == (10_200, 0)
    settled = process.answer(Choice(first.request_id, 0), 10 * NS_PER_MS)
    assert isinstance(settled, OpenRequest)
    assert settled.timing is not None
    assert settled.timing.taken_ns is None
    process.answer(Choice(second.request_id, 0), 50 * NS_PER_MS)
    assert (settled.timing.ms, settled.timing.asked_with) == (25, 2)
    seats[0].ask(LEGAL, 2)
    process.flush(60 * NS_PER_MS)
    (third,) = requests_of(stream.take())
    assert (third.time_left_ms, third.time_taken_last_ms) == (10_100, 50)


def test_new_stream_is_sent_what_is_open() -> None:
    """A new stream gets whole tables, and the request in flight under its old id; what waits goes on waiting."""
    process, stream = ready_process()
    asked, waiting = (process.take_seat(table=table, seat=0, log=TableLog()) for table in (1, 2))
    asked.log.tell(piece(asked, "a"))
    asked.ask(LEGAL, 2)
    process.flush(0)
    (request,) = requests_of(stream.take())
    waiting.log.tell(piece(waiting, "b"))
    waiting.ask(LEGAL, 2)
    process.detach(stream)
    process.flush(0)
    fresh = KeptStream()
    process.attach(fresh, 0, 4000 * NS_PER_MS)
    messages = fresh.take()
    assert [(each.table, each.WhichOneof("message")) for each in messages] == [
        (0, "welcome"),
        (1, "table_end"),
        (1, "request"),
        (2, "table_end"),
    ]
    (again,) = requests_of(messages)
    assert (again.request_id, again.time_left_ms) == (request.request_id, 6_100)
    process.answer(Choice(request.request_id, 0), 4000 * NS_PER_MS)
    process.flush(4000 * NS_PER_MS)
    assert notes(fresh) == [(2, "?")]


def test_requests_run_on_the_clock_without_a_stream() -> None:
    """A request that becomes ready while no stream is open runs on the clock; below zero it is an exit."""
    process, stream = ready_process()
    process.detach(stream)
    seat = process.take_seat(table=1, seat=0, log=TableLog())
    seat.ask(LEGAL, 2)
    process.flush(0)
    assert process.clock.running
    assert process.time_fault(10_100 * NS_PER_MS) is None
    fault = process.time_fault(10_101 * NS_PER_MS)
    assert fault is not None
    assert fault.kind is FaultKind.EXIT


def test_end_of_a_table_is_sent_again_until_it_was_seen() -> None:
    """A table's end goes to a new stream too, unless an answer has shown that the bot has read on."""
    process, stream = ready_process()
    over, going = (process.take_seat(table=table, seat=0, log=TableLog()) for table in (1, 2))
    over.log.tell(piece(over, "the end"))
    over.end()
    process.flush(0)
    process.detach(stream)
    stream = KeptStream()
    process.attach(stream, 0, 0)
    assert notes(stream) == [(0, ""), (1, "the end")]
    going.ask(LEGAL, 2)
    process.flush(0)
    (request,) = requests_of(stream.take())
    process.answer(Choice(request.request_id, 0), 0)
    process.detach(stream)
    stream = KeptStream()
    process.attach(stream, 0, 0)
    assert notes(stream) == [(0, "")]


def test_process_that_is_done_can_fetch_the_end() -> None:
    """A bot whose stream broke before the last table's end dials again, gets it, and the stream closes well."""
    process, stream = ready_process()
    seat = process.take_seat(table=1, seat=0, log=TableLog())
    process.detach(stream)
    seat.log.tell(piece(seat, "the end"))
    seat.end()
    process.flush(0)
    assert process.idle
    process.finish()
    stream = KeptStream()
    process.attach(stream, 0, 0)
    assert notes(stream) == [(0, ""), (1, "the end")]
    assert stream.ending is Ending.DONE


def test_second_stream_closes_the_first() -> None:
    """A process has one stream: a second replaces the first, whose end is then passed over."""
    process, first = ready_process()
    second = KeptStream()
    process.attach(second, 0, 0)
    assert first.ending is Ending.REPLACED
    process.detach(first)
    assert process.has(second)


def test_limit_of_tables_is_checked() -> None:
    """0 means 64 tables; a limit out of range is a protocol fault."""
    process, _ = ready_process()
    assert process.free_tables == 64
    other = BotProcess(process=2, player=0, token="t", control=TimeControl())
    for limit in (-1, 257):
        fault = other.attach(KeptStream(), limit, 0)
        assert isinstance(fault, Fault)
        assert fault.kind is FaultKind.PROTOCOL
    assert other.attach(KeptStream(), 256, 0) is None
    assert other.table_limit == 256


def test_streams_are_counted_for_the_life_of_a_process() -> None:
    """Redials are forgiven as frames are, by the requests of the whole life; beyond that they are a flood."""
    process, _ = ready_process()
    assert [process.attach(KeptStream(), 0, 0) for _ in range(15)] == [None] * 15
    process.next_request_id()
    assert [process.attach(KeptStream(), 0, 0) for _ in range(2)] == [None] * 2
    flood = process.attach(KeptStream(), 0, 0)
    assert flood == Fault(FaultKind.FLOOD, "19 streams of a process with 1 requests; 18 are allowed")


def test_late_answers_are_passed_over() -> None:
    """Answers to what the stand-in has settled are no fault, however often they come."""
    process, stream = ready_process()
    seat = process.take_seat(table=1, seat=0, log=TableLog())
    seat.ask(LEGAL, 2)
    process.flush(0)
    (request,) = requests_of(stream.take())
    (given_up,) = process.give_up_frame(20_000 * NS_PER_MS)
    assert given_up.request_id == request.request_id
    assert given_up.timing is not None
    assert given_up.timing.ms == 20_000
    for _ in range(2):
        assert process.answer(Choice(request.request_id, 0), 21_000 * NS_PER_MS) is None


def test_too_much_unsent_is_a_fault() -> None:
    """A bot that does not read is at fault once more than the limit waits for it."""
    process, stream = ready_process()
    stream.unsent_bytes = faults.UNSENT_LIMIT_BYTES
    assert process.unread_fault() is None
    stream.unsent_bytes += 1
    fault = process.unread_fault()
    assert fault is not None
    assert fault.kind is FaultKind.PROTOCOL


def test_frames_are_counted_for_each_stream() -> None:
    """The seventeenth frame on a stream without requests is a flood; a new stream counts anew."""
    process, _ = ready_process()
    assert [process.count_frame() for _ in range(16)] == [None] * 16
    flood = process.count_frame()
    assert flood is not None
    assert flood.kind is FaultKind.FLOOD
    process.attach(KeptStream(), 0, 0)
    assert process.count_frame() is None


def test_start_up_ends_with_ready() -> None:
    """A process is starting until ready, and late without it; ready again on a new stream changes nothing."""
    process = BotProcess(process=1, player=0, token="t", control=TimeControl())
    process.started(0)
    stream = KeptStream()
    process.attach(stream, 0, 5 * NS_PER_MS)
    late = process.time_fault(30_001 * NS_PER_MS)
    assert late is not None
    assert late.kind is FaultKind.ABSENT
    assert process.hear_ready() is None
    assert process.phase is Phase.READY
    twice = process.hear_ready()
    assert twice is not None
    assert twice.kind is FaultKind.PROTOCOL
    process.attach(KeptStream(), 0, 0)
    assert process.hear_ready() is None
