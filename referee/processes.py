"""One bot process of a sitting: its streams, its frames, its clock.

A plain state machine: it is handed what the bot said and the time, and hands frames to whatever stream is attached.
Owns the one request frame in flight, open requests and what a new stream is sent. Must not wait, know gRPC or the
game, or decide what a fault costs.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from referee import faults
from referee.clock import NS_PER_MS, ProcessClock, TimeControl
from referee.codec import BotFrame, Choice, check_message_count, frames, times_bytes, welcome_piece
from referee.decisions import FrameTiming
from referee.faults import Fault
from referee.seats import OpenRequest, TableLog, TableSeat
from referee.tally import LATENCY_SLOTS

TABLE_LIMIT: Final = 256
DEFAULT_TABLE_LIMIT: Final = 64


class Ending(StrEnum):
    """Why a stream is closed; each has a status of the protocol."""

    DONE = "done"
    FAULT = "fault"
    FLOOD = "flood"
    LATE = "late"
    REPLACED = "replaced"
    DROPPED = "dropped"
    REVOKED = "revoked"
    GOING_AWAY = "going away"


class Stream(Protocol):
    """A way to the bot that never makes the caller wait."""

    @property
    def unsent_bytes(self) -> int:
        """What was handed over and not taken by the transport yet."""

    def send(self, frame: bytes) -> None:
        """Hand over a frame, to be sent after those before it."""

    def close(self, ending: Ending, detail: str) -> None:
        """Close after what was handed over is sent; a replaced stream drops that, as the new one is sent it anew."""


class Home(Protocol):
    """Where a remote bot stays between sittings, with its stream."""

    def part(self, process: BotProcess, *, closed: bool) -> None:
        """A process of the bot is over; `closed`: and its stream is closed."""


class Phase(StrEnum):
    """Where a process stands: until `Ready`, at its tables, played to the end, or failed or dropped."""

    STARTING = "starting"
    READY = "ready"
    DONE = "done"
    DROPPED = "dropped"


class BotProcess:
    """One process of a bot, over all its streams; `process` counts from 1 in a sitting.

    Of a remote bot it is the bot's part in one sitting: it has a `home`, to which its stream goes back, and numbers
    requests after those of earlier sittings.
    """

    def __init__(
        self,
        *,
        process: int,
        player: int,
        token: str,
        control: TimeControl,
        home: Home | None = None,
        first_id: int = 0,
    ) -> None:
        self.process = process
        self.player = player
        self.token = token
        self.control = control
        self.clock = ProcessClock(control)
        self.phase = Phase.STARTING
        self.table_limit = 0
        self.overrun_count = 0
        self.last_refusal = ""
        self.given_up_count = 0
        """Requests that were open when it was over: late answers to them may come."""
        self.handled_ns = 0
        """How long the referee was busy with this bot's frames since its last beat."""
        self.latencies = [0] * LATENCY_SLOTS
        """How many decisions took how long, as `referee.tally` counts them."""
        self.thought_ns = 0
        """How long the frames of requests took in all."""
        self.seats: dict[TableSeat, None] = {}
        """Seats of open tables, and of tables over whose end the bot has not shown to have seen."""
        self.open_count = 0
        """How many of the seats are at tables that are not over."""
        self._ended_seats: dict[TableSeat, None] = {}
        self._queued_seats: dict[TableSeat, None] = {}
        self._in_flight: dict[int, OpenRequest] = {}
        self._by_stand_in: set[int] = set()
        self._home = home
        self._first_id = self._last_id = first_id
        self._timing: FrameTiming | None = None
        self._taken_last_ms = 0
        self._stream: Stream | None = None
        self._stream_count = 0
        self._said_ready = self._warm = False
        self._frame_count = 0
        self._request_count = 0
        self._parts: list[BotFrame] = []

    @property
    def live(self) -> bool:
        """Whether the process plays, or may come to play."""
        return self.phase is Phase.READY or self.phase is Phase.STARTING

    @property
    def remote(self) -> bool:
        """Whether it is the part of a remote bot, which nobody starts, stops or measures."""
        return self._home is not None

    @property
    def warm(self) -> bool:
        """Whether it has ever said `Ready`."""
        return self._warm

    @property
    def said_ready(self) -> bool:
        """Whether it has said `Ready` on its present stream."""
        return self._said_ready

    @property
    def last_id(self) -> int:
        """The highest id of a request so far."""
        return self._last_id

    @property
    def open_seats(self) -> list[TableSeat]:
        """The seats of tables that are not over."""
        return [seat for seat in self.seats if not seat.over]

    @property
    def waiting_seats(self) -> list[TableSeat]:
        """The seats whose requests are in flight."""
        return [request.seat for request in self._in_flight.values()]

    @property
    def free_tables(self) -> int:
        """How many more tables the process takes."""
        return self.table_limit - self.open_count if self.phase is Phase.READY else 0

    @property
    def idle(self) -> bool:
        """Whether nothing is open and nothing waits to be sent."""
        return not self._queued_seats and not self._in_flight and not self.open_count

    # The life of the process and of its streams

    def started(self, now_ns: int) -> None:
        """The process runs: its start-up allowance begins, unless it has."""
        if self.phase is Phase.STARTING and not self.clock.running:
            self.clock.begin_start_up(now_ns)

    def attach(self, stream: Stream, table_limit: int, now_ns: int) -> Fault | None:
        """Take a new stream whose `Hello` was heard; it replaces the old one and is sent what is open.

        With a fault it is the process's stream too, so that it is closed with the fault's words.
        """
        self.started(now_ns)
        self._replace(stream)
        if not 0 <= table_limit <= TABLE_LIMIT:
            return faults.wrong_table_limit(table_limit, most=TABLE_LIMIT)
        asked = self._last_id - self._first_id
        if self._stream_count > faults.frames_allowed(asked):
            return faults.too_many_streams(stream_count=self._stream_count, request_count=asked)
        if self.phase is Phase.STARTING:
            self.table_limit = table_limit or DEFAULT_TABLE_LIMIT
        stream.send(welcome_piece(self.control, self.table_limit))
        self._send_all_anew(now_ns)
        if self.phase is Phase.DONE:
            self.finish()
        return None

    def adopt(self, stream: Stream, table_limit: int, *, unheard: int) -> None:
        """Go on with the stream of a remote bot that was ready before the sitting began.

        `unheard`: to how many requests of an earlier sitting late answers may come.
        """
        self._replace(stream)
        self._said_ready = self._warm = True
        self._request_count = unheard
        self.table_limit = table_limit
        self.phase = Phase.READY

    def tell_ends_anew(self, stream: Stream) -> None:
        """Send the tables that have ended without proof that the bot read so, whole, on another stream."""
        for frame in frames([seat.log.told(seat.seat) for seat in self.seats if seat.over]):
            stream.send(frame)

    def _replace(self, stream: Stream) -> None:
        if self._stream is not None:
            self._stream.close(Ending.REPLACED, "another stream of the same process replaced this one")
        self._stream = stream
        self._stream_count += 1
        self._said_ready = False
        self._frame_count = self._request_count = 0
        self._parts = []

    def has(self, stream: Stream) -> bool:
        """Whether this is the process's present stream."""
        return self._stream is stream

    def detach(self, stream: Stream) -> None:
        """A stream has broken: open requests run on. A stream that was replaced is passed over."""
        if self._stream is stream:
            self._stream = None

    def finish(self) -> None:
        """Be done: all tables are over, and the stream closes well once their ends are sent."""
        self.phase = Phase.DONE
        stream, self._stream = self._stream, None
        if self._home is not None:
            self._home.part(self, closed=False)
        elif stream is not None:
            stream.close(Ending.DONE, "")

    def drop(self, ending: Ending, detail: str, now_ns: int) -> None:
        """Be over for another reason: send what waits, close the stream, part from all seats.

        The stream of a remote bot stays if the sitting was only dropped.
        """
        self.given_up_count = len(self._in_flight)
        if self._in_flight:
            self._settle_frame(self.clock.stop(now_ns))
            self._in_flight.clear()
        for seat in self.seats:
            seat.request = None
        self.flush(now_ns)
        was_over, self.phase = not self.live, Phase.DROPPED
        stays = self.remote and ending is Ending.DROPPED
        stream, self._stream = self._stream, None
        if stream is not None and not stays:
            stream.close(ending, detail)
        for seat in self.seats:
            seat.take_from_bot()
        self.seats = {seat: None for seat in self.seats if stays and seat.over}
        self.open_count = 0
        self._queued_seats.clear()
        if self._home is not None and not was_over:
            self._home.part(self, closed=not stays)

    # What the bot says

    def count_frame(self) -> Fault | None:
        """Count a frame against what the requests of the stream explain."""
        self._frame_count += 1
        if self._frame_count <= faults.frames_allowed(self._request_count):
            return None
        return faults.too_many_frames(frame_count=self._frame_count, request_count=self._request_count)

    def join(self, frame: BotFrame) -> BotFrame | None:
        """Join a frame to those that it goes on from; return the whole, or None while more is to come.

        Raises:
            FrameError: together they have too many messages.
        """
        if not frame.more and not self._parts:
            return frame
        self._parts.append(frame)
        check_message_count(sum(len(part.messages) for part in self._parts))
        if frame.more:
            return None
        whole = BotFrame([message for part in self._parts for message in part.messages], more=False)
        self._parts = []
        return whole

    def hear_ready(self) -> Fault | None:
        """The bot is warm: the start-up ends, or it has come back."""
        if self._said_ready:
            return faults.broken_protocol("Ready was said twice on one stream")
        self._said_ready = self._warm = True
        if self.phase is Phase.STARTING:
            self.phase = Phase.READY
            self.clock.ready()
        return None

    def answer(self, choice: Choice, now_ns: int) -> OpenRequest | Fault | None:
        """Settle the request that a choice answers; None if the stand-in has settled it."""
        request_id, index = choice.request_id, choice.action_index
        request = self._in_flight.get(request_id)
        if request is None:
            if request_id in self._by_stand_in or 0 < request_id <= self._first_id:
                return None
            return faults.unknown_request(request_id=request_id, last_id=self._last_id)
        if not 0 <= index < request.action_count:
            return faults.illegal_index(request_id=request_id, index=index, action_count=request.action_count)
        del self._in_flight[request_id]
        request.seat.request = None
        if self._ended_seats:
            self._forget_ended()
        if not self._in_flight:
            self._settle_frame(self.clock.stop(now_ns))
        return request

    # What the tables say

    def take_seat(self, *, table: int, seat: int, log: TableLog) -> TableSeat:
        """Sit down at a table, which tells its seats by `log`."""
        taken = TableSeat(self, table=table, seat=seat, log=log)
        self.seats[taken] = None
        self.open_count += 1
        return taken

    def note_end(self, seat: TableSeat) -> None:
        """A table is over; its end is told until the bot has shown that it was read."""
        del seat
        self.open_count -= 1

    def queue(self, seat: TableSeat) -> None:
        """Send what a seat holds, its request included, with the next frame."""
        self._queued_seats[seat] = None

    def next_request_id(self) -> int:
        """Return an id not used before: they count the requests of the process and tell nothing else."""
        self._last_id += 1
        return self._last_id

    def flush(self, now_ns: int) -> None:
        """Hand over what is queued, unless a frame of requests is in flight."""
        if self._in_flight or not self._queued_seats:
            return
        queued, self._queued_seats = list(self._queued_seats), {}
        requests = [seat.request for seat in queued if seat.request is not None]
        if requests:
            self._hand_over(requests, now_ns)
        self._send(queued, now_ns)

    # Time

    def time_fault(self, now_ns: int) -> Fault | None:
        """What it means that the clock is below zero; None if it is not."""
        left_ns = self.clock.left_ns(now_ns)
        if left_ns >= 0:
            return None
        if self.phase is Phase.STARTING:
            return faults.never_ready(allowance_ms=self.control.start_ms, last_refusal=self.last_refusal)
        if self._stream is None:
            return faults.gone(request_count=len(self._in_flight))
        return faults.overrun(
            request_count=len(self._in_flight),
            over_ms=-left_ns // NS_PER_MS,
            overrun_count=self.overrun_count + 1,
        )

    def give_up_frame(self, now_ns: int) -> list[OpenRequest]:
        """Take the open requests from the bot after an overrun; late answers to them will be passed over."""
        given_up = list(self._in_flight.values())
        self.overrun_count += 1
        self._by_stand_in.update(self._in_flight)
        self._in_flight.clear()
        self._settle_frame(self.clock.overrun(now_ns))
        for request in given_up:
            request.seat.request = None
        return given_up

    def unread_fault(self) -> Fault | None:
        """What it means that too much waits for the bot; None if it does not."""
        if self._stream is None or self._stream.unsent_bytes <= faults.UNSENT_LIMIT_BYTES:
            return None
        return faults.unread(unsent_bytes=self._stream.unsent_bytes)

    # Frames

    def _hand_over(self, requests: list[OpenRequest], now_ns: int) -> None:
        self.clock.hand_over(len(requests), now_ns)
        self._timing = timing = FrameTiming(len(requests))
        in_flight = self._in_flight
        for request in requests:
            request.timing = timing
            in_flight[request.request_id] = request

    def _settle_frame(self, taken_ns: int) -> None:
        timing = self._timing
        if timing is not None:
            timing.taken_ns = taken_ns
            self.latencies[(taken_ns // timing.asked_with).bit_length()] += timing.asked_with
            self.thought_ns += taken_ns
        self._taken_last_ms = taken_ns // NS_PER_MS

    def _send(self, seats: list[TableSeat], now_ns: int) -> None:
        left_ms = max(0, self.clock.left_ns(now_ns)) // NS_PER_MS
        times = times_bytes(left_ms=left_ms, taken_last_ms=self._taken_last_ms)
        pieces = []
        for seat in seats:
            if seat.sent < len(seat.log):
                pieces.append(seat.unsent())
            request = seat.request
            if request is not None and request.timing is not None:
                pieces.append(seat.codec.request(request.request_id, request.actions, times))
                self._request_count += 1
            if seat.over:
                self._ended_seats[seat] = None
        if self._stream is not None:
            for frame in frames(pieces):
                self._stream.send(frame)

    def _send_all_anew(self, now_ns: int) -> None:
        if self.seats:
            for seat in self.seats:
                seat.sent = 0
            self._send(list(self.seats), now_ns)

    def _forget_ended(self) -> None:
        # An answer shows that the bot has read up to the frame that asked, so the ends before it were delivered.
        for seat in self._ended_seats:
            self.seats.pop(seat, None)
        self._ended_seats.clear()


class RemotePlayer(Protocol):
    """A remote bot, which gives a sitting its processes."""

    def sit(self, *, process: int, player: int, control: TimeControl) -> BotProcess:
        """Be the process with this number of a sitting."""
