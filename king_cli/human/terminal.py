"""Lines from and to a terminal, from a thread that can be told to stop waiting."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from typing import IO

_CHUNK_BYTES = 4096
_LINE_BYTES = 4096
"""What is kept of a line that is longer than any answer, as when a file is piped in by mistake."""


class LeftError(Exception):
    """The person has left, or nobody waits for an answer any more."""


class Terminal:
    """Standard input and output. `close` ends a wait for a line, from any thread."""

    def __init__(self, source: IO[str] | None = None, sink: IO[str] | None = None) -> None:
        self._source = (source or sys.stdin).fileno()
        self._sink = sink or sys.stdout
        self._woken, self._wake = os.pipe()
        self._read = b""
        self._ended = False
        self.coloured = self._sink.isatty() and "NO_COLOR" not in os.environ

    def say(self, lines: Sequence[str]) -> None:
        """Print lines."""
        print(*lines, sep="\n", file=self._sink, flush=True)

    def ask(self, prompt: str) -> str:
        """One line, without its end.

        Raises:
            LeftError: at the end of the input, or when the terminal was closed.
        """
        print(prompt, end="", file=self._sink, flush=True)
        while b"\n" not in self._read:
            ready, _, _ = select.select([self._source, self._woken], [], [])
            chunk = os.read(self._source, _CHUNK_BYTES) if self._woken not in ready else b""
            if not chunk:
                raise LeftError
            self._read = self._read[:_LINE_BYTES] + chunk
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace").strip()

    def close(self) -> None:
        """End the wait for a line that is going on, and all later ones."""
        if not self._ended:
            self._ended = True
            os.close(self._wake)
