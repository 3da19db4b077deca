"""A referee of the test's own, whole sittings at it, and bots that fail as told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from referee.plans import SittingPlan, StartProcess
from referee.rules import Record
from referee.server import RefereeServer
from referee.verification import verify
from tests.protocol.clients import BotScript, Outcome, TaskWorker, dial, requests_of, simple_bot

T = TypeVar("T")
PATIENCE_S = 60
SHORT = "start=30s,inc=50ms,bank=300ms"


def run(scenario: Coroutine[Any, Any, T]) -> T:
    """Run a scenario to its end; a hang fails."""
    return asyncio.run(asyncio.wait_for(scenario, PATIENCE_S))


@asynccontextmanager
async def referee(**settings: Any) -> AsyncIterator[RefereeServer]:
    """A referee on a free port of the loopback."""
    server = RefereeServer("127.0.0.1:0", control_key="key", **settings)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0.2)


async def play(plan: SittingPlan, scripts: dict[int, BotScript] | None = None) -> Outcome:
    """Play a sitting at a referee of its own."""
    async with referee() as server:
        return await TaskWorker(server.address, scripts or {}).play(plan, control_key="key")


def assert_sound(record: Record) -> None:
    """The record passes what `king verify` checks."""
    assert [str(problem) for problem in verify(record).problems] == []


def forfeited(record: Record) -> list[tuple[int, str]]:
    """Who forfeited, and how."""
    return [(forfeit["seat"], forfeit["kind"]) for forfeit in record["forfeits"]]


def decided_by(record: Record, seat: int) -> set[str]:
    """How the actions of a seat came about."""
    return {action["by"] for deal in record["deals"] for action in deal["actions"] if action["seat"] == seat}


class Failing:
    """A bot that fails on its first process, and plays on its later ones, as told."""

    def __init__(self, fail: BotScript, *, times: int = 1) -> None:
        self.fail = fail
        self.times = times
        self.starts = 0

    async def __call__(self, address: str, start: StartProcess) -> int:
        self.starts += 1
        if self.starts <= self.times:
            return await self.fail(address, start)
        return await simple_bot(address, start)


def spoken(script: Any) -> BotScript:
    """A bot that starts well, is asked, and then does what `script(bot, requests)` does; returns its status."""

    async def play_badly(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start()
            await script(bot, requests_of(await bot.frame_with_requests()))
            await bot.status()
        return 1

    return play_badly
