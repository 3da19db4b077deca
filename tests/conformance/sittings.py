"""Sittings for tests: bots as real processes, at a real referee, over gRPC."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.dealing import LOCAL_SALT, local_secret
from referee.server import RefereeServer
from workers.bots import BotProgram
from workers.launcher import LocalLauncher
from workers.referee_client import FaultSeen, PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

CONTROL = "start=30s,inc=100ms,bank=10s"


@dataclass
class Outcome:
    """What a sitting left behind."""

    records: list[dict[str, Any]] = field(default_factory=list)
    faults: list[FaultSeen] = field(default_factory=list)
    exits: list[tuple[int, int, str]] = field(default_factory=list)
    """By ended process: its player, its exit status and its standard error."""

    async def keep_result(self, match_id: str, record: bytes) -> None:
        del match_id
        self.records.append(json.loads(record))

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        del number
        self.faults.append(fault)

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        del process
        self.exits.append((player, exit_status, text))

    def stderr_of(self, player: int) -> str:
        """All that the processes of a player wrote to standard error."""
        return "".join(text for who, _, text in self.exits if who == player)


def plan_of(seats: int, variant: str, *, tables: int = 1, control: str = CONTROL) -> SittingPlan:
    """One rotation of `tables` boards among as many players as there are seats."""
    return SittingPlan(
        sitting="conformance",
        attempt=1,
        variant=variant,
        time_control=control,
        players=tuple(PlayerPlan(f"player{place}", "1", 2) for place in range(seats)),
        tables=tuple(
            TablePlan(f"m{board}", None, board, 0, local_secret(11, board), LOCAL_SALT, tuple(range(seats)))
            for board in range(1, tables + 1)
        ),
    )


def play(
    folder: Path, programs: Sequence[BotProgram], variant: str, *, tables: int = 1, control: str = CONTROL
) -> Outcome:
    """Plays a sitting to its end; `folder` takes the socket."""
    return asyncio.run(_play(folder, programs, plan_of(len(programs), variant, tables=tables, control=control)))


async def _play(folder: Path, programs: Sequence[BotProgram], plan: SittingPlan) -> Outcome:
    address = f"unix:{folder}/referee.sock"
    server = RefereeServer(address, control_key="key")
    await server.start()
    outcome = Outcome()
    try:
        stage = Stage(referee=address, control_key="key", launcher=LocalLauncher(address))
        await play_sitting(plan, programs, stage=stage, sink=outcome)
    finally:
        await server.stop()
    return outcome
