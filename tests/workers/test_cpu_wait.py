"""What a bot is given back for want of a CPU."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workers.waiting import wait_until
from workers.cpu_wait import CpuWaitMeter

SPIN = "while True: pass"


def test_no_more_than_the_time_passed() -> None:
    """However many threads wait at the same time, no more is given back than the time that has passed."""
    now_ns = 0
    crowd = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        meter = CpuWaitMeter(os.getpid(), lambda: now_ns)
        now_ns += 10**15
        wait_until(lambda: meter.waited_us() > 0, what="a wait")
        before = meter.waited_us()
        now_ns += 5_000_000
        # As much CPU as they may have used since, the clock says that 5 ms have passed.
        assert meter.waited_us() - before <= 5_000
    finally:
        for process in crowd:
            process.kill()
            process.wait()


def test_process_that_is_gone() -> None:
    """A process that does not exist has waited for nothing."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        assert CpuWaitMeter(process.pid).waited_us() == 0


class FakeThread:
    """A process with one thread, as the kernel tells of it below `folder`; the test writes what it does."""

    def __init__(self, folder: Path) -> None:
        self.thread = folder / "7" / "task" / "7"
        self.thread.mkdir(parents=True)
        self.now_ns = 0
        self.ran_ns = self.waited_ns = 0
        self.tell("S")
        self.meter = CpuWaitMeter(1, lambda: self.now_ns, below=lambda root: [7], proc=folder)
        self.waited_us()

    def tell(self, state: str) -> None:
        (self.thread / "schedstat").write_text(f"{self.ran_ns} {self.waited_ns} 1\n")
        (self.thread / "stat").write_text(f"7 (a ) R name) {state} 1 7 7 0\n")

    def waited_us(self) -> int:
        self.now_ns += 100_000_000
        return self.meter.waited_us()


def test_wait_that_goes_on(tmp_path: Path) -> None:
    """A thread that is runnable and does not run waits, though the kernel counts that only when it runs again."""
    thread = FakeThread(tmp_path)
    thread.tell("R")
    assert [thread.waited_us() for _ in range(4)] == [0, 100_000, 200_000, 300_000]
    thread.ran_ns, thread.waited_ns = 10_000_000, 350_000_000
    thread.tell("S")
    assert thread.waited_us() == 350_000


def test_thread_that_sleeps_does_not_wait(tmp_path: Path) -> None:
    """A thread that sleeps has nothing given back, however long it does."""
    thread = FakeThread(tmp_path)
    assert [thread.waited_us() for _ in range(3)] == [0, 0, 0]


def test_wait_that_ends_with_the_process(tmp_path: Path) -> None:
    """A process that ends while it waits is given nothing for the time after that."""
    thread = FakeThread(tmp_path)
    thread.tell("R")
    assert [thread.waited_us() for _ in range(2)] == [0, 100_000]
    (thread.thread / "schedstat").unlink()
    assert [thread.waited_us() for _ in range(2)] == [100_000, 100_000]


def test_wait_that_ends_with_the_thread(tmp_path: Path) -> None:
    """A thread that ends in a process that goes on waits no longer: who then sleeps is not given time without end."""
    thread = FakeThread(tmp_path)
    other = FakeThread.__new__(FakeThread)
    other.thread, other.ran_ns, other.waited_ns = thread.thread.with_name("8"), 1_000_000, 0
    other.thread.mkdir()
    other.tell("R")
    assert [thread.waited_us() for _ in range(3)] == [0, 0, 100_000]
    shutil.rmtree(other.thread)
    assert [thread.waited_us() for _ in range(3)] == [100_000] * 3


def test_no_threads_are_kept_that_have_ended(tmp_path: Path) -> None:
    """A bot may start thousands of threads one after the other: a look costs as much as there are now."""
    thread = FakeThread(tmp_path)
    waited_ns = 0
    for number in range(8, 40):
        folder = thread.thread.with_name(str(number))
        folder.mkdir()
        waited_ns += 1_000_000
        (folder / "schedstat").write_text("0 1000000 1\n")
        (folder / "stat").write_text("7 (a) S 1 7 7 0\n")
        assert thread.waited_us() == waited_ns // 1000
        shutil.rmtree(folder)
    thread.waited_us()
    assert len(thread.meter._threads) == 1


@pytest.mark.parametrize("name", ["2", "9"])
def test_a_thread_that_ends_between_two_looks_counts_no_other_twice(tmp_path: Path, name: str) -> None:
    """Whichever is found to be gone first: what the others have waited before is not given back once more."""
    thread = FakeThread(tmp_path)
    thread.waited_ns = 50_000_000
    thread.tell("S")
    assert thread.waited_us() == 50_000
    for _ in range(3):
        ended = thread.thread.with_name(name)
        ended.mkdir()  # it is listed, and has nothing to read any more
        assert thread.waited_us() == 50_000
        ended.rmdir()
        assert thread.waited_us() == 50_000
