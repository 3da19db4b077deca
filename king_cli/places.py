"""Where things are, as the settings say: opens the store, names Redis, counts the workers."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from king_cli.settings import Settings
from workers.data_folder import DataFolder

if TYPE_CHECKING:
    from league.store import Store


def open_league(settings: Settings, *, secrets: bool) -> Store:
    """The store, brought up to date; with `secrets`, also what the dashboard must never see.

    Raises:
        LeagueError: it cannot be opened.
        FolderError: the data folder cannot be made.
    """
    from league.store import Store, Vault

    DataFolder(settings.data_dir).subfolder(".")
    vault = Vault.open(vault_url(settings)) if secrets else None
    store = Store.open(settings.database_url, vault=vault, lease=timedelta(seconds=settings.lease_seconds))
    store.migrate()
    return store


def vault_url(settings: Settings) -> str:
    """Where the secrets are."""
    from league.store import vault_url_beside

    return vault_url_beside(settings.database_url, settings.data_dir)


def redis_url(settings: Settings) -> str:
    """The Redis of the settings, or the one that `king up` starts in the data folder."""
    return settings.redis_url or f"unix://{DataFolder(settings.data_dir).socket('valkey')}"


def worker_count(settings: Settings) -> int:
    """How many workers to run here."""
    return settings.workers or len(os.sched_getaffinity(0))
