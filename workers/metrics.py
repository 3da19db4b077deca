"""A worker's metrics for Prometheus: what a scrape is told. docs/operations.md says what each is for.

Owns their names. What is counted is in `workers.counts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from workers.counts import BOUNDS_S, WorkerCounts
from workers.queueing import Work
from workers.telling import OUTCOMES


class WorkerMetrics(Collector):
    """Tells what a worker has done."""

    def __init__(self, counts: WorkerCounts) -> None:
        self._counts = counts

    def describe(self) -> Iterator[Metric]:
        """Every metric, without its values."""
        return families(WorkerCounts())

    def collect(self) -> Iterator[Metric]:
        """Every metric as it is now."""
        return families(self._counts)


def families(counts: WorkerCounts) -> Iterator[Metric]:
    """The metrics of a worker that has done so much."""
    yield GaugeMetricFamily("king_worker_busy", "1 while it is at a piece of work.", float(counts.busy))
    jobs = CounterMetricFamily("king_worker_jobs", "Pieces of work that are over.", labels=["work", "outcome"])
    for work in Work:
        for outcome in OUTCOMES:
            jobs.add_metric([work, outcome], counts.jobs[work, outcome])
    yield jobs
    took = HistogramMetricFamily("king_worker_job_seconds", "How long pieces of work took.", labels=["work"])
    for work, times in counts.times.items():
        up_to = list(accumulate(times.counts))
        buckets = [*zip(map(str, BOUNDS_S), up_to, strict=False), ("+Inf", up_to[-1])]
        took.add_metric([work], buckets, times.seconds)
    yield took
    yield CounterMetricFamily("king_worker_bots_started", "Processes of bots started.", counts.bots_started)
    yield CounterMetricFamily(
        "king_worker_launch_failures", "Processes of bots that could not be started.", counts.launch_failures
    )
