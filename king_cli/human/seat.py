"""A person's seat in the eyes of a sitting: a launcher that starts the person's dialogue where bots get a process."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from king_cli.errors import UsageError
from king_cli.human.player import Person
from king_cli.human.terminal import LeftError, Terminal
from league.model import BotSource, SourceKind
from workers.bots import BotProgram
from workers.launcher import BotProcess, Launcher, Limits, Usage

HUMAN = "human"
_LEFT_STATUS = 1


def human_program() -> BotProgram:
    """What stands for the person among the bots of a match.

    Raises:
        UsageError: there is nothing that a person could type on.
    """
    if sys.stdin is None:
        raise UsageError("a person needs a standard input to type on, and it is closed")
    return BotProgram(
        name=HUMAN,
        version="1",
        run=(sys.executable,),
        folder=Path.cwd(),
        variants=("*",),
        language="",
        source=BotSource(kind=SourceKind.COMMAND, location=HUMAN),
    )


@dataclass(frozen=True, kw_only=True)
class HumanLauncher:
    """Seats the person where `human` is to be started, and lets `bots` start everybody else.

    The person reads `sink`, by default standard output.
    """

    bots: Launcher
    referee: str
    names: Sequence[str]
    human: BotProgram
    sink: IO[str] | None = None

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `workers.launcher.Launcher`."""
        if bot is not self.human:
            return await self.bots.start(bot, token, limits)
        return HumanSeat(self.names, self.referee, token, Terminal(sink=self.sink))


class HumanSeat:
    """The person's dialogue, in a thread."""

    def __init__(self, names: Sequence[str], referee: str, token: str, terminal: Terminal) -> None:
        self._terminal = terminal
        self._has_left = False
        self._person = Person(names, self._terminal)
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._play, args=(referee, token), daemon=True).start()

    def _play(self, referee: str, token: str) -> None:
        from king_bot.connection import BotFailedError, play_at

        try:
            status = play_at(self._person, referee, token)
        except BotFailedError as failure:
            status = _LEFT_STATUS
            if not isinstance(failure.__cause__, LeftError):
                self._loop.call_soon_threadsafe(self._fail, failure)
                return
            self._has_left = True
            self._terminal.say(["You have left the table: the stand-in plays your seat to the end."])
        self._loop.call_soon_threadsafe(self._end, status)

    def _end(self, status: int) -> None:
        if not self._ended.done():
            self._ended.set_result(status)

    def _fail(self, error: BaseException) -> None:
        if not self._ended.done():
            self._ended.set_exception(error)

    async def wait(self) -> int:
        """As in `workers.launcher.BotProcess`."""
        return await asyncio.shield(self._ended)

    async def stop(self) -> int:
        """As in `workers.launcher.BotProcess`."""
        self._terminal.close()
        self._end(_LEFT_STATUS)
        return await self.wait()

    def usage(self) -> Usage:
        """A person waits for no CPU."""
        return Usage(cpu_wait_us=0)

    def stderr(self) -> str:
        """What the person did last, in place of a log."""
        return "the person left the table\n" if self._has_left else ""
