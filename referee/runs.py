"""The sittings that this referee plays at the moment, and the time they go by.

Owns who may run which attempt, whose token is whose, the referee's beat, and what happens when our own code fails:
the sitting is void and nobody is to blame. Must not know gRPC or generated code.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Final, Protocol, TypeVarTuple

import structlog

from referee.clock import NS_PER_MS, LagMeter
from referee.codec import BotFrame, Hello
from referee.loops import Leftovers
from referee.overload import Overload
from referee.plans import (
    CheckedPlan,
    FaultSeen,
    ProcessReady,
    RefereeState,
    ReportError,
    SittingEnd,
    SittingEvent,
    SittingPlan,
    TableResult,
)
from referee.processes import BotProcess, Ending, Phase, Stream
from referee.remotes import RemoteBot, RemoteBots
from referee.sitting import Sitting
from referee.table import Deputize
from referee.tally import RefereeTally, SittingTally
from referee.waiting import OwnWaitMeter

BEAT_NS: Final = 50 * NS_PER_MS
LAG_TOLERANCE_NS: Final = 10 * NS_PER_MS
TABLE_LIMIT: Final = 1024
"""How many tables the referee plays at once, of all sittings; others wait, but for one of each sitting."""
GOING_AWAY: Final = "the referee is going away"
WORKER_GONE: Final = "the worker has gone"


class NoRoomError(Exception):
    """The referee has as many sittings as it takes."""


class StaleAttemptError(Exception):
    """A newer attempt of the sitting, or this very one, runs already."""


class GoingAwayError(Exception):
    """The referee is draining or stopping, and takes nothing up."""


class Beat(Protocol):
    """Gives back the referee's own lag, if the beat is overdue, or at once."""

    def __call__(self, now_ns: int, *, at_once: bool = False) -> None:
        """Beat, if it is time."""


Arguments = TypeVarTuple("Arguments")

Soon = Callable[[Callable[[], None]], object]
"""Has something done soon: when what has come by now is heard."""


def at_once(act: Callable[[], None]) -> None:
    """Do it now, for those who hear one thing at a time."""
    act()


class SittingRun:
    """One sitting in progress, with its guard: an exception of ours makes it void.

    Frames that come together are heard before the conclusions are drawn of them, `soon`: what they have bots asked then
    goes out in fewer frames.
    """

    def __init__(self, sitting: Sitting, beat: Beat, soon: Soon = at_once) -> None:
        self.sitting = sitting
        self._soon = soon
        self._turn_ends = False
        self.superseded_by: int | None = None
        self.woken = asyncio.Event()
        """Set when there are events for the worker."""
        self.tally = SittingTally()
        self._end_logged = False
        self._beat = beat
        self._log = structlog.get_logger("referee").bind(sitting=sitting.plan.sitting, attempt=sitting.plan.attempt)

    def begin(self) -> None:
        """Ask for the first processes."""
        self._log.info("sitting begins", tables=len(self.sitting.plan.tables), variant=self.sitting.plan.variant)
        self._guarded(lambda now_ns: self.sitting.begin())

    def process_started(self, process: int) -> None:
        """The worker has started a process."""
        self._guarded(lambda now_ns: self.sitting.process_started(process, now_ns))

    def process_exited(self, process: int, *, exit_status: int, detail: str, launch_failed: bool) -> None:
        """A process has ended, or the worker could not start it."""
        if launch_failed:
            self.void(f"the worker could not start process {process}: {detail or 'no reason given'}", Ending.DROPPED)
            return
        self._guarded(
            lambda now_ns: self.sitting.process_exited(process, exit_status=exit_status, detail=detail, now_ns=now_ns)
        )

    def cpu_waited(self, process: int, waited_us: int, *, wanted: bool) -> None:
        """The worker has measured how long a process had no CPU."""
        # Whether a clock ran out is judged when all is given back, our own lag up to this moment too.
        self._guarded(
            lambda now_ns: self.sitting.cpu_waited(process, waited_us, wanted=wanted, now_ns=now_ns), beat=wanted
        )

    def watch(self, match_ids: Collection[str]) -> None:
        """The worker has said which tables are watched."""
        self._guarded(lambda now_ns: self.sitting.watch(match_ids, now_ns))

    def greet(self, process: BotProcess, stream: Stream, frame: BotFrame, hello: Hello) -> None:
        """A stream has said whose it is."""
        self._log.debug("bot dials", process=process.process, name=hello.name, version=hello.version)
        self._charged(process, lambda now_ns: self.sitting.greet(process, stream, frame, hello, now_ns))

    def receive(self, process: BotProcess, stream: Stream, frame: bytes) -> None:
        """A frame has come from a bot."""
        now_ns = time.monotonic_ns()
        self._beat(now_ns)
        self._safely(self.sitting.receive, process, stream, frame, now_ns)
        process.handled_ns += time.monotonic_ns() - now_ns
        if self.sitting.open_table_count == 1:
            self._end_turn()  # nothing else can come together with it
        elif not self._turn_ends:
            self._turn_ends = True
            self._soon(self._end_turn)

    def tick(self, now_ns: int, lag_ns: int, waited_ns: int) -> None:
        """Look at the clocks; called by the beat."""
        if not self.sitting.over:
            self._attempt(lambda now_ns: self.sitting.tick(now_ns, lag_ns, waited_ns), now_ns)

    def void(self, reason: str, ending: Ending) -> None:
        """Give the sitting up, through no bot's fault."""
        self.sitting.void(reason, ending, time.monotonic_ns())
        self.woken.set()

    def leave(self) -> None:
        """The worker hears of nothing more: give up what is not over, and say so where the log has no end yet."""
        self.void(WORKER_GONE, Ending.DROPPED)
        ends = [event for event in self.sitting.take_events() if isinstance(event, SittingEnd)]
        if not self._end_logged:
            self._log_event(SittingEnd((ends[0].void_reason if ends else "") or WORKER_GONE))

    def hand_back(self, reason: str) -> None:
        """Begin no more tables; the sitting ends when those that are open are over."""
        self._guarded(lambda now_ns: self.sitting.hand_back(reason, now_ns))

    def take_events(self) -> list[SittingEvent]:
        """Return what the worker is to be told, once."""
        self.woken.clear()
        events = self.sitting.take_events()
        for event in events:
            self.tally.note(event)
            self._log_event(event)
        return events

    @property
    def tallied_processes(self) -> Collection[BotProcess]:
        """All processes that it ever had."""
        return list(self.sitting.processes.values())

    def _end_turn(self) -> None:
        self._turn_ends = False
        self._conclude(time.monotonic_ns())

    def _charged(self, process: BotProcess, act: Callable[[int], None]) -> None:
        began_ns = time.monotonic_ns()
        self._guarded(act)
        process.handled_ns += time.monotonic_ns() - began_ns

    def _guarded(self, act: Callable[[int], None], *, beat: bool = False) -> None:
        now_ns = time.monotonic_ns()
        self._beat(now_ns, at_once=beat)
        self._attempt(act, now_ns)

    def _attempt(self, act: Callable[[int], None], now_ns: int) -> None:
        self._safely(act, now_ns)
        self._conclude(now_ns)

    def _conclude(self, now_ns: int) -> None:
        self._safely(self.sitting.end_turn, now_ns)
        if self.sitting.has_events:
            self.woken.set()

    def _safely(self, act: Callable[[*Arguments], None], *arguments: *Arguments) -> None:
        try:
            act(*arguments)
        except ReportError:
            raise
        except Exception as error:
            self.tally.failures += 1
            self._log.exception("the referee failed; the sitting is void")
            self.void(f"the referee failed: {type(error).__name__}: {error}", Ending.DROPPED)

    def _log_event(self, event: SittingEvent) -> None:
        if isinstance(event, FaultSeen):
            player = self.sitting.plan.players[event.player].bot
            self._log.info(
                "fault",
                bot=player,
                process=event.process,
                kind=event.kind,
                detail=event.detail,
                forfeits=event.forfeits,
                match_ids=event.match_ids,
            )
        elif isinstance(event, ProcessReady):
            self._log.debug("process ready", process=event.process, table_limit=event.table_limit)
        elif isinstance(event, TableResult):
            self._log.debug("table over", match_id=event.match_id)
        elif isinstance(event, SittingEnd):
            self._end_logged = True
            self._log.info("sitting ends", void_reason=event.void_reason, **self._times_ms())

    def _times_ms(self) -> dict[str, int]:
        """What was given back in all, and how near an overrun the clocks came, in milliseconds."""
        clocks = [process.clock for process in self.sitting.processes.values()]
        return {
            "wait_returned_ms": sum(clock.wait_returned_ns for clock in clocks) // NS_PER_MS,
            "lag_returned_ms": sum(clock.lag_returned_ns for clock in clocks) // NS_PER_MS,
            "least_left_ms": min((clock.least_left_ns for clock in clocks), default=0) // NS_PER_MS,
        }


class Referee:
    """All sittings in progress. `beat` runs every 50 ms, and before anything is charged when it is overdue."""

    def __init__(
        self,
        *,
        sitting_limit: int,
        table_limit: int = TABLE_LIMIT,
        deputize: Deputize = lambda table: None,
        holds_tables: bool = True,
        soon: Soon = at_once,
    ) -> None:
        self._name = secrets.token_hex(8)
        self._sitting_limit = sitting_limit
        self._soon = soon
        self._table_limit = table_limit
        self._holds_tables = holds_tables
        self._deputize = deputize
        self.remotes = RemoteBots()
        self.tally = RefereeTally()
        self._runs: dict[str, SittingRun] = {}
        self._going_away = False
        self._empty = asyncio.Event()
        self._ticked_at_ns = time.monotonic_ns()
        self._meter = LagMeter(interval_ns=BEAT_NS, tolerance_ns=LAG_TOLERANCE_NS, now_ns=self._ticked_at_ns)
        self._own_waits = OwnWaitMeter()
        self._leftovers = Leftovers()
        self._overload = Overload()
        self._log = structlog.get_logger("referee")

    def take_up(self, checked: CheckedPlan) -> SittingRun:
        """Take up an attempt of a sitting; it drops an older one.

        Raises:
            StaleAttemptError: if a newer attempt, or the same, is in progress.
            NoRoomError: if there are as many sittings as the referee takes, or a remote bot plays another one.
            GoingAwayError: if the referee is draining or stopping.
        """
        plan = checked.plan
        if self._going_away:
            raise GoingAwayError(GOING_AWAY)
        older = self._runs.get(plan.sitting)
        if older is not None:
            self._supersede(older, plan.attempt)
        elif len(self._runs) >= self._sitting_limit:
            raise NoRoomError(f"the referee plays {len(self._runs)} sittings and takes no more; try again later")
        remotes = self._remotes_of(plan)
        sitting = Sitting(
            checked,
            utc_now=_utc_now,
            deputize=self._deputize,
            remotes=remotes,
            first_table=self.remotes.take_tables(len(plan.tables)) if remotes else 0,
            has_room=self.has_room,
        )
        run = SittingRun(sitting, self.beat, self._soon)
        self._runs[plan.sitting] = run
        self.tally.open(run)
        for remote in remotes.values():
            remote.run = run
        return run

    def describe(self, bots: Collection[str]) -> RefereeState:
        """How busy this referee is, and which of these remote bots it has."""
        return RefereeState(
            referee=self._name,
            draining=self._going_away,
            behind=self._overload.behind,
            sitting_count=len(self._runs),
            sitting_limit=self._sitting_limit,
            table_count=sum(run.sitting.unfinished_table_count for run in self._runs.values()),
            remotes=self.remotes.seen(bots),
        )

    @property
    def runs(self) -> tuple[SittingRun, ...]:
        """The sittings in progress."""
        return tuple(self._runs.values())

    @property
    def lag_ns(self) -> int:
        """How late its beats are, averaged over about a second."""
        return self._overload.lag_ns

    @property
    def behind(self) -> bool:
        """Whether it is so late that tables wait."""
        return self._overload.behind

    @property
    def sitting_limit(self) -> int:
        """How many sittings it takes at most."""
        return self._sitting_limit

    def let_go(self, run: SittingRun) -> None:
        """Forget a sitting; its tokens are spent."""
        self.tally.close(run)
        name = run.sitting.plan.sitting
        if self._runs.get(name) is run:
            del self._runs[name]
        for player in run.sitting.plan.players:
            if player.remote and self.remotes.bot(player.remote).run is run:
                self.remotes.bot(player.remote).run = None
        self._leftovers.add()
        if self._going_away:
            self._note_what_is_left()

    def find(self, token: str) -> tuple[SittingRun, BotProcess] | None:
        """Return whose a token is; None if it is unknown or spent."""
        for run in self._runs.values():
            process = run.sitting.process_of(token)
            if process is not None:
                return None if process.phase is Phase.DROPPED else (run, process)
        return None

    def has_room(self) -> bool:
        """Whether another table may begin now: not while the referee is behind, or plays as many as it takes."""
        if not self._holds_tables:
            return True
        return not self._overload.behind and self.table_count < self._table_limit

    def beat(self, now_ns: int, *, at_once: bool = False) -> None:
        """Give back the referee's own lag, if the beat is overdue, or at once."""
        if at_once or self._meter.overdue(now_ns):
            self._tick(now_ns)

    async def keep_time(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_NS / 1e9)
            self._tick(time.monotonic_ns())

    @property
    def draining(self) -> bool:
        """Whether it takes nothing up any more, since it is going away."""
        return self._going_away

    @property
    def sitting_count(self) -> int:
        """How many sittings it plays."""
        return len(self._runs)

    @property
    def table_count(self) -> int:
        """How many tables it plays, of all sittings."""
        return sum(run.sitting.open_table_count for run in self._runs.values())

    def drain(self) -> None:
        """Take up nothing more, begin no more tables, and let remote bots go when they have played theirs."""
        self._going_away = True
        self._log.info("draining: no new tables", sittings=self.sitting_count, tables=self.table_count)
        for run in list(self._runs.values()):
            run.hand_back(f"{GOING_AWAY}, and has handed back the tables that it had not begun")
        self._note_what_is_left()

    async def drained(self) -> None:
        """Wait until nothing is played any more."""
        await self._empty.wait()

    def go_away(self) -> None:
        """Take up nothing more and give up every sitting, through no bot's fault."""
        self._going_away = True
        self._log.info("going away", sittings_given_up=self.sitting_count, tables=self.table_count)
        for run in list(self._runs.values()):
            run.void(GOING_AWAY, Ending.GOING_AWAY)
        self.remotes.close(Ending.GOING_AWAY, GOING_AWAY)

    def _note_what_is_left(self) -> None:
        self.remotes.close_idle(Ending.GOING_AWAY, GOING_AWAY)
        if not self._runs:
            self._empty.set()

    def _tick(self, now_ns: int) -> None:
        lag_ns = self._meter.beat(now_ns)
        passed_ns, self._ticked_at_ns = now_ns - self._ticked_at_ns, now_ns
        waited_ns = min(self._own_waits.waited_ns(), passed_ns)
        if self._overload.note(lag_ns, passed_ns):
            self._tell_overload()
        for run in list(self._runs.values()):
            run.tick(now_ns, lag_ns, waited_ns)

    def _tell_overload(self) -> None:
        lag_ms, tables = self._overload.lag_ns // NS_PER_MS, self.table_count
        if self._overload.behind:
            self._log.warning("the referee is behind; tables that would begin wait", lag_ms=lag_ms, tables=tables)
        else:
            self._log.info("the referee has caught up; tables begin again", lag_ms=lag_ms, tables=tables)

    def _remotes_of(self, plan: SittingPlan) -> dict[int, RemoteBot]:
        """The remote bots of a plan that play, by their places; one that sits out is not needed."""
        remotes = {
            place: self.remotes.bot(player.remote)
            for place, player in enumerate(plan.players)
            if player.remote and not player.sits_out
        }
        for remote in remotes.values():
            if remote.busy:
                raise NoRoomError(f"remote bot {remote.bot} plays another sitting; it plays one at a time")
        return remotes

    def _supersede(self, older: SittingRun, attempt: int) -> None:
        running = older.sitting.plan.attempt
        if running >= attempt:
            raise StaleAttemptError(f"attempt {running} of this sitting is in progress; {attempt} is not newer")
        older.superseded_by = attempt
        older.void(f"attempt {attempt} of the sitting has replaced attempt {running}", Ending.DROPPED)


def _utc_now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
