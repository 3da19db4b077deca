"""Whole decisions a second: a real referee asks, bots in processes of their own answer, clocks and full records on.

Run as `python -m benchmarks.decisions`. Bots that do next to nothing (`light_process`) play at 1, 8, 64 and 256 tables
at once, and at as many as a sitting of a season of 8 bots has. Beside them, in the same run and by turns, a gRPC
ping-pong says the same again in four ways, from bytes that nobody reads to the light bots themselves with no referee
(`ping_pong.Peer`): the ceilings. For one table the time from one question to the next is compared, for more the
decisions a second. The referee is measured as it is by default and, where it can be, compiled. Then bots written with
the kits in Python and in C++ play at 64 tables. Of either side the CPU for a decision is told, and how much of the
machine both use together. Owns the comparison only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
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
from benchmarks.ping_pong import Peer
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
        self.bots_cpu_us: dict[str, list[float]] = {engine: [] for engine in self.engines}
        self.between_us: dict[str, list[float]] = {who: [] for who in (*self.engines, *map(_named, Peer))}
        self.peers: dict[Peer, list[float]] = {peer: [] for peer in Peer}
        self.peers_cpu_us: dict[Peer, list[tuple[float, float]]] = {peer: [] for peer in Peer}
        """Of the server and of the bots, for a decision."""

    async def play_round(self, folder: Path, number: int) -> None:
        """The referees, then the peers, which say again what was said in the first round."""
        for engine, compiled in self.engines.items():
            (times := folder / f"{engine}{number}").mkdir()
            self.played[engine].append(played := await self._play(times, compiled))
            self.bots_cpu_us[engine].append(sum(each.cpu_s for each in read_times(times)) / played.decisions * 1e6)
            self.between_us[engine] += between_us(times)
        said = folder / "said"
        if not said.exists():
            said.mkdir()
            await self._play(said, None, keep=True)
        decisions = sum(sum(each.requests) for each in read_times(said))
        for peer in Peer:
            (times := folder / f"{peer}-{number}").mkdir()
            in_turn = self.course.table_limit == 1
            spent = await asyncio.to_thread(ping_pong.run, peer, said, times, in_turn=in_turn)
            self.peers[peer].append(decisions / spent["seconds"])
            self.peers_cpu_us[peer].append((spent["cpu_s"] / decisions * 1e6, spent["bots_cpu_s"] / decisions * 1e6))
            self.between_us[_named(peer)] += between_us(times)

    async def _play(self, folder: Path, compiled: Path | None, *, keep: bool = False) -> Played:
        with tempfile.TemporaryDirectory(prefix="king-") as name:
            async with running_referee(Path(name), compiled=compiled) as referee:
                programs = [light_bot(folder, self.course, keep=keep)] * self.course.players
                return await play_course(self.course, programs, referee)

    def figures(self) -> dict[str, float]:
        """The medians, named by the course."""
        found = {"requests_a_frame": median(each.decisions / each.frames for each in self.played[""])}
        for peer, rates in self.peers.items():
            server, bots = zip(*self.peers_cpu_us[peer], strict=True)
            found |= {
                f"{_named(peer)}decisions_a_second": median(rates),
                f"{_named(peer)}server_cpu_us": median(server),
                f"{_named(peer)}bots_cpu_us": median(bots),
            }
        for engine in self.engines:
            found |= self._engine_figures(engine)
        if self.course.table_limit == 1:
            for who, between in self.between_us.items():
                found |= _percentiles(between, who)
            for engine in self.engines:
                for peer in Peer:
                    found[_beside(f"{engine}p50_ratio", peer)] = (
                        found[f"{engine}p50_us"] / found[f"{_named(peer)}p50_us"]
                    )
        return {f"{self.course.name}_{name}": value for name, value in found.items()}

    def _engine_figures(self, engine: str) -> dict[str, float]:
        played, bots = self.played[engine], self.bots_cpu_us[engine]
        rates = [each.decisions_a_second for each in played]
        of_machine = [
            rate * (each.cpu_us + bot) / 1e6 / cores() for rate, each, bot in zip(rates, played, bots, strict=True)
        ]
        figures = {
            f"{engine}decisions_a_second": median(rates),
            f"{engine}referee_cpu_us": median(each.cpu_us for each in played),
            f"{engine}bots_cpu_us": median(bots),
            f"{engine}percent_of_machine": 100 * median(of_machine),
        }
        for peer, reached in self.peers.items():
            ratios = [rate / other for rate, other in zip(rates, reached, strict=True)]
            figures[_beside(f"{engine}ratio", peer)] = median(ratios)
        return figures


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def _named(peer: Peer) -> str:
    return "ping_pong_" if peer is Peer.RAW else f"{peer}_ping_pong_"


def _beside(name: str, peer: Peer) -> str:
    return name if peer is Peer.RAW else f"{name}_{peer}"


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
    played, bots = zip(*[await _play_once(course, bot) for _ in range(rounds)], strict=True)
    return {
        f"{language}_kit_decisions_a_second": median(each.decisions_a_second for each in played),
        f"{language}_kit_referee_cpu_us": median(each.cpu_us for each in played),
        f"{language}_kit_bots_cpu_us": median(bots),
    }


async def _play_once(course: Course, bot: BotProgram) -> tuple[Played, float]:
    """One sitting, and the CPU that its bots used in all for each decision, their start included."""
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        async with running_referee(Path(name)) as referee:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            played = await play_course(course, [bot] * SEATS, referee)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return played, spent_s / played.decisions * 1e6


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
        sys.stdout.write(f"{name.replace('_', ' '):48} {value:14,.2f}\n")
    return measured


if __name__ == "__main__":
    main()
