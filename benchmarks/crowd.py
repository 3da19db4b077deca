"""Many bots connected and many tables begun at once, and what is said to those for whom there is no room.

Run as `python -m benchmarks.crowd --bots 200 --tables 500`. Bots are tasks with a connection each, at a real referee in
a process of its own; none answers before all are connected and all tables have begun, so that they are there at once.
Then everything is played out, and nobody may have failed. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc.aio

from benchmarks.arena import RefereeProcess, running_referee
from benchmarks.light_bots import SEATS, Scene, dialled, introduce, light_plan, play_lightly
from workers.referee_client import SittingError

CONTROL = "start=300s,inc=1s,bank=300s"
WITHIN_S = 240.0


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """What came of a crowd.

    Attributes:
        connected: bots connected at once.
        tables: tables begun and not over, at once.
        results: tables played to their end.
        decisions: answers given.
        faults: bots' failures, and void sittings.
        seconds: from the moment at which all were there.
        memory_bytes: the referee's anonymous memory: alone, with all there, and when all had gone.
        open_files: how many the referee had when all were there.
    """

    connected: int
    tables: int
    results: int
    decisions: int
    faults: tuple[str, ...]
    seconds: float
    memory_bytes: tuple[int, int, int]
    open_files: int


async def play_crowd(referee: RefereeProcess, *, bots: int, tables: int, seed: int = 1) -> Crowd:
    """Have so many bots (four a sitting) play so many tables, all at once."""
    scene = Scene()
    alone = referee.memory_bytes()
    sittings = bots // SEATS
    async with asyncio.TaskGroup() as group:
        for number in range(sittings):
            first, end = number * tables // sittings, (number + 1) * tables // sittings
            plan = light_plan(
                f"s{number}", tables=end - first, control=CONTROL, seed=seed, first_board=first + 1, live=True
            )
            group.create_task(play_lightly(referee.address, plan, scene))
        await scene.reach(connected=bots, tables=tables, within_s=WITHIN_S)
        full, open_files = referee.memory_bytes(), len(os.listdir(f"/proc/{referee.pid}/fd"))  # noqa: PTH208
        began = time.monotonic()
        scene.gate.set()
    return Crowd(
        connected=scene.most_connected,
        tables=scene.most_tables,
        results=scene.results,
        decisions=scene.decisions,
        faults=(*(f"{fault.kind}: {fault.detail}" for fault in scene.faults), *scene.voids),
        seconds=time.monotonic() - began,
        memory_bytes=(alone, full, referee.memory_bytes()),
        open_files=open_files,
    )


async def refused_sitting(referee: RefereeProcess, *, sittings: int) -> str:
    """What is said to the sitting that is one more than the referee takes; `sittings` is how many it takes."""
    scene = Scene()
    plans = [light_plan(f"r{number}", tables=1, control=CONTROL, live=True) for number in range(sittings)]
    tasks = [asyncio.create_task(play_lightly(referee.address, plan, scene)) for plan in plans]
    await scene.reach(connected=sittings * SEATS, tables=sittings, within_s=WITHIN_S)
    try:
        await play_lightly(referee.address, light_plan("one more", tables=1, control=CONTROL), scene)
    except SittingError as refusal:
        return str(refusal)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return ""


async def refused_bot(referee: RefereeProcess) -> str:
    """What is said to a bot whom no sitting expects."""
    async with dialled(referee.address) as call:
        try:
            await introduce(call, "a token of nobody")
            while isinstance(await call.read(), bytes):
                pass
        except grpc.aio.AioRpcError as error:
            return f"{error.code().name}: {error.details()}"
        return f"{(await call.code()).name}: {await call.details()}"


async def measure(*, bots: int, tables: int, seed: int) -> tuple[Crowd, str, str]:
    """Play the crowd at a referee of its own; then ask for more than it takes."""
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            crowd = await play_crowd(referee, bots=bots, tables=tables, seed=seed)
            return crowd, await refused_sitting(referee, sittings=64), await refused_bot(referee)


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if anybody failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", type=int, default=200, help="a multiple of four, at most 256: 64 sittings are taken")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given)
    crowd, sitting, bot = asyncio.run(measure(bots=options.bots, tables=options.tables, seed=options.seed))
    alone, full, after = (value / 1e6 for value in crowd.memory_bytes)
    sys.stdout.write(
        f"{crowd.connected} bots connected and {crowd.tables} tables begun at once\n"
        f"  {crowd.results} tables and {crowd.decisions:,} decisions in {crowd.seconds:.1f} s, "
        f"{crowd.decisions / crowd.seconds:,.0f} a second; failures: {len(crowd.faults)}\n"
        f"  the referee's memory: {alone:.0f} MB alone, {full:.0f} MB with all there, {after:.0f} MB afterwards; "
        f"{crowd.open_files} open files\n"
        f"one sitting more than 64: {sitting}\n"
        f"a bot that nobody expects: {bot}\n"
    )
    for fault in crowd.faults:
        sys.stdout.write(f"  failure: {fault}\n")
    whole = crowd.connected >= options.bots and crowd.tables >= options.tables and crowd.results == options.tables
    return 0 if whole and not crowd.faults and sitting and bot else 1


if __name__ == "__main__":
    sys.exit(main())
