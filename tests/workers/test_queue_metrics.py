"""What a scrape is told of the queue, and of the last sweep."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from prometheus_client import CollectorRegistry
from redis import Redis

from workers.queue_metrics import QueueGauges, QueueMetrics, read_queue
from workers.queueing import Piece, Work, connect, mark_failed, note_sweep, queue_work, swept_at, unmark, work_queue

SEVENTH = Piece(Work.SITTING, 7)


def test_what_waits_is_counted_with_its_age(valkey: Redis) -> None:
    """Pieces in the queue, how long the oldest waits, how often a piece has failed in a row, and the last sweep."""
    queue = work_queue(valkey)
    assert read_queue(queue) == QueueGauges(sweep_age=None)
    queue_work(queue, Work.SITTING, [1, 2])
    for _ in range(3):
        mark_failed(valkey, SEVENTH)
    mark_failed(valkey, Piece(Work.SITTING, 8))
    note_sweep(valkey)
    gauges = read_queue(queue, datetime.now(UTC) + timedelta(minutes=5))
    assert (gauges.waiting, gauges.started, gauges.workers, gauges.failed_tries) == (2, 0, 0, 3)
    assert timedelta(minutes=5) <= gauges.oldest_wait < timedelta(minutes=10)
    assert gauges.sweep_age is not None
    assert timedelta(minutes=5) <= gauges.sweep_age < timedelta(minutes=10)
    unmark(valkey, SEVENTH)
    assert read_queue(queue).failed_tries == 1


def test_a_wiped_queue_has_seen_no_sweep(valkey: Redis) -> None:
    """After Redis was wiped nobody knows of a sweep, until the next one."""
    note_sweep(valkey)
    assert swept_at(valkey) is not None
    valkey.flushall()
    assert swept_at(valkey) is None


def test_a_queue_that_does_not_answer_is_said_so() -> None:
    """A scrape does not fail with the queue."""
    registry = CollectorRegistry()
    gone = work_queue(connect("unix:///nonexistent/valkey.sock"))
    registry.register(QueueMetrics(lambda: read_queue(gone)))
    assert registry.get_sample_value("king_queue_up") == 0
    assert registry.get_sample_value("king_queue_workers") is None
