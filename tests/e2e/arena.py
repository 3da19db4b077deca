"""A platform of its own for one test: free ports, an own data folder, and eyes and hands for what runs in it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from league.model import Fault, Progress, Season
from league.store import Store
from referee.rules import parse_variant
from tests.workers.waiting import wait_until
from workers.shim import descendants

QUICK_BOTS = "lowest,highest,random,greedy"
DEADLINE_S = 120.0
_WORKER = "-m king_cli worker"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def command_line(pid: int) -> str:
    """The words of a process, or nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_horse(pid: int) -> bool:
    """Whether a process plays a sitting: forked by a worker, whose words it has, or started by one at its beginning."""
    words = command_line(pid)
    return (words.endswith(_WORKER) and command_line(parent_of(pid)).endswith(_WORKER)) or "main_work_horse" in words


def parent_of(pid: int) -> int:
    """The parent of a process; 0 if that is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def runs(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


class Arena:
    """Settings for one platform, and the commands of `king` under them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.http = f"127.0.0.1:{free_port()}"
        self.environment = os.environ | {
            "KING_DATA_DIR": str(folder / "king"),
            "KING_REFEREE": f"127.0.0.1:{free_port()}",
            "KING_HTTP": self.http,
            "KING_LEASE_SECONDS": "2",
            "KING_WORKERS": "2",
        }
        self._store: Store | None = None
        self.has_tools = False
        """Whether parts of a platform find compilers on their PATH: workers ask all of them for their versions."""

    def king(self, *arguments: str) -> str:
        """Run a command that ends well; return what it printed on standard output."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def king_error(self, *arguments: str) -> str:
        """Run a command that is wrong use; return what it printed on standard error."""
        done = self.run(*arguments)
        assert done.returncode == 2, done.stderr
        return done.stderr

    def king_no(self, *arguments: str) -> str:
        """Run a command whose answer is no; return what it printed on standard output."""
        done = self.run(*arguments)
        assert done.returncode == 1, done.stderr
        return done.stdout

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, however it ends."""
        return subprocess.run(
            [sys.executable, "-m", "king_cli", *arguments],
            env=self._environment(*arguments),
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
            cwd=self.folder,
        )

    def _environment(self, command: str = "", *_arguments: str) -> dict[str, str]:
        if self.has_tools or command not in {"league", "up"}:
            return self.environment
        return self.environment | {"PATH": str(Path(sys.executable).parent)}

    def king_json(self, *arguments: str) -> dict[str, Any]:
        """Run a command to its end; return the JSON that it printed."""
        value = json.loads(self.king(*arguments))
        assert isinstance(value, dict)
        return value

    @contextmanager
    def running(self, *arguments: str) -> Iterator[Platform]:
        """Run a command that goes on; it is killed with all it started when the block ends."""
        with (self.folder / "output.txt").open("a") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "king_cli", *arguments],
                env=self._environment(*arguments),
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
            )
        platform = Platform(process, self)
        try:
            yield platform
        finally:
            family = descendants(process.pid)
            process.kill()
            process.wait()
            wait_until(lambda: not any(runs(pid) for pid in family), what="the end of all that the platform started")

    def output(self) -> str:
        """What the commands that go on have said."""
        return (self.folder / "output.txt").read_text()

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store, without secrets; it stays open until `close`, for what waits looks at it often."""
        if self._store is None:
            self._store = Store.open(f"sqlite:///{self.folder}/king/league.sqlite3")
        yield self._store

    def close(self) -> None:
        """Close what is open of the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def the_season(self) -> Season | None:
        """The only season, if there is one yet."""
        if not (self.folder / "king" / "league.sqlite3").exists():
            return None
        with self.store() as store:
            if not store.is_current():
                return None
            seasons = store.seasons.all()
        assert len(seasons) <= 1
        return seasons[0] if seasons else None

    def progress(self) -> Progress | None:
        """How far the only season is, if it has begun."""
        season = self.the_season()
        if season is None or season.state == "planned":
            return None
        with self.store() as store:
            return store.seasons.progress(season.id)

    def faults(self) -> tuple[Fault, ...]:
        """The faults of the only season."""
        season = self.the_season()
        assert season is not None
        with self.store() as store:
            return store.results.faults(season.id)

    def wait_for_middle(self, after: int = 0) -> int:
        """Wait until more matches of the season are stored than `after`, but not all; return how many."""

        def are_stored() -> bool:
            now = self.progress()
            return now is not None and now.matches_stored > after

        wait_until(are_stored, seconds=DEADLINE_S, what="a match")
        progress = self.progress()
        assert progress is not None
        assert progress.matches_stored < progress.matches_planned, "too late for the middle: give it more boards"
        return progress.matches_stored

    def check_complete(self) -> None:
        """Check that every planned match is stored, each once."""
        season = self.the_season()
        assert season is not None
        with self.store() as store:
            check_played(store, season.id)


def check_played(store: Store, season_id: int) -> None:
    """Check that a season has ended, and every planned match of it is stored, each once."""
    season = store.seasons.get(season_id)
    progress = store.seasons.progress(season_id)
    matches = store.results.matches(season_id, limit=10_000)
    played = [(match.board, match.rotation) for match in matches]
    rotations = range(parse_variant(season.variant).seats)
    planned = {(board, rotation) for board in range(1, progress.boards_planned + 1) for rotation in rotations}
    assert sorted(played) == sorted(planned)
    assert all(sitting.state == "done" for sitting in store.sittings.of_season(season_id))
    assert season.state == "ended"


class Platform:
    """A running `king up` or `king league`, seen from outside."""

    def __init__(self, process: subprocess.Popen[bytes], arena: Arena) -> None:
        self.process = process
        self._arena = arena

    def family(self) -> list[int]:
        """The pids of all that it has started and that runs now."""
        return [pid for pid in descendants(self.process.pid) if runs(pid)]

    def find(self, matches: Callable[[str], bool]) -> list[int]:
        """The pids of its processes whose command line `matches`."""
        return [pid for pid in self.family() if matches(command_line(pid))]

    def parts(self, name: str) -> list[int]:
        """The pids of the parts `name`: "referee", "worker", "dashboard" or "valkey"."""
        if name == "valkey":
            return self.find(lambda words: "valkey-server" in words.partition(" ")[0])
        found = self.find(lambda words: words.endswith(f"-m king_cli {name}"))
        return [pid for pid in found if not is_horse(pid)]

    def horses(self) -> list[int]:
        """The pids of the processes that play sittings now."""
        return [pid for pid in self.family() if is_horse(pid)]

    def bots(self) -> list[int]:
        """The pids of the bots that play now."""
        return self.find(lambda words: words.endswith("bot.py") and "shim.py" not in words)

    def wait_for(self, pids: Callable[[], list[int]], what: str) -> int:
        """The first of `pids()`, once there is one."""
        found: list[int] = []

        def there() -> bool:
            found[:] = pids()
            return bool(found)

        wait_until(there, seconds=DEADLINE_S, what=what)
        return found[0]

    def wait_for_end(self) -> int:
        """Its exit status once it has ended."""
        return self.process.wait(DEADLINE_S)


def kill(pid: int) -> None:
    """SIGKILL."""
    os.kill(pid, signal.SIGKILL)
