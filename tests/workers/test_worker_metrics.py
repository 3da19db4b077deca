"""What a worker tells a scrape: what its horses told it, and what it saw itself."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry
from redis import Redis
from rq import SimpleWorker

from league.errors import StoreUnusableError
from workers.counts import WorkerCounts
from workers.manifests import BotError
from workers.metrics import WorkerMetrics
from workers.queueing import Work, work_queue
from workers.referee_client import RefereeFullError, RefereeUnreachableError
from workers.sitting import SittingVoidError
from workers.telling import OUTCOMES, JobTold, note_outcome, note_start, outcome_of, read_told, telling


@telling
def job_of_a_test(piece: int) -> None:
    """Starts three bots, fails with a fourth; piece 2 ends in an error, piece 3 with words of its own."""
    for failed in (False, False, False, True):
        note_start(failed=failed)
    if piece == 2:
        raise RefereeFullError("64 sittings")
    if piece == 3:
        note_outcome("claim_lost")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (RefereeFullError("x"), "referee_full"),
        (RefereeUnreachableError("x"), "referee_unreachable"),
        (SittingVoidError("x"), "void"),
        (BotError("x"), "bot"),
        (StoreUnusableError("x"), "store"),
        (asyncio.CancelledError(), "told_to_end"),
        (ZeroDivisionError(), "failure"),
    ],
)
def test_every_error_has_one_of_few_names(error: BaseException, outcome: str) -> None:
    """What ends a job is told by a word of a short list: texts would be metrics without end."""
    assert outcome_of(error) == outcome
    assert outcome in OUTCOMES


def test_a_job_tells_its_worker_by_way_of_redis(valkey: Redis) -> None:
    """How it ended and what it started is there when it is over, also when it ended in an error."""
    queue = work_queue(valkey)
    jobs = [queue.enqueue_call(job_of_a_test, args=(piece,)) for piece in (1, 2, 3)]
    SimpleWorker([queue], connection=valkey).work(burst=True, logging_level="CRITICAL")
    assert [read_told(job) for job in jobs] == [
        JobTold("done", 3, 1),
        JobTold("referee_full", 3, 1),
        JobTold("claim_lost", 3, 1),
    ]
    valkey.flushall()
    assert read_told(jobs[0]) is None


def test_outside_of_a_worker_nobody_is_told() -> None:
    """A job that is called by itself, and what counts outside of one, works without anybody to tell."""
    job_of_a_test(1)
    note_start()


def test_what_was_told_is_added_up() -> None:
    """Jobs by kind and end, bots, and how long it took; a horse that told nothing has died."""
    counts = WorkerCounts()
    registry = CollectorRegistry()
    registry.register(WorkerMetrics(counts))
    counts.note(Work.SITTING, 3.0, JobTold("done", 4, 0))
    counts.note(Work.SITTING, 70.0, JobTold("void", 8, 1))
    counts.note(Work.CHALLENGE, 2.5, None)
    value = registry.get_sample_value
    assert value("king_worker_jobs_total", {"work": "sitting", "outcome": "void"}) == 1
    assert value("king_worker_jobs_total", {"work": "challenge", "outcome": "died"}) == 1
    assert value("king_worker_jobs_total", {"work": "submission", "outcome": "done"}) == 0
    assert value("king_worker_bots_started_total") == 12
    assert value("king_worker_launch_failures_total") == 1
    assert value("king_worker_job_seconds_sum", {"work": "sitting"}) == 73
    for bound, many in (("2.5", 0), ("5.0", 1), ("120.0", 2), ("+Inf", 2)):
        assert value("king_worker_job_seconds_bucket", {"work": "sitting", "le": bound}) == many
    assert value("king_worker_job_seconds_bucket", {"work": "challenge", "le": "2.5"}) == 1
