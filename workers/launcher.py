"""Starts bots as processes and ends them, whole trees; knows nothing of tables or of who is to blame.

A bot runs in a session of its own, in its folder, with a cleared environment and an empty scratch folder that is
deleted with it. Its tree dies when it ends, when it is stopped, and when the process that started it dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from workers import shim
from workers.bots import SEARCH_PATH, BotProgram
from workers.cpu_wait import CpuWaitMeter

SHIM = (sys.executable, "-I", "-S", shim.__file__)
"""The command that runs the shim."""

_CHUNK_BYTES = 16384
_DRAIN_S = 1.0
_START_LIMIT_S = 60.0
_KEEPER_GRACE_S = 2.0
"""For how long after a bot's own grace its keeper may take to end."""


class LaunchError(Exception):
    """We could not start a process; that is our failure, not the bot's."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one process of a bot may use.

    Attributes:
        stderr_bytes: how much of what it wrote last is kept.
        stop_grace: the time from SIGTERM to SIGKILL.
    """

    stderr_bytes: int = 65536
    stop_grace: timedelta = timedelta(milliseconds=500)


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
    """Starts bots as plain processes of this machine."""

    def __init__(self, referee: str) -> None:
        """Bots get `referee` as KING_REFEREE: "host:port" or "unix:/path"."""
        self._referee = _absolute(referee)

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> LocalProcess:
        """As in `Launcher`."""
        # A pipe of our own: asyncio's wait() would wait for its end, and so for whatever escaped with a copy of it.
        output, output_end = os.pipe()
        status, status_end = os.pipe()
        scratch = Path(tempfile.mkdtemp(prefix="king-bot-"))
        grace = str(limits.stop_grace.total_seconds())
        command = (*SHIM, "keep", str(os.getpid()), str(status_end), grace, str(scratch), *bot.run)
        try:
            keeper = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output_end,
                stderr=output_end,
                cwd=bot.folder,
                env=bot_environment(referee=self._referee, token=token, scratch=scratch),
                start_new_session=True,
                pass_fds=(status_end,),
            )
        except BaseException as error:
            os.close(output)
            os.close(status)
            shutil.rmtree(scratch, ignore_errors=True)
            if not isinstance(error, OSError):
                raise
            raise LaunchError(f"could not start bot {bot.name} in {bot.folder}: {error.strerror}") from error
        finally:
            os.close(output_end)
            os.close(status_end)
        process = LocalProcess(keeper, output, scratch, limits)
        await _check_started(bot, process, status)
        return process


async def _check_started(bot: BotProgram, process: LocalProcess, status: int) -> None:
    """Wait until the bot's own program runs; else end what there is, and raise."""
    try:
        async with asyncio.timeout(_START_LIMIT_S):
            said = await _read_all(status)
    except BaseException as error:
        await process.stop()
        if not isinstance(error, TimeoutError):
            raise
        raise LaunchError(f"could not start bot {bot.name}: nothing happened within {_START_LIMIT_S:g} s") from None
    if said != shim.BEGUN:
        await process.stop()
        reason = said.removeprefix(shim.BEGUN).decode("utf-8", "replace").strip()
        reason = reason or process.stderr().strip() or "its keeper ended"
        raise LaunchError(f"could not start bot {bot.name} in {bot.folder}: {reason}")


async def _read_all(pipe: int) -> bytes:
    """All that comes from a pipe, which is closed then."""
    stream = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(pipe, "rb", buffering=0)
    )
    try:
        return await stream.read()
    finally:
        transport.close()


class LocalProcess:
    """A bot's process under its keeper (see `workers.shim`)."""

    def __init__(self, process: asyncio.subprocess.Process, output: int, scratch: Path, limits: Limits) -> None:
        """Take over `process`, the keeper, and `output`, to read from; `scratch` is deleted when it ends."""
        self._process = process
        self._output = output
        self._scratch = scratch
        self._limits = limits
        self._meter = CpuWaitMeter(process.pid)
        self._tail = bytearray()
        self._end = asyncio.create_task(self._run_to_end())

    @property
    def pid(self) -> int:
        """The keeper's pid, which is also the number of the session and process group."""
        return self._process.pid

    @property
    def scratch(self) -> Path:
        """Its home and temporary folder, deleted with it."""
        return self._scratch

    async def wait(self) -> int:
        """As in `BotProcess`."""
        return await asyncio.shield(self._end)

    async def stop(self) -> int:
        """As in `BotProcess`."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)
            await asyncio.wait({self._end}, timeout=self._limits.stop_grace.total_seconds() + _KEEPER_GRACE_S)
            self._kill()
        return await self.wait()

    def usage(self) -> Usage:
        """As in `BotProcess`."""
        return Usage(cpu_wait_us=self._meter.waited_us())

    def stderr(self) -> str:
        """As in `BotProcess`."""
        return self._tail.decode("utf-8", "replace")

    async def _run_to_end(self) -> int:
        reader = asyncio.create_task(self._read_output())
        status = await self._process.wait()
        if status < 0:
            self._end_group()
        # The tree is gone and so are its ends of the pipe, unless a killed keeper let something escape.
        await asyncio.wait({reader}, timeout=_DRAIN_S)
        reader.cancel()
        await asyncio.to_thread(shutil.rmtree, self._scratch, ignore_errors=True)
        return status

    async def _read_output(self) -> None:
        stream = asyncio.StreamReader()
        pipe = os.fdopen(self._output, "rb", buffering=0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), pipe
        )
        try:
            while chunk := await stream.read(_CHUNK_BYTES):
                self._tail += chunk
                del self._tail[: -self._limits.stderr_bytes]
        finally:
            transport.close()

    def _kill(self) -> None:
        """Kill a keeper that does not do its work, what is below it first: it would go on when the keeper is gone."""
        killed: set[int] = set()
        while self._process.returncode is None and (left := set(shim.descendants(self.pid)) - killed):
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            killed |= left
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _end_group(self) -> None:
        """Kill what a killed keeper left behind in its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


def bot_environment(*, referee: str, token: str, scratch: Path) -> dict[str, str]:
    """The whole environment of a bot. Programs of this Python's environment come first on its PATH."""
    return {
        "KING_REFEREE": referee,
        "KING_TOKEN": token,
        "PATH": SEARCH_PATH,
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
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
