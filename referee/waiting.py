"""How long the threads of this process waited for a CPU, by the kernel's scheduler statistics.

It only measures. Where the kernel keeps no such statistics the waiting time is 0.
"""

from __future__ import annotations

from pathlib import Path

_TASKS = Path("/proc/self/task")


class OwnWaitMeter:
    """Adds up the waiting of all threads; a frame passes several of them, one after the other."""

    def __init__(self, tasks: Path = _TASKS) -> None:
        """Read of `tasks`, which has a folder with a file `schedstat` for each thread."""
        self._tasks = tasks
        self._read: dict[str, int] = {}
        self._read_threads()

    def waited_ns(self) -> int:
        """Return how long threads have waited since the last call, all together; up to now for those that wait on."""
        before, self._read = self._read, {}
        self._read_threads()
        return sum(max(0, waited - before.get(thread, 0)) for thread, waited in self._read.items())

    def _read_threads(self) -> None:
        try:
            for thread in self._tasks.iterdir():
                _, waited, _ = (thread / "schedstat").read_bytes().split()
                self._read[thread.name] = int(waited)
        except (FileNotFoundError, ProcessLookupError):
            pass  # no such statistics, or a thread ended while we looked
