"""The sweep that goes on beside the platform never ends, whatever goes wrong in it, and clears up behind itself."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis
from structlog.testing import capture_logs

from league.audit_log import Actor, Via
from league.errors import LeagueError
from league.store import Store, utc_now
from tests.league.leagues import claimed, started
from tests.workers.stores import LEASE, open_store
from tests.workers.waiting import wait_until_async
from workers.queueing import Piece, Work, failures_in_a_row, forget_failures, mark_failed, unmark, work_queue
from workers.sweep import sweep, sweep_for_ever


def test_sweep_goes_on_after_any_error() -> None:
    """A sweep that fails warns of it once, goes on with the next beat, and says when it works again."""
    errors: list[Exception] = [LeagueError("the database\nis locked"), KeyError("x")]
    lines: list[tuple[str, str]] = []

    def sweep_once() -> None:
        if errors:
            raise errors.pop(0)

    async def scene() -> None:
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(
                sweep_once,
                lambda line: lines.append(("info", line)),
                lambda line: lines.append(("warning", line)),
                timedelta(milliseconds=1),
            )
        )
        await wait_until_async(lambda: len(lines) == 2 or sweeping.done())
        sweeping.cancel()

    asyncio.run(scene())
    assert lines == [
        ("warning", "the sweep fails and goes on trying: LeagueError: the database is locked"),
        ("info", "the sweep works again"),
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


def test_failures_of_a_kind_that_nobody_here_knows_stay(valkey: Redis) -> None:
    """In the middle of an upgrade newer parts may have other work: theirs is theirs to forget."""
    valkey.hset("king:failures", "dance-7", 3)
    forget_failures(valkey, {})
    assert failures_in_a_row(valkey) == 3


@pytest.mark.slow
def test_claims_that_are_taken_back_are_told_of(store: Store, valkey: Redis, tmp_path: Path) -> None:
    """The log has a line for each silent claim that a sweep ends, whatever kind of work it is, with its number."""
    started(store)
    queue = work_queue(valkey)
    sitting = claimed(store, store.sittings.due()[0], "host:7")
    by = Actor(name="Ann", via=Via.WEB)
    submission, _ = store.submissions.receive(owner="Ann", file_name="owl.zip", content=b"zip", by=by)
    assert store.submissions.claim(submission.id, "host:8") is not None
    later = open_store(tmp_path, lambda: utc_now() + 2 * LEASE)
    with capture_logs() as logged:
        sweep(store, queue, patient=False)
        assert logged == []
        sweep(later, queue, patient=False)
        sweep(later, queue, patient=False)
    later.close()
    event = {"event": "a silent claim is taken back", "log_level": "warning"}
    assert logged == [
        {**event, "sitting": str(sitting.sitting), "attempt": 1, "worker": "host:7"},
        {**event, "submission": submission.id, "attempt": 1, "worker": "host:8"},
    ]
    told: list[str] = []
    claimed(store, sitting.sitting, "host:9")
    even_later = open_store(tmp_path, lambda: utc_now() + 4 * LEASE)
    sweep(even_later, queue, patient=False, tell=lambda taken: told.append(str(taken)))
    even_later.close()
    assert told == [f"sitting {sitting.sitting} is taken back: host:9, at attempt 3, was not heard of"]
