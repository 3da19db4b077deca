"""The RQ worker: takes work from the queue and has each piece done by a process of its own, the horse.

Horses are forks of a worker that has loaded all they need and used none of it: to load it takes a second of CPU, and
gRPC bears a fork only before its first call. They die with the worker, bots die with their horse. All that RQ knows of
a job may be lost at any time: the store has the truth, and the sweep queues again.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import time
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from threading import Thread
from typing import Any

from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue
from rq.defaults import DEFAULT_WORKER_TTL
from rq.exceptions import InvalidJobOperation
from rq.executions import Execution
from rq.job import Job
from rq.worker import SpawnWorker, Worker

from league.errors import in_one_line
from league.store import Store
from workers import queueing
from workers.counts import WorkerCounts
from workers.logs import is_set_up, log_to_stderr
from workers.process_state import is_stopped
from workers.shim import die_with_parent
from workers.surroundings import tell_in_background
from workers.telling import is_foreseen, read_told
from workers.worker_settings import WorkerSettings

LOOK_EVERY_S = 5
"""How often a worker looks after its horse."""
HEARD_WITHIN_S = 90
"""A worker that is not heard for so long has no key in Redis any more, by Redis' own clock: it counts as gone.

RQ has the key of an idle one last `worker_ttl` and 60 s from each heartbeat, that of one at work 60 s and the time
between two looks. An idle one waits for work 15 s less than `worker_ttl`, then is heard: as RQ has it, every 405 s.
"""
STANDING_STILL_LOOKS = 3
"""A horse that is stopped at so many looks in a row is killed."""

_RHYTHM = {"job_monitoring_interval": LOOK_EVERY_S, "worker_ttl": HEARD_WITHIN_S - 60}
_PARENT = "KING_WORKER_PID"
_USED_BY_JOBS = ("workers.jobs", "league.ratings", "league.collusion", "scipy.special", "scipy.sparse.csgraph")
"""What jobs import, some of it late."""


def as_foreseen(record: logging.LogRecord) -> bool:
    """Have RQ say in a warning what it calls an error, with a traceback, though the queue is only away."""
    error = record.exc_info[1] if record.exc_info else None
    arguments = record.args if isinstance(record.args, tuple) else ()
    if record.levelno < logging.ERROR:
        return True
    if error is not None and is_foreseen(error):
        record.msg, record.args = f"{record.getMessage()} {in_one_line(error)}", ()
        record.exc_info = None
    elif not any(isinstance(each, RedisError) for each in arguments):
        return True
    record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True


class ArenaWorker(SpawnWorker):
    """A worker whose horses die with it, and that stands a Redis that was wiped or restarted."""

    max_connection_wait_time = 2.0
    _stood_still = 0
    """At how many looks in a row the horse was stopped by a signal."""

    def __init__(
        self,
        *arguments: Any,
        busy: Thread | None = None,
        counts: WorkerCounts | None = None,
        guard: AbstractContextManager[object] | None = None,
        **options: Any,
    ) -> None:
        """As in RQ, but that it looks after its horse, and is heard, more often.

        `busy` is a thread that imports and starts things for a while: what it holds at a fork nobody would let go.
        What is done goes into `counts`; `guard` is held during forks, so that a thread that holds it is at rest then.
        """
        super().__init__(*arguments, **{**_RHYTHM, **options})
        self.log.addFilter(as_foreseen)  # once, however many workers there are
        self._busy = busy
        self._counts = counts or WorkerCounts()
        self._guard = guard or nullcontext()

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Have a horse do the piece of work; mark it as handed out meanwhile."""
        piece = queueing.piece_of(job.id)
        queueing.mark_handed_out(self.connection, piece)
        self._sign_on_again()  # the horse looks there for its worker
        self._do_and_count(job, queue, piece)
        try:
            done = bool(job.is_finished)
        except InvalidJobOperation:  # Redis was wiped meanwhile, and knows of no mark either
            return
        if done:
            queueing.unmark(self.connection, piece)
        else:
            queueing.mark_failed(self.connection, piece)

    @property
    def connection_timeout(self) -> int:
        """How long Redis may take to answer: as long as in RQ, though a worker is heard more often."""
        return DEFAULT_WORKER_TTL

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Be heard; an idle one that Redis has forgotten signs on again."""
        if pipeline is None and not self.is_horse and not self.horse_pid:
            self._sign_on_again()
        super().heartbeat(timeout, pipeline)

    def _sign_on_again(self) -> None:
        """Sign on if Redis does not know of it: it was wiped, or this machine stood still for long."""
        listed = self.connection.sismember(self.redis_workers_keys, self.key)
        if not listed or not self.connection.hexists(self.key, "birth"):
            self.connection.delete(self.key)  # or it takes what is left of itself for another worker
            self.register_birth()  # type: ignore[no-untyped-call]

    def _do_and_count(self, job: Job, queue: Queue, piece: queueing.Piece) -> None:
        began_at, self._counts.busy = time.monotonic(), True
        try:
            super().execute_job(job, queue)
        finally:
            self._counts.busy = False
        self._counts.note(piece.work, time.monotonic() - began_at, read_told(job))

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork the horse, or spawn one while a thread is busy; it hears by the environment whose child it must be."""
        os.environ[_PARENT] = str(os.getpid())
        if self._busy is not None and self._busy.is_alive():
            super().fork_work_horse(job, queue)
        else:
            with self._guard:  # the horse keeps its copy held, and has no use for it
                Worker.fork_work_horse(self, job, queue)

    def maintain_heartbeats(self, job: Job, execution: Execution) -> None:
        """Look after the horse: one that a signal has stopped, and nobody lets go on, would be waited for for ever."""
        self._stood_still = self._stood_still + 1 if self.horse_pid and is_stopped(self.horse_pid) else 0
        if self._stood_still >= STANDING_STILL_LOOKS:
            self.log.warning("Worker %s: kills its horse, which stands still", self.name)
            self.kill_horse()
        try:
            super().maintain_heartbeats(job, execution)
        except RedisError as error:  # the horse can do without
            self.log.warning("Worker %s: no heartbeat: %s", self.name, error)

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """In the horse: die with the worker, then work."""
        die_with_parent(int(os.environ[_PARENT]), signal.SIGKILL)
        if not is_set_up():  # it was spawned
            log_to_stderr("worker", WorkerSettings.from_environment(os.environ).log)
        super().main_work_horse(job, queue)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log why a job failed: in a line where the error says what is wrong, else with the traceback, as RQ does."""
        error = exc_info[1]
        if is_foreseen(error):
            self.log.warning("Worker %s: job %s failed: %s", self.name, job.id, in_one_line(error))
            self.log.debug("Worker %s: where job %s failed", self.name, job.id, exc_info=error)
        else:
            super().handle_exception(job, *exc_info)

    def handle_warm_shutdown_request(self) -> None:
        """Ask the horse to give its work back; RQ then waits for its end."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        if self.horse_pid:
            self.kill_horse(signal.SIGTERM)

    def teardown(self) -> None:
        """Sign off, where there still is somebody to sign off with."""
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except RedisError as error:
            self.log.warning("Worker %s: ends without signing off: %s", self.name, error)


def run_worker(
    redis_url: str,
    settings: WorkerSettings,
    *,
    counts: WorkerCounts | None = None,
    guard: AbstractContextManager[object] | None = None,
    **work: Any,
) -> None:
    """Do work from the queue until SIGTERM or SIGINT; `counts` and `guard` are `ArenaWorker`'s, `work` is RQ's.

    Raises:
        RedisError: nobody answers at `redis_url`.
    """
    os.environ.update(settings.to_environment())
    connection = queueing.connect_for_long(redis_url)
    connection.ping()
    _load()
    busy = tell_in_background(lambda: Store.open(settings.database_url))
    queues = [queueing.work_queue(connection)]
    ArenaWorker(queues, connection=connection, busy=busy, counts=counts, guard=guard).work(**work)


def _load() -> None:
    """Load what jobs need, for all horses at once."""
    for name in _USED_BY_JOBS:
        import_module(name)
    gc.collect()
    gc.freeze()  # so that horses leave these pages as they are, and shared
