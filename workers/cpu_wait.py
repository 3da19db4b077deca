"""How long a tree of processes was held up for want of a CPU, read from the kernel's scheduler statistics.

It only measures; who is given the time back is the referee's business. Where the kernel keeps no such statistics
(not Linux, or without CONFIG_SCHED_INFO) the waiting time is 0.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from workers.shim import descendants

_PROC = Path("/proc")
_RUNNABLE = b"R"


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a thread has run and waited; and since when it is seen to wait, which the kernel adds when it runs again."""

    ran_ns: int
    waited_ns: int
    waits_since_ns: int | None = None

    def waited_until_ns(self, now_ns: int) -> int:
        return self.waited_ns + (0 if self.waits_since_ns is None else now_ns - self.waits_since_ns)


class CpuWaitMeter:
    """Adds up how long the processes below one process were held up; never falls.

    Threads wait side by side, so between two readings no more counts than the time in which none of them ran:
    otherwise a bot whose threads wait for each other would be given all of its thinking time back.
    """

    def __init__(
        self,
        root: int,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        *,
        below: Callable[[int], Iterable[int]] = descendants,
        proc: Path = _PROC,
    ) -> None:
        """Measure the processes below `root` (a pid), as `below` tells them from `proc`; `root` does not count."""
        self._root = root
        self._clock_ns = clock_ns
        self._below = below
        self._proc = proc
        self._threads: dict[tuple[int, str], _Reading] = {}  # those that were there at the last look
        self._ended_ran_ns = self._ended_waited_ns = 0
        self._read_at_ns = clock_ns()
        self._ran_ns = 0
        self._waited_ns = 0
        self._held_up_ns = 0

    def waited_us(self) -> int:
        """Microseconds held up since the start, those of a wait that goes on included once it was seen twice."""
        before, self._threads = self._threads, {}
        for pid in self._below(self._root):
            self._read_threads(pid, before)
        self._note_ended(before)
        now_ns = self._clock_ns()
        ran_ns = self._ended_ran_ns + sum(thread.ran_ns for thread in self._threads.values())
        waited_ns = self._ended_waited_ns + sum(thread.waited_until_ns(now_ns) for thread in self._threads.values())
        idle_ns = now_ns - self._read_at_ns - (ran_ns - self._ran_ns)
        self._held_up_ns += max(0, min(waited_ns - self._waited_ns, idle_ns))
        self._read_at_ns, self._ran_ns, self._waited_ns = now_ns, ran_ns, waited_ns
        return self._held_up_ns // 1000

    def _read_threads(self, pid: int, before: Mapping[tuple[int, str], _Reading]) -> None:
        folder = self._proc / str(pid) / "task"
        try:
            threads = list(folder.iterdir())
        except (FileNotFoundError, ProcessLookupError):  # the process ended while we looked
            return
        for thread in threads:
            place = (pid, thread.name)
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # this one did; the others are still there
                self._threads[place] = self._read(thread, before.get(place))

    def _note_ended(self, before: Mapping[tuple[int, str], _Reading]) -> None:
        """Keep the last readings of threads that are gone, added up: a bot may have any number, and their waits end."""
        for place in before.keys() - self._threads.keys():
            self._ended_ran_ns += before[place].ran_ns
            self._ended_waited_ns += before[place].waited_ns

    def _read(self, thread: Path, before: _Reading | None) -> _Reading:
        ran, waited, _ = map(int, (thread / "schedstat").read_bytes().split())
        if before is None or (before.ran_ns, before.waited_ns) != (ran, waited):
            return _Reading(ran, waited)
        # Neither has grown: it sleeps, or waits all the while.
        if (thread / "stat").read_bytes().rpartition(b")")[2].split()[0] != _RUNNABLE:
            return _Reading(ran, waited)
        return before if before.waits_since_ns is not None else _Reading(ran, waited, self._clock_ns())
