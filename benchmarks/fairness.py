"""Whether bots that answer at once ever overrun while other work keeps the machine busy.

Run as `python -m benchmarks.fairness --decisions 1000000 --seed 1`. A real referee, and bots as the worker starts them,
play sittings while so many other processes compute without end; it must come out that no clock ran out. What was given
back, and how near an overrun the clocks came, is what the referee's log says. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.arena import CONTROL_KEY, KeptFaults, RefereeProcess, running_referee
from referee.dealing import LOCAL_SALT, local_secret
from workers.bots import BotProgram, find_bot
from workers.launcher import SHIM, LocalLauncher
from workers.referee_client import PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

PATIENT = "start=30s,inc=100ms,bank=10s"
STRICT = "start=30s,inc=5ms,bank=200ms"
SAMPLE = "random"
SEATS = 4
_LIMITED = Path(__file__).with_name("limited_bot.py")


@dataclass
class Tally(KeptFaults):
    """What sittings left behind, as the worker sees it.

    Attributes:
        decisions: actions that bots were asked for and took.
        frames: how many frames asked for them.
        ms: what they were charged, by decision.
    """

    decisions: int = 0
    frames: float = 0
    ms: int = 0

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """Count what was decided in a match."""
        del match_id
        for deal in json.loads(record)["deals"]:
            for action in deal["actions"]:
                if action["by"] == "bot":
                    self.decisions += 1
                    self.frames += 1 / action["asked_with"]
                    self.ms += action["ms"]

    @property
    def overruns(self) -> int:
        """Clocks that ran out."""
        return sum(fault.kind == "timeout" for fault in self.faults)


@dataclass(frozen=True, kw_only=True)
class Course:
    """One way to play: its name, the time control, tables at once, and tables in a sitting."""

    name: str
    control: str
    table_limit: int
    tables: int


COURSES = (
    Course(name="many tables", control=PATIENT, table_limit=64, tables=64),
    Course(name="many tables, strict", control=STRICT, table_limit=64, tables=64),
    Course(name="one table at a time, strict", control=STRICT, table_limit=1, tables=24),
)


@contextmanager
def busy_machine(count: int) -> Iterator[None]:
    """So many processes that compute without end, each in a session of its own, as of another user."""
    command = [*SHIM, "exec", str(os.getpid()), sys.executable, "-c", "while True: pass"]  # they die with us
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def plan_of(number: int, course: Course, seed: int) -> SittingPlan:
    """The sitting with this number (from 1): boards of its own, the same four bots."""
    first = (number - 1) * course.tables + 1
    return SittingPlan(
        sitting=f"fairness-{number}",
        attempt=1,
        variant="russian-14",
        time_control=course.control,
        players=tuple(PlayerPlan(f"{SAMPLE}#{place}", "1") for place in range(SEATS)),
        tables=tuple(
            TablePlan(f"m{board}", None, board, 0, local_secret(seed, board), LOCAL_SALT, tuple(range(SEATS)))
            for board in range(first, first + course.tables)
        ),
    )


def program(table_limit: int) -> BotProgram:
    """The sample, limited to so many tables at once."""
    sample = find_bot(SAMPLE)
    return replace(sample, run=("python", str(_LIMITED), SAMPLE, str(table_limit)))


async def play(
    referee: RefereeProcess, course: Course, tally: Tally, *, decisions: int, seed: int, at_once: int
) -> int:
    """Play sittings, so many at once, until so many decisions are taken. Returns how many sittings that were."""
    stage = Stage(referee=referee.address, control_key=CONTROL_KEY, launcher=LocalLauncher(referee.address))
    programs = [program(course.table_limit)] * SEATS
    number = 0

    async def play_on() -> None:
        nonlocal number
        while tally.decisions < decisions:
            number += 1
            await play_sitting(plan_of(number, course, seed), programs, stage=stage, sink=tally)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(play_on())
    return number


async def run_course(course: Course, *, decisions: int, seed: int, busy: int, at_once: int) -> dict[str, float]:
    """Play one course at a referee of its own; what came of it."""
    tally = Tally()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="king-") as name, busy_machine(busy):
        async with running_referee(Path(name)) as referee:
            sittings = await play(referee, course, tally, decisions=decisions, seed=seed, at_once=at_once)
            ended = referee.sittings_ended()
    seconds = time.monotonic() - began
    for fault in tally.faults:
        sys.stderr.write(f"{course.name}: {fault.kind} of player {fault.player}: {fault.detail}\n")
    return {
        "decisions": tally.decisions,
        "sittings": sittings,
        "overruns": tally.overruns,
        "other_faults": len(tally.faults) - tally.overruns,
        "requests_a_frame": tally.decisions / tally.frames,
        "charged_s": tally.ms / 1000,
        **_times(ended),
        "decisions_a_second": tally.decisions / seconds,
    }


def _times(ended: Sequence[Mapping[str, str]]) -> dict[str, float]:
    return {
        "wait_returned_s": sum(int(each["wait_returned_ms"]) for each in ended) / 1000,
        "lag_returned_s": sum(int(each["lag_returned_ms"]) for each in ended) / 1000,
        "least_left_ms": min(int(each["least_left_ms"]) for each in ended),
    }


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=1_000_000, help="in the first course; others: a tenth")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=4, help="processes that compute without end")
    parser.add_argument("--at-once", type=int, default=2, help="sittings at once")
    parser.add_argument("--control", help="a time control for all courses")
    parser.add_argument("--course", help="only the courses whose name begins so, with all the decisions")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure, print, and end with 1 if a clock ran out."""
    options = arguments(given)
    measured: dict[str, Any] = {}
    for place, course in enumerate(COURSES):
        if options.course is not None and not course.name.startswith(options.course):
            continue
        decisions = options.decisions if options.course is not None or place == 0 else options.decisions // 10
        played = replace(course, control=options.control or course.control)
        found = asyncio.run(
            run_course(played, decisions=decisions, seed=options.seed, busy=options.busy, at_once=options.at_once)
        )
        measured[course.name] = found
        sys.stdout.write(f"{course.name} ({played.control}), {options.busy} busy processes\n")
        for name, value in found.items():
            sys.stdout.write(f"  {name.replace('_', ' '):22} {value:14,.1f}\n")
        sys.stdout.flush()
    return measured


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(1 if any(each["overruns"] for each in main().values()) else 0)
