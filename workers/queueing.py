"""The queue of sittings in Redis: what is put on it, and what marks a sitting as handed out.

The queue is a convenience: the store alone knows what is to be done, and a sitting that is queued twice, or by a queue
that was wiped, is played once. Marks keep most of such duplicates from costing a process start.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from uuid import uuid4

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue

QUEUE_NAME = "sittings"
JOB = "workers.jobs.play_sitting"
HANDED_OUT = timedelta(seconds=15)
"""For how long a sitting that a worker has taken from the queue is not queued again, if nobody claims it."""
AFTER_FAILURE = timedelta(seconds=3)
"""For how long a sitting whose job failed is not queued again; twice as long after each more failure in a row."""
AFTER_FAILURE_LIMIT = timedelta(seconds=60)

_PREFIX = "sitting-"
_RESULT_TTL_S = 60
_FAILURE_TTL_S = 3600


def connect(redis_url: str) -> Redis:
    """A connection that fails at once when the server is gone, for whoever tries again by itself."""
    return Redis.from_url(redis_url, retry=Retry(NoBackoff(), 1), socket_connect_timeout=2, socket_timeout=5)


def sittings_queue(connection: Redis) -> Queue:
    """The queue of sittings."""
    return Queue(QUEUE_NAME, connection=connection)


def queue_sittings(queue: Queue, sittings: Iterable[int]) -> tuple[int, ...]:
    """Queue those of `sittings` (ids) that are neither queued nor just handed out. Returns the ids queued."""
    waiting = {sitting_of(job_id) for job_id in queue.get_job_ids()}
    queued = []
    for sitting in sittings:
        if sitting not in waiting and not queue.connection.exists(_mark(sitting)):
            queue.enqueue_call(
                JOB,
                args=(sitting,),
                job_id=f"{_PREFIX}{sitting}-{uuid4().hex}",
                timeout=-1,  # a sitting that hangs loses its lease
                result_ttl=_RESULT_TTL_S,
                failure_ttl=_FAILURE_TTL_S,
                description=f"sitting {sitting}",
            )
            queued.append(sitting)
    return tuple(queued)


def sitting_of(job_id: str) -> int:
    """The id of the sitting that a job plays."""
    return int(job_id.removeprefix(_PREFIX).partition("-")[0])


def mark_handed_out(connection: Redis, sitting: int, duration: timedelta = HANDED_OUT) -> None:
    """Have a sitting not queued again for `duration`."""
    connection.set(_mark(sitting), 1, px=int(duration.total_seconds() * 1000))


def mark_failed(connection: Redis, sitting: int) -> timedelta:
    """Have a sitting whose job failed not queued again for a while, which grows while it fails. Returns how long."""
    key = _failures(sitting)
    failures = int(connection.incr(key))
    connection.expire(key, _FAILURE_TTL_S)
    pause: timedelta = min(AFTER_FAILURE * (1 << min(failures - 1, 10)), AFTER_FAILURE_LIMIT)
    mark_handed_out(connection, sitting, pause)
    return pause


def unmark(connection: Redis, sitting: int) -> None:
    """Let a sitting be queued again at once; forget that it failed."""
    connection.delete(_mark(sitting), _failures(sitting))


def _mark(sitting: int) -> str:
    return f"king:handed-out:{sitting}"


def _failures(sitting: int) -> str:
    return f"king:failures:{sitting}"
