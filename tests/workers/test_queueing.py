"""The queue of sittings is a convenience that may lose or repeat everything."""

from __future__ import annotations

from redis import Redis

from workers.queueing import mark_failed, mark_handed_out, queue_sittings, sitting_of, sittings_queue, unmark


def test_queueing_twice_is_harmless(valkey: Redis) -> None:
    """A sitting that waits in the queue is not put there again."""
    queue = sittings_queue(valkey)
    assert queue_sittings(queue, [1, 2]) == (1, 2)
    assert queue_sittings(queue, [1, 2, 3]) == (3,)
    assert [sitting_of(job) for job in queue.get_job_ids()] == [1, 2, 3]


def test_wiped_queue_is_filled_again(valkey: Redis) -> None:
    """After Redis was wiped, everything that is due is queued again."""
    queue = sittings_queue(valkey)
    queue_sittings(queue, [1, 2])
    valkey.flushall()
    assert queue_sittings(queue, [1, 2]) == (1, 2)


def test_handed_out_sitting_is_left_alone(valkey: Redis) -> None:
    """A sitting that a worker has just taken is not queued again until it is let go."""
    queue = sittings_queue(valkey)
    mark_handed_out(valkey, 7)
    assert queue_sittings(queue, [7]) == ()
    unmark(valkey, 7)
    assert queue_sittings(queue, [7]) == (7,)


def test_pause_grows_while_a_sitting_fails(valkey: Redis) -> None:
    """Each failure in a row makes the pause longer, up to a minute; once it has gone well, it starts over."""
    pauses = [mark_failed(valkey, 7).total_seconds() for _ in range(7)]
    assert pauses == [3, 6, 12, 24, 48, 60, 60]
    assert queue_sittings(sittings_queue(valkey), [7]) == ()
    unmark(valkey, 7)
    assert mark_failed(valkey, 7).total_seconds() == 3
