"""What a table takes of the referee's memory while it is played, and what a match leaves behind.

Run as `python -m benchmarks.memory`. The same bots sit at few tables and at many (`crowd`), each at a referee of its
own, all begun before any answers: the difference is what a table takes. Then sittings of one table follow each other
(`memory_slope`, which with thousands of them is the exact measurement): the slope is what a match leaves. The ceiling
is the record of a match, which has to be in memory as it grows. Owns the comparison only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.arena import running_referee
from benchmarks.crowd import Crowd, play_crowd
from benchmarks.memory_slope import Slope, referee_slope
from referee.random_match import random_match
from referee.rules import parse_variant, record_text

BOTS = 32


async def crowd_of(tables: int) -> Crowd:
    """So many tables begun at once, at a referee of their own."""
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            crowd = await play_crowd(referee, bots=BOTS, tables=tables)
    if crowd.faults or crowd.results != tables:
        raise RuntimeError(f"{crowd.results} tables of {tables}: {crowd.faults[:1]}")
    return crowd


async def slope_of_sittings(sittings: int) -> Slope:
    """What matches leave behind at a referee."""
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            return await referee_slope(referee, sittings=sittings, seed=1)


async def measure(*, few: int, many: int, sittings: int) -> dict[str, float]:
    """All figures, in bytes."""
    small, large = await crowd_of(few), await crowd_of(many)
    slope = await slope_of_sittings(sittings)
    record = len(record_text(random_match(parse_variant("russian-14"), 1)).encode())
    a_table = (large.memory_bytes[1] - small.memory_bytes[1]) / (large.tables - small.tables)
    return {
        "referee_bytes": float(small.memory_bytes[0]),
        "bytes_per_table": a_table,
        "record_json_bytes": float(record),
        "ratio_to_record": a_table / record,
        "bytes_left_per_match": slope.bytes_a_sitting,
    }


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures."""
    parser = argparse.ArgumentParser(description="What a table takes of the referee's memory")
    parser.add_argument("--few", type=int, default=32, help="tables")
    parser.add_argument("--many", type=int, default=288, help="tables")
    parser.add_argument("--sittings", type=int, default=600, help="one after the other")
    options = parser.parse_args(arguments)
    found = asyncio.run(measure(few=options.few, many=options.many, sittings=options.sittings))
    for key, value in found.items():
        sys.stdout.write(f"memory {key:32} {value:16,.2f}\n")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
