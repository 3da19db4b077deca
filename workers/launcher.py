"""Starts bots as processes and ends them, whole trees; knows nothing of tables or of who is to blame.

A bot runs in a session of its own, in its folder, with a cleared environment and an empty scratch folder that is
deleted with it. Its tree dies when it ends, when it is stopped, and when the process that started it dies.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from league.model import SourceKind
from workers import shim
from workers.bots import SEARCH_PATH, BotProgram
from workers.kept import KeptCommand, KeptProcess, NotStartedError, keeper_command, start_kept

SHIM = keeper_command(shim.__file__)
"""The command that runs the shim."""


class LaunchError(Exception):
    """We could not start a process; that is our failure, not the bot's."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one process of a bot, with all that it starts, may use.

    Plain processes are held to the first two alone; a sandbox holds bots to all.

    Attributes:
        stderr_bytes: how much of what it wrote last is kept.
        stop_grace: the time from SIGTERM to SIGKILL.
        memory_bytes: its memory, together with what is in its temporary folders.
        processes: processes and threads at once.
        open_files: in one process.
        file_bytes: the size of one file.
        scratch_bytes: of files in each of its two temporary folders, `/tmp` and `/dev/shm`.
    """

    stderr_bytes: int = 65536
    stop_grace: timedelta = timedelta(milliseconds=500)
    memory_bytes: int = 1 << 30
    processes: int = 256
    open_files: int = 1024
    file_bytes: int = 64 << 20
    scratch_bytes: int = 64 << 20


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What the tree of a process has used since its start.

    Attributes:
        cpu_wait_us: microseconds that its threads were runnable and had no CPU, all together; never falls.
    """

    cpu_wait_us: int


class BotProcess(Protocol):
    """A running bot, whatever runs it."""

    async def wait(self) -> int:
        """Its exit status once it has ended; minus the signal's number if a signal ended it."""

    async def stop(self) -> int:
        """End it with everything it started, and wait. Returns as `wait` does; harmless if it has ended."""

    def usage(self) -> Usage:
        """What it has used until now, or until its end."""

    def stderr(self) -> str:
        """The last part of what it wrote to its standard error and standard output."""


class Launcher(Protocol):
    """What starts bots."""

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """Start a process of `bot` that will say `token` to the referee.

        Raises:
            LaunchError: we could not; the bot is not to blame.
        """


class LocalLauncher:
    """Starts bots as plain processes of this machine; never one that a stranger has submitted."""

    def __init__(self, referee: str) -> None:
        """Bots get `referee` as KING_REFEREE: "host:port" or "unix:/path"."""
        self._referee = _absolute(referee)

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> LocalProcess:
        """As in `Launcher`."""
        if bot.source.kind is SourceKind.ARCHIVE:
            raise LaunchError(f"bot {bot.name} was submitted, and is never run outside a sandbox")
        scratch = Path(tempfile.mkdtemp(prefix="king-bot-"))
        command = KeptCommand(
            arguments=lambda status, ended: (
                *(*SHIM, "keep", str(os.getpid()), str(status), str(ended)),
                *(*_grace(limits, scratch), *bot.run),
            ),
            folder=bot.folder,
            environment=bot_environment(referee=self._referee, token=token, scratch=str(scratch)),
            output_bytes=limits.stderr_bytes,
            stop_grace=limits.stop_grace,
        )
        try:
            process = await start_kept(command, lambda: shutil.rmtree(scratch, ignore_errors=True))
        except NotStartedError as error:
            raise cannot_start(bot, error) from error
        return LocalProcess(process, scratch)


def cannot_start(bot: BotProgram, reason: object) -> LaunchError:
    """The error that says why a bot does not run."""
    return LaunchError(f"could not start bot {bot.name} in {bot.folder}: {reason}")


def _grace(limits: Limits, scratch: Path) -> tuple[str, str]:
    return str(limits.stop_grace.total_seconds()), str(scratch)


class LocalProcess:
    """A bot's process under its keeper (see `workers.shim`)."""

    def __init__(self, kept: KeptProcess, scratch: Path | None = None) -> None:
        """Take over a process; `scratch` is its folder for files, if it has one on this machine's disk."""
        self._kept = kept
        self._scratch = scratch

    @property
    def pid(self) -> int:
        """The keeper's pid, which is also the number of the session and process group."""
        return self._kept.pid

    @property
    def scratch(self) -> Path:
        """Its home and temporary folder, deleted with it."""
        assert self._scratch is not None
        return self._scratch

    async def wait(self) -> int:
        """As in `BotProcess`."""
        return await self._kept.wait()

    async def stop(self) -> int:
        """As in `BotProcess`."""
        return await self._kept.stop()

    def usage(self) -> Usage:
        """As in `BotProcess`."""
        return Usage(cpu_wait_us=self._kept.cpu_wait_us())

    def stderr(self) -> str:
        """As in `BotProcess`."""
        return self._kept.stderr()


def bot_environment(*, referee: str, token: str, scratch: str) -> dict[str, str]:
    """The whole environment of a bot. Programs of this Python's environment come first on its PATH."""
    return {
        "KING_REFEREE": referee,
        "KING_TOKEN": token,
        "PATH": SEARCH_PATH,
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _absolute(referee: str) -> str:
    if referee.startswith("unix:"):
        return f"unix:{Path(referee.removeprefix('unix:')).absolute()}"
    return referee
