"""The sweep that goes on beside the platform never ends, whatever goes wrong in it, and clears up behind itself."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from redis import Redis

from league.audit_log import Actor, Via
from league.errors import LeagueError
from league.store import Store
from tests.league.leagues import claimed, started
from tests.workers.waiting import wait_until_async
from workers.queueing import Piece, Work, failures_in_a_row, forget_failures, mark_failed, unmark, work_queue
from workers.sweep import sweep, sweep_for_ever


def test_sweep_goes_on_after_any_error() -> None:
    """A sweep that fails says so once, goes on with the next beat, and says when it works again."""
    errors: list[Exception] = [LeagueError("the database\nis locked"), KeyError("x")]
    lines: list[str] = []

    def sweep_once() -> None:
        if errors:
            raise errors.pop(0)

    async def scene() -> None:
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(sweep_once, lines.append, timedelta(milliseconds=1))
        )
        await wait_until_async(lambda: len(lines) == 2 or sweeping.done())
        sweeping.cancel()

    asyncio.run(scene())
    assert lines == [
        "the sweep fails and goes on trying: LeagueError: the database is locked",
        "the sweep works again",
    ]


def fail(valkey: Redis, piece: Piece, times: int) -> None:
    """Have a piece of work fail again and again."""
    for _ in range(times):
        mark_failed(valkey, piece)


@pytest.mark.slow
def test_a_sweep_forgets_failures_of_what_nobody_tries_again(store: Store, valkey: Redis) -> None:
    """How often work failed is known while it waits or is done, and forgotten once its season or itself is over."""
    season, queue = started(store), work_queue(valkey)
    sitting = store.sittings.due()[0]
    by = Actor(name="Ann", via=Via.WEB)
    submission, _ = store.submissions.receive(owner="Ann", file_name="owl.zip", content=b"zip", by=by)
    fail(valkey, Piece(Work.CHALLENGE, 999), 7)
    fail(valkey, Piece(Work.SUBMISSION, 999), 6)
    fail(valkey, Piece(Work.SITTING, sitting), 5)
    fail(valkey, Piece(Work.SUBMISSION, submission.id), 4)
    sweep(store, queue)
    assert failures_in_a_row(valkey) == 5
    claimed(store, sitting)
    sweep(store, queue)
    assert failures_in_a_row(valkey) == 5
    store.seasons.end(season.id)
    sweep(store, queue)
    assert failures_in_a_row(valkey) == 4
    assert store.submissions.claim(submission.id, "worker 1") is not None
    sweep(store, queue)
    assert failures_in_a_row(valkey) == 4
    unmark(valkey, Piece(Work.SUBMISSION, submission.id))
    assert failures_in_a_row(valkey) == 0


@pytest.mark.slow
def test_failures_of_a_season_that_is_paused_are_forgotten(store: Store, valkey: Redis) -> None:
    """A sitting that is not due is not said to fail; when it is again, it begins anew."""
    season, queue = started(store), work_queue(valkey)
    fail(valkey, Piece(Work.SITTING, store.sittings.due()[0]), 5)
    store.seasons.pause(season.id)
    sweep(store, queue)
    assert failures_in_a_row(valkey) == 0


def test_nothing_is_asked_while_nothing_fails(valkey: Redis) -> None:
    """Sweeps come every second: without failures the store is not asked of any."""
    forget_failures(valkey, {})
    assert failures_in_a_row(valkey) == 0
