"""Several processes and threads at one store, and processes that die in the middle."""

from __future__ import annotations

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from league.errors import StaleAttemptError
from league.model import SeasonState, SittingState
from league.store import Store
from tests.league.leagues import BOTS, Clock, claimed, open_store, play_sitting, short_record, started
from tests.stores import ON_POSTGRESQL

pytestmark = pytest.mark.slow

SHORT_LEASE = timedelta(milliseconds=300)
SPAWN = get_context("spawn")


def work(store: Store, season: int, seed: int) -> None:
    """Plays what is due until the season is over; every now and then walks away from a sitting without a word."""
    draw = random.Random(seed)
    while store.seasons.get(season).state is not SeasonState.ENDED:
        time.sleep(0.01)
        for sitting in store.sittings.sweep():
            claim = store.sittings.claim(sitting, f"worker {seed}")
            if claim is None:
                continue
            leaves_after = draw.choice((1, 100, 100))
            try:
                for table in claim.tables[:leaves_after]:
                    store.results.commit(claim, short_record(claim, table))
                    store.results.commit(claim, short_record(claim, table))
                if leaves_after >= len(claim.tables):
                    store.sittings.finish(claim)
            except StaleAttemptError:
                continue


def work_in_process(folder: str, season: int, seed: int) -> None:
    store = open_store(Path(folder), lease=SHORT_LEASE)
    work(store, season, seed)
    store.close()


def check_season(store: Store, season: int) -> None:
    """Every planned match is there once, all counters agree with it, and rebuilding changes nothing."""
    rows = store.results.matches(season, limit=10_000)
    planned = {(board.number, rotation) for board in store.seasons.boards(season) for rotation in range(4)}
    assert sorted((row.board, row.rotation) for row in rows) == sorted(planned)
    assert sorted(row.number for row in rows) == list(range(1, len(planned) + 1))
    assert all(one.state is SittingState.DONE for one in store.sittings.of_season(season))
    assert all(one.stored_count == one.match_count for one in store.sittings.of_season(season))
    progress = store.seasons.progress(season)
    assert progress.boards_over == progress.boards_planned
    ladder = store.standings.ladder(season)
    assert sum(row.entry.matches for row in ladder.rows) == 4 * len(planned)
    sums = store.standings.sums(season)
    store.results.rebuild(season)
    assert store.standings.sums(season) == sums


@pytest.mark.slow
def test_processes_that_walk_away_still_end_the_season_with_every_match_once(tmp_path: Path) -> None:
    """Three processes write at once, commit everything twice and abandon sittings; the lease brings them back."""
    store = open_store(tmp_path, lease=SHORT_LEASE)
    season = started(store, BOTS[:5], boards=1)
    workers = [SPAWN.Process(target=work_in_process, args=(str(tmp_path), season.id, seed)) for seed in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    check_season(store, season.id)
    store.close()


@pytest.mark.slow
def test_threads_can_share_one_store(tmp_path: Path) -> None:
    """Four threads with one store object do the same."""
    store = open_store(tmp_path, lease=SHORT_LEASE)
    season = started(store, BOTS[:5], boards=1)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work, store, season.id, seed) for seed in range(4)]:
            done.result()
    check_season(store, season.id)
    store.close()


def test_many_claimants_get_each_sitting_once(tmp_path: Path) -> None:
    """Of eight that ask at the same moment one gets it."""
    store = open_store(tmp_path)
    season = started(store, BOTS[:5])
    (first, *_) = store.sittings.due(season.id)
    with ThreadPoolExecutor(8) as pool:
        claims = list(pool.map(lambda n: store.sittings.claim(first, f"worker {n}"), range(8)))
    assert sum(claim is not None for claim in claims) == 1
    store.close()


def die_in_commit(folder: str, statement: int) -> None:
    """Claims a sitting, stores one result, and is killed at a statement of the second."""
    store = open_store(Path(folder))
    claim = claimed(store, store.sittings.due()[0])
    store.results.commit(claim, short_record(claim, claim.tables[0]))
    seen = 1 if ON_POSTGRESQL else 0  # of SQLite, BEGIN is a statement

    def count(*arguments: object) -> None:
        nonlocal seen
        seen += 1
        if seen == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store._database.engine, "before_cursor_execute", count)
    store.results.commit(claim, short_record(claim, claim.tables[1]))


@pytest.mark.parametrize("statement", [9, *(pytest.param(number, marks=pytest.mark.slow) for number in (2, 5, 13, 15))])
def test_a_process_killed_inside_a_commit_leaves_all_of_it_or_nothing(tmp_path: Path, statement: int) -> None:
    """The result it was storing is not there, nor is any counter moved; the next attempt stores it."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    season = started(store, BOTS[:4], boards=3, set_count=1)
    child = SPAWN.Process(target=die_in_commit, args=(str(tmp_path), statement))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert store.results.count(season.id) == 1
    assert sum(row.entry.matches for row in store.standings.ladder(season.id).rows) == 4
    clock.now = store.sittings.of_season(season.id)[0].lease_until or clock.now
    (again,) = store.sittings.sweep()
    claim = claimed(store, again)
    assert len(claim.tables) == 2
    assert store.results.commit(claim, short_record(claim, claim.tables[0]))
    assert store.sittings.get(again).stored_count == 2
    store.close()


@pytest.mark.slow
def test_a_result_that_comes_in_meanwhile_leaves_no_stale_crosstable(tmp_path: Path) -> None:
    """Whenever a result is stored while a crosstable is made, the next crosstable has it."""
    store, other = open_store(tmp_path), open_store(tmp_path)
    season = started(store, BOTS[:4], boards=1, set_count=1)
    for _ in range(3):
        play_sitting(store, store.sittings.due()[0])
    claim = claimed(store, store.sittings.due()[0])
    begun = 0

    def commit_before_the_second(connection: Connection) -> None:
        nonlocal begun
        del connection
        begun += 1
        if begun == 2:
            other.results.commit(claim, short_record(claim, claim.tables[0]))

    event.listen(store._database.engine, "begin", commit_before_the_second)
    store.standings.crosstable(season.id)
    assert store.standings.crosstable(season.id) == other.standings.crosstable(season.id)
    assert other.results.count(season.id) == 4
    assert begun == 2
    other.close()
    store.close()


@pytest.mark.sqlite("it reads plans as SQLite writes them; PostgreSQL reads small tables whole")
@pytest.mark.slow
def test_no_result_makes_the_store_read_a_whole_table(tmp_path: Path) -> None:
    """Claiming, storing and finishing find every row by an index, so they cost the same in a big store."""
    store = open_store(tmp_path)
    season = started(store, BOTS[:4], boards=2)
    plans: dict[str, list[str]] = {}

    def explain(connection: Connection, cursor: Any, statement: str, parameters: Any, *rest: object) -> None:
        del cursor, rest
        if statement.startswith(("SELECT", "UPDATE")) and statement not in plans:
            plans[statement] = []
            first = parameters[0] if isinstance(parameters, list) else parameters
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", first).all()
            plans[statement] = [row.detail for row in rows]

    event.listen(store._database.engine, "before_cursor_execute", explain)
    for _ in range(8):
        claim = claimed(store, store.sittings.due(season.id)[0])
        for table in claim.tables:
            store.results.commit(claim, short_record(claim, table))
        store.sittings.renew(claim)
        store.sittings.finish(claim)
    assert len(plans) > 25
    steps = [(step, statement) for statement, plan in plans.items() for step in plan]
    assert [found for found in steps if "SCAN" in found[0] and found[0] != "SCAN CONSTANT ROW"] == []
    store.close()
