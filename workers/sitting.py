"""Plays one sitting through the referee: starts the processes it asks for, reports on them, passes on what it tells.

Knows neither store nor queue: results, faults and standard error go to a `Sink`. All policy is the referee's: this
module judges nobody, and whatever goes wrong here is our failure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from workers.bots import BotProgram
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.last_words import telling_line
from workers.launcher import BotProcess, Launcher, LaunchError, Limits
from workers.referee_client import (
    CertificateRefusedError,
    CpuWaitWanted,
    FaultSeen,
    HandedBackError,
    RefereeDrainingError,
    RefereeFullError,
    RefereeUnreachableError,
    SittingCall,
    SittingEnd,
    SittingError,
    SittingEvent,
    SittingPlan,
    StartProcess,
    StopProcess,
    TableBegun,
    TableResult,
    TableShown,
    run_sitting,
)
from workers.telling import note_start

if TYPE_CHECKING:
    from workers.live import Show

_NOT_TAKEN: Final = (CertificateRefusedError, RefereeDrainingError, RefereeFullError, RefereeUnreachableError)
"""What a referee fails by that has not taken the sitting up: another one may."""
CPU_WAIT_EVERY = timedelta(milliseconds=100)
EXIT_GRACE = timedelta(seconds=3)
"""How long processes may take to end by themselves once all tables are over.

Behind the bridge a command has a second from the end of its input, and the bridge must end after it.
"""


class SittingVoidError(SittingError):
    """The referee calls the sitting void, through our fault; the text says why."""


class Sink(Protocol):
    """Where the results of a sitting go. A second call with the same values is harmless."""

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """Keep the record of a table that is over: JSON in UTF-8, secrets included."""

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """Keep a fault; `number` counts those of the attempt, from 1."""

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """Keep the end of what a process, now ended, wrote to its standard error."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Where and how sittings are played.

    Attributes:
        referee: its address.
        control_key: what it wants to hear from workers.
        launcher: what starts the bots.
        limits: what each of their processes may use.
        tell_last_words: say in a fault why a bot ended, by what it wrote. Faults are public before standard error is,
            so only where nothing is sealed.
        tls: whom it believes to be the referee, and what it shows of itself, at addresses that are encrypted.
    """

    referee: str
    control_key: str = field(repr=False)
    launcher: Launcher
    limits: Limits = field(default_factory=Limits)
    tell_last_words: bool = False
    tls: ClientTls = PUBLIC_ROOTS

    async def stages(self, plan: SittingPlan) -> Sequence[Stage]:
        """As in `Venue`: this one."""
        del plan
        return (self,)

    def telling_last_words(self) -> Stage:
        """As in `Venue`."""
        return replace(self, tell_last_words=True)


class Venue(Protocol):
    """Where sittings are played: one stage, or those of several referees."""

    async def stages(self, plan: SittingPlan) -> Sequence[Stage]:
        """The stages that `plan` can be played on, the best first.

        Raises:
            SittingError: there is none now.
        """

    def telling_last_words(self) -> Venue:
        """The same, where a fault says why a bot ended."""


async def play_sitting(
    plan: SittingPlan, programs: Sequence[BotProgram | None], *, stage: Venue, sink: Sink, show: Show | None = None
) -> None:
    """Play all tables of `plan`; `programs` are its players' bots, in the same order, None for remote ones.

    The first referee that takes the sitting plays it. Cancelling drops the sitting.

    `show`: tells those who watch how the tables stand, where the plan is a live one.
    Every process that was started has ended when this returns or raises.

    Raises:
        SittingError: it could not be played to its end; nobody's fault. What `sink` has stays valid.
    """
    refusals: list[SittingError] = []
    for each in await stage.stages(plan):
        try:
            await _play_at(plan, programs, each, sink, show)
        except _NOT_TAKEN as error:
            if isinstance(error, RefereeFullError) and any(player.remote for player in plan.players):
                raise  # it may be that a remote bot still plays there, and it plays one sitting at a time
            refusals.append(error)
        else:
            return
    raise refusals[0] if len(refusals) == 1 else RefereeFullError("; ".join(map(str, refusals)))


async def _play_at(
    plan: SittingPlan, programs: Sequence[BotProgram | None], stage: Stage, sink: Sink, show: Show | None
) -> None:
    async with run_sitting(stage.referee, plan, control_key=stage.control_key, tls=stage.tls) as call:
        try:
            async with asyncio.TaskGroup() as tasks:
                await _Play(call, programs, stage, sink, tasks, show).run()
        except BaseExceptionGroup as group:
            raise _first(group) from group


class _Play:
    """The tasks of one sitting: one follows the referee, one keeps results, one measures, one for each process."""

    def __init__(
        self,
        call: SittingCall,
        programs: Sequence[BotProgram | None],
        stage: Stage,
        sink: Sink,
        tasks: asyncio.TaskGroup,
        show: Show | None = None,
    ) -> None:
        self._show = show
        self._reports = _Reports(call)
        self._call = call
        self._programs = programs
        self._stage = stage
        self._sink = sink
        self._tasks = tasks
        self._running: dict[int, BotProcess] = {}
        self._crew: list[asyncio.Task[None]] = []
        self._stops: dict[int, asyncio.Event] = {}
        self._kept: asyncio.Queue[Callable[[], Awaitable[None]] | None] = asyncio.Queue()
        self._fault_count = 0

    async def run(self) -> None:
        keeper = self._tasks.create_task(self._keep_in_order())
        helpers = [self._tasks.create_task(self._report_cpu_waits())]
        if self._show is not None:
            helpers.append(self._tasks.create_task(self._show.run(self._reports.watch)))
        end = await self._follow_referee()
        for helper in helpers:
            helper.cancel()
        await self._end_processes()
        self._kept.put_nowait(None)
        await keeper
        if end.handed_back:
            raise HandedBackError(end.void_reason)
        if end.void_reason:
            raise SittingVoidError(end.void_reason)

    async def _follow_referee(self) -> SittingEnd:
        async for event in self._call.events():
            if isinstance(event, SittingEnd):
                return event
            await self._obey(event)
        raise SittingError("the referee ended the call before the sitting was over")

    async def _obey(self, event: SittingEvent) -> None:
        match event:
            case StartProcess():
                self._stops[event.process] = asyncio.Event()
                self._crew.append(self._tasks.create_task(self._run_process(event)))
            case StopProcess(process) if process in self._stops:
                self._stops[process].set()
            case CpuWaitWanted(process):
                await self._report_cpu_wait(process, wanted=True)
            case FaultSeen():
                self._fault_count += 1
                number = self._fault_count
                self._kept.put_nowait(lambda: self._sink.keep_fault(number, event))
            case TableBegun(match_id) if self._show is not None:
                self._show.begun(match_id)
            case TableShown(match_id, shown) if self._show is not None:
                self._show.shown(match_id, shown)
            case TableResult(match_id, record):
                if self._show is not None:
                    self._show.over(match_id)
                self._kept.put_nowait(lambda: self._sink.keep_result(match_id, record))

    async def _keep_in_order(self) -> None:
        """Keep one thing after the other, so that a slow store does not hold up the reports."""
        while (keep := await self._kept.get()) is not None:
            await keep()

    async def _run_process(self, order: StartProcess) -> None:
        program = self._programs[order.player]
        if program is None:
            raise SittingError(
                f"the referee wants a process of player {order.player}, a remote bot, which we cannot start"
            )
        try:
            process = await self._stage.launcher.start(program, order.token, self._stage.limits)
        except LaunchError as error:
            note_start(failed=True)
            await self._reports.exited(order.process, exit_status=1, detail=str(error), launch_failed=True)
            return
        note_start()
        self._running[order.process] = process
        try:
            await self._reports.started(order.process)
            await _first_of(process.wait(), self._stops[order.process].wait())
        finally:
            status = await process.stop()
            del self._running[order.process]
        await self._reports.cpu_wait(order.process, process.usage().cpu_wait_us)
        detail = telling_line(process.stderr()) if self._stage.tell_last_words else ""
        await self._reports.exited(order.process, exit_status=status, detail=detail)
        self._kept.put_nowait(
            lambda: self._sink.keep_log(
                process=order.process, player=order.player, exit_status=status, text=process.stderr()
            )
        )

    async def _end_processes(self) -> None:
        if self._crew:
            await asyncio.wait(self._crew, timeout=EXIT_GRACE.total_seconds())
        for stop in self._stops.values():
            stop.set()
        await asyncio.gather(*self._crew)

    async def _report_cpu_waits(self) -> None:
        while True:
            await asyncio.sleep(CPU_WAIT_EVERY.total_seconds())
            for process in tuple(self._running):
                await self._report_cpu_wait(process)

    async def _report_cpu_wait(self, process: int, *, wanted: bool = False) -> None:
        if process in self._running:
            await self._reports.cpu_wait(process, self._running[process].usage().cpu_wait_us, wanted=wanted)


class _Reports:
    """Says one thing at a time to the referee, whichever task wants to."""

    def __init__(self, call: SittingCall) -> None:
        self._call = call
        self._turn = asyncio.Lock()

    async def started(self, process: int) -> None:
        async with self._turn:
            await self._call.process_started(process)

    async def exited(self, process: int, *, exit_status: int, detail: str, launch_failed: bool = False) -> None:
        async with self._turn:
            await self._call.process_exited(
                process, exit_status=exit_status, detail=detail, launch_failed=launch_failed
            )

    async def cpu_wait(self, process: int, waited_us: int, *, wanted: bool = False) -> None:
        async with self._turn:
            await self._call.cpu_wait(process, waited_us, wanted=wanted)

    async def watch(self, match_ids: Collection[str]) -> None:
        async with self._turn:
            await self._call.watch(match_ids)


async def _first_of(*waits: Awaitable[object]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
