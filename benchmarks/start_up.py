"""How long a sitting takes to begin: from its job being queued to the first table, and the parts of that.

Run as `python -m benchmarks.start_up`; `--rounds 1` for a short one. On a running `king up`, a job that does nothing
says when its process began: what RQ and the fork of a horse take. Then, by turns, sittings of four sample bots are
claimed from a real store and begun at a real referee as a horse does it: bots in sandboxes of bubblewrap (said where
there is none), and the same bots as plain processes, the peer. The floor of both is four interpreters that import the
SDK at the same time. All medians, in milliseconds by the wall. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from uuid import uuid4

from redis import Redis

from benchmarks.arena import CONTROL_KEY, RefereeProcess, running_referee
from benchmarks.platforms import (
    TRIVIAL_BOTS,
    house_bots,
    planned_season,
    running_platform,
    sandbox_obstacle,
    submitted_bots,
)
from benchmarks.played import FirstTable
from benchmarks.ratings_scale import open_store
from league.model import BotVersion, SourceKind
from league.store import Store
from workers.bots import BotProgram, from_source
from workers.claimed import StoreSink, plan_of
from workers.data_folder import DataFolder
from workers.launcher import BotProcess, Launcher, Limits
from workers.launchers import launcher_for
from workers.queueing import work_queue
from workers.sitting import Stage, play_sitting
from workers.submitted import SubmittedBots

JOBS = 5
WITHIN_S = 60.0
IMPORT_SDK = "import king_bot.connection, grpc"


@dataclass
class TimedLauncher:
    """A launcher that notes when it was first asked, and how long each process took to run."""

    launcher: Launcher
    first_asked_s: float = 0.0
    taken_s: list[float] = field(default_factory=list)

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `Launcher`."""
        began = time.monotonic()
        self.first_asked_s = self.first_asked_s or began
        process = await self.launcher.start(bot, token, limits)
        self.taken_s.append(time.monotonic() - began)
        return process


def queued_ms(redis_url: str) -> float:
    """From a job being queued to its first statement in a horse."""
    queue = work_queue(Redis.from_url(redis_url))
    waits = []
    for number in range(JOBS + 1):
        began = time.monotonic()
        job = queue.enqueue_call("time.monotonic", job_id=f"sitting-{10**9 + number}-{uuid4().hex}", timeout=-1)
        while not job.is_finished:
            if time.monotonic() - began > WITHIN_S:
                raise RuntimeError(f"no worker has done a job within {WITHIN_S:g} s")
            time.sleep(0.002)
        waits.append(1000 * (float(job.return_value() or 0.0) - began))
    return median(waits[1:])  # the first finds the worker at its own start


async def begun(
    store: Store, bots: Sequence[BotVersion], referee: RefereeProcess, submitted: SubmittedBots, name: str
) -> dict[str, float]:
    """Claims and plays a sitting of one table; the times of its beginning, in milliseconds."""
    season = store.seasons.start(planned_season(store, bots, name=name, boards=1).id)
    launcher = TimedLauncher(launcher_for(referee.address))
    stage = Stage(referee=referee.address, control_key=CONTROL_KEY, launcher=launcher)
    show, began = FirstTable(), time.monotonic()
    claim = await asyncio.to_thread(store.sittings.claim, store.sittings.due(season.id)[0], "benchmark")
    assert claim is not None
    programs = [await _program(each.bot, each.label, submitted) for each in claim.players]
    claimed = time.monotonic()
    plan = replace(plan_of(claim), live=True)
    await play_sitting(plan, programs, stage=stage, sink=StoreSink(store, claim), show=show)
    store.seasons.end(season.id)
    assert show.began_s is not None
    return {
        "claim_ms": 1000 * (claimed - began),
        "referee_asks_ms": 1000 * (launcher.first_asked_s - claimed),
        "process_ms": 1000 * median(launcher.taken_s),
        "processes_to_table_ms": 1000 * (show.began_s - launcher.first_asked_s),
        "first_table_ms": 1000 * (show.began_s - began),
    }


async def _program(bot: BotVersion, label: str, submitted: SubmittedBots) -> BotProgram:
    if bot.source.kind is SourceKind.ARCHIVE:
        return replace(await submitted.program(bot.source.location, lambda text: None), name=label)
    return from_source(bot.source, name=label, version=bot.version)


async def sittings(folder: Path, rounds: int, *, sandboxed: bool) -> dict[str, dict[str, float]]:
    """The median parts of a beginning, of bots in sandboxes (if there are any) and of plain processes."""
    store = open_store(folder)
    plain = house_bots(store, TRIVIAL_BOTS)
    kinds = {"plain": plain, **({"sandboxed": submitted_bots(store, TRIVIAL_BOTS)} if sandboxed else {})}
    submitted = SubmittedBots(folder / "submitted", None, store.archives.read)
    (folder / "submitted").mkdir()
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    async with running_referee(folder) as referee:
        for number in range(rounds + 1):
            for kind, bots in kinds.items():
                parts = await begun(store, bots, referee, submitted, f"{kind} {number}")
                found[kind] += [parts] if number else []  # the first one builds, and fills caches
    store.close()
    return {kind: {name: median(one[name] for one in each) for name in each[0]} for kind, each in found.items()}


def imports_ms() -> float:
    """Four interpreters that import the SDK at the same time: the time to the last one's end."""
    began = time.monotonic()
    started = [subprocess.Popen([sys.executable, "-c", IMPORT_SDK]) for _ in TRIVIAL_BOTS]
    for process in started:
        if process.wait() != 0:
            raise RuntimeError("the SDK cannot be imported")
    return 1000 * (time.monotonic() - began)


def measured(rounds: int, *, sandboxed: bool) -> dict[str, float]:
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="king-bench-") as name, running_platform(Path(name), workers=1):
        queued = queued_ms(f"unix://{DataFolder(Path(name)).socket('valkey')}")
    with tempfile.TemporaryDirectory(prefix="king-bench-") as name:
        kinds = asyncio.run(sittings(Path(name), rounds, sandboxed=sandboxed))
    floor = median(imports_ms() for _ in range(rounds))
    ours = kinds["sandboxed" if sandboxed else "plain"]
    return {
        "queued_to_horse_ms": queued,
        **ours,
        "plain_process_ms": kinds["plain"]["process_ms"],
        "plain_first_table_ms": kinds["plain"]["first_table_ms"],
        "imports_of_four_ms": floor,
        "ratio_to_plain_processes": ours["first_table_ms"] / kinds["plain"]["first_table_ms"],
        "ratio_to_imports": ours["first_table_ms"] / floor,
        "sandboxed": float(sandboxed),
    }


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures."""
    parser = argparse.ArgumentParser(description="How long a sitting takes to begin")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    obstacle = sandbox_obstacle()
    if obstacle:
        sys.stdout.write(f"start-up: bots run as plain processes, since {obstacle}\n")
    found = measured(options.rounds, sandboxed=not obstacle)
    for key, value in found.items():
        sys.stdout.write(f"start-up {key:32} {value:10.2f}\n")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
