"""A process under a keeper: how it is started, read and ended, whatever the keeper does for it.

A keeper is a script of ours (`shim`, `confine`) that is told a status pipe to say how the start went, starts the
program, and ends its whole tree. Knows nothing of bots' folders or sandboxes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from workers import shim
from workers.cpu_wait import CpuWaitMeter

_CHUNK_BYTES = 16384
_DRAIN_S = 1.0
_FREE_OUTPUT_BYTES = 8 << 20
_OUTPUT_BYTES_PER_S = 8 << 20
_START_LIMIT_S = 60.0
_KEEPER_GRACE_S = 2.0
"""For how long after a program's own grace its keeper may take to end."""


class NotStartedError(Exception):
    """The program does not run; the text says why."""


class KeeperLostError(Exception):
    """Somebody else has ended the keeper, and the program with it: our failure, and no end of the program's own."""


@dataclass(frozen=True, kw_only=True)
class KeptCommand:
    """What is to be started.

    Attributes:
        arguments: makes the keeper's command line, given the file descriptors of the pipes for its status and its end.
        folder: where it is started.
        environment: all of it.
        pipes: more file descriptors that it gets.
        said: what the status pipe has, and nothing else, when the program runs.
        output_bytes: how much of what it wrote last is kept.
        stop_grace: the time from SIGTERM to SIGKILL.
    """

    arguments: Callable[[int, int], Sequence[str]]
    folder: Path
    environment: Mapping[str, str]
    pipes: tuple[int, ...] = ()
    said: bytes = shim.BEGUN
    output_bytes: int
    stop_grace: timedelta


def keeper_command(script: str) -> tuple[str, ...]:
    """The command that runs a keeper's script: a Python that starts fast and takes in nothing of its surroundings."""
    return (sys.executable, "-I", "-S", script)


class KeptProcess:
    """A process under its keeper."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        output: int,
        ended: int,
        command: KeptCommand,
        clean: Callable[[], None],
    ) -> None:
        """Take over `process`, the keeper, and `output` and `ended`, pipes to read from.

        `clean` is called, in a thread, at its end.
        """
        self._process = process
        self._output = output
        self._ended = ended
        self._told = False
        self._killed = False
        self._command = command
        self._clean = clean
        self._meter = CpuWaitMeter(process.pid)
        self._tail = bytearray()
        self._end = asyncio.create_task(self._run_to_end())

    @property
    def pid(self) -> int:
        """The keeper's pid, which is also the number of the session and process group."""
        return self._process.pid

    async def wait(self) -> int:
        """The exit status once it has ended; minus the signal's number if a signal ended it.

        Raises:
            KeeperLostError: the keeper was ended by somebody else.
        """
        return await asyncio.shield(self._end)

    async def stop(self) -> int:
        """End it with everything it started, and wait. Returns and raises as `wait` does; harmless if it has ended."""
        if self._process.returncode is None:
            self._told = True
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)
            grace_s = self._command.stop_grace.total_seconds()
            await asyncio.wait({self._end}, timeout=grace_s + _KEEPER_GRACE_S)
            self._kill()
        return await self.wait()

    def cpu_wait_us(self) -> int:
        """Microseconds that its tree was held up for want of a CPU; never falls."""
        return self._meter.waited_us()

    def stderr(self) -> str:
        """The last part of what it wrote to its standard error and standard output."""
        return self._tail.decode("utf-8", "replace")

    async def _run_to_end(self) -> int:
        reader = asyncio.create_task(self._read_output())
        status = await self._process.wait()
        if status < 0:
            self._end_group()
        # The tree is gone and so are its ends of the pipe, unless a killed keeper let something escape.
        await asyncio.wait({reader}, timeout=_DRAIN_S)
        reader.cancel()
        said = self._read_ended()
        await asyncio.to_thread(self._clean)
        if said != shim.OVER and not self._killed and not (said and self._told):
            raise KeeperLostError(f"somebody ended the keeper of a program, which took that along: status {status}")
        return status

    def _read_ended(self) -> bytes:
        """What the keeper said at its end, which it wrote before: nothing is waited for."""
        os.set_blocking(self._ended, False)
        try:
            return os.read(self._ended, _CHUNK_BYTES)
        except BlockingIOError:
            return b""
        finally:
            os.close(self._ended)

    async def _read_output(self) -> None:
        stream = asyncio.StreamReader()
        pipe = os.fdopen(self._output, "rb", buffering=0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), pipe
        )
        read = 0
        try:
            while chunk := await stream.read(_CHUNK_BYTES):
                self._tail += chunk
                del self._tail[: -self._command.output_bytes]
                read += len(chunk)
                if read > _FREE_OUTPUT_BYTES:  # who writes without end is to wait for us, and not we for him
                    await asyncio.sleep(len(chunk) / _OUTPUT_BYTES_PER_S)
        finally:
            transport.close()

    def _kill(self) -> None:
        """Kill a keeper that does not do its work, what is below it first: it would go on when the keeper is gone."""
        self._killed = self._killed or self._process.returncode is None
        killed: set[int] = set()
        while self._process.returncode is None and (left := set(shim.descendants(self.pid)) - killed):
            shim.signal_all(list(left), signal.SIGKILL)
            killed |= left
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _end_group(self) -> None:
        """Kill what a killed keeper left behind in its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


async def start_kept(command: KeptCommand, clean: Callable[[], None]) -> KeptProcess:
    """Start a program under its keeper and wait until it runs; `clean` is called once when nothing of it is left.

    Raises:
        NotStartedError: it does not run, and `clean` has been called.
    """
    # A pipe of our own: asyncio's wait() would wait for its end, and so for whatever escaped with a copy of it.
    output, output_end = os.pipe()
    status, status_end = os.pipe()
    ended, ended_end = os.pipe()
    try:
        keeper = await asyncio.create_subprocess_exec(
            *command.arguments(status_end, ended_end),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output_end,
            stderr=output_end,
            cwd=command.folder,
            env=dict(command.environment),
            start_new_session=True,
            pass_fds=(status_end, ended_end, *command.pipes),
        )
    except BaseException as error:
        _close((output, status, ended))
        clean()
        if not isinstance(error, OSError):
            raise
        raise NotStartedError(error.strerror or str(error)) from error
    finally:
        _close((output_end, status_end, ended_end))
    process = KeptProcess(keeper, output, ended, command, clean)
    await _check_started(process, status, command.said)
    return process


def _close(pipes: Iterable[int]) -> None:
    for pipe in pipes:
        os.close(pipe)


async def _check_started(process: KeptProcess, status: int, expected: bytes) -> None:
    """Wait until the program runs; else end what there is, and raise."""
    try:
        async with asyncio.timeout(_START_LIMIT_S):
            said = await read_all(status)
    except BaseException as error:
        await _give_up(process)
        if not isinstance(error, TimeoutError):
            raise
        raise NotStartedError(f"nothing happened within {_START_LIMIT_S:g} s") from None
    if said != expected:
        await _give_up(process)
        reason = said.removeprefix(expected).removeprefix(shim.BEGUN).decode("utf-8", "replace").strip()
        raise NotStartedError(reason or process.stderr().strip() or "its keeper ended")


async def _give_up(process: KeptProcess) -> None:
    """End what may never have begun, its keeper included."""
    with contextlib.suppress(KeeperLostError):
        await process.stop()


async def read_all(pipe: int, most: int = sys.maxsize) -> bytes:
    """All that comes from a pipe, which is closed then; of a longer text, a little more than the first `most` bytes."""
    stream = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(pipe, "rb", buffering=0)
    )
    found = bytearray()
    try:
        while len(found) <= most and (chunk := await stream.read(_CHUNK_BYTES)):
            found += chunk
    finally:
        transport.close()
    return bytes(found)
