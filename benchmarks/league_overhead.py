"""What a league costs beside `king match`: the same bots at as many boards, through RQ, Valkey, sandboxes and store.

Run as `python -m benchmarks.league_overhead`; `--boards 8 --rounds 1` for a small one. By turns, in one run: `king
match`, as a command, from its start to its end; and a season on a running `king up` (its dashboard and sweeps too),
from its start to its end, which is when records are public. Both play two sittings at once. The league's bots are in
sandboxes of bubblewrap, or said not to be where there is none. The ceiling is `king match`: the ratio is of matches a
second. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.platforms import (
    TRIVIAL_BOTS,
    RunningPlatform,
    house_bots,
    planned_season,
    play_season,
    running_platform,
    sandbox_obstacle,
    submitted_bots,
)
from workers.launcher import SHIM

WORKERS = 2
WITHIN_S = 900.0
SEATS = 4


def match_seconds(folder: Path, boards: int) -> float:
    """How long `king match` takes."""
    began = time.monotonic()
    subprocess.run(
        [
            *(*SHIM, "exec", str(os.getpid()), sys.executable, "-m", "king_cli", "match", *TRIVIAL_BOTS),
            *("--boards", str(boards), "--out", str(folder / "match"), "--json"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.monotonic() - began


def measured(platform: RunningPlatform, folder: Path, *, boards: int, rounds: int, sandboxed: bool) -> dict[str, float]:
    """The matches a second of both, and their ratio in each round."""
    store = platform.store
    bots = (submitted_bots if sandboxed else house_bots)(store, TRIVIAL_BOTS)
    play_season(store, planned_season(store, bots, name="warm", boards=2), within_s=WITHIN_S)
    match_seconds(folder, 1)
    alone, league = [], []
    for number in range(rounds):
        alone.append(boards * SEATS / match_seconds(folder, boards))
        season = planned_season(store, bots, name=f"round {number}", boards=boards)
        league.append(boards * SEATS / play_season(store, season, within_s=WITHIN_S))
        faults = store.results.faults(season.id)
        if faults:
            raise RuntimeError(f"{len(faults)} faults, the first: {faults[0].label}: {faults[0].detail}")
    ratios = [ours / theirs for ours, theirs in zip(league, alone, strict=True)]
    return {
        "king_match_matches_per_second": median(alone),
        "league_matches_per_second": median(league),
        "ratio_to_king_match": median(ratios),
        "least_ratio": min(ratios),
        "sandboxed": float(sandboxed),
    }


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures."""
    parser = argparse.ArgumentParser(description="What a league costs beside king match")
    parser.add_argument("--boards", type=int, default=64, help="boards of a round, four matches each")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    obstacle = sandbox_obstacle()
    if obstacle:
        sys.stdout.write(f"league: bots run as plain processes, since {obstacle}\n")
    with tempfile.TemporaryDirectory(prefix="king-bench-") as name:
        folder = Path(name)
        with running_platform(folder, workers=WORKERS) as platform:
            found = measured(platform, folder, boards=options.boards, rounds=options.rounds, sandboxed=not obstacle)
    for key, value in found.items():
        sys.stdout.write(f"league {key:32} {value:10.2f}\n")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
