"""What it costs the referee that tables may be watched: nothing said, nobody watching, one table and all watched.

Run as `python benchmarks/live_tables.py [--tables N]`. A sitting is driven in this process by four bots that answer at
once, so that all the time is the referee's own; figures are decisions for each second of CPU time, the median of
several rounds in which the four take turns, and their ratio to a sitting that cannot be watched. Owns the measurement
only.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from statistics import median

from king.v1 import arena_pb2 as pb

from referee.codec import BotFrame, Hello, Ready, requests_in
from referee.dealing import LOCAL_SALT, local_secret
from referee.plans import PlayerPlan, SittingPlan, TablePlan, TableShown, check_plan
from referee.processes import Ending
from referee.runs import BEAT_NS
from referee.sitting import Sitting

ROUNDS = 9
WAYS = ("not live", "live, nobody watches", "live, one table watched", "live, all tables watched")


@dataclass(eq=False)
class Stream:
    """Keeps the frames for a bot until they are answered."""

    frames: list[bytes]
    unsent_bytes: int = 0

    def send(self, frame: bytes) -> None:
        """Keep a frame."""
        self.frames.append(frame)

    def close(self, ending: Ending, detail: str) -> None:
        """Nothing more will come."""


def plan(tables: int) -> SittingPlan:
    """A sitting of four bots at so many tables."""
    return SittingPlan(
        sitting="s",
        attempt=1,
        variant="russian-14",
        time_control="start=300s,inc=10s,bank=300s",
        players=tuple(PlayerPlan(f"bot{place}", "1") for place in range(4)),
        tables=tuple(
            TablePlan(f"m{board}", None, board, 0, local_secret(1, board), LOCAL_SALT, (0, 1, 2, 3))
            for board in range(1, tables + 1)
        ),
    )


def play(tables: int, way: str) -> tuple[int, float, int]:
    """Play a sitting; decisions, CPU seconds and pictures."""
    sitting = Sitting(check_plan(replace(plan(tables), live=way != WAYS[0])), utc_now=lambda: "2026-11-29T20:00:00Z")
    sitting.begin()
    streams = {number: Stream([]) for number in range(1, 5)}
    began, now_ns = time.process_time(), time.monotonic_ns()
    for number, stream in streams.items():
        greeting = Hello(1, "", "bot", "1", 256)
        sitting.process_started(number, now_ns)
        sitting.greet(sitting.processes[number], stream, BotFrame([greeting, Ready()], more=False), greeting, now_ns)
    sitting.end_turn(now_ns)
    watched = {WAYS[2]: 1, WAYS[3]: tables}.get(way, 0)
    if watched:
        sitting.watch([f"m{board}" for board in range(1, watched + 1)], now_ns)
    decisions = pictures = 0
    due_ns = now_ns + BEAT_NS
    while not sitting.over:
        for number, stream in streams.items():
            frames, stream.frames = stream.frames, []
            asked = [request for frame in frames for request in requests_in(frame)]
            if asked:
                decisions += len(asked)
                answers = [pb.BotMessage(choice=pb.Choice(request_id=one.request_id, index=0)) for one in asked]
                frame = pb.PlayRequest(messages=answers).SerializeToString()
                sitting.receive(sitting.processes[number], stream, frame, time.monotonic_ns())
                sitting.end_turn(time.monotonic_ns())
        if time.monotonic_ns() >= due_ns:
            due_ns += BEAT_NS
            sitting.tick(time.monotonic_ns(), 0)
        pictures += sum(isinstance(event, TableShown) for event in sitting.take_events())
    return decisions, time.process_time() - began, pictures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=64)
    tables = parser.parse_args().tables
    speeds: dict[str, list[float]] = {way: [] for way in WAYS}
    pictures: dict[str, int] = {}
    for _round in range(ROUNDS):
        for way in WAYS:
            decisions, seconds, shown = play(tables, way)
            speeds[way].append(decisions / seconds)
            pictures[way] = shown
    base = speeds[WAYS[0]]
    sys.stdout.write(f"{tables} tables of russian-14, decisions a second of CPU, median of {ROUNDS}\n")
    for way in WAYS:
        ratio = median(one / other for one, other in zip(speeds[way], base, strict=True))
        sys.stdout.write(f"  {way:26} {median(speeds[way]):10,.0f}   {ratio:6.3f}   {pictures[way]:5} pictures\n")


if __name__ == "__main__":
    main()
