"""A sitting played at a real referee by processes of bots, as a worker has it played, and what it took.

Owns the courses, which say how many bots and tables there are, and the playing of one. Compares nothing.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.arena import CONTROL_KEY, KeptFaults, RefereeProcess
from league.pairing import plan_season
from referee.dealing import LOCAL_SALT, local_secret
from workers.bots import BotProgram, find_bot
from workers.launcher import Launcher, LocalLauncher
from workers.live import Show, Watch
from workers.referee_client import PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

CONTROL = "start=30s,inc=100ms,bank=10s"
VARIANT = "russian-14"
SEATS = 4
LIGHT = Path(__file__).with_name("light_process.py")


@dataclass(frozen=True, kw_only=True)
class Course:
    """How a sitting is laid out: who sits at which table, and how many tables a bot takes at once."""

    name: str
    tables: tuple[tuple[int, ...], ...]
    table_limit: int

    @property
    def players(self) -> int:
        """How many bots there are."""
        return 1 + max(max(table) for table in self.tables)


def course_of(table_limit: int, tables: int) -> Course:
    """Four bots at so many tables, so many of them at once."""
    return Course(name=str(table_limit), tables=(tuple(range(SEATS)),) * tables, table_limit=table_limit)


def season_course(bots: int = 8) -> Course:
    """The first sitting of a season in which each set of four bots plays a board."""
    plan = plan_season([""] * bots, seats=SEATS, boards=1)
    tables = tuple(board.players for board in plan.boards if board.set_number == 1)
    return Course(name="season", tables=tables, table_limit=64)


@dataclass(frozen=True, kw_only=True)
class Played:
    """What came of a sitting: from its first table's beginning to its last record, which the worker has by then.

    `frames` were handed over with requests; `referee_cpu_s` is from before its processes were asked for. Both times are
    of the monotonic clock.
    """

    decisions: int
    frames: float
    began_s: float
    ended_s: float
    referee_cpu_s: float

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.ended_s - self.began_s

    @property
    def decisions_a_second(self) -> float:
        """Of all bots together."""
        return self.decisions / self.seconds

    @property
    def cpu_us(self) -> float:
        """What the referee needs for a decision."""
        return self.referee_cpu_s / self.decisions * 1e6


class FirstTable(Show):
    """Notes when the first table of a live sitting begins, and shows nothing."""

    def __init__(self) -> None:
        """Before anything has begun."""
        self.began_s: float | None = None

    def begun(self, match_id: str) -> None:
        """As in `Show`."""
        del match_id
        self.began_s = self.began_s or time.monotonic()

    def over(self, match_id: str) -> None:
        """As in `Show`."""

    async def run(self, watch: Watch) -> None:
        """As in `Show`."""
        del watch
        await asyncio.Event().wait()


class KeptRecords(KeptFaults):
    """Keeps records as a worker gets them; what is in them is counted when the time is taken."""

    def __init__(self) -> None:
        """Before any."""
        super().__init__()
        self.records: list[bytes] = []
        self.last_s = 0.0

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """Keep one."""
        del match_id
        self.records.append(record)
        self.last_s = time.monotonic()


def light_bot(folder: Path, course: Course, *, keep: bool = False) -> BotProgram:
    """The lightest bot; it leaves its times, and with `keep` all that is said, in `folder`."""
    run = ("python", str(LIGHT), str(folder), str(course.table_limit), *(["keep"] if keep else []))
    return replace(find_bot("random"), run=run)


async def play_course(
    course: Course,
    programs: Sequence[BotProgram],
    referee: RefereeProcess,
    *,
    seed: int = 1,
    name: str = "decisions",
    launcher: Launcher | None = None,
) -> Played:
    """Play one sitting; `programs` are by player.

    Raises:
        SittingError: it could not be played.
        RuntimeError: a bot failed.
    """
    plan = SittingPlan(
        sitting=name,
        attempt=1,
        variant=VARIANT,
        time_control=CONTROL,
        players=tuple(PlayerPlan(f"bot-{player}", "1") for player in range(course.players)),
        tables=tuple(
            TablePlan(f"{name}-{board}", None, board, 0, local_secret(seed, board), LOCAL_SALT, players)
            for board, players in enumerate(course.tables, 1)
        ),
        live=True,
    )
    stage = Stage(referee=referee.address, control_key=CONTROL_KEY, launcher=launcher or LocalLauncher(referee.address))
    kept, show, before_s = KeptRecords(), FirstTable(), referee.cpu_s()
    await play_sitting(plan, programs, stage=stage, sink=kept, show=show)
    cpu_s = referee.cpu_s() - before_s
    if kept.faults or show.began_s is None:
        raise RuntimeError(f"a bot failed: {kept.faults}")
    decisions, frames = _counted(kept.records)
    return Played(decisions=decisions, frames=frames, began_s=show.began_s, ended_s=kept.last_s, referee_cpu_s=cpu_s)


def _counted(records: Sequence[bytes]) -> tuple[int, float]:
    """How many decisions records have, and how many frames asked for them."""
    actions = [action for record in records for deal in json.loads(record)["deals"] for action in deal["actions"]]
    asked_with = [action["asked_with"] for action in actions if action["by"] == "bot"]
    return len(asked_with), sum(1 / count for count in asked_with)
