"""What a bot is given back for want of a CPU."""

from __future__ import annotations

import os
import subprocess
import sys

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
