"""Bots and workers without processes: tasks that dial a referee as bots do, each over a connection of its own.

They take the first legal action, so that all the work is the referee's. Owns how they play; measures nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import grpc.aio
from king.v1 import arena_pb2 as pb

from benchmarks.arena import CONTROL_KEY
from referee.codec import requests_in
from referee.dealing import LOCAL_SALT, local_secret
from workers.referee_client import (
    CpuWaitWanted,
    FaultSeen,
    PlayerPlan,
    SittingCall,
    SittingEnd,
    SittingEvent,
    SittingPlan,
    StartProcess,
    TableBegun,
    TablePlan,
    TableResult,
    run_sitting,
)

PLAY = f"/{pb.DESCRIPTOR.services_by_name['ArenaService'].full_name}/Play"
SEATS = 4
_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1))

BotCall = grpc.aio.StreamStreamCall[bytes, bytes]


@dataclass
class Scene:
    """What goes on, as bots and workers see it.

    Attributes:
        gate: bots answer when it is open.
        changed: set when a count has.
        connected: bots that were welcomed and have not gone.
        open_tables: begun and not over; only of sittings that are live.
        most_connected: the most at once.
        most_tables: the most at once.
        decisions: answers given.
        frames: in how many frames they were asked for.
        results: tables over.
        faults: all of them.
        voids: why sittings are void.
    """

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    connected: int = 0
    open_tables: int = 0
    most_connected: int = 0
    most_tables: int = 0
    decisions: int = 0
    frames: int = 0
    results: int = 0
    faults: list[FaultSeen] = field(default_factory=list)
    voids: list[str] = field(default_factory=list)

    def count(self, *, connected: int = 0, tables: int = 0) -> None:
        """Have so many more, or fewer."""
        self.connected += connected
        self.open_tables += tables
        self.most_connected = max(self.most_connected, self.connected)
        self.most_tables = max(self.most_tables, self.open_tables)
        self.changed.set()

    async def reach(self, *, connected: int, tables: int, within_s: float) -> bool:
        """Wait until there are so many at once; whether there were in time."""
        try:
            async with asyncio.timeout(within_s):
                while self.connected < connected or self.open_tables < tables:
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return False
        return True


def light_plan(
    sitting: str,
    *,
    tables: int,
    control: str,
    variant: str = "russian-14",
    seed: int = 1,
    first_board: int = 1,
    seats: int = SEATS,
    live: bool = False,
) -> SittingPlan:
    """A sitting of bots with names of its own, at so many boards from `first_board` on."""
    return SittingPlan(
        sitting=sitting,
        attempt=1,
        variant=variant,
        time_control=control,
        players=tuple(PlayerPlan(f"{sitting}-{place}", "1") for place in range(seats)),
        tables=tuple(
            TablePlan(f"{sitting}-{board}", None, board, 0, local_secret(seed, board), LOCAL_SALT, tuple(range(seats)))
            for board in range(first_board, first_board + tables)
        ),
        live=live,
    )


@asynccontextmanager
async def dialled(address: str) -> AsyncIterator[BotCall]:
    """A stream to the referee, over a connection of its own."""
    async with grpc.aio.insecure_channel(address, options=_OPTIONS) as channel:
        call: BotCall = channel.stream_stream(PLAY)()
        try:
            yield call
        finally:
            call.cancel()


async def introduce(call: BotCall, token: str, table_limit: int = 256) -> None:
    """Say hello, and that the bot is warm."""
    hello = pb.Hello(protocol_version=1, token=token, name="light", version="1", table_limit=table_limit)
    messages = [pb.BotMessage(hello=hello), pb.BotMessage(ready=pb.Ready())]
    await call.write(pb.PlayRequest(messages=messages).SerializeToString())


async def play_bot(address: str, token: str, scene: Scene, table_limit: int = 256) -> None:
    """Play until the referee closes the stream."""
    async with dialled(address) as call:
        await introduce(call, token, table_limit)
        connected = False
        try:
            while isinstance(frame := await call.read(), bytes):
                if not connected:
                    connected = True
                    scene.count(connected=1)
                asked = requests_in(frame)
                if asked:
                    await scene.gate.wait()
                    scene.decisions += len(asked)
                    scene.frames += 1
                    answers = [pb.BotMessage(choice=pb.Choice(request_id=one.request_id, index=0)) for one in asked]
                    await call.write(pb.PlayRequest(messages=answers).SerializeToString())
        finally:
            if connected:
                scene.count(connected=-1)


async def play_lightly(address: str, plan: SittingPlan, scene: Scene, *, table_limit: int = 256) -> None:
    """Have a sitting played by tasks; what comes of it is told to `scene`.

    Raises:
        SittingError: the referee refuses it, or is lost.
    """
    bots: list[asyncio.Task[None]] = []
    try:
        async with run_sitting(address, plan, control_key=CONTROL_KEY) as call:
            async for event in call.events():
                if isinstance(event, StartProcess):
                    bots.append(asyncio.create_task(_run_bot(address, event, call, scene, table_limit)))
                    await call.process_started(event.process)
                elif isinstance(event, CpuWaitWanted):
                    await call.cpu_wait(event.process, 0, wanted=True)
                else:
                    _note(event, scene, live=plan.live)
            await asyncio.gather(*bots)
    finally:
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


def _note(event: SittingEvent, scene: Scene, *, live: bool) -> None:
    if isinstance(event, TableBegun):
        scene.count(tables=1)
    elif isinstance(event, TableResult):
        scene.results += 1
        scene.count(tables=-1 if live else 0)
    elif isinstance(event, FaultSeen):
        scene.faults.append(event)
    elif isinstance(event, SittingEnd) and event.void_reason:
        scene.voids.append(event.void_reason)


async def _run_bot(address: str, start: StartProcess, call: SittingCall, scene: Scene, table_limit: int) -> None:
    try:
        await play_bot(address, start.token, scene, table_limit)
    except grpc.aio.AioRpcError as error:
        await call.process_exited(start.process, exit_status=1, detail=f"{error.code().name}: {error.details()}")
    else:
        await call.process_exited(start.process, exit_status=0)
