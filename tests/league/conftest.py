"""What the tests of the league share: an empty store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.store import Store
from tests.league.leagues import Clock, open_store


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
