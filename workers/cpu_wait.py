"""How long a tree of processes was runnable and had no CPU, read from the kernel's scheduler statistics.

It only measures; who is given the time back is the referee's business. Where the kernel keeps no such statistics
(not Linux, or without CONFIG_SCHED_INFO) the waiting time is 0.
"""

from __future__ import annotations

from pathlib import Path

from workers.shim import descendants

_PROC = Path("/proc")


class CpuWaitMeter:
    """Adds up the waiting time of all threads of all processes below one process.

    What threads and processes had waited when they were last seen stays in the sum after they end, so it never falls.
    """

    def __init__(self, root: int) -> None:
        """Measure the processes below `root` (a pid); `root` itself does not count."""
        self._root = root
        self._waited_ns: dict[tuple[int, str], int] = {}

    def waited_us(self) -> int:
        """Microseconds waited since the start, all threads together."""
        for pid in descendants(self._root):
            self._read_threads(pid)
        return sum(self._waited_ns.values()) // 1000

    def _read_threads(self, pid: int) -> None:
        try:
            for thread in (_PROC / str(pid) / "task").iterdir():
                waited = int((thread / "schedstat").read_text(encoding="ascii").split()[1])
                self._waited_ns[pid, thread.name] = waited
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended while we looked; what it had waited by the last look stays in the sum
