"""The stores of tests of workers: with their secrets, and a lease that is soon over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from league.store import Store, Vault, utc_now, vault_url_beside
from tests.stores import database_url

LEASE = timedelta(seconds=2)


def open_store(folder: Path, clock: Callable[[], datetime] = utc_now) -> Store:
    """The store of a folder."""
    url = database_url(folder)
    return Store.open(url, vault=Vault.open(vault_url_beside(url, folder)), lease=LEASE, clock=clock)


@contextmanager
def new_store(folder: Path) -> Iterator[Store]:
    """The store of a folder that has none, closed in the end."""
    opened = open_store(folder)
    opened.migrate()
    yield opened
    opened.close()
