"""What a scrape is told of the queue, and of the last sweep."""

from __future__ import annotations

import signal
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry
from redis import Redis
from rq import Worker

from tests.workers.test_worker import queue_long_job, running_worker
from tests.workers.waiting import wait_until
from workers.queue_metrics import QueueGauges, QueueMetrics, read_queue
from workers.queueing import Piece, Work, connect, mark_failed, note_sweep, queue_work, swept_at, unmark, work_queue
from workers.worker import HEARD_WITHIN_S

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


@pytest.mark.slow
def test_a_worker_that_was_killed_is_not_counted_for_long(valkey: Redis, valkey_url: str) -> None:
    """An idle worker counts, however long, for it is heard of before its key ends; after SIGKILL it does not.

    RQ has it in its list still, until another worker tidies that. The queue's clock decides, not this machine's.
    """
    queue = work_queue(valkey)
    with running_worker(valkey_url) as worker:
        wait_until(lambda: read_queue(queue).workers == 1, what="the worker")
        (key,) = Worker.all_keys(queue=queue)
        ends_at = valkey.expiretime(key)
        wait_until(lambda: valkey.expiretime(key) > ends_at, seconds=60, what="a heartbeat of an idle worker")
        assert 0 < valkey.ttl(key) <= HEARD_WITHIN_S
        worker.send_signal(signal.SIGKILL)
        worker.wait(30)
    assert read_queue(queue).workers == 1
    valkey.expire(key, 1)  # as if the time had passed
    wait_until(lambda: read_queue(queue).workers == 0, what="the end of what is left of the worker")
    assert Worker.all_keys(queue=queue) == [key]


@pytest.mark.slow
def test_an_idle_worker_that_the_queue_has_forgotten_signs_on_again(valkey: Redis, valkey_url: str) -> None:
    """After the queue was wiped, a worker that waits is counted again before it has any work."""
    queue = work_queue(valkey)
    with running_worker(valkey_url):
        wait_until(lambda: read_queue(queue).workers == 1, what="the worker")
        valkey.flushall()
        assert read_queue(queue).workers == 0
        wait_until(lambda: read_queue(queue).workers == 1, seconds=60, what="the worker again")


@pytest.mark.slow
def test_a_worker_at_work_is_heard_of(valkey: Redis, valkey_url: str) -> None:
    """While its horse works, a worker's key is made to last as well."""
    queue = work_queue(valkey)
    with running_worker(valkey_url):
        queue_long_job(valkey)
        wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"started", what="the job's start")
        (key,) = Worker.all_keys(queue=queue)
        ends_at = valkey.expiretime(key)
        wait_until(lambda: valkey.expiretime(key) > ends_at, seconds=60, what="a heartbeat of a worker at work")
        assert 0 < valkey.ttl(key) <= HEARD_WITHIN_S
