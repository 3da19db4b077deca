"""Whole decisions a second: a real referee asks, bots in processes of their own answer, clocks and full records on.

Run as `python -m benchmarks.decisions`. Bots that do next to nothing (`light_process`) play at 1, 8, 64 and 256 tables
at once, and at as many as a sitting of a season of 8 bots has. Beside them, in the same run and by turns, a bare gRPC
ping-pong sends the same frames again, bytes ready beforehand (`ping_pong`): the ceiling. For one table the time from
one question to the next is compared, for more the decisions a second. The referee is measured as it is by default and,
where it can be, compiled. Then bots written with the kits in Python and in C++ play at 64 tables. Owns the comparison
only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import compile_engine
from benchmarks import ping_pong
from benchmarks.arena import running_referee
from benchmarks.dialogues import read_times
from benchmarks.played import SEATS, Course, Played, course_of, light_bot, play_course, season_course
from workers.bots import BotProgram, find_bot
from workers.building import BuildError, build_bots_async

COURSES: Final[Mapping[str, Course]] = {
    "1": course_of(1, 8),
    "8": course_of(8, 32),
    "64": course_of(64, 128),
    "256": course_of(256, 256),
    "season": season_course(),
}
KITS: Final = {"python": "python-simple", "cpp": "cpp-simple"}
"""Bots written with kits, by language: each is to answer at once."""


class Compared:
    """One course in rounds: what the referees and the peer did, by turns."""

    def __init__(self, course: Course, compiled: Path | None) -> None:
        """Before any round; `compiled`: a folder with the compiled engine, for a referee that is measured as well."""
        self.course = course
        self.engines = {"": None} if compiled is None else {"": None, "compiled_": compiled}
        self.played: dict[str, list[Played]] = {engine: [] for engine in self.engines}
        self.between_us: dict[str, list[float]] = {engine: [] for engine in (*self.engines, "ping_pong_")}
        self.peer: list[float] = []
        self.peer_cpu_us: list[float] = []

    async def play_round(self, folder: Path, number: int) -> None:
        """The referees, then the peer, which says again what was said in the first round."""
        for engine, compiled in self.engines.items():
            (times := folder / f"{engine}{number}").mkdir()
            self.played[engine].append(await self._play(times, compiled))
            self.between_us[engine] += between_us(times)
        said = folder / "said"
        if not said.exists():
            said.mkdir()
            await self._play(said, None, keep=True)
        (peer := folder / f"peer-{number}").mkdir()
        in_turn = self.course.table_limit == 1
        spent = await asyncio.to_thread(ping_pong.run, said, peer, in_turn=in_turn)
        decisions = sum(sum(each.requests) for each in read_times(said))
        self.peer.append(decisions / spent["seconds"])
        self.peer_cpu_us.append(spent["cpu_s"] / decisions * 1e6)
        self.between_us["ping_pong_"] += between_us(peer)

    async def _play(self, folder: Path, compiled: Path | None, *, keep: bool = False) -> Played:
        with tempfile.TemporaryDirectory(prefix="king-") as name:
            async with running_referee(Path(name), compiled=compiled) as referee:
                programs = [light_bot(folder, self.course, keep=keep)] * self.course.players
                return await play_course(self.course, programs, referee)

    def figures(self) -> dict[str, float]:
        """The medians, named by the course."""
        found = {
            "requests_a_frame": median(each.decisions / each.frames for each in self.played[""]),
            "ping_pong_decisions_a_second": median(self.peer),
            "ping_pong_server_cpu_us": median(self.peer_cpu_us),
        }
        for engine, played in self.played.items():
            rates = [each.decisions_a_second for each in played]
            found |= {
                f"{engine}decisions_a_second": median(rates),
                f"{engine}referee_cpu_us": median(each.cpu_us for each in played),
                f"{engine}ratio": median(rate / peer for rate, peer in zip(rates, self.peer, strict=True)),
            }
        if self.course.table_limit == 1:
            for who, between in self.between_us.items():
                found |= _percentiles(between, who)
            for engine in self.engines:
                found[f"{engine}p50_ratio"] = found[f"{engine}p50_us"] / found["ping_pong_p50_us"]
        return {f"{self.course.name}_{name}": value for name, value in found.items()}


def between_us(folder: Path) -> list[float]:
    """The times from one question to the next, whichever bot is asked, in microseconds: one table's decisions."""
    asked = sorted(at for times in read_times(folder) for at in times.asked_ns)
    return [(after - before) / 1000 for before, after in pairwise(asked)]


def _percentiles(values: Sequence[float], who: str) -> dict[str, float]:
    cuts = quantiles(values, n=100)
    return {f"{who}p{place}_us": cuts[place - 1] for place in (50, 90, 99)}


async def compare(course: Course, rounds: int, compiled: Path | None = None) -> dict[str, float]:
    """Play a course so often, by turns with the peer."""
    compared = Compared(course, compiled)
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        for number in range(rounds):
            await compared.play_round(Path(name), number)
    return compared.figures()


async def play_kit(language: str, rounds: int) -> dict[str, float]:
    """Bots written with a kit, at 64 tables; nothing, with a word on standard error, where they cannot be built."""
    course, bot = COURSES["64"], find_bot(KITS[language])
    try:
        await build_bots_async([bot], lambda line: None)
    except BuildError as error:
        sys.stderr.write(f"no bot in {bot.language} is measured: {str(error).splitlines()[0]}\n")
        return {}
    played = [await _play_once(course, bot) for _ in range(rounds)]
    return {
        f"{language}_kit_decisions_a_second": median(each.decisions_a_second for each in played),
        f"{language}_kit_referee_cpu_us": median(each.cpu_us for each in played),
    }


async def _play_once(course: Course, bot: BotProgram) -> Played:
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            return await play_course(course, [bot] * SEATS, referee)


async def measure(
    courses: Sequence[str], kits: Sequence[str], rounds: int, compiled: Path | None = None
) -> dict[str, float]:
    """All that is wanted, one after the other."""
    found: dict[str, float] = {}
    for name in courses:
        found |= await compare(COURSES[name], rounds, compiled)
    for language in kits:
        found |= await play_kit(language, rounds)
    return found


def main(given: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--courses", default=",".join(COURSES), help="of %(default)s; none: empty")
    parser.add_argument("--kits", default=",".join(KITS), help="of %(default)s; none: empty")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pure", action="store_true", help="measure no compiled referee, though it can be compiled")
    options = parser.parse_args(given)
    courses, kits = (list(filter(None, text.split(","))) for text in (options.courses, options.kits))
    lack = "not wanted" if options.pure else compile_engine.obstacle()
    if lack is not None:
        sys.stderr.write(f"no compiled referee is measured: {lack}\n")
    compiled = compile_engine.compiled() if lack is None else None
    measured = asyncio.run(measure(courses, kits, options.rounds, compiled))
    for name, value in measured.items():
        sys.stdout.write(f"{name.replace('_', ' '):32} {value:14,.2f}\n")
    return measured


if __name__ == "__main__":
    main()
