"""What a sitting leaves behind in the referee and in the worker: nothing."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from weakref import ref

import pytest

from benchmarks.arena import CONTROL_KEY
from benchmarks.light_bots import Scene, light_plan, play_lightly
from benchmarks.memory_slope import CONTROL, VARIANT, Nowhere
from referee.loops import SITTINGS_A_LOOK
from referee.server import RefereeServer
from workers.bots import find_bot
from workers.launcher import LocalLauncher
from workers.sitting import Stage, play_sitting

pytestmark = pytest.mark.slow


class Cycle:
    """What only a look for garbage frees."""

    itself: Cycle


OURS = ("referee.", "workers.", "king.")


def living() -> Counter[str]:
    """How many objects of our classes there are, and how many tasks."""
    gc.collect()
    names = Counter(map(type, gc.get_objects()))
    return Counter(
        {
            f"{kind.__module__}.{kind.__qualname__}": count
            for kind, count in names.items()
            if kind is asyncio.Task or str(kind.__module__).startswith(OURS)
        }
    )


async def settled(before: Counter[str]) -> Counter[str]:
    """What there is more than before, once the last streams have closed."""
    for _ in range(100):
        more = living() - before
        if not more:
            break
        await asyncio.sleep(0.05)
    return more


async def play(address: str, count: int) -> None:
    """Play so many sittings, three at a time; each three play the same three boards, which teach the rules nothing."""
    scene = Scene()
    scene.gate.set()
    for number in range(0, count, 3):
        plans = [
            light_plan(f"s{number + board}", tables=1, control=CONTROL, variant=VARIANT, first_board=board)
            for board in (1, 2, 3)
        ]
        await asyncio.gather(*(play_lightly(address, plan, scene) for plan in plans))
    assert (scene.results, scene.faults, scene.voids) == (count, [], [])


async def left_behind(play_some: Callable[[int], Awaitable[None]], *, count: int) -> Counter[str]:
    """Play a few sittings, then so many; what there is more after these."""
    await play_some(3)
    await asyncio.sleep(0.5)  # the last streams close
    before = living()
    await play_some(count)
    return await settled(before)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[str]:
    """A referee in this process; its address."""
    server = RefereeServer(f"unix:{folder}/referee.sock", control_key=CONTROL_KEY)
    await server.start()
    try:
        yield server.address
    finally:
        await server.stop()


def test_referee_forgets_sittings(tmp_path: Path) -> None:
    """However many sittings were played, there is no object more of our classes, and no task, in the referee."""

    async def scenario() -> Counter[str]:
        async with serving(tmp_path) as address:
            return await left_behind(lambda count: play(address, count), count=24)

    assert asyncio.run(scenario()) == Counter()


def test_referee_looks_for_garbage(tmp_path: Path) -> None:
    """So many sittings that are over are a reason to look for what cycles keep, though nothing else looks."""

    async def kept() -> object:
        async with serving(tmp_path) as address:
            gc.disable()
            try:
                lost = Cycle()
                lost.itself = lost
                kept = ref(lost)
                del lost
                await play(address, SITTINGS_A_LOOK + 2)
                return kept()
            finally:
                gc.enable()

    assert asyncio.run(kept()) is None


def test_worker_forgets_sittings(tmp_path: Path) -> None:
    """However many sittings a worker has played, with processes of all kinds, nothing of them is left in it."""
    programs = [find_bot("cmd:true"), find_bot("cmd:false"), find_bot("cmd:true"), find_bot("lowest")]

    async def scenario() -> Counter[str]:
        async with serving(tmp_path) as address:
            stage = Stage(referee=address, control_key=CONTROL_KEY, launcher=LocalLauncher(address))
            sink = Nowhere()

            async def play_some(count: int) -> None:
                for number in range(count):
                    plan = light_plan(f"w{number}", tables=1, control=CONTROL, variant=VARIANT)
                    await play_sitting(plan, programs, stage=stage, sink=sink)

            more = await left_behind(play_some, count=6)
            assert sink.results == 9
            return more

    assert asyncio.run(scenario()) == Counter()
