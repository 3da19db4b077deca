"""Whether the worker of a sitting is heard: what nobody hears of it, its bots cannot be blamed for.

Bots run on their worker's host. A worker reports on its processes several times a second; if its reports stop coming,
the way to its host is cut, or the host has stopped, and the answers of its bots do not come either. Owns when that was.
Must not judge, nor ask the time.
"""

from __future__ import annotations

from typing import Final

ANSWER_WITHIN_NS: Final = 10_000_000_000
"""How long an overrun waits for the worker's report of the time that the process had no CPU.

A worker that does not answer has stopped or is cut off: that is our failure, and the sitting is void.
"""

SILENT_AFTER_NS: Final = 1_500_000_000
"""A longer gap between two reports is a silence; reports come ten times a second."""

_REGULAR: Final = 5
"""So many reports make a worker one that reports regularly."""


class WorkerSilence:
    """The gaps between the reports of one worker."""

    __slots__ = ("_doubtful_until_ns", "_heard_ns", "_length_ns", "_reports", "_running")

    def __init__(self) -> None:
        self._heard_ns = 0
        self._reports = 0
        self._doubtful_until_ns = -1
        self._length_ns = 0
        self._running: set[int] = set()

    def started(self, process: int) -> None:
        """A process runs, of which there will be reports."""
        self._running.add(process)

    def exited(self, process: int) -> None:
        """A process has ended. While none runs there is nothing to report, and a pause until the next is no silence."""
        self._running.discard(process)
        if not self._running:
            self._reports = 0

    def heard(self, now_ns: int) -> None:
        """A report has come."""
        gap_ns = now_ns - self._heard_ns
        if self._reports >= _REGULAR and gap_ns > SILENT_AFTER_NS:
            self._length_ns = gap_ns
            # Connections are tried again after pauses that double: each is back when as much time has passed again.
            self._doubtful_until_ns = now_ns + gap_ns
        self._heard_ns = now_ns
        self._reports += 1

    def late(self, lag_ns: int) -> None:
        """The referee itself was late, and so heard late."""
        self._heard_ns += lag_ns

    def excuses(self, since_ns: int | None) -> bool:
        """Whether what was sent to a bot at that time, or its answer, may have been held up by the latest silence."""
        return since_ns is not None and since_ns <= self._doubtful_until_ns

    def excuse(self, process: int) -> str:
        """Why nobody can blame a process, for people."""
        unheard = f"the worker was not heard for {self._length_ns / 1e9:.1f} s"
        return f"{unheard}: whether process {process} was late is not known"


def no_answer(process: int) -> str:
    """Why the sitting of a worker that does not answer about a process is void, for people."""
    return f"the worker did not say within {ANSWER_WITHIN_NS // 10**9} s how long process {process} had no CPU"
