"""The RQ jobs: they take ids, fetch, call and save.

A second run of any of them is harmless: the store gives a piece of work to one claim at a time, and none once it is
done.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from rq import get_current_job

from league.store import Store, Vault
from workers.choosing import Stages
from workers.claimed import play_from_store
from workers.data_folder import DataFolder
from workers.finding import Referees, split_referees
from workers.launchers import Launchers
from workers.queueing import work_queue
from workers.referee_client import HandedBackError
from workers.sandbox import SandboxError
from workers.submitted import SubmittedBots
from workers.sweep import sweep
from workers.telling import HANDED_BACK, LOST, note_outcome, telling
from workers.worker_settings import WorkerSettings

_LOG = logging.getLogger(__name__)


@telling
def play_sitting(sitting: int) -> None:
    """Play the sitting with this id, queue what can be played now that it is over, keep its season's past."""
    store, settings = _surroundings()
    submitted, stage = _submitted_bots(store, settings), _stages(settings)
    play = play_from_store(
        store, sitting, stage=stage, lease=settings.lease, redis_url=settings.redis_url, submitted=submitted
    )
    _do(store, play)
    store.histories.catch_up(store.sittings.get(sitting).season)


@telling
def work_on_submission(submission: int) -> None:
    """Build and check the submission with this id and have its bot play, then queue what can be done now."""
    from workers.gate import gate_here  # here, for sittings do without the check
    from workers.submitting import work_from_store

    store, settings = _surroundings()
    try:
        gate = gate_here(settings.data_dir, _submitted_folder(settings), store.archives.read, _stages(settings))
    except SandboxError as error:
        store.submissions.put_off(submission, str(error))
        raise
    _do(store, work_from_store(store, submission, gate=gate, lease=settings.lease))
    _submitted_bots(store, settings).forget_others(store.archives.kept)


@telling
def play_challenge(board: int) -> None:
    """Play the challenge with this id, then queue what can be done now that it is over."""
    from workers.challenging import play_challenge_from_store

    store, settings = _surroundings()
    submitted, stage = _submitted_bots(store, settings), _stages(settings)
    _do(store, play_challenge_from_store(store, board, submitted=submitted, stage=stage, lease=settings.lease))


def open_store(settings: WorkerSettings) -> Store:
    """The store with its secrets, which only workers and the organiser's commands open."""
    vault = Vault.open(settings.vault_url)
    return Store.open(settings.database_url, vault=vault, lease=settings.lease)


def _submitted_bots(store: Store, settings: WorkerSettings) -> SubmittedBots:
    """The submitted bots of this machine, whose archives the store has."""
    return SubmittedBots(_submitted_folder(settings), None, store.archives.read, hidden=(settings.data_dir,))


def _submitted_folder(settings: WorkerSettings) -> Path:
    return DataFolder(settings.data_dir).subfolder("submitted")


def _surroundings() -> tuple[Store, WorkerSettings]:
    settings = WorkerSettings.from_environment(os.environ)
    store = open_store(settings)
    store.check_schema()  # or a worker of the former version would go on, whatever a later one has made of the store
    return store, settings


def _stages(settings: WorkerSettings) -> Stages:
    referees = Referees(each=split_referees(settings.referees), control_key=settings.control_key, tls=settings.tls)
    return Stages(referees=referees, launching=Launchers(hidden=(settings.data_dir,), pods=settings.pods).at)


def _do(store: Store, work: Coroutine[Any, Any, bool]) -> None:
    """Do a piece of work to its end, or until a referee that goes away hands it back; queue what can be done now."""
    try:
        if not asyncio.run(_until_told_to_end(work)):
            note_outcome(LOST)
    except HandedBackError as error:
        note_outcome(HANDED_BACK)
        _LOG.info("given back at once: %s", error)
    job = get_current_job()
    if job is not None:
        sweep(store, work_queue(job.connection))


async def _until_told_to_end(work: Coroutine[Any, Any, bool]) -> bool:
    task = asyncio.current_task()
    assert task is not None
    # SIGTERM: give the work back instead of leaving it to its lease.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work
