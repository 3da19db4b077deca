"""What a bot with many processes that compute all the time, out of its turn too, takes from the others of its table.

Run as `python -m benchmarks.cpu_shares`. Four bots in sandboxes do the same work for every decision; in every other
sitting one of them has eight busy processes beside. Compared is how fast the other three think: by their clocks, which
is what decides, and by the wall. None of their clocks may run out. The sittings take turns, so that the machine's own
load is the same for both; figures are ratios, the median of several pairs. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.arena import CONTROL_KEY, KeptFaults, running_referee
from benchmarks.light_bots import SEATS, light_plan
from league.model import BotSource, SourceKind
from workers.launcher import Launcher, Limits, LocalLauncher
from workers.manifests import BotProgram
from workers.sandbox import SandboxLauncher, detect_sandbox
from workers.sitting import Stage, play_sitting

CONTROL = "start=60s,inc=40ms,bank=1s"
LOOPS = 400_000
GREEDY = 0
"""The player that is greedy, when one is."""


@dataclass
class Watched(KeptFaults):
    """What the three others were charged, and all faults."""

    charged_ms: int = 0
    decisions: int = 0

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """Add up the times of the others; players sit in their order."""
        del match_id
        for deal in json.loads(record)["deals"]:
            for action in deal["actions"]:
                if action["by"] == "bot" and action["seat"] != GREEDY:
                    self.charged_ms += action["ms"]
                    self.decisions += 1


@dataclass(frozen=True, kw_only=True)
class Pair:
    """How much more the others took with the greedy one: by their clocks, and by the wall; and who failed how often."""

    charged: float
    wall: float
    faults: int
    own_faults: int
    charged_ms: tuple[float, float]


def program(folder: Path, *, greedy: int, loops: int) -> BotProgram:
    """The bot, with so many busy processes beside."""
    return BotProgram(
        name="greedy" if greedy else "working",
        version="1",
        run=("python", "working_bot.py", str(loops), str(greedy)),
        folder=folder,
        variants=("*",),
        language="python",
        source=BotSource(kind=SourceKind.FOLDER, location=str(folder)),
    )


async def play(stage: Stage, folder: Path, *, number: int, greedy: int, loops: int) -> tuple[Watched, float]:
    """Play one sitting of one table; what was seen, and how long it took."""
    programs = [program(folder, greedy=greedy if place == GREEDY else 0, loops=loops) for place in range(SEATS)]
    plan = light_plan(f"s{number}-{greedy}", tables=1, control=CONTROL, first_board=number)
    watched, began = Watched(), time.monotonic()
    await play_sitting(plan, programs, stage=stage, sink=watched)
    return watched, time.monotonic() - began


async def measure(*, pairs: int, greedy: int, loops: int, plain: bool) -> list[Pair]:
    """Play so many pairs of sittings, without and with the greedy one."""
    found = []
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        folder = Path(name) / "bot"
        folder.mkdir()
        shutil.copy(Path(__file__).with_name("working_bot.py"), folder)
        for place in (Path(name), folder):
            place.chmod(0o755)
        async with running_referee(Path(name)) as referee:
            socket = Path(referee.address.removeprefix("unix:"))
            launcher: Launcher = LocalLauncher(referee.address) if plain else SandboxLauncher(detect_sandbox(), socket)
            stage = Stage(referee=referee.address, control_key=CONTROL_KEY, launcher=launcher, limits=Limits())
            for number in range(1, pairs + 1):
                alone, alone_s = await play(stage, folder, number=number, greedy=0, loops=loops)
                beside, beside_s = await play(stage, folder, number=number, greedy=greedy, loops=loops)
                found.append(_compared(alone, beside, wall=beside_s / alone_s))
    return found


def _compared(alone: Watched, beside: Watched, *, wall: float) -> Pair:
    faults = [*alone.faults, *beside.faults]
    for fault in faults:
        sys.stderr.write(f"{fault.kind} of player {fault.player}: {fault.detail}\n")
    each = alone.charged_ms / alone.decisions, beside.charged_ms / beside.decisions
    own = sum(fault.player == GREEDY for fault in beside.faults)
    return Pair(charged=each[1] / each[0], wall=wall, faults=len(faults) - own, own_faults=own, charged_ms=each)


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if another bot than the greedy one failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--greedy", type=int, default=8, help="busy processes of the greedy one")
    parser.add_argument("--loops", type=int, default=LOOPS, help="work for each decision")
    parser.add_argument("--plain", action="store_true", help="without sandboxes, for comparison")
    options = parser.parse_args(given)
    found = asyncio.run(measure(pairs=options.pairs, greedy=options.greedy, loops=options.loops, plain=options.plain))
    for pair in found:
        sys.stdout.write(
            f"  a decision of the others: {pair.charged_ms[0]:.1f} ms, {pair.charged_ms[1]:.1f} ms beside the greedy "
            f"one: {pair.charged:.2f} ×; the sitting: {pair.wall:.2f} ×\n"
        )
    faults, own_faults = sum(pair.faults for pair in found), sum(pair.own_faults for pair in found)
    sys.stdout.write(
        f"beside {options.greedy} busy processes of one bot the others are charged "
        f"{median(pair.charged for pair in found):.2f} × for the same work (wall: "
        f"{median(pair.wall for pair in found):.2f} ×), median of {len(found)} pairs\n"
        f"faults of bots that are not greedy: {faults}; of the greedy one, which is given back no waiting while it "
        f"computes: {own_faults}\n"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
