"""Metrics are served on an address of their own: what a scrape gets, and what else does not get."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from itertools import count

import pytest
from prometheus_client.parser import text_string_to_metric_families

from king_cli import metrics_serving
from king_cli.errors import UsageError
from king_cli.metrics_serving import metrics, registry_of
from king_cli.settings import Settings, port_after
from league.metrics import Kept, LeagueMetrics
from league.store.gauges import LeagueGauges
from tests.e2e.arena import free_port


def get(address: str, path: str = "/metrics") -> str:
    """What is at a path there."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
        return str(answer.read().decode())


def test_a_scrape_is_told_the_process_the_build_and_the_work() -> None:
    """What is served is Prometheus' text format, with the standard metrics of a process and those of the part."""
    address = f"127.0.0.1:{free_port()}"
    gauges = LeagueGauges(matches_stored=7, sittings_due=2)
    with metrics(address, "sweep", LeagueMetrics(lambda: gauges)):
        families = {family.name: family for family in text_string_to_metric_families(get(address))}
    assert {"process_cpu_seconds", "king_build_info", "king_league_sittings_due"} <= set(families)
    (stored,) = families["king_league_matches_stored"].samples
    assert (stored.name, stored.value) == ("king_league_matches_stored_total", 7)
    (build,) = families["king_build_info"].samples
    assert (build.labels["part"], build.value) == ("sweep", 1)
    with pytest.raises(urllib.error.URLError):
        get(address)


def test_only_metrics_are_there() -> None:
    """Any other path is 404, and the guard is held while the answer is put together, not while it is sent."""
    address, guard = f"127.0.0.1:{free_port()}", threading.Lock()
    held: list[bool] = []

    def read() -> LeagueGauges:
        held.append(guard.locked())
        return LeagueGauges()

    with metrics(address, "sweep", LeagueMetrics(read, keep_s=0), guard=guard):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(address, "/")
        get(address)
        assert guard.acquire(timeout=10)
    assert held == [True]


def test_who_dials_and_asks_nothing_has_few_places_and_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a crowd the oldest are let go for the next, and who says a little now and then is let go all the same."""
    monkeypatch.setattr(metrics_serving, "_CLIENT_WAIT_S", 1.0)
    address = f"127.0.0.1:{free_port()}"
    host, port = address.split(":")
    before = threading.active_count()
    with metrics(address, "sweep"), contextlib.ExitStack() as crowd:
        dialled = [crowd.enter_context(socket.create_connection((host, int(port)), 10)) for _ in range(100)]
        assert "king_build_info" in get(address)
        assert threading.active_count() - before <= metrics_serving._CLIENTS_AT_MOST + 2
        assert dialled[0].recv(1) == b""
        slow = crowd.enter_context(socket.create_connection((host, int(port)), 10))
        with pytest.raises(OSError):
            for _ in range(100):
                slow.sendall(b"G")
                time.sleep(0.1)


def test_a_client_that_goes_is_no_failure(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    """Who resets its connection in the middle of an answer leaves no line in any log; what fails of ours does."""
    address = f"127.0.0.1:{free_port()}"
    host, port = address.split(":")
    with metrics(address, "sweep", LeagueMetrics(LeagueGauges, keep_s=0)):
        for _ in range(20):
            with socket.create_connection((host, int(port)), 10) as client:
                client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        get(address)
    assert capfd.readouterr().err == ""
    assert caplog.records == []


def test_an_address_in_use_is_said_with_its_setting() -> None:
    """A port that somebody has is named with the setting that chooses it; no address, no server."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(UsageError, match="KING_METRICS"), metrics(address, "sweep"):
            pass
    with metrics("", "sweep"):
        pass


def test_a_store_that_cannot_be_read_is_said_so(caplog: pytest.LogCaptureFixture) -> None:
    """A scrape does not fail with the store: it says that the store cannot be read, and no old numbers; the log why."""

    def fails() -> LeagueGauges:
        raise OSError("no disk")

    registry = registry_of("sweep", LeagueMetrics(fails, keep_s=0))
    assert registry.get_sample_value("king_league_up") == 0
    assert registry.get_sample_value("king_league_sittings_due") is None
    assert [record.getMessage() for record in caplog.records] == ["metrics cannot be read: OSError: no disk"]


def test_what_was_read_is_told_for_a_while() -> None:
    """Scrapes that come soon after each other cost one reading."""
    seconds, reading = iter((0.0, 9.0, 10.0, 10.0, 19.0, 21.0, 21.0)), count(1)
    kept = Kept(lambda: next(reading), keep_s=10, seconds=lambda: next(seconds))
    assert [kept.get() for _ in range(5)] == [1, 1, 2, 2, 3]


def test_parts_of_one_machine_have_a_port_each() -> None:
    """`king up` gives its parts the ports after its own; without an address nobody has one."""
    assert [port_after("127.0.0.1:9464", by) for by in (0, 1, 5)] == [
        f"127.0.0.1:{port}" for port in (9464, 9465, 9469)
    ]
    assert port_after("[::1]:9464", 1) == "[::1]:9465"
    assert not port_after("", 3)


def test_there_is_a_port_for_each_part() -> None:
    """Where the ports end, `king up` says so before it starts anything."""
    Settings(metrics="127.0.0.1:65530").check_metrics_ports(5)
    Settings().check_metrics_ports(5)
    with pytest.raises(UsageError, match=r"KING_METRICS is 127\.0\.0\.1:65530, .* at most 65529 for 6 parts"):
        Settings(metrics="127.0.0.1:65530").check_metrics_ports(6)
