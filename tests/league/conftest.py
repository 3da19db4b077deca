"""What the tests of the league share: an empty store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.accounts import Account
from league.store import Store
from tests.league.leagues import Clock, database_url, open_store
from tests.league.people import CHEAP, HERE, PASSWORD


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """An empty store in a file, with its vault, on a clock that stands still."""
    opened = open_store(tmp_path, clock)
    yield opened
    opened.close()


@pytest.fixture
def arena(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """A store without its vault, whose passwords are hashed cheaply."""
    open_store(tmp_path, clock).close()
    opened = Store.open(database_url(tmp_path), clock=clock, passwords=CHEAP)
    yield opened
    opened.close()


@pytest.fixture
def anna(arena: Store) -> Account:
    """An account with a password."""
    return arena.accounts.sign_up("Anna", PASSWORD, address=HERE)
