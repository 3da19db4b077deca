"""The referee's own waiting for a CPU."""

from __future__ import annotations

import resource
from pathlib import Path

from referee.waiting import OwnWaitMeter


def tell(tasks: Path, thread: str, waited_ns: int) -> None:
    """Write what the kernel tells of a thread."""
    (tasks / thread).mkdir(exist_ok=True)
    (tasks / thread / "schedstat").write_text(f"123 {waited_ns} 4\n")


def test_waits_of_all_threads_count_once(tmp_path: Path) -> None:
    """What threads have waited since the last time is added up; what they waited before the first is not asked for."""
    tell(tmp_path, "1", 5000)
    meter = OwnWaitMeter(tmp_path)
    tell(tmp_path, "1", 5700)
    tell(tmp_path, "2", 40)
    assert [meter.waited_ns(), meter.waited_ns()] == [740, 0]
    tell(tmp_path, "2", 50)
    assert meter.waited_ns() == 10


def test_kernel_without_statistics(tmp_path: Path) -> None:
    """Where the kernel tells nothing, nothing was waited for."""
    assert OwnWaitMeter(tmp_path / "none").waited_ns() == 0


def test_threads_of_this_process() -> None:
    """The kernel tells of this very process, in numbers that never fall."""
    meter = OwnWaitMeter()
    assert meter.waited_ns() >= 0


def test_no_open_file_left(tmp_path: Path) -> None:
    """While no file can be opened, nothing was waited for; what was is told when one can be again."""
    tell(tmp_path, "1", 5000)
    meter = OwnWaitMeter(tmp_path)
    tell(tmp_path, "1", 5700)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        waited_ns = meter.waited_ns()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert (waited_ns, meter.waited_ns()) == (0, 700)
