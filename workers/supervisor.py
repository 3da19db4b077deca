"""Keeps the parts of the platform running on one machine, and ends them all together.

Each part is a child process that dies with this one. A part that ends, or that stays unwell, is started again, with
growing pauses. What the parts do is not known here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from league.errors import in_one_line
from workers.health import HealthCheck
from workers.launcher import SHIM
from workers.process_state import is_stopped

LOG_LIMIT_BYTES = 16 << 20
"""A log larger than this is put aside, over the one put aside before, when its part starts again."""

_CANCEL_AGAIN_S = 0.5

Report: TypeAlias = Callable[[str], None]
"""Takes one line for people."""


class PartError(Exception):
    """A part does not come up; the text names it and says what it wrote last."""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast the supervisor reacts."""

    first_pause: timedelta = timedelta(milliseconds=200)
    longest_pause: timedelta = timedelta(seconds=10)
    steady_after: timedelta = timedelta(seconds=20)
    """A part that ran so long starts again after the first pause."""
    check_every: timedelta = timedelta(seconds=5)
    unwell_checks: int = 3
    """A part that was well and fails so many checks in a row is killed."""
    start_allowance: timedelta = timedelta(seconds=60)
    """The time until the first good check."""
    stop_grace: timedelta = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One process of the platform.

    Attributes:
        name: for people, and for its log file.
        command: program and arguments.
        environment: all of it.
        check: how to see that it is well; None: it is while it runs and no signal has stopped it.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    check: HealthCheck | None = None


class Supervisor:
    """Runs parts until it is closed."""

    def __init__(self, log_folder: Path, report: Report, pace: Pace | None = None) -> None:
        """Write what parts say to files in `log_folder`, and say to `report` what happens to them."""
        self._log_folder = log_folder
        self._report = report
        self._pace = pace or Pace()
        self._kept: list[_KeptPart] = []

    async def start(self, parts: Sequence[Part]) -> None:
        """Start parts, side by side, and wait until each is well.

        Raises:
            PartError: one ended or stayed unwell during its first start.
        """
        kept = [_KeptPart(part, self._log_folder / f"{part.name}.log", self._report, self._pace) for part in parts]
        self._kept += kept
        await asyncio.gather(*(each.start() for each in kept))

    def pids(self) -> dict[str, int]:
        """The pid of each part that runs now, by name."""
        return {each.part.name: each.pid for each in self._kept if each.pid is not None}

    async def close(self) -> None:
        """End all parts, the last started first."""
        for each in reversed(self._kept):
            each.forsake()
        await asyncio.gather(*(each.stop() for each in reversed(self._kept)))
        self._kept.clear()


class _KeptPart:
    """One part, its process of the moment, and the task that replaces it."""

    def __init__(self, part: Part, log: Path, report: Report, pace: Pace) -> None:
        self.part = part
        self._log = log
        self._report = report
        self._pace = pace
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def start(self) -> None:
        await self._spawn()
        if not await self._comes_up():
            await self._end_process()
            raise PartError(f"{self.part.name} does not start: {self._last_line() or 'it says nothing'} ({self._log})")
        self._keeping = asyncio.create_task(self._keep())

    def forsake(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()

    async def stop(self) -> None:
        while self._keeping is not None and not self._keeping.done():
            self._keeping.cancel()  # again and again: a check by Redis' client may let a cancellation pass
            await asyncio.wait({self._keeping}, timeout=_CANCEL_AGAIN_S)
        await self._end_process()

    async def _keep(self) -> None:
        """Keep it running, whatever goes wrong meanwhile: nobody else would start it again."""
        while True:
            try:
                await self._keep_running()
            except Exception as error:
                self._report(f"{self.part.name} could not be looked after, and is again: {in_one_line(error)}")
            await asyncio.sleep(self._pace.longest_pause.total_seconds())

    async def _keep_running(self) -> None:
        pause = self._pace.first_pause
        while True:
            started_at = time.monotonic()
            reason = await self._until_unwell()
            if time.monotonic() - started_at >= self._pace.steady_after.total_seconds():
                pause = self._pace.first_pause
            pause = await self._replace(reason, pause)
            if await self._comes_up():
                self._report(f"{self.part.name} runs again (pid {self.pid})")

    async def _replace(self, reason: str, pause: timedelta) -> timedelta:
        """End its process and start a new one, after `pause`. Returns the pause before the next time."""
        while True:
            self._report(f"{self.part.name} {reason}; starting it again in {pause.total_seconds():.1f} s")
            await self._end_process()
            await asyncio.sleep(pause.total_seconds())
            pause = min(2 * pause, self._pace.longest_pause)
            try:
                await self._spawn()
            except OSError as error:
                reason = f"could not be started: {error}"
            else:
                return pause

    async def _spawn(self) -> None:
        command = (*SHIM, "exec", str(os.getpid()), *self.part.command)
        if self._log.exists() and self._log.stat().st_size > LOG_LIMIT_BYTES:
            self._log.replace(self._log.with_suffix(".old"))
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(self.part.environment),
                start_new_session=True,  # the terminal's Ctrl-C is for the supervisor alone
            )

    async def _comes_up(self) -> bool:
        """Wait until the check is good. False: the process ended, or the allowance did."""
        deadline = time.monotonic() + self._pace.start_allowance.total_seconds()
        while self.pid is not None and time.monotonic() < deadline:
            if self.part.check is None or await self.part.check():
                return self.pid is not None
            await asyncio.sleep(0.05)
        return False

    async def _until_unwell(self) -> str:
        """Return, when it must be replaced, why."""
        assert self._process is not None
        ended = asyncio.create_task(self._process.wait())
        try:
            failed = 0
            while failed < self._pace.unwell_checks:
                await asyncio.wait({ended}, timeout=self._pace.check_every.total_seconds())
                if ended.done():
                    return f"ended {_how(ended.result())}"
                failed = 0 if await self._is_well() else failed + 1
            return "stands still" if self._is_stopped() else f"failed {failed} health checks in a row"
        finally:
            ended.cancel()

    async def _is_well(self) -> bool:
        if self._is_stopped():
            return False
        return self.part.check is None or await self.part.check()

    def _is_stopped(self) -> bool:
        return self.pid is not None and is_stopped(self.pid)

    async def _end_process(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), self._pace.stop_grace.total_seconds())
            except TimeoutError:
                process.kill()
        await process.wait()

    def _last_line(self) -> str:
        if os.statvfs(self._log.parent).f_bavail == 0:  # what it would have said did not get into its log
            return f"the disk of {self._log.parent} is full"
        lines = self._log.read_bytes()[-4000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""


def _how(status: int) -> str:
    return f"with status {status}" if status >= 0 else f"by {signal.Signals(-status).name}"
