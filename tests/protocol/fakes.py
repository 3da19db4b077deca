"""A stream that keeps what it is handed, and a sitting driven by hand on a clock that stands still by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from king.v1 import arena_pb2 as pb

from referee.codec import BotFrame, Hello, Ready
from referee.plans import FaultSeen, SittingEvent, SittingPlan, StartProcess, TableResult, check_plan
from referee.processes import BotProcess, Ending
from referee.rules import Record, parse_record
from referee.sitting import Sitting
from referee.table import Deputize
from tests.protocol.clients import choice, requests_of

MS = 1_000_000


@dataclass(eq=False)
class KeptStream:
    """Keeps frames and why it was closed."""

    unsent_bytes: int = 0
    frames: list[list[pb.RefereeMessage]] = field(default_factory=list)
    ending: Ending | None = None
    detail: str = ""

    def send(self, frame: bytes) -> None:
        """Keep a frame."""
        assert self.ending is None, "a frame after the end"
        self.frames.append(list(pb.PlayResponse.FromString(frame).messages))

    def close(self, ending: Ending, detail: str) -> None:
        """Keep the reason."""
        self.ending, self.detail = ending, detail

    def take(self) -> list[pb.RefereeMessage]:
        """Return the messages of all frames since the last time."""
        messages = [message for frame in self.frames for message in frame]
        self.frames.clear()
        return messages


def hello(*, table_limit: int = 0) -> Hello:
    """A greeting; the token does not matter once the process is found."""
    return Hello(protocol_version=1, token="", name="bot", version="1", table_limit=table_limit)


class HandDriven:
    """A sitting whose bots and worker are the test; `now_ms` moves only when the test moves it."""

    def __init__(self, plan: SittingPlan, *, deputize: Deputize = lambda _: None) -> None:
        self.now_ms = 0
        self.has_room = True
        """What the sitting is told when it asks whether more may begin."""
        self.sitting = Sitting(
            check_plan(plan),
            utc_now=lambda: "2026-11-29T20:00:00Z",
            lots=Random(1),
            deputize=deputize,
            has_room=lambda: self.has_room,
        )
        self.events: list[SittingEvent] = []
        self.streams: dict[int, KeptStream] = {}
        self.sitting.begin()
        self.turn()

    @property
    def now_ns(self) -> int:
        """The time."""
        return self.now_ms * MS

    @property
    def starts(self) -> list[StartProcess]:
        """The processes asked for."""
        return [event for event in self.events if isinstance(event, StartProcess)]

    @property
    def faults(self) -> list[FaultSeen]:
        """The faults so far."""
        return [event for event in self.events if isinstance(event, FaultSeen)]

    @property
    def records(self) -> dict[str, Record]:
        """The records so far, by match."""
        return {each.match_id: parse_record(each.record) for each in self.events if isinstance(each, TableResult)}

    def turn(self) -> None:
        """Draw the conclusions, and keep what the worker is told."""
        self.sitting.end_turn(self.now_ns)
        self.events += self.sitting.take_events()

    def process(self, number: int) -> BotProcess:
        """The process of a number."""
        return self.sitting.processes[number]

    def dial(self, number: int, *, table_limit: int = 0, ready: bool = True) -> KeptStream:
        """Open a stream for a process."""
        stream = self.streams[number] = KeptStream()
        greeting = hello(table_limit=table_limit)
        messages: list[Hello | Ready] = [greeting, Ready()] if ready else [greeting]
        self.sitting.greet(self.process(number), stream, BotFrame(list(messages), more=False), greeting, self.now_ns)
        self.turn()
        return stream

    def start_all(self, *, table_limit: int = 0) -> None:
        """Start and dial every process that was asked for and has no stream."""
        for start in self.starts:
            if start.process not in self.streams:
                self.sitting.process_started(start.process, self.now_ns)
                self.dial(start.process, table_limit=table_limit)

    def say(self, number: int, *messages: pb.BotMessage, more: bool = False) -> None:
        """Have a bot send a frame."""
        frame = pb.PlayRequest(messages=messages, more=more).SerializeToString()
        self.sitting.receive(self.process(number), self.streams[number], frame, self.now_ns)
        self.turn()

    def wait(self, passed_ms: int, *, lag_ms: int = 0) -> None:
        """Let time pass, and tick."""
        self.now_ms += passed_ms
        self.sitting.tick(self.now_ns, lag_ms * MS)
        self.turn()

    def report_wait(self, number: int, waited_ms: int = 0, *, wanted: bool = True) -> None:
        """Have the worker report how long a process had no CPU."""
        self.sitting.cpu_waited(number, waited_ms * 1000, wanted=wanted, now_ns=self.now_ns)
        self.turn()

    def report_regularly(self, number: int, count: int = 10) -> None:
        """Have the worker report so often, unasked, ten times a second, that the process had its CPU."""
        for _ in range(count):
            self.wait(100)
            self.report_wait(number, wanted=False)

    def overrun(self, number: int) -> None:
        """Let the clock of a process run out, and the worker say that it had its CPU."""
        self.wait(self.process(number).clock.left_ns(self.now_ns) // MS + 1)
        self.report_wait(number)

    def answer(self, number: int) -> int:
        """Answer all that a process was asked with the first action; return how many that was."""
        requests = requests_of(self.streams[number].take())
        if requests:
            self.say(number, *(choice(request.request_id, 0) for request in requests))
        return len(requests)

    def answer_all(self) -> int:
        """Have every process answer what it was asked; return how many answers that were."""
        answers: int = sum(self.answer(number) for number in list(self.streams))
        return answers

    def asked(self) -> int:
        """The one process that was asked and has not answered; the streams keep their messages."""
        (number,) = [number for number, process in self.sitting.processes.items() if process.waiting_seats]
        return number

    def play_out(self) -> None:
        """Answer everything until nobody is asked."""
        while self.answer_all():
            self.now_ms += 1

    def play_out_until(self, record_count: int) -> None:
        """Answer everything until so many records are written."""
        while len(self.records) < record_count and self.answer_all():
            self.now_ms += 1
