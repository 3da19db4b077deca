"""The queue of work is a convenience that may lose or repeat everything."""

from __future__ import annotations

import socket

from redis import Redis

from workers.queueing import (
    Piece,
    Work,
    connect_for_long,
    mark_failed,
    mark_handed_out,
    piece_of,
    queue_work,
    unmark,
    work_queue,
)

SEVENTH = Piece(Work.SITTING, 7)


def sittings(*ids: int) -> tuple[Piece, ...]:
    return tuple(Piece(Work.SITTING, each) for each in ids)


def test_queueing_twice_is_harmless(valkey: Redis) -> None:
    """A sitting that waits in the queue is not put there again."""
    queue = work_queue(valkey)
    assert queue_work(queue, Work.SITTING, [1, 2]) == sittings(1, 2)
    assert queue_work(queue, Work.SITTING, [1, 2, 3]) == sittings(3)
    assert [piece_of(job) for job in queue.get_job_ids()] == [*sittings(1, 2, 3)]


def test_kinds_of_work_are_told_apart(valkey: Redis) -> None:
    """A submission may have the id of a sitting, and goes before it, for somebody waits."""
    queue = work_queue(valkey)
    queue_work(queue, Work.SITTING, [7])
    assert queue_work(queue, Work.SUBMISSION, [7]) == (Piece(Work.SUBMISSION, 7),)
    assert [piece_of(job) for job in queue.get_job_ids()] == [Piece(Work.SUBMISSION, 7), SEVENTH]
    mark_handed_out(valkey, Piece(Work.CHALLENGE, 8))
    assert queue_work(queue, Work.SITTING, [8]) == sittings(8)


def test_wiped_queue_is_filled_again(valkey: Redis) -> None:
    """After Redis was wiped, everything that is due is queued again."""
    queue = work_queue(valkey)
    queue_work(queue, Work.SITTING, [1, 2])
    valkey.flushall()
    assert queue_work(queue, Work.SITTING, [1, 2]) == sittings(1, 2)


def test_handed_out_sitting_is_left_alone(valkey: Redis) -> None:
    """A sitting that a worker has just taken is not queued again until it is let go."""
    queue = work_queue(valkey)
    mark_handed_out(valkey, SEVENTH)
    assert queue_work(queue, Work.SITTING, [7]) == ()
    unmark(valkey, SEVENTH)
    assert queue_work(queue, Work.SITTING, [7]) == (SEVENTH,)


def test_pause_grows_while_a_sitting_fails(valkey: Redis) -> None:
    """Each failure in a row makes the pause longer, up to a minute; once it has gone well, it starts over."""
    pauses = [mark_failed(valkey, SEVENTH).total_seconds() for _ in range(7)]
    assert pauses == [3, 6, 12, 24, 48, 60, 60]
    assert queue_work(work_queue(valkey), Work.SITTING, [7]) == ()
    unmark(valkey, SEVENTH)
    assert mark_failed(valkey, SEVENTH).total_seconds() == 3


def test_worker_does_not_wait_for_a_host_that_is_gone(valkey_url: str) -> None:
    """Who waits for work asks the server's host for signs of life, idle or not; over a socket there is no need."""
    options = connect_for_long("redis://127.0.0.1:6379/0").connection_pool.connection_kwargs["socket_keepalive_options"]
    assert {socket.TCP_KEEPIDLE, socket.TCP_USER_TIMEOUT} <= options.keys()
    with connect_for_long(valkey_url) as over_socket:
        assert over_socket.ping()
