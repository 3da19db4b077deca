"""Whether two referees do twice the matches of one, each process held to a share of one core.

Run as `python -m benchmarks.two_referees`. By turns one referee plays a sitting of four light bots, and two do with
four bots each; every referee and every bot is held to 0.4 of a core (`held`). Compared are matches a second, and the
CPU time that a referee needs for a decision. Owns the comparison only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

from benchmarks.arena import RefereeProcess, running_referee
from benchmarks.held import Holder, held, holding
from benchmarks.played import Played, course_of, light_bot, play_course


async def play_at(count: int, *, share: float, tables: int) -> list[Played]:
    """Have so many referees play a sitting each, at the same time."""
    async with AsyncExitStack() as stack:
        holder = stack.enter_context(holding(share))
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="king-"))) for _ in range(count)]
        referees = [await stack.enter_async_context(running_referee(folder)) for folder in folders]
        for referee in referees:
            holder.place().write_text(str(referee.pid), encoding="ascii")
        return await asyncio.gather(*(_play(referee, holder, tables) for referee in referees))


async def _play(referee: RefereeProcess, holder: Holder, tables: int) -> Played:
    course = course_of(64, tables)
    bot = light_bot(referee.log.parent, course)
    programs = [held(bot, holder.place()) for _ in range(course.players)]
    return await play_course(course, programs, referee)


def matches_a_second(played: Sequence[Played], tables: int) -> float:
    """Of all sittings together, from the first table's beginning to the last record."""
    return len(played) * tables / (max(each.ended_s for each in played) - min(each.began_s for each in played))


async def compare(rounds: int, *, share: float, tables: int) -> dict[str, float]:
    """One referee, then two, so often."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    cpu_us: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for count in (1, 2):
            played = await play_at(count, share=share, tables=tables)
            rates[count].append(matches_a_second(played, tables))
            cpu_us[count].append(sum(each.cpu_us for each in played) / count)
    return {
        "one_matches_a_second": median(rates[1]),
        "two_matches_a_second": median(rates[2]),
        "matches_ratio": median(two / one for one, two in zip(rates[1], rates[2], strict=True)),
        "one_cpu_us": median(cpu_us[1]),
        "two_cpu_us": median(cpu_us[2]),
        "cpu_ratio": median(two / one for one, two in zip(cpu_us[1], cpu_us[2], strict=True)),
    }


def main(given: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.4, help="of a core, for each process")
    parser.add_argument("--tables", type=int, default=128, help="in each sitting, 64 at once")
    options = parser.parse_args(given)
    measured = asyncio.run(compare(options.rounds, share=options.share, tables=options.tables))
    for name, value in measured.items():
        sys.stdout.write(f"{name.replace('_', ' '):32} {value:14,.2f}\n")
    return measured


if __name__ == "__main__":
    main()
