"""The command behind the bridge: a process with its standard streams.

Owns its start and its end, lines as bytes, and the end of its standard error, which is passed on as it comes. Knows
nothing of the protocol.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO

LINE_LIMIT_BYTES = 16 << 20
"""A frame of 1 MiB, the most that the referee hears, is shorter than this as JSON."""

STOP_GRACE_S = 0.5

DEAF_AFTER_S = 1.0

LAST_WORDS_BYTES = 16 << 10
"""How much of the end of its standard error is kept."""

LAST_WORDS_GRACE_S = 0.5
"""How long the end of its standard error is waited for: a process that it has left behind may keep it open."""

_STDERR = 2


class DeafCommandError(Exception):
    """The command does not read what is written to it."""


class LongLineError(ValueError):
    """A line of the command is longer than any frame."""


class Command:
    """A running command; what it writes to its standard error goes to ours."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start it.

        Raises:
            OSError: it cannot be run.
        """
        self.line_count = 0
        """How many lines it has written."""
        self.has_open_line = False
        """Whether it has closed its standard output within a line, which is not heard then."""
        # A group of its own, so that what a shell has started ends with it; its input's end is what tells it of ours.
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input = self._process.stdin
        self._input_lock = threading.Lock()
        """One thread writes, another may close: a descriptor that is closed may be another file's the next moment."""
        os.set_blocking(self._input.fileno(), False)
        self._output = io.BufferedReader(self._process.stdout, 1 << 16)  # type: ignore[type-var]
        self._last_words = bytearray()
        self._listener = threading.Thread(
            target=self._pass_on, args=(self._process.stderr,), name="stderr", daemon=True
        )
        self._listener.start()

    def lines(self) -> Iterator[bytes]:
        """What it writes, line by line, until it closes its standard output; a last line without an end is left out.

        Raises:
            LongLineError: a line is longer than `LINE_LIMIT_BYTES`.
        """
        with self._output:
            while (line := self._output.readline(LINE_LIMIT_BYTES)).endswith(b"\n"):
                self.line_count += 1
                yield line
        self.has_open_line = bool(line)
        if len(line) == LINE_LIMIT_BYTES:
            self.line_count += 1
            raise LongLineError(f"longer than {LINE_LIMIT_BYTES >> 20} MiB; a frame is at most 1 MiB, without the JSON")

    def write(self, line: bytes, *, is_wanted: Callable[[], bool]) -> None:
        """Hand it a line; waits while it does not read, as long as the line is wanted.

        Raises:
            BrokenPipeError: it has closed its standard input, or that was ended here.
            DeafCommandError: it does not read, and the line is wanted no more.
        """
        left = memoryview(line)
        while left:
            try:
                left = left[self._write_some(left) :]
            except BlockingIOError:
                if not self._has_room(DEAF_AFTER_S) and not is_wanted():
                    raise DeafCommandError from None

    def _write_some(self, left: memoryview) -> int:
        with self._input_lock:
            if self._input.closed:
                raise BrokenPipeError("the command's standard input was ended")
            return os.write(self._input.fileno(), left)

    def _has_room(self, seconds: float) -> bool:
        try:
            return bool(select.select([], [self._input], [], seconds)[1])
        except (OSError, ValueError):
            return True  # closed meanwhile, which the next write says

    def wait(self, seconds: float | None) -> int | None:
        """Its exit status, or minus the signal that ended it; None if it has not ended in that time. None: no limit."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self) -> str:
        """The end of what it has written to its standard error; of a command that has ended, the very end."""
        if self._process.poll() is not None:
            self._listener.join(LAST_WORDS_GRACE_S)
        return bytes(self._last_words).decode("utf-8", "replace")

    def _pass_on(self, source: IO[bytes]) -> None:
        with source:
            while chunk := source.read(1 << 16):
                self._last_words += chunk
                del self._last_words[:-LAST_WORDS_BYTES]
                with contextlib.suppress(BrokenPipeError):
                    _write_all(_STDERR, chunk)

    def end_input(self) -> None:
        """Close its standard input."""
        with self._input_lock, contextlib.suppress(BrokenPipeError):
            self._input.close()

    def stop(self) -> int:
        """End it and its group, at last by force. Returns as `wait` does."""
        self.end_input()
        for signum in (signal.SIGTERM, signal.SIGKILL):
            status = self.wait(STOP_GRACE_S)
            if status is not None:
                return status
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signum)
        return self._process.wait()


def _write_all(target: int, chunk: bytes) -> None:
    left = memoryview(chunk)
    while left:
        left = left[os.write(target, left) :]
