"""A sitting: its players' processes at its tables, from the plan to the last record.

A plain state machine: the service hands it what bots and the worker say, with the time in nanoseconds, and calls
`end_turn` after one or several such inputs; it hands frames to streams and events for the worker to `take_events`.
Owns the order of tables, restarts and results. Must not wait, know gRPC, or decide what a fault costs.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from referee import faults
from referee.codec import BotFrame, BotMessage, Choice, FrameError, Hello, Ready, read_frame
from referee.faults import FRAME_LIMIT_BYTES, Fault, FaultKind
from referee.holding import Arrival, HeldFrames
from referee.plans import (
    CheckedPlan,
    CpuWaitWanted,
    FaultSeen,
    ProcessReady,
    ReportError,
    SittingEnd,
    SittingEvent,
    StartProcess,
    StopProcess,
    TableBegun,
    TablePlan,
    TableResult,
)
from referee.players import SittingPlayer
from referee.processes import BotProcess, Ending, Phase, RemotePlayer, Stream
from referee.seats import OpenRequest, TableLog, TableSeat
from referee.showing import Watched
from referee.silence import ANSWER_WITHIN_NS, WorkerSilence, no_answer
from referee.table import Deputize, Table

STOP_GRACE_NS: Final = 2_000_000_000
"""How long a process that is done may take to end by itself."""

_ENDINGS: Final = {FaultKind.FLOOD: Ending.FLOOD, FaultKind.TIMEOUT: Ending.LATE, FaultKind.ABSENT: Ending.LATE}


class Sitting:
    """One attempt of one sitting."""

    def __init__(
        self,
        checked: CheckedPlan,
        *,
        utc_now: Callable[[], str],
        new_token: Callable[[], str] = secrets.token_urlsafe,
        lots: Random | None = None,
        deputize: Deputize = lambda table: None,
        remotes: Mapping[int, RemotePlayer] = MappingProxyType({}),
        first_table: int = 0,
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:
        """Prepare to play a plan; tokens and the tables' numbers come from the operating system unless given.

        `remotes` are its remote bots that play, by their places among the players; tables are numbered after
        `first_table`. While `has_room` says no, tables that could begin wait until none is open.
        """
        self.plan = checked.plan
        self.over = False
        self.processes: dict[int, BotProcess] = {}
        """By number, from 1."""
        self._by_token_hash: dict[bytes, BotProcess] = {}
        self._variant = checked.variant
        self._control = checked.control
        self._utc_now = utc_now
        self._new_token = new_token
        self._deputize = deputize
        self._remotes = remotes
        self._has_room = has_room
        self._waits_for_room = False
        self._handed_back = ""
        self._players = [
            SittingPlayer(player, tables_to_begin=sum(place in table.players for table in self.plan.tables))
            for place, player in enumerate(self.plan.players)
        ]
        count = len(self.plan.tables)
        lots = lots or secrets.SystemRandom()
        numbers = lots.sample(range(first_table + 1, first_table + count + 1), count)
        # Where there are remote bots, the order of the plan, which can be read, is not the order of their tables.
        tables = lots.sample(self.plan.tables, count) if remotes else self.plan.tables
        self._to_begin = dict(zip(numbers, tables, strict=True))
        self._tables: dict[int, Table] = {}
        self._unwritten: list[Table] = []
        self._events: list[SittingEvent] = []
        self._suspects: dict[int, int] = {}
        self._held: dict[int, HeldFrames] = {}
        self._exited: set[int] = set()
        self._stop_at_ns: dict[int, int] = {}
        self._look_around = False
        self._watched, self._silence = Watched(), WorkerSilence()

    # What the worker says

    def begin(self) -> None:
        """Ask for the first processes; tables whose players all sit out need none."""
        self._look_around = bool(self._remotes) or any(player.absence is not None for player in self._players)
        for player in range(len(self._players)):
            self._staff(player)

    def process_started(self, number: int, now_ns: int) -> None:
        """A process runs."""
        self._process(number).started(now_ns)
        self._silence.started(number)

    def process_exited(self, number: int, *, exit_status: int, detail: str, now_ns: int) -> None:
        """A process has ended; if it was needed, that is a fault."""
        process = self._process(number)
        self._exited.add(number)
        self._silence.exited(number)
        if process.live and not self.over:
            self._fail(process, faults.exited(exit_status=exit_status, detail=detail), now_ns)

    def cpu_waited(self, number: int, waited_us: int, *, wanted: bool, now_ns: int) -> None:
        """A process has waited so long for a CPU since its start; `wanted` answers `CpuWaitWanted`."""
        process = self._process(number)
        self._silence.heard(now_ns)
        process.clock.cpu_waited(waited_us * 1000, now_ns)
        if wanted and number in self._suspects:
            self._judge(process, now_ns)

    def watch(self, match_ids: Collection[str], now_ns: int) -> None:
        """Show these tables from now on, and no others.

        Raises:
            ReportError: if the sitting is not live.
        """
        if not self.plan.live:
            raise ReportError("the sitting is not live: other rotations of its boards are still to be played")
        self._watched.want(match_ids)
        self._show_watched(now_ns)

    def take_events(self) -> list[SittingEvent]:
        """Return what the worker is to be told, in order, once."""
        events, self._events = self._events, []
        return events

    @property
    def open_table_count(self) -> int:
        """How many tables are being played."""
        return len(self._tables)

    @property
    def unfinished_table_count(self) -> int:
        """How many tables are being played, or are still to begin."""
        return len(self._tables) + len(self._to_begin)

    @property
    def has_events(self) -> bool:
        """Whether the worker is to be told something."""
        return bool(self._events)

    # What the bots say

    def process_of(self, token: str) -> BotProcess | None:
        """Return the process that a token was drawn for. How long that takes tells nothing of any token."""
        return self._by_token_hash.get(_hash(token))

    def greet(self, process: BotProcess, stream: Stream, frame: BotFrame, hello: Hello, now_ns: int) -> None:
        """A stream has said whose it is; `frame` is its first, with `hello` in front.

        What follows `hello` is heard as any frame is: a new stream is no way round the clock.
        """
        if process.phase is Phase.DROPPED:
            stream.close(Ending.DROPPED, f"process {process.process} is over, its token is spent")
            return
        # Nothing that came on the stream before counts any more, so nothing of it waits for a judgement.
        self._held.pop(process.process, None)
        fault = process.attach(stream, hello.table_limit, now_ns) or process.count_frame()
        if fault is not None:
            self._refuse(process, fault, now_ns)
        elif frame.more or len(frame.messages) > 1:
            self._hear_or_hold(process, Arrival(stream, BotFrame(frame.messages[1:], frame.more), now_ns))

    def receive(self, process: BotProcess, stream: Stream, frame: bytes, now_ns: int) -> None:
        """A frame has come on a stream; passed over if the stream is not the process's any more."""
        if not process.has(stream) or not process.live:
            return
        too_long = len(frame) > FRAME_LIMIT_BYTES
        flood = faults.frame_too_long(size_bytes=len(frame)) if too_long else process.count_frame()
        if flood is not None:
            self._fail(process, flood, now_ns)
        else:
            self._hear_or_hold(process, Arrival(stream, frame, now_ns))

    def _hear_or_hold(self, process: BotProcess, arrival: Arrival) -> None:
        """Hear a frame, unless the clock has run out: then it waits until that is judged."""
        if not process.has(arrival.stream) or not process.live:
            return
        if process.process in self._held or process.clock.left_ns(arrival.at_ns) < 0:
            self._hold(process, arrival)
            return
        if (fault := self._hear_frame(process, arrival.frame, arrival.at_ns)) is not None:
            self._fail(process, fault, arrival.at_ns)

    def _hold(self, process: BotProcess, arrival: Arrival) -> None:
        held = self._held.setdefault(process.process, HeldFrames())
        held.add(arrival)
        self._suspect(process, arrival.at_ns)
        if held.too_many:
            self._judge(process, arrival.at_ns)

    def _hear_frame(self, process: BotProcess, frame: bytes | BotFrame, now_ns: int) -> Fault | None:
        try:
            whole = process.join(read_frame(frame) if isinstance(frame, bytes) else frame)
        except FrameError as error:
            return faults.broken_protocol(str(error))
        return None if whole is None else self._hear_messages(process, whole.messages, now_ns)

    def _hear_messages(self, process: BotProcess, messages: list[BotMessage], now_ns: int) -> Fault | None:
        for message in messages:
            if isinstance(message, Choice):
                fault = self._hear_choice(process, message, now_ns)
            elif isinstance(message, Ready):
                fault = self._hear_ready(process)
            else:
                fault = faults.broken_protocol("Hello was said twice on one stream")
            if fault is not None:
                return fault
        return None

    def _hear_choice(self, process: BotProcess, choice: Choice, now_ns: int) -> Fault | None:
        settled = process.answer(choice, now_ns)
        if not isinstance(settled, OpenRequest):
            return settled
        if settled.timing is not None:
            table = self._tables[settled.seat.table]
            table.answer(choice.action_index, settled.timing)
            self._note_end(table)
        return None

    def _hear_ready(self, process: BotProcess) -> Fault | None:
        was_starting = process.phase is Phase.STARTING
        fault = process.hear_ready()
        if was_starting and process.phase is Phase.READY:
            self._events.append(ProcessReady(process.process, process.table_limit))
            self._look_around = True
        return fault

    # Time

    def tick(self, now_ns: int, lag_ns: int, waited_ns: int = 0) -> None:
        """Look at the clocks.

        Since the last tick, the referee itself was late by `lag_ns`, and waited so long for a CPU, whenever that was.
        """
        self._silence.late(lag_ns)
        for process in list(self.processes.values()):
            if process.live:
                self._look_at(process, now_ns, lag_ns, waited_ns)
        if self._watched.due(now_ns):
            self._show_watched(now_ns)
        if self._waits_for_room:
            self._waits_for_room, self._look_around = False, True
        for number, until_ns in list(self._suspects.items()):
            if now_ns >= until_ns:
                self._give_up_on_worker(number, now_ns)
        for number, stop_ns in list(self._stop_at_ns.items()):
            if now_ns >= stop_ns:
                del self._stop_at_ns[number]
                self._stop(number)

    def _show_watched(self, now_ns: int) -> None:
        self._watched.wait_from(now_ns)
        self._show(self._tables.values(), now_ns)

    def _show(self, tables: Iterable[Table], now_ns: int) -> None:
        self._events += self._watched.shown(tables, self.processes.values(), now_ns)

    def _look_at(self, process: BotProcess, now_ns: int, lag_ns: int, waited_ns: int) -> None:
        # What the bot's own frames made the referee late by is not given back to it.
        process.clock.lagged(max(waited_ns, lag_ns - process.handled_ns), now_ns)
        process.handled_ns = 0
        if process.clock.running and process.clock.left_ns(now_ns) < 0:
            self._suspect(process, now_ns)
        if (fault := process.unread_fault()) is not None:
            self._fail(process, fault, now_ns)

    def _suspect(self, process: BotProcess, now_ns: int) -> None:
        """The clock ran out; before that counts, the worker says how long the process had no CPU.

        Of a remote bot nobody can say so: it is judged at once.
        """
        if process.remote:
            self._judge(process, now_ns)
            return
        if process.process not in self._suspects:
            self._suspects[process.process] = now_ns + ANSWER_WITHIN_NS
            self._events.append(CpuWaitWanted(process.process))

    def _give_up_on_worker(self, number: int, now_ns: int) -> None:
        del self._suspects[number]
        if self.processes[number].live:
            self.void(no_answer(number), Ending.DROPPED, now_ns)

    def _judge(self, process: BotProcess, now_ns: int) -> None:
        self._suspects.pop(process.process, None)
        late = self._held.pop(process.process, HeldFrames()).arrivals
        at_ns = late[0].at_ns if late else now_ns
        fault = process.time_fault(at_ns)
        if fault is not None and process.live:
            if not process.remote and self._silence.excuses(process.clock.since_ns):
                self.void(self._silence.excuse(process.process), Ending.DROPPED, now_ns)
                return
            self._time_out(process, fault, at_ns)
        for arrival in late:
            self._hear_or_hold(process, arrival)

    def _time_out(self, process: BotProcess, fault: Fault, at_ns: int) -> None:
        if faults.forfeits(fault, overrun_count=process.overrun_count + 1):
            self._fail(process, fault, at_ns)
            return
        requests = process.give_up_frame(at_ns)
        self._tell_fault(process, fault, [request.seat for request in requests], forfeits=False)
        for request in requests:
            if request.timing is not None:
                table = self._tables[request.seat.table]
                table.answer_for_bot(request.timing)
                self._note_end(table)

    # Faults

    def _refuse(self, process: BotProcess, fault: Fault, now_ns: int) -> None:
        """A new stream that may not be; of a process that is done, only the token is spent."""
        if process.live:
            self._fail(process, fault, now_ns)
        else:
            process.drop(_ENDINGS.get(fault.kind, Ending.FAULT), fault.detail, now_ns)

    def _fail(self, process: BotProcess, fault: Fault, now_ns: int) -> None:
        """A fault that costs a process its open tables and its life."""
        player = self._players[process.player]
        seats = process.open_seats
        process.drop(_ENDINGS.get(fault.kind, Ending.FAULT), fault.detail, now_ns)
        player.fail(fault)
        self._tell_fault(process, fault, seats, forfeits=True)
        self._stop(process.process)
        for seat in seats:
            table = self._tables[seat.table]
            table.forfeit(seat.seat, fault)
            self._note_end(table)
        self._look_around = True

    def _tell_fault(self, process: BotProcess, fault: Fault, seats: list[TableSeat], *, forfeits: bool) -> None:
        matches = [self._tables[seat.table].plan.match_id for seat in seats]
        if self._players[process.player].absence is not None:
            matches += [table.match_id for table in self._to_begin.values() if process.player in table.players]
        kind, detail = fault.kind.value, fault.detail
        self._events.append(FaultSeen(process.process, process.player, kind, detail, forfeits, tuple(matches)))

    def _stop(self, number: int) -> None:
        if number not in self._exited and not self.processes[number].remote:
            self._events.append(StopProcess(number))

    # Tables and processes

    def end_turn(self, now_ns: int) -> None:
        """Draw the conclusions of what was said: begin tables, hand over frames, write results."""
        if self._look_around and not self.over:
            self._look_around = False
            for player in range(len(self._players)):
                self._staff(player)
            self._await_remotes(now_ns)
            self._begin_tables()
        for process in self.processes.values():
            process.flush(now_ns)
        if self._unwritten and not self.over:
            self._write_results(now_ns)
            self._finish_idle(now_ns)

    def void(self, reason: str, ending: Ending, now_ns: int) -> None:
        """Give up all tables, through no bot's fault."""
        if self.over:
            return
        self.over = True
        for table in self._tables.values():
            table.abort(reason)
        for process in self.processes.values():
            process.drop(ending, reason, now_ns)
        self._events.append(SittingEnd(reason))

    def hand_back(self, reason: str, now_ns: int) -> None:
        """Begin no more tables: those that are open are played to their end, the others are the worker's again."""
        if self.over or not self._to_begin:
            return
        self._handed_back = reason
        self._to_begin.clear()
        for player in self._players:
            player.tables_to_begin = 0
        self._finish_idle(now_ns)

    def _process(self, number: int) -> BotProcess:
        if number not in self.processes:
            raise ReportError(f"process {number} was never asked for; there are 1 to {len(self.processes)}")
        return self.processes[number]

    def _staff(self, player: int) -> None:
        for _ in range(self._players[player].processes_missing()):
            number = len(self.processes) + 1
            if player in self._remotes:
                self._seat_remote(number, player)
                continue
            token = self._new_token()
            process = BotProcess(process=number, player=player, token=token, control=self._control)
            self.processes[number] = process
            self._by_token_hash[_hash(token)] = process
            self._players[player].processes.append(process)
            self._events.append(StartProcess(number, player, token))

    def _seat_remote(self, number: int, player: int) -> None:
        process = self._remotes[player].sit(process=number, player=player, control=self._control)
        self.processes[number] = process
        self._players[player].processes.append(process)
        if process.phase is Phase.READY:
            self._events.append(ProcessReady(number, process.table_limit))

    def _await_remotes(self, now_ns: int) -> None:
        """Who is not there, though it was when the sitting was planned, has the start-up allowance to come back."""
        for process in self.processes.values():
            if process.remote:
                process.started(now_ns)

    def _begin_tables(self) -> None:
        for number, plan in list(self._to_begin.items()):
            if all(player.for_next_table() is None for player in self._players):
                return
            # A sitting without an open table begins one all the same, or it would never end.
            if not self._has_room() and any(not table.over for table in self._tables.values()):
                self._waits_for_room = True
                return
            takers = [self._players[player].for_next_table() for player in plan.players]
            ready = [taker for taker in takers if taker is not None]
            if len(ready) == len(takers):
                self._begin_table(number, plan, ready)
                if all(isinstance(taker, Fault) for taker in ready):
                    # Without bots a table is played out on the spot; the next one waits, for others have turns too.
                    return

    def _begin_table(self, number: int, plan: TablePlan, takers: list[BotProcess | Fault]) -> None:
        del self._to_begin[number]
        for player in plan.players:
            self._players[player].tables_to_begin -= 1
        log = TableLog()
        seats = [
            taker.take_seat(table=number, seat=seat, log=log)
            if isinstance(taker, BotProcess)
            else TableSeat(None, table=number, seat=seat, log=log)
            for seat, taker in enumerate(takers)
        ]
        started_at, deputy = self._utc_now(), self._deputize(plan)
        table = Table(plan, self._variant, self._control, seats, started_at=started_at, deputy=deputy)
        self._tables[number] = table
        for seat, taker in enumerate(takers):
            if isinstance(taker, Fault):
                table.forfeit(seat, taker)
        table.begin()
        if self.plan.live:
            self._events.append(TableBegun(plan.match_id))
        self._note_end(table)

    def _note_end(self, table: Table) -> None:
        if table.over:
            self._unwritten.append(table)
            self._look_around = True

    def _write_results(self, now_ns: int) -> None:
        for table in [table for table in self._unwritten if table.timings_known]:
            self._unwritten.remove(table)
            self._show([table], now_ns)
            del self._tables[table.seats[0].table]
            record = table.record_text(self.plan.players).encode()
            self._events.append(TableResult(table.plan.match_id, record))

    def _finish_idle(self, now_ns: int) -> None:
        for process in self.processes.values():
            if process.live and process.idle and self._players[process.player].tables_to_begin == 0:
                process.finish()
                self._stop_at_ns[process.process] = now_ns + STOP_GRACE_NS
        if not self._tables and not self._to_begin:
            self._end()

    def _end(self) -> None:
        self.over = True
        for process in self.processes.values():
            if process.live:
                process.finish()
        self._events.append(SittingEnd(self._handed_back, handed_back=bool(self._handed_back)))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
