"""Many bots at many tables at once, and what those are told for whom there is no room."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
from pathlib import Path

import pytest

from benchmarks.arena import running_referee
from benchmarks.crowd import CONTROL, Crowd, play_crowd, refused_bot, refused_sitting
from benchmarks.light_bots import Scene, light_plan, play_lightly
from benchmarks.memory_slope import VARIANT

pytestmark = pytest.mark.slow


def test_crowd_is_played_out(tmp_path: Path) -> None:
    """All bots of ten sittings are connected at once, all tables are open at once, and nobody fails.

    One more sitting than the referee takes is refused with words, and so is a bot that nobody expects.
    """

    async def scenario() -> tuple[Crowd, str, str]:
        async with running_referee(tmp_path) as referee:
            crowd = await play_crowd(referee, bots=40, tables=24)
            return crowd, await refused_sitting(referee, sittings=64), await refused_bot(referee)

    crowd, sitting, bot = asyncio.run(scenario())
    assert (crowd.connected, crowd.tables, crowd.results, crowd.faults) == (40, 24, 24, ())
    assert sitting == "the referee plays 64 sittings and takes no more; try again later"
    assert bot.startswith("UNAUTHENTICATED: the token is unknown or spent")


def test_referee_takes_all_open_files_it_may_have(tmp_path: Path) -> None:
    """A referee that is started with few open files takes as many as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = len(os.listdir("/proc/self/fd")) + 50  # noqa: PTH208

    async def scenario() -> tuple[int, int]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(few, soft), hard))
        try:
            async with running_referee(tmp_path) as referee:
                return resource.prlimit(referee.pid, resource.RLIMIT_NOFILE)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert asyncio.run(scenario()) == (hard, hard)


def test_no_open_file_left(tmp_path: Path) -> None:
    """Connections that take the last open file of the referee do not end it; when they are gone, it plays on."""

    async def scenario() -> Scene:
        scene = Scene()
        scene.gate.set()
        async with running_referee(tmp_path) as referee:
            most = len(os.listdir(f"/proc/{referee.pid}/fd")) + 10  # noqa: PTH208
            resource.prlimit(referee.pid, resource.RLIMIT_NOFILE, (most, most))
            with contextlib.ExitStack() as taken:
                for _ in range(20):
                    taken.enter_context(socket.socket(socket.AF_UNIX)).connect(referee.address.removeprefix("unix:"))
                await asyncio.sleep(0.5)  # ten beats
            await play_lightly(referee.address, light_plan("s", tables=1, control=CONTROL, variant=VARIANT), scene)
        return scene

    scene = asyncio.run(scenario())
    assert (scene.results, scene.faults, scene.voids) == (1, [], [])
