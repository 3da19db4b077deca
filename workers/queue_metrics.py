"""The queue's metrics for Prometheus, and how long ago somebody swept. docs/operations.md says what each is for.

Owns their names and the queries. Only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from rq import Queue, Worker
from rq.exceptions import NoSuchJobError
from rq.job import Job

from league.metrics import KEEP_S, Kept
from workers.queueing import failures_in_a_row, swept_at

_LOOKED_AT: Final = 8
"""So many jobs at the head of the queue are asked for their age: those that came in later may lie before them."""


@dataclass(frozen=True, kw_only=True)
class QueueGauges:
    """How the queue stands.

    Attributes:
        waiting: pieces of work in the queue.
        started: pieces that workers are at.
        oldest_wait: how long the oldest of those at the head has waited.
        failed_tries: how often a piece has failed in a row, of all the most.
        workers: workers that have signed on and were heard of lately.
        sweep_age: how long ago somebody swept; None: never since the queue was emptied.
    """

    waiting: int = 0
    started: int = 0
    oldest_wait: timedelta = timedelta()
    failed_tries: int = 0
    workers: int = 0
    sweep_age: timedelta | None = timedelta()


def read_queue(queue: Queue, now: datetime | None = None) -> QueueGauges:
    """How the queue stands now. Raises RedisError if nobody answers."""
    now = now or datetime.now(UTC)
    swept = swept_at(queue.connection)
    return QueueGauges(
        waiting=queue.count,
        started=queue.started_job_registry.count,
        oldest_wait=_oldest_wait(queue, now),
        failed_tries=failures_in_a_row(queue.connection),
        workers=_workers(queue),
        sweep_age=None if swept is None else max(timedelta(), now - swept),
    )


class QueueMetrics(Collector):
    """Tells how the queue stands."""

    def __init__(self, read: Callable[[], QueueGauges], *, keep_s: float = KEEP_S) -> None:
        """As `read` tells, of which every scrape within `keep_s` is told the same."""
        self._kept = Kept(read, keep_s=keep_s)

    @staticmethod
    def describe() -> Iterator[Metric]:
        """Every metric, without its values."""
        return families(QueueGauges())

    def collect(self) -> Iterator[Metric]:
        """Every metric as it was read; only that it cannot be, while nobody answers."""
        return families(self._kept.get())


def families(gauges: QueueGauges | None) -> Iterator[Metric]:
    """The metrics of a queue that stands so; None: of one that does not answer."""
    yield GaugeMetricFamily("king_queue_up", "1 if Redis or Valkey answers.", float(gauges is not None))
    if gauges is None:
        return
    jobs = GaugeMetricFamily("king_queue_jobs", "Pieces of work in the queue.", labels=["state"])
    jobs.add_metric(["waiting"], gauges.waiting)
    jobs.add_metric(["started"], gauges.started)
    yield jobs
    yield GaugeMetricFamily(
        "king_queue_oldest_wait_seconds", "How long the oldest has waited.", gauges.oldest_wait.total_seconds()
    )
    yield GaugeMetricFamily(
        "king_queue_failed_tries", "Failures in a row of the piece that has most.", gauges.failed_tries
    )
    yield GaugeMetricFamily("king_queue_workers", "Workers signed on and heard of lately.", gauges.workers)
    if gauges.sweep_age is not None:
        yield GaugeMetricFamily(
            "king_sweep_age_seconds", "How long ago a sweep came to its end.", gauges.sweep_age.total_seconds()
        )


def _workers(queue: Queue) -> int:
    """The workers whose keys are there: who is not heard of any more stays in RQ's list until another worker tidies it.

    A key ends `HEARD_WITHIN_S` after the worker's last heartbeat, by the queue's own clock.
    """
    keys = Worker.all_keys(queue=queue)
    there: Any = queue.connection.exists(*keys) if keys else 0
    return int(there)


def _oldest_wait(queue: Queue, now: datetime) -> timedelta:
    longest = timedelta()
    for job_id in queue.get_job_ids(0, _LOOKED_AT):
        try:
            since = Job.fetch(job_id, connection=queue.connection).enqueued_at
        except NoSuchJobError:
            continue
        if since is not None:
            longest = max(longest, now - (since if since.tzinfo else since.replace(tzinfo=UTC)))
    return longest
