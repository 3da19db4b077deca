"""A sitting is played through a real referee with real bots, and leaves nothing running."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from league.model import BotSource, SourceKind
from referee.dealing import local_secret
from referee.server import RefereeServer
from tests.workers.waiting import wait_until_async
from workers.bots import BotProgram, find_bot
from workers.launcher import LaunchError, Limits, LocalLauncher, LocalProcess
from workers.referee_client import FaultSeen, PlayerPlan, SittingPlan, TablePlan
from workers.shim import descendants
from workers.sitting import SittingVoidError, Stage, play_sitting

pytestmark = pytest.mark.slow

SALT = bytes(32)


@dataclass
class Memory:
    """A sink that remembers."""

    records: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[int, FaultSeen]] = field(default_factory=list)
    logs: dict[int, tuple[int, str]] = field(default_factory=dict)

    async def keep_result(self, match_id: str, record: bytes) -> None:
        self.records[match_id] = record

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        self.faults.append((number, fault))

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        self.logs[process] = exit_status, text


def command(name: str, code: str) -> BotProgram:
    return BotProgram(
        name=name,
        version="1",
        run=(sys.executable, "-c", code),
        folder=Path.cwd(),
        variants=("*",),
        language="python",
        source=BotSource(kind=SourceKind.COMMAND, location=""),
    )


def plan_of(programs: list[BotProgram], boards: int = 2) -> SittingPlan:
    return SittingPlan(
        sitting="1",
        attempt=1,
        variant="russian-14",
        time_control="start=30s,inc=100ms,bank=10s",
        players=tuple(PlayerPlan(f"{program.name}-{n}", program.version, 4) for n, program in enumerate(programs)),
        tables=tuple(
            TablePlan(f"m{board}", None, board, 0, local_secret(1, board), SALT, (0, 1, 2, 3))
            for board in range(1, boards + 1)
        ),
    )


def run(folder: Path, scene: Callable[[Stage], Awaitable[None]]) -> None:
    """Run `scene` beside a referee, and check that it leaves no process."""

    async def with_referee() -> None:
        address = f"unix:{folder}/r.sock"
        server = RefereeServer(address, control_key="key")
        await server.start()
        try:
            await scene(Stage(referee=address, control_key="key", launcher=LocalLauncher(address)))
        finally:
            await server.stop()

    before = descendants(os.getpid())
    asyncio.run(with_referee())
    assert set(descendants(os.getpid())) <= set(before)


def test_all_tables_are_played(tmp_path: Path) -> None:
    """Every table of a plan yields its record, without a fault, and every process ends well."""
    programs = [find_bot(name) for name in ("lowest", "highest", "lowest", "highest")]
    memory = Memory()

    async def scene(stage: Stage) -> None:
        await play_sitting(plan_of(programs), programs, stage=stage, sink=memory)

    run(tmp_path, scene)
    assert sorted(memory.records) == ["m1", "m2"]
    assert [json.loads(record)["termination"]["kind"] for record in memory.records.values()] == ["normal"] * 2
    assert memory.faults == []
    assert [status for status, _ in memory.logs.values()] == [0] * 4


@pytest.mark.parametrize("tell", [False, True])
def test_crashing_bot(tmp_path: Path, *, tell: bool) -> None:
    """A crash is a fault, with the bot's last words only where we may tell them; they are kept; the others play on."""
    programs = [*(find_bot("lowest") for _ in range(3)), command("broken", "raise SystemExit('no luck')")]
    memory = Memory()

    async def scene(stage: Stage) -> None:
        await play_sitting(plan_of(programs), programs, stage=replace(stage, tell_last_words=tell), sink=memory)

    run(tmp_path, scene)
    assert sorted(memory.records) == ["m1", "m2"]
    assert {fault.player for _, fault in memory.faults} == {3}
    assert {fault.kind for _, fault in memory.faults} == {"exit"}
    assert [number for number, _ in memory.faults] == list(range(1, len(memory.faults) + 1))
    details = " ".join(fault.detail for _, fault in memory.faults)
    assert "the process ended with exit status 1" in details
    assert ("no luck" in details) == tell
    assert (1, "no luck\n") in memory.logs.values()


def test_cancelled_sitting_leaves_nothing(tmp_path: Path) -> None:
    """Cancelling a sitting in the middle ends all its bots."""
    programs = [*(find_bot("lowest") for _ in range(3)), command("silent", "import time; time.sleep(600)")]

    async def scene(stage: Stage) -> None:
        playing = asyncio.create_task(play_sitting(plan_of(programs), programs, stage=stage, sink=Memory()))
        await wait_until_async(lambda: len(descendants(os.getpid())) >= 8)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    run(tmp_path, scene)


class NoLauncher:
    """Cannot start anything."""

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> LocalProcess:
        raise LaunchError(f"no room for {bot.name}")


def test_launch_failure_is_nobodys_fault(tmp_path: Path) -> None:
    """When we cannot start a bot, the sitting is void and no bot has a fault."""
    programs = [find_bot("lowest") for _ in range(4)]
    memory = Memory()

    async def scene(stage: Stage) -> None:
        broken = Stage(referee=stage.referee, control_key="key", launcher=NoLauncher())
        with pytest.raises(SittingVoidError, match="no room for lowest"):
            await play_sitting(plan_of(programs), programs, stage=broken, sink=memory)

    run(tmp_path, scene)
    assert memory.faults == []
    assert memory.records == {}


def test_lost_referee_is_nobodys_fault(tmp_path: Path) -> None:
    """When the referee goes away in the middle, the sitting ends with an error that blames nobody."""
    programs = [*(find_bot("lowest") for _ in range(3)), command("silent", "import time; time.sleep(600)")]
    memory = Memory()

    async def scene(stage: Stage) -> None:
        second = f"unix:{tmp_path}/second.sock"
        server = RefereeServer(second, control_key="key")
        await server.start()
        there = Stage(referee=second, control_key="key", launcher=LocalLauncher(second))
        playing = asyncio.create_task(play_sitting(plan_of(programs), programs, stage=there, sink=memory))
        await wait_until_async(lambda: len(descendants(os.getpid())) >= 8)
        await server.stop()
        with pytest.raises(SittingVoidError, match="going away"):
            await playing

    run(tmp_path, scene)
    assert memory.faults == []
