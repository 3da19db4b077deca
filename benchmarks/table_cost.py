"""Whether a table costs the same as the first and as the five hundredth: CPU time of the referee for a decision.

Run as `python -m benchmarks.table_cost`. Bots are tasks of this process (`light_bots`), the referee is a process of its
own. First so many sittings of ten tables are played at once, in frames of about the same size; then one sitting of 500
tables, eight at a time, whose first and last hundred are compared. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.arena import RefereeProcess, running_referee
from benchmarks.light_bots import Scene, light_plan, play_lightly
from benchmarks.played import CONTROL

TABLES_A_SITTING = 10
_LONGEST_S = 600.0


async def cpu_at_once(referee: RefereeProcess, sittings: int, *, rounds: int) -> tuple[float, float]:
    """Microseconds of the referee for a decision, with so many sittings at once, begun anew so often; and how many
    requests a frame had.
    """
    scene, before_s = _open_scene(), referee.cpu_s()
    for turn in range(rounds):
        names = [f"{sittings}-{turn}-{number}" for number in range(sittings)]
        plans = [light_plan(name, tables=TABLES_A_SITTING, control=CONTROL) for name in names]
        await asyncio.gather(*(play_lightly(referee.address, plan, scene) for plan in plans))
    _check(scene, rounds * sittings * TABLES_A_SITTING)
    return (referee.cpu_s() - before_s) / scene.decisions * 1e6, scene.decisions / scene.frames


async def cpu_one_after_another(referee: RefereeProcess, tables: int) -> tuple[float, float]:
    """Microseconds of the referee for a decision at the first fifth of a sitting's tables, and at the last."""
    scene = _open_scene()
    plan = light_plan("long", tables=tables, control=CONTROL)
    playing = asyncio.create_task(play_lightly(referee.address, plan, scene, table_limit=8))
    marks = []
    async with asyncio.timeout(_LONGEST_S):
        for results in (tables // 25, tables // 5, tables * 4 // 5, tables * 24 // 25):
            while scene.results < results:
                scene.changed.clear()
                await scene.changed.wait()
            marks.append((referee.cpu_s(), scene.decisions))
    await playing
    _check(scene, tables)
    first, last = ((after[0] - before[0]) / (after[1] - before[1]) for before, after in (marks[:2], marks[2:]))
    return first * 1e6, last * 1e6


def _open_scene() -> Scene:
    scene = Scene()
    scene.gate.set()
    return scene


def _check(scene: Scene, tables: int) -> None:
    if scene.faults or scene.voids or scene.results != tables:
        raise RuntimeError(f"{scene.results} of {tables} tables, {scene.faults}, {scene.voids}")


async def measure(sittings: Sequence[int], tables: int) -> dict[str, float]:
    """All of it, at one referee."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            await cpu_at_once(referee, 1, rounds=1)  # whatever is made at first use is made now
            for count in sittings:
                rounds = max(1, sittings[-1] // count // 2)
                key = f"at_{count * TABLES_A_SITTING}_tables"
                cpu_us, asked_with = await cpu_at_once(referee, count, rounds=rounds)
                found |= {f"{key}_cpu_us": cpu_us, f"{key}_requests_a_frame": asked_with}
            first, last = await cpu_one_after_another(referee, tables)
    found["most_tables_ratio"] = cpu_us / found[f"at_{sittings[0] * TABLES_A_SITTING}_tables_cpu_us"]
    return {**found, "first_fifth_cpu_us": first, "last_fifth_cpu_us": last, "last_fifth_ratio": last / first}


def main(given: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sittings", default="1,5,50", help="at once, of ten tables each; %(default)s")
    parser.add_argument("--tables", type=int, default=500, help="in the long sitting")
    options = parser.parse_args(given)
    measured = asyncio.run(measure([int(text) for text in options.sittings.split(",")], options.tables))
    for name, value in measured.items():
        sys.stdout.write(f"{name.replace('_', ' '):32} {value:14,.2f}\n")
    return measured


if __name__ == "__main__":
    main()
