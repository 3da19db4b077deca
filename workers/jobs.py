"""The RQ jobs: they take ids, fetch, call and save.

A second run of any of them is harmless: the store gives a sitting to one claim at a time, and none once it is done.
"""

from __future__ import annotations

import asyncio
import os
import signal

from rq import get_current_job

from league.store import Store, Vault
from workers.addresses import first_address
from workers.claimed import play_from_store
from workers.data_folder import DataFolder
from workers.launchers import launcher_for
from workers.queueing import work_queue
from workers.sitting import Stage
from workers.submitted import SubmittedBots
from workers.sweep import sweep
from workers.worker_settings import WorkerSettings


def play_sitting(sitting: int) -> None:
    """Play the sitting with this id, queue what can be played now that it is over, keep its season's past."""
    settings = WorkerSettings.from_environment(os.environ)
    store = open_store(settings)
    asyncio.run(_play(store, sitting, settings))
    job = get_current_job()
    if job is not None:
        sweep(store, work_queue(job.connection))
    store.histories.catch_up(store.sittings.get(sitting).season)


def open_store(settings: WorkerSettings) -> Store:
    """The store with its secrets, which only workers and the organiser's commands open."""
    vault = Vault.open(settings.vault_url)
    return Store.open(settings.database_url, vault=vault, lease=settings.lease)


async def _play(store: Store, sitting: int, settings: WorkerSettings) -> None:
    task = asyncio.current_task()
    assert task is not None
    # SIGTERM: give the sitting back instead of leaving it to its lease.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    stage = Stage(
        referee=first_address(settings.referee),
        control_key=settings.control_key,
        launcher=launcher_for(settings.referee, hidden=(settings.data_dir,)),
    )
    await play_from_store(
        store,
        sitting,
        stage=stage,
        lease=settings.lease,
        redis_url=settings.redis_url,
        submitted=submitted_bots(store, settings),
    )


def submitted_bots(store: Store, settings: WorkerSettings) -> SubmittedBots:
    """The submitted bots of this machine, whose archives the store has."""
    folder = DataFolder(settings.data_dir).subfolder("submitted")
    return SubmittedBots(folder, None, store.archives.read, hidden=(settings.data_dir,))
