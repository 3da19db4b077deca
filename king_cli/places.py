"""Where things are, as the settings say: opens the store, names Redis, counts the workers."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from king_cli.errors import UsageError
from king_cli.settings import Settings
from workers.data_folder import DataFolder

if TYPE_CHECKING:
    from league.store import Store

HOW_TO_BEGIN = (
    "make a season with `king season create` or `make league`, or name the data folder of one with KING_DATA_DIR"
)


def open_league(settings: Settings, *, secrets: bool) -> Store:
    """The store, brought up to date; with `secrets`, also what the dashboard must never see.

    Raises:
        LeagueError: it cannot be opened.
        FolderError: the data folder cannot be made.
        UsageError: its secrets are elsewhere, and the settings do not say where.
    """
    from league.store import Store, Vault

    DataFolder(settings.data_dir).subfolder(".")
    if secrets:
        _check_vault(settings)
    vault = Vault.open(vault_url(settings)) if secrets else None
    store = Store.open(settings.database_url, vault=vault, lease=timedelta(seconds=settings.lease_seconds))
    store.migrate()
    return store


def _check_vault(settings: Settings) -> None:
    """Refuse to make a vault on this machine for a league of many that has one: its seasons could not be played.

    Raises:
        UsageError: it would be made.
        LeagueError: the store cannot be opened.
    """
    from league.store import Store

    if settings.vault_url or is_made(vault_url(settings)) or is_file(settings.database_url):
        return
    store = Store.open(settings.database_url)
    try:
        store.migrate()
        if store.listing.seasons(limit=1):
            raise UsageError(
                f"the store has seasons, but there is no vault with their secrets in {settings.data_dir}: "
                "name theirs with KING_VAULT_URL"
            )
    finally:
        store.close()


def open_existing_league(settings: Settings, *, secrets: bool) -> Store:
    """As `open_league`, for who has no use for an empty store: nothing is made.

    Raises:
        UsageError: there is no store yet.
        LeagueError: it cannot be opened.
    """
    if not has_store(settings):
        raise UsageError(f"there is no league in {settings.data_dir} yet: {HOW_TO_BEGIN}")
    return open_league(settings, secrets=secrets)


def has_store(settings: Settings) -> bool:
    """Whether the store has been made, as `is_made` says."""
    return is_made(settings.database_url)


def is_made(database_url: str) -> bool:
    """Whether a database has been made; of one that is not a file of ours, that is taken for granted."""
    file = _file_of(database_url)
    return file is None or file.exists()


def is_file(database_url: str) -> bool:
    """Whether a database is a file of SQLite's."""
    return _file_of(database_url) is not None


def _file_of(database_url: str) -> Path | None:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(database_url)
    except (ArgumentError, ValueError):
        return None  # opening it says what is wrong
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def is_played_here(settings: Settings) -> bool:
    """Whether the `king up` or `king league` that last began in the data folder is still there."""
    try:
        pid = int((settings.data_dir / "supervisor.pid").read_text(encoding="ascii"))
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass  # it is there, and somebody else's
    return True


def vault_url(settings: Settings) -> str:
    """Where the secrets are.

    Raises:
        UsageError: KING_VAULT_URL is no database URL, or the store's own.
    """
    from league.errors import LeagueError
    from league.store import vault_url_beside
    from league.store.database import parse_url

    if not settings.vault_url:
        return vault_url_beside(settings.database_url, settings.data_dir)
    try:
        parse_url(settings.vault_url)
    except LeagueError as error:
        raise UsageError(str(error).replace("KING_DATABASE_URL", "KING_VAULT_URL", 1)) from None
    if settings.vault_url == settings.database_url:
        raise UsageError("KING_VAULT_URL is the same as KING_DATABASE_URL: the dashboard would read the secrets there")
    return settings.vault_url


def redis_url(settings: Settings) -> str:
    """The Redis of the settings, or the one that `king up` starts in the data folder."""
    return settings.redis_url or f"unix://{DataFolder(settings.data_dir).socket('valkey')}"


def worker_count(settings: Settings) -> int:
    """How many workers to run here."""
    return settings.workers or len(os.sched_getaffinity(0))
