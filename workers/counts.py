"""What a worker has done since it began, in plain numbers: its horses end with their job, and tell it before.

Owns the counting, apart from `workers.metrics`, so that a worker whom nobody scrapes need not load Prometheus' library.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from workers.queueing import Work
from workers.telling import DIED, JobTold

BOUNDS_S: Final = (1.0, 2.5, 5.0, 10.0, 25.0, 60.0, 120.0, 300.0, 600.0, 1800.0)
"""Bounds of the buckets in which the times of pieces of work are counted."""


@dataclass(slots=True)
class WorkTimes:
    """How long pieces of work took: how many up to each bound, and beyond; and all together."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    seconds: float = 0.0


class WorkerCounts:
    """What a worker has done since it began. Counted by the worker, read by who scrapes."""

    def __init__(self) -> None:
        self.busy = False
        """Whether a horse is at work."""
        self.jobs: Counter[tuple[Work, str]] = Counter()
        self.bots_started = 0
        self.launch_failures = 0
        self.times = {work: WorkTimes() for work in Work}

    def note(self, work: Work, seconds: float, told: JobTold | None) -> None:
        """A piece of work is over, that took so long; `told`: what its horse told, if it came to that."""
        self.jobs[work, DIED if told is None else told.outcome] += 1
        times = self.times[work]
        times.counts[bisect_left(BOUNDS_S, seconds)] += 1
        times.seconds += seconds
        if told is not None:
            self.bots_started += told.bots_started
            self.launch_failures += told.launch_failures
