"""The queue of work in Redis: what is put on it, and what marks a piece of work as handed out.

The queue is a convenience: the store alone knows what is to be done, and a piece that is queued twice, or by a queue
that was wiped, is done once. Marks keep most of such duplicates from costing a process start.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import uuid4

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue

QUEUE_NAME = "sittings"
HANDED_OUT = timedelta(seconds=15)
"""For how long a piece that a worker has taken from the queue is not queued again, if nobody claims it."""
AFTER_FAILURE = timedelta(seconds=3)
"""For how long a piece whose job failed is not queued again; twice as long after each more failure in a row."""
AFTER_FAILURE_LIMIT = timedelta(seconds=60)

_NOTICES_SILENCE: Final = {
    socket.TCP_KEEPIDLE: 5,
    socket.TCP_KEEPINTVL: 5,
    socket.TCP_KEEPCNT: 2,
    socket.TCP_USER_TIMEOUT: 15_000,
}
"""How long, in seconds and milliseconds, whoever waits at a socket hears nothing until it is asked for a sign of life,
and until it counts as gone: 15 s, also while something that was sent is not confirmed.
"""
_RESULT_TTL_S = 60
_FAILURE_TTL_S = 3600
_SWEPT: Final = "king:swept"
_FAILURES: Final = "king:failures"
"""A hash: how often each piece has failed that has since it last went well."""


class Work(StrEnum):
    """The kinds of work there are."""

    SITTING = "sitting"
    SUBMISSION = "submission"
    CHALLENGE = "challenge"


JOBS: Final[Mapping[Work, str]] = {
    Work.SITTING: "workers.jobs.play_sitting",
    Work.SUBMISSION: "workers.jobs.work_on_submission",
    Work.CHALLENGE: "workers.jobs.play_challenge",
}
"""The job of each kind; it takes the id of the piece."""
_FIRST: Final = frozenset({Work.SUBMISSION, Work.CHALLENGE})
"""Somebody waits for these, and the store gives out few of them at a time: they go before the sittings of seasons."""


@dataclass(frozen=True)
class Piece:
    """A piece of work: its kind, and its id in the store."""

    work: Work
    id: int

    def __str__(self) -> str:
        return f"{self.work}-{self.id}"


def connect(redis_url: str) -> Redis:
    """A connection that fails at once when the server is gone, for whoever tries again by itself."""
    return Redis.from_url(redis_url, retry=Retry(NoBackoff(), 1), socket_connect_timeout=2, socket_timeout=5)


def connect_for_long(redis_url: str) -> Redis:
    """A connection for a worker, whose requests wait for work: a server that is gone without a word is noticed too."""
    over_network = {} if redis_url.startswith("unix:") else {"socket_keepalive_options": _NOTICES_SILENCE}
    return Redis.from_url(redis_url, socket_connect_timeout=5, **over_network)


def work_queue(connection: Redis) -> Queue:
    """The queue of all work."""
    return Queue(QUEUE_NAME, connection=connection)


def queue_work(queue: Queue, work: Work, ids: Iterable[int]) -> tuple[Piece, ...]:
    """Queue those pieces that are neither queued nor just handed out. Returns the ones queued."""
    waiting = {piece_of(job_id) for job_id in queue.get_job_ids()}
    queued = []
    for piece in (Piece(work, each) for each in ids):
        if piece not in waiting and not queue.connection.exists(_mark(piece)):
            queue.enqueue_call(
                JOBS[work],
                args=(piece.id,),
                job_id=f"{piece}-{uuid4().hex}",
                timeout=-1,  # work that hangs loses its lease
                result_ttl=_RESULT_TTL_S,
                failure_ttl=_FAILURE_TTL_S,
                description=f"{work} {piece.id}",
                at_front=work in _FIRST,
            )
            queued.append(piece)
    return tuple(queued)


def piece_of(job_id: str) -> Piece:
    """The piece of work that a job does."""
    work, number, _ = job_id.split("-")
    return Piece(Work(work), int(number))


def mark_handed_out(connection: Redis, piece: Piece, duration: timedelta = HANDED_OUT) -> None:
    """Have a piece not queued again for `duration`."""
    connection.set(_mark(piece), 1, px=int(duration.total_seconds() * 1000))


def mark_failed(connection: Redis, piece: Piece) -> timedelta:
    """Have a piece whose job failed not queued again for a while, which grows while it fails. Returns how long."""
    failures = int(connection.hincrby(_FAILURES, str(piece), 1))
    connection.expire(_FAILURES, _FAILURE_TTL_S)
    pause: timedelta = min(AFTER_FAILURE * (1 << min(failures - 1, 10)), AFTER_FAILURE_LIMIT)
    mark_handed_out(connection, piece, pause)
    return pause


def unmark(connection: Redis, piece: Piece) -> None:
    """Let a piece be queued again at once; forget that it failed."""
    connection.delete(_mark(piece))
    connection.hdel(_FAILURES, str(piece))


def failures_in_a_row(connection: Redis) -> int:
    """How often a piece of work has failed since it last went well: of all pieces the most."""
    found: Any = connection.hvals(_FAILURES)
    return max(map(int, found), default=0)


def forget_failures(connection: Redis, pending: Mapping[Work, Callable[[Collection[int]], Collection[int]]]) -> None:
    """Forget how often pieces have failed that nobody will try again.

    `pending` says for each kind which of these pieces are still to be done. While nothing fails it is not asked. Kinds
    of a later version are left alone.
    """
    found: Any = connection.hkeys(_FAILURES)
    failing: dict[Work, set[int]] = {}
    for name in found:
        work, _, number = name.decode().partition("-")
        if work in {each.value for each in Work}:
            failing.setdefault(Work(work), set()).add(int(number))
    over = [str(Piece(work, each)) for work, ids in failing.items() for each in ids.difference(pending[work](ids))]
    if over:
        connection.hdel(_FAILURES, *over)


def note_sweep(connection: Redis) -> None:
    """A sweep has come to its end."""
    connection.set(_SWEPT, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f%z}")


def swept_at(connection: Redis) -> datetime | None:
    """When the last sweep came to its end; None: none has since Redis was emptied."""
    said: Any = connection.get(_SWEPT)
    return None if said is None else datetime.fromisoformat(said.decode())


def _mark(piece: Piece) -> str:
    return f"king:handed-out:{piece}"
