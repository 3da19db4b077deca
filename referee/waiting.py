"""How long the threads of this process waited for a CPU, by the kernel's scheduler statistics.

It only measures. Where the kernel keeps no such statistics the waiting time is 0.
"""

from __future__ import annotations

import os
from pathlib import Path

_TASKS = Path("/proc/self/task")


class OwnWaitMeter:
    """Adds up the waiting of all threads; a frame passes several of them, one after the other."""

    def __init__(self, tasks: Path = _TASKS) -> None:
        """Read of `tasks`, which has a folder with a file `schedstat` for each thread."""
        self._tasks = tasks
        self._read: dict[str, int] = {}
        self.waited_ns()

    def waited_ns(self) -> int:
        """Return how long threads have waited since the last call that could be answered, all together."""
        try:
            read = self._read_threads()
        except OSError:  # no such statistics, a thread that ended while we looked, or no open file left
            return 0
        before, self._read = self._read, read
        return sum(max(0, waited - before.get(thread, 0)) for thread, waited in read.items())

    def _read_threads(self) -> dict[str, int]:
        found = {}
        for thread in os.listdir(self._tasks):  # noqa: PTH208  # a path's own ways take four times as long, each beat
            statistics = os.open(f"{self._tasks}/{thread}/schedstat", os.O_RDONLY)
            try:
                _, waited, _ = os.read(statistics, 100).split()
            finally:
                os.close(statistics)
            found[thread] = int(waited)
        return found
