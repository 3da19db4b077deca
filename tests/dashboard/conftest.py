"""What the dashboard's tests share: a league that has been played, and the dashboard serving it on a free port."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from bs4 import BeautifulSoup
from fastapi import FastAPI

from dashboard.app import create_app
from league.store import Store
from tests.dashboard.seasons import CYRILLIC_NAME, LONG_NAME, MARKUP_NAME, Clock, new_season, open_store, play
from tests.stores import database_url

NAMES = ("greedy", LONG_NAME, CYRILLIC_NAME, "lowest", MARKUP_NAME)


@dataclass(frozen=True)
class PlayedLeague:
    """A store with four seasons: over (with a forfeit), running and not public yet, planned, and of chosen deals."""

    store: Store
    clock: Clock
    over: int
    running: int
    planned: int
    chosen: int


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Generator[PlayedLeague, None, None]:
    """Seasons played once for all tests."""
    folder: Path = tmp_path_factory.mktemp("league")
    clock = Clock()
    store = open_store(folder, clock)
    over = new_season(store, NAMES, name="Autumn <i>2026</i>", variant="russian-14", boards=1)
    store.seasons.start(over)
    play(store, over, clock, forfeit=True)
    running = new_season(store, NAMES, name="Winter 2026", variant="russian-14", boards=1, sets=1)
    store.seasons.start(running)
    play(store, running, clock, sittings=2)
    chosen = new_season(store, NAMES[:4], name="Evening", variant="turkish-20", boards=2)
    store.seasons.start(chosen)
    play(store, chosen, clock)
    planned = new_season(store, NAMES[:4], name="Spring 2027", variant="russian-14", boards=1)
    reading = Store.open(database_url(folder), clock=clock)
    yield PlayedLeague(reading, clock, over, running, planned, chosen)
    reading.close()
    store.close()


STREAMS_END_S = 5
"""How long a server that ends waits for streams: a page that a failed test leaves open would hold it for ever."""


KEPT_ALIVE_S = 3600
"""A client of many tests is not to ask over a connection that is just being closed."""


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The app on a free port of this machine, as its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app,
            log_level="error",
            lifespan="off",
            timeout_graceful_shutdown=STREAMS_END_S,
            timeout_keep_alive=KEPT_ALIVE_S,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started:
            if not thread.is_alive():
                raise AssertionError("the server ended before it served")
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def site(played: PlayedLeague) -> Generator[str, None, None]:
    """The dashboard over the played league."""
    with serving(create_app(played.store, clock=played.clock)) as address:
        yield address


class Reader:
    """Reads pages and their twins, each as a reader who comes for the first time: no cookie is kept."""

    def __init__(self, address: str, language: str = "en") -> None:
        self._client = httpx.Client(
            base_url=address, follow_redirects=True, timeout=60, headers={"Accept-Language": language}
        )

    def answer(self, path: str, **headers: str) -> httpx.Response:
        self._client.cookies.clear()
        return self._client.get(path, headers=headers)

    def page(self, path: str, status: int = 200) -> BeautifulSoup:
        found = self.answer(path)
        assert found.status_code == status, f"{path}: {found.status_code}"
        assert found.headers["content-type"].startswith("text/html")
        return BeautifulSoup(found.text, "html.parser")

    def json(self, path: str, status: int = 200) -> Any:
        found = self.answer(path)
        assert found.status_code == status, f"{path}: {found.status_code}"
        assert "json" in found.headers["content-type"]
        return found.json()

    def close(self) -> None:
        self._client.close()


@pytest.fixture(scope="session")
def reader(site: str) -> Generator[Reader, None, None]:
    """A reader of the served dashboard."""
    found = Reader(site)
    yield found
    found.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium on this machine."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium, chromium-browser or google-chrome on the PATH")
    return found
