"""Real clients of a real referee: bots on gRPC streams, and a worker that runs them as tasks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import grpc.aio
from king.v1 import arena_pb2 as pb
from king.v1 import arena_pb2_grpc

from referee.plans import (
    CpuWaitWanted,
    FaultSeen,
    SittingEnd,
    SittingEvent,
    SittingPlan,
    StartProcess,
    StopProcess,
    TableResult,
)
from referee.rules import Record, parse_record
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.dialling import open_channel
from workers.referee_client import SittingCall, run_sitting


class BotClient:
    """One stream of a bot, spoken by hand."""

    def __init__(self, call: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse], token: str) -> None:
        self.call = call
        self.token = token

    async def say(self, *messages: pb.BotMessage, more: bool = False) -> None:
        """Send one frame."""
        await self.call.write(pb.PlayRequest(messages=messages, more=more))

    async def hello(self, *, version: int = 1, table_limit: int = 0) -> None:
        """Introduce the bot."""
        hello = pb.Hello(protocol_version=version, token=self.token, name="test", version="1", table_limit=table_limit)
        await self.say(pb.BotMessage(hello=hello))

    async def ready(self) -> None:
        """Say that the bot is warm."""
        await self.say(pb.BotMessage(ready=pb.Ready()))

    async def choose(self, *answers: tuple[int, int]) -> None:
        """Answer requests, by id and place."""
        await self.say(*(choice(request_id, index) for request_id, index in answers))

    async def frame(self) -> list[pb.RefereeMessage] | None:
        """Return the messages of the next frame, joined over `more`; None when the referee has closed well."""
        messages: list[pb.RefereeMessage] = []
        while True:
            response = await self.call.read()
            if not isinstance(response, pb.PlayResponse):
                return None
            messages += response.messages
            if not response.more:
                return messages

    async def frame_with_requests(self) -> list[pb.RefereeMessage]:
        """Return the messages up to the next frame that asks something, that frame included."""
        messages: list[pb.RefereeMessage] = []
        while not requests_of(messages):
            frame = await self.frame()
            assert frame is not None, "the referee closed the stream"
            messages += frame
        return messages

    async def start(self, *, table_limit: int = 0) -> None:
        """Say hello and ready."""
        await self.hello(table_limit=table_limit)
        await self.ready()

    async def play_on(self, choose: Callable[[pb.Request], int] = lambda request: 0) -> None:
        """Answer every request until the referee closes; an error status is raised."""
        while (frame := await self.frame()) is not None:
            answers = [(request.request_id, choose(request)) for request in requests_of(frame)]
            if answers:
                await self.choose(*answers)

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """Read to the end; return the status that the referee closed with."""
        try:
            while await self.frame() is not None:
                pass
        except grpc.aio.AioRpcError as error:
            return error.code(), error.details() or ""
        return await self.call.code(), await self.call.details()


def choice(request_id: int, index: int) -> pb.BotMessage:
    """The answer to a request."""
    return pb.BotMessage(choice=pb.Choice(request_id=request_id, index=index))


def requests_of(messages: list[pb.RefereeMessage]) -> list[pb.Request]:
    """The requests among messages."""
    return [message.request for message in messages if message.HasField("request")]


@asynccontextmanager
async def dial(address: str, token: str, tls: ClientTls = PUBLIC_ROOTS) -> AsyncIterator[BotClient]:
    """Open a stream with a connection of its own, and break it at the end."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with open_channel(address, tls, options=options) as channel:
        call = arena_pb2_grpc.ArenaServiceStub(channel).Play()
        try:
            yield BotClient(call, token)
        finally:
            call.cancel()


async def simple_bot(address: str, start: StartProcess) -> int:
    """Play the first legal action at every table; return the exit status."""
    async with dial(address, start.token) as bot:
        await bot.start()
        await bot.play_on()
    return 0


BotScript = Callable[[str, StartProcess], Awaitable[int]]


@dataclass
class Outcome:
    """What a sitting came to, as the worker saw it."""

    events: list[SittingEvent] = field(default_factory=list)

    @property
    def records(self) -> dict[str, Record]:
        """Records by match."""
        return {each.match_id: parse_record(each.record) for each in self.events if isinstance(each, TableResult)}

    @property
    def faults(self) -> list[FaultSeen]:
        """Faults in order."""
        return [event for event in self.events if isinstance(event, FaultSeen)]

    @property
    def starts(self) -> list[StartProcess]:
        """Processes asked for, in order."""
        return [event for event in self.events if isinstance(event, StartProcess)]

    @property
    def void_reason(self) -> str:
        """Why the sitting is void."""
        assert isinstance(self.events[-1], SittingEnd)
        return self.events[-1].void_reason


class TaskWorker:
    """A worker whose bot processes are tasks: it starts and stops them and reports their ends."""

    def __init__(
        self,
        address: str,
        scripts: dict[int, BotScript],
        *,
        control_address: str = "",
        tls: ClientTls = PUBLIC_ROOTS,
    ) -> None:
        """Run player k with `scripts[k]`, others as `simple_bot`; `control_address`: if orders go elsewhere."""
        self._address = address
        self._control_address = control_address or address
        self._tls = tls
        self._scripts = scripts
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def play(self, plan: SittingPlan, *, control_key: str = "") -> Outcome:
        """Have the sitting played; return all that the referee said. What a script asserts in vain is raised."""
        outcome = Outcome()
        try:
            async with run_sitting(self._control_address, plan, control_key=control_key, tls=self._tls) as call:
                async for event in call.events():
                    outcome.events.append(event)
                    await self._obey(event, call)
        finally:
            for task in self._tasks.values():
                task.cancel()
            ends = await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        for end in ends:
            if isinstance(end, AssertionError):
                raise end
        return outcome

    async def _obey(self, event: SittingEvent, call: SittingCall) -> None:
        if isinstance(event, StartProcess):
            self._tasks[event.process] = asyncio.create_task(self._run(event, call))
            await call.process_started(event.process)
        elif isinstance(event, CpuWaitWanted):
            await call.cpu_wait(event.process, 0, wanted=True)
        elif isinstance(event, StopProcess):
            self._tasks[event.process].cancel()

    async def _run(self, start: StartProcess, call: SittingCall) -> None:
        status, detail = -15, ""
        try:
            status = await self._scripts.get(start.player, simple_bot)(self._address, start)
        except grpc.aio.AioRpcError as error:
            status, detail = 1, f"{error.code().name}: {error.details()}"
        finally:
            await call.process_exited(start.process, exit_status=status, detail=detail)
