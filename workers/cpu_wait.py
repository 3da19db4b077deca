"""How long a tree of processes was held up for want of a CPU, read from the kernel's scheduler statistics.

It only measures; who is given the time back is the referee's business. Where the kernel keeps no such statistics
(not Linux, or without CONFIG_SCHED_INFO) the waiting time is 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from workers.shim import descendants

_PROC = Path("/proc")


class CpuWaitMeter:
    """Adds up how long the processes below one process were held up; never falls.

    Threads wait side by side, so between two readings no more counts than the time in which none of them ran:
    otherwise a bot whose threads wait for each other would be given all of its thinking time back.
    """

    def __init__(self, root: int, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Measure the processes below `root` (a pid); `root` itself does not count."""
        self._root = root
        self._clock_ns = clock_ns
        self._threads: dict[tuple[int, str], tuple[int, int]] = {}  # those that have ended keep their last reading
        self._read_at_ns = clock_ns()
        self._ran_ns = 0
        self._waited_ns = 0
        self._held_up_ns = 0

    def waited_us(self) -> int:
        """Microseconds held up since the start."""
        for pid in descendants(self._root):
            self._read_threads(pid)
        now_ns = self._clock_ns()
        ran_ns = sum(ran for ran, _ in self._threads.values())
        waited_ns = sum(waited for _, waited in self._threads.values())
        idle_ns = now_ns - self._read_at_ns - (ran_ns - self._ran_ns)
        self._held_up_ns += max(0, min(waited_ns - self._waited_ns, idle_ns))
        self._read_at_ns, self._ran_ns, self._waited_ns = now_ns, ran_ns, waited_ns
        return self._held_up_ns // 1000

    def _read_threads(self, pid: int) -> None:
        try:
            for thread in (_PROC / str(pid) / "task").iterdir():
                ran, waited, _ = (thread / "schedstat").read_text(encoding="ascii").split()
                self._threads[pid, thread.name] = int(ran), int(waited)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended while we looked
