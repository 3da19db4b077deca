"""A PostgreSQL of the tests' own, for each process that asks: on a socket in a temporary folder, and ended with it.

Its text is sorted as people sort it, not by code points as SQLite sorts: what relies on that is to show.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from psycopg import Connection

OWNER = "king"
READY_S = 60
_SOCKET = "KING_TEST_POSTGRESQL"
_SETTINGS = {
    "listen_addresses": "",
    "jit": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "log_min_messages": "fatal",
}
_FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
"""What a server does without that need not outlive its machine, nor live long."""
_USERS = ("postgres", "nobody")
_started: list[PostgreSql] = []
_GUARD = 'exec 3<&0; { "$@" 3<&- & cat <&3 >/dev/null; kill -INT $!; wait $!; } </dev/null &'
"""Runs a command until nobody holds the other end of its standard input."""


class PostgreSql:
    """A server with its databases; the process that made it ends it."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        """It is in `folder`; `durable`: what it says that it has written is on the disk."""
        self.folder = folder
        self._durable = durable
        self._store = folder / "store"
        self._hold: IO[bytes] | None = None

    def start(self) -> None:
        """Start it, as nobody's child; it ends when this process lets go of a pipe, or ends, however that comes."""
        settings = {**_SETTINGS, **({} if self._durable else _FORGETFUL), "unix_socket_directories": str(self.folder)}
        chosen = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        server = [*as_its_user(), str(program("postgres")), "-D", str(self._store), *chosen]
        with (self.folder / "log").open("ab") as log:
            guard = subprocess.Popen(["sh", "-c", _GUARD, "sh", *server], stdin=subprocess.PIPE, stdout=log, stderr=log)
        self._hold = guard.stdin
        guard.wait()
        self._wait()

    def stop(self) -> None:
        """End it, and all connections with it."""
        if self._hold is not None:
            self._hold.close()
            self._hold = None
        while (self._store / "postmaster.pid").exists():
            time.sleep(0.02)

    def remove(self) -> None:
        """End it, and remove what it kept."""
        self.stop()
        shutil.rmtree(self.folder)

    def cpu_s(self) -> float:
        """Seconds of CPU that its processes have used, those that have ended too."""
        pid = int((self._store / "postmaster.pid").read_text().split("\n", 1)[0])
        ended = _cpu_ticks(Path(f"/proc/{pid}/stat"), of_children=True)
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        running = sum(_cpu_ticks(Path(f"/proc/{each}/stat")) for each in children)
        return (ended + running) / os.sysconf("SC_CLK_TCK")

    def url(self, name: str) -> str:
        """The URL of a database, for SQLAlchemy."""
        return f"postgresql+psycopg://{OWNER}@/{name}?host={self.folder}"

    def has(self, name: str) -> bool:
        """Whether there is a database of this name."""
        with self.connect("postgres") as connection:
            return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is not None

    def create(self, name: str, template: str = "template1") -> None:
        """Make a database as a copy of another, to which nobody is connected."""
        self._run("CREATE DATABASE {} TEMPLATE {}", name, template)

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""
        self._run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def disconnect(self, name: str) -> None:
        """Cut all connections to a database."""
        with self.connect("postgres") as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))

    def connect(self, name: str) -> Connection:
        """A connection on which every statement is a transaction of its own."""
        import psycopg  # here, for most tests have no use for it

        return psycopg.connect(host=str(self.folder), user=OWNER, dbname=name, autocommit=True)

    def _run(self, statement: str, *names: str) -> None:
        from psycopg import sql

        with self.connect("postgres") as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _wait(self) -> None:
        from psycopg import OperationalError

        deadline = time.monotonic() + READY_S
        while True:
            try:
                self.connect("postgres").close()
                return
            except OperationalError:
                if time.monotonic() > deadline:
                    raise AssertionError(f"PostgreSQL did not begin: {(self.folder / 'log').read_text()}") from None
                time.sleep(0.05)


@cache
def postgresql() -> PostgreSql:
    """The server of this process, or of the process that started it."""
    if running := os.environ.get(_SOCKET):
        return PostgreSql(Path(running))
    server = PostgreSql(new_cluster())
    server.start()
    os.environ[_SOCKET] = str(server.folder)
    _started.append(server)
    return server


def end_postgresql() -> None:
    """End the server if this process has started it, and remove what it kept."""
    while _started:
        _started.pop().remove()


def require_postgresql() -> PostgreSql:
    """The same; the test is skipped, with the reason, where PostgreSQL is not installed."""
    if not is_installed():
        pytest.skip("no PostgreSQL in /usr/lib/postgresql or on the PATH (Debian: apt install postgresql)")
    return postgresql()


def is_installed() -> bool:
    """Whether there is a PostgreSQL here."""
    return _programs() is not None


def _cpu_ticks(stat: Path, *, of_children: bool = False) -> int:
    numbers = stat.read_text().rpartition(")")[2].split()
    return sum(map(int, numbers[11:15] if of_children else numbers[11:13]))


def _programs() -> Path | None:
    """The folder of the newest PostgreSQL."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def program(name: str) -> Path:
    """A program of PostgreSQL, which must be installed."""
    programs = _programs()
    if programs is None:
        raise AssertionError("PostgreSQL is not installed (Debian: apt install postgresql)")
    return programs / name


def as_its_user() -> list[str]:
    """The words before a command that have it run as a user who may: PostgreSQL refuses to run as root."""
    user = _user()
    return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] if user else []


def _user() -> str:
    """The user as whom PostgreSQL runs, by number; empty: as who runs the tests."""
    import pwd

    if os.getuid() != 0:
        return ""
    return next(str(entry.pw_uid) for entry in pwd.getpwall() if entry.pw_name in _USERS)


def new_cluster(folder: Path | None = None) -> Path:
    """Make what a server keeps, below a folder that becomes its user's: this one, or a new one. Returns it."""
    folder = folder or Path(tempfile.mkdtemp(prefix="king-pg-"))
    if user := _user():
        os.chown(folder, int(user), -1)
    words = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"]
    quiet = ["--auth=trust", f"--username={OWNER}", "--no-sync", "--no-instructions"]
    command = [*as_its_user(), str(program("initdb")), "-D", str(folder / "store"), *words, *quiet]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise AssertionError(f"initdb: {made.stdout}{made.stderr}")
    return folder
