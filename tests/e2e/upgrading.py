"""A league in parts of two versions: this one, and a copy of it with one more migration, the next version.

Owns the copy, the parts as processes, and the seasons that they play. The sweep is the test's own, of this version.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from king_cli.leagues import create_season
from league.store import Store
from tests.e2e.arena import free_port
from workers.finding import Referees
from workers.queueing import connect, work_queue
from workers.sweep import sweep

ROOT = Path(__file__).resolve().parents[2]
NEXT_REVISION = "9999"
BOARDS = 8
AT_ONCE = 2
LOOK_EVERY_S = 0.05
TEND_EVERY_S = 0.5
DEADLINE_S = 120.0

_CONTROL_KEY = "control-key-of-this-test"
_PACKAGES = ("referee", "league", "workers", "dashboard", "king_cli", "king_env", "proto")
_MIGRATION = '''"""What the next version needs beside what there is."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{after}"
branch_labels = None
depends_on = None
breaks_older_code = False


def upgrade() -> None:
    op.create_table("moods", sa.Column("id", sa.Integer, primary_key=True), sa.Column("mood", sa.String(8)))
    for table in ("seasons", "sittings", "matches", "faults"):
        op.add_column(table, sa.Column("mood", sa.String(8), nullable=False, server_default="good"))


def downgrade() -> None:
    raise NotImplementedError
'''
_RAISE_SCHEMA = (
    "from king_cli.places import open_league; from king_cli.settings import read_settings; "
    "open_league(read_settings(), secrets=True).close()"
)
"""What the Job `king-migrate` runs."""
_BOT = """
import time
from king_bot import Bot, run


class Steady(Bot):

    def warm_up(self):
        self.count = {offset}

    def choose(self, table, actions):
        time.sleep(0.002)
        self.count += 1
        return self.count % len(actions)


run(Steady())
"""
_MANIFEST = 'name = "{name}"\nversion = "1"\nlanguage = "python"\nrun = ["python", "bot.py"]\nvariants = ["*"]\n'


def next_version(folder: Path, *, after: str) -> Path:
    """A copy of the source tree in `folder`, with a migration that follows the revision `after`."""
    for package in _PACKAGES:
        shutil.copytree(ROOT / package, folder / package)
    (folder / "sample_bots").symlink_to(ROOT / "sample_bots")
    migration = folder / "league/store/migrations/versions/9999_moods.py"
    migration.write_text(_MIGRATION.format(revision=NEXT_REVISION, after=after), encoding="utf-8")
    return folder


def bots(folder: Path) -> tuple[str, ...]:
    """Three bots that think for a moment, by their folders."""
    for offset, name in enumerate(("ash", "birch", "cedar")):
        (folder / name).mkdir(parents=True)
        (folder / name / "bot.toml").write_text(_MANIFEST.format(name=name), encoding="utf-8")
        (folder / name / "bot.py").write_text(_BOT.format(offset=offset), encoding="utf-8")
    return tuple(str(folder / name) for name in ("ash", "birch", "cedar"))


@dataclass
class Part:
    """A part that runs: `said` is where what it writes goes."""

    process: subprocess.Popen[bytes]
    said: Path

    def end(self) -> str:
        """Tell it to end, and wait until it has ended well; return what it has written."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(DEADLINE_S)
        written = self.said.read_text(encoding="utf-8")
        assert status == 0, written
        return written

    def kill(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()


@dataclass
class League:
    """A league of the test's own: parts by name, and seasons that are made as long as it `goes_on`."""

    folder: Path
    store: Store
    settings: dict[str, str]
    redis_url: str
    players: tuple[str, ...]
    parts: dict[str, Part] = field(default_factory=dict)
    seasons: list[int] = field(default_factory=list)
    goes_on: bool = True

    def __post_init__(self) -> None:
        """Choose addresses."""
        self.http = f"127.0.0.1:{free_port()}"
        self._referees = {name: f"unix:{self.folder}/{name}.sock" for name in ("referee-1", "referee-2")}
        self._metrics = {name: f"127.0.0.1:{free_port()}" for name in self._referees}
        self._queue = work_queue(connect(self.redis_url))
        self._found = Referees(each=tuple(self._referees.values()), control_key=_CONTROL_KEY)
        self._starts = 0
        self._tend_at = 0.0

    def start(self, name: str, tree: Path) -> None:
        """Start a part, "referee-1", "worker-1" or the like, of the version in `tree`."""
        self._starts += 1
        said = self.folder / f"{self._starts}-{name}.log"
        with said.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "king_cli", name.partition("-")[0]],
                env=self._environment(name, tree),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        self.parts[name] = Part(process, said)

    def raise_schema(self, tree: Path) -> None:
        """Have the version in `tree` bring the store to its schema."""
        command = [sys.executable, "-P", "-c", _RAISE_SCHEMA]
        subprocess.run(command, env=self._environment("", tree), check=True, timeout=DEADLINE_S)

    def close(self) -> None:
        """End what runs, workers first."""
        for name in sorted(self.parts, reverse=True):
            self.parts[name].kill()

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Go on, sweeping and making seasons, until something is so."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come about within {DEADLINE_S:g} s"
            for name, part in self.parts.items():
                assert part.process.poll() is None, f"{name} has ended: {part.said.read_text(encoding='utf-8')[-2000:]}"
            if time.monotonic() >= self._tend_at:
                self._tend()
            time.sleep(LOOK_EVERY_S)

    def _tend(self) -> None:
        sweep(self.store, self._queue, referees=self._found)
        if self.goes_on and sum(not self._is_over(season) for season in self.seasons) < AT_ONCE:
            self._begin_season()
        self._tend_at = time.monotonic() + TEND_EVERY_S

    def wait_for_matches(self, count: int) -> None:
        """Go on until so many more matches are stored."""
        before = self.stored
        self.wait_until(lambda: self.stored >= before + count, f"{count} more matches")

    def wait_for_tables(self, referee: str) -> None:
        """Go on until a referee has open tables."""
        self.wait_until(lambda: self._has_tables(referee), f"tables at {referee}")

    @property
    def stored(self) -> int:
        """How many matches are stored."""
        return sum(self.store.seasons.progress(season).matches_stored for season in self.seasons)

    @property
    def over(self) -> bool:
        """Whether all seasons have ended."""
        return all(map(self._is_over, self.seasons))

    def _has_tables(self, referee: str) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self._metrics[referee]}/metrics", timeout=10) as page:
                told = page.read().decode()
        except OSError:
            return False
        return re.search(r"^king_referee_tables [1-9]", told, re.MULTILINE) is not None

    def _is_over(self, season: int) -> bool:
        return self.store.seasons.get(season).state == "ended"

    def _begin_season(self) -> None:
        season = create_season(
            self.store,
            name=f"s{len(self.seasons)}",
            variant="classic[seats=3]",
            bots=self.players,
            boards=BOARDS,
            time_control="start=60s,inc=100ms,bank=10s",
            report=lambda line: None,
        )
        self.store.seasons.start(season.id)
        self.seasons.append(season.id)

    def _environment(self, name: str, tree: Path) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("KING_")}
        return ours | {
            "PATH": str(Path(sys.executable).parent),
            "PYTHONPATH": f"{tree}:{tree / 'proto'}",
            "KING_DATA_DIR": str(self.folder / "data"),
            "KING_REDIS_URL": self.redis_url,
            "KING_CONTROL_KEY": _CONTROL_KEY,
            "KING_REFEREE": self._referees.get(name, f"unix:{self.folder}/none.sock"),
            "KING_REFEREES": ";".join(self._referees.values()),
            "KING_HTTP": self.http,
            "KING_METRICS": self._metrics.get(name, ""),
            "KING_DRAIN_SECONDS": "60",
            **self.settings,
        }
