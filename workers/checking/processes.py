"""The bot's processes in one sitting: when each began and ended, how, and what it left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from workers.bots import BotProgram
from workers.checking.fillers import Filler
from workers.checking.traffic import Traffic
from workers.checking.trees import LOOK_EVERY_S, TreeWatch
from workers.launcher import BotProcess, LaunchError, Limits, Usage

EXIT_PATIENCE_S: Final = 5.0
"""How long a bot may take to exit by itself once its stream was closed with OK."""


class SeenProcess(BotProcess, Protocol):
    """A process of a bot that can be looked at from outside."""

    @property
    def pid(self) -> int:
        """The process below which all of the bot's are."""

    @property
    def scratch(self) -> Path:
        """Its home and temporary folder; asked for only where it is on this machine's disk."""


class SeenLauncher(Protocol):
    """A launcher whose processes can be looked at."""

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> SeenProcess:
        """As in `workers.launcher.Launcher`."""


Launching: TypeAlias = Callable[[str], SeenLauncher]
"""Gives the launcher of bots that are to dial an address."""


class WatchedProcess:
    """A process of the bot: what a launcher gives, with somebody who looks on."""

    def __init__(self, process: SeenProcess, writable: tuple[Path, ...] | None, traffic: Traffic) -> None:
        """Look at `process`, a new one, which may write in the folders `writable`; needs a running event loop."""
        self.started_at = time.monotonic()
        self.ended_at: float | None = None
        self.exit_status: int | None = None
        self.was_stopped = False
        """Whether it had to be ended, as it did not by itself."""
        self.tree = TreeWatch(process.pid, allowed=writable)
        self.stopped_by_signal: list[int] = []
        self._process = process
        self._traffic = traffic
        self._end = asyncio.create_task(self._follow())

    async def wait(self) -> int:
        """As in `workers.launcher.BotProcess`."""
        return await asyncio.shield(self._end)

    async def stop(self) -> int:
        """As in `workers.launcher.BotProcess`; a bot that was told that all is over is given time to end."""
        last = self._traffic.last
        if last is not None and last.status == "OK":
            await asyncio.wait({self._end}, timeout=EXIT_PATIENCE_S)
        if not self._end.done():
            self.was_stopped = True
            self.stopped_by_signal = self.tree.stopped()
            await self._process.stop()
        return await self.wait()

    def usage(self) -> Usage:
        """As in `workers.launcher.BotProcess`."""
        return self._process.usage()

    def stderr(self) -> str:
        """As in `workers.launcher.BotProcess`."""
        return self._process.stderr()

    async def _follow(self) -> int:
        end = asyncio.create_task(self._process.wait())
        while not end.done():
            self.tree.look()
            await asyncio.wait({end}, timeout=LOOK_EVERY_S)
        self.ended_at = time.monotonic()
        self.exit_status = end.result()
        return self.exit_status


class CheckLauncher:
    """Starts the bot's processes, and fillers for everybody else."""

    def __init__(
        self,
        bot: BotProgram,
        *,
        launching: Launching,
        sealed: bool,
        referee: str,
        dialled: str,
        traffic: Traffic,
        filler_tokens: set[str],
    ) -> None:
        """`bot` dials the address `dialled`, fillers `referee`; their tokens join `filler_tokens`."""
        self.processes: list[WatchedProcess] = []
        self.tokens: list[str] = []
        self.launch_error = ""
        self._bot = bot
        self._referee = referee
        self._launcher = launching(dialled)
        self._sealed = sealed
        self._traffic = traffic
        self._filler_tokens = filler_tokens

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `workers.launcher.Launcher`."""
        if bot is not self._bot:
            self._filler_tokens.add(token)
            return Filler(self._referee, token)
        self.tokens.append(token)
        try:
            process = await self._launcher.start(bot, token, limits)
        except LaunchError as error:
            self.launch_error = str(error)
            raise
        writable = None if self._sealed else (bot.folder, process.scratch)
        self.processes.append(WatchedProcess(process, writable, self._traffic))
        return self.processes[-1]
