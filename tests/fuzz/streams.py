"""A running referee over gRPC: a hostile bot's streams among honest ones, strangers' streams, and the control service.

Owns what must hold: no call ends as a failure of ours, the referee answers all the while, the sitting comes to its end,
only the hostile bot is blamed, and every record verifies. What the key lets in may have its sitting refused or void,
but nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from king.control.v1 import control_pb2 as control
from king.v1 import arena_pb2 as pb

from referee.plans import StartProcess
from referee.remotes import TOKEN_MARK
from referee.rules import By, parse_record
from referee.server import RefereeServer
from referee.verification import verify
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.hostile import Step, change_script, frame_of, made_step, number_in, read_script
from tests.fuzz.messages import change_message
from tests.fuzz.mutation import change_bytes, json_bytes, random_bytes
from tests.protocol.clients import TaskWorker, requests_of
from tests.protocol.plans import sitting_plan, sitting_start

KEY = "key"
HOSTILE = 0
KINDS = ("frame", "frame", "say", "say", "say", "answer", "answer", "dial", "hang_up", "stranger", "read")
CONTROL = "start=60s,inc=100ms,bank=60s"
VARIANT = "chooser-12[contracts=short,seats=3]"
OURS = frozenset({grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DATA_LOSS})
"""How a call ends when the referee's own code has failed."""

NOT_OURS = ("Exception deserializing request!", "Internal error from Core")
"""What gRPC says by itself: the library of servers to bytes that are no message of a call with one request, and the
library of clients to who writes on a call that has ended."""

_PLAY = "/king.v1.ArenaService/Play"
_RUN = "/king.control.v1.ControlService/RunSitting"
_SET = "/king.control.v1.ControlService/SetRemoteBots"
_QUIET_S = 0.05

RawCall = grpc.aio.StreamStreamCall[bytes, bytes]


class Line:
    """A connection, and at most one raw stream on it at a time."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self._channel = channel
        self._token = token
        self._call: RawCall | None = None
        self._reader: asyncio.Task[None] | None = None
        self._asked: list[int] = []
        self.statuses: list[tuple[grpc.StatusCode, str]] = []

    async def step(self, step: Step) -> None:
        """Do a step of a script."""
        if step[0] in {"dial", "hang_up", "stranger"}:
            await self.hang_up()
        if step[0] in {"dial", "stranger"}:
            self._call = self._channel.stream_stream(_PLAY)()
            self._reader = asyncio.create_task(self._read(self._call))
        if step[0] == "dial":
            said = [
                ["hello", 1, number_in(step, 1, -(2**31), 2**31 - 1)],
                *(step[2] if len(step) > 2 and isinstance(step[2], list) else []),
            ]
            await self._send(frame_of(["say", said], self._asked, self._token))
        elif step[0] in {"frame", "say", "stranger"}:
            await self._send(
                frame_of(step if step[0] != "stranger" else ["frame", *step[1:]], self._asked, self._token)
            )
        elif step[0] in {"read", "answer"}:
            await asyncio.sleep(_QUIET_S)
        if step[0] == "answer":
            await self._send(
                frame_of(["say", [["choice", at, 0] for at in range(len(self._asked))]], self._asked, self._token)
            )
            self._asked = []

    async def _send(self, frame: bytes) -> None:
        if self._call is not None:
            try:
                await asyncio.wait_for(self._call.write(frame), 5)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                await self.hang_up()

    async def _read(self, call: RawCall) -> None:
        """Read what comes, to the end."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
            while isinstance(data := await call.read(), bytes):
                messages = pb.PlayResponse.FromString(data).messages
                self._asked = [*self._asked, *(each.request_id for each in requests_of(list(messages)))][-40:]

    async def hang_up(self) -> None:
        """End the stream, and keep how it ended."""
        call, self._call, self._asked = self._call, None, []
        if call is None:
            return
        if not call.done():
            call.cancel()
        if self._reader is not None:
            await asyncio.wait({self._reader})
        with contextlib.suppress(asyncio.CancelledError):
            self.statuses.append((await call.code(), await call.details() or ""))


class Streams:
    """The surface of bots' streams."""

    def __init__(self, loop: asyncio.AbstractEventLoop, server: RefereeServer) -> None:
        self._loop = loop
        self._server = server
        self._number = 0

    def seeds(self) -> Sequence[bytes]:
        """Honest play, each kind of fault, and streams of nobody."""
        ready: Step = ["dial", 0, [["ready"]]]
        return [
            json_bytes(script)
            for script in (
                [ready, *([["answer"]] * 10)],
                [ready, ["read"], ["say", [["choice", 0, 99]]], ["read"]],
                [ready, ["read"], ["say", [["choice", 10**9, 0]]], ["read"]],
                [ready, ["hang_up"], ready, ["answer"], ["answer"]],
                [ready, *([["frame", "", 1]] * 25), ["read"]],
                [["dial", 257, []], ["read"]],
                [["dial", 0, []], ["dial", 0, []], ready, ["answer"]],
                [["stranger", "ff" * 50, 1], ["read"], ready],
                [["stranger", "00", 4000], ["stranger", "", 1], ["stranger", "0a00", 1], ready],
                [["stranger", "0a" * 300, 4000], ready, ["frame", "0a" * 300, 4000], ["read"]],
                [["stranger", _stray_hello(f"{TOKEN_MARK}nobody").hex(), 1], ["read"]],
                [
                    ["stranger", _stray_hello("x" * 5000).hex(), 1],
                    ["read"],
                    ["stranger", _stray_hello("é\0", 99).hex(), 1],
                ],
            )
        ]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another script."""
        if chance.random() < 0.15:
            return json_bytes([made_step(chance, "dial"), *read_script(source)])
        if chance.random() < 0.15:
            stray = change_bytes(_stray_hello("token"), chance) if chance.random() < 0.5 else random_bytes(chance)
            return json_bytes([["stranger", stray.hex(), chance.choice((1, 1, 300))], *read_script(source)])
        return change_script(source, chance, KINDS)

    def attempt(self, given: bytes) -> str:
        """Play a sitting with it."""
        return self._loop.run_until_complete(self._play(read_script(given)))

    async def _play(self, script: Sequence[Step]) -> str:
        self._number += 1
        statuses: list[tuple[grpc.StatusCode, str]] = []

        async def hostile(address: str, start: StartProcess) -> int:
            async with _channel(address) as channel:
                line = Line(channel, start.token)
                for step in script:
                    await line.step(step)
                await line.hang_up()
                statuses.extend(line.statuses)
            return 1

        plan = replace(sitting_plan(variant=VARIANT, control=CONTROL, seats=3), sitting=f"sitting {self._number}")
        outcome = await TaskWorker(self._server.address, {HOSTILE: hostile}).play(plan, control_key=KEY)
        _check_statuses(statuses)
        await _check_health(self._server)
        if outcome.void_reason:
            raise WrongAnswerError(f"the sitting is void: {outcome.void_reason}")
        blamed = {fault.player for fault in outcome.faults}
        if blamed - {HOSTILE}:
            raise WrongAnswerError(f"players {sorted(blamed)} are blamed: {outcome.faults}")
        for record in outcome.records.values():
            _check_record(record)
        kinds = sorted({fault.kind for fault in outcome.faults})
        return f"{' '.join(kinds)} {sorted({f'{code.name} {detail}' for code, detail in statuses})}"


class Control:
    """The surface of the control service, for who has the key: a script of messages in hexadecimal."""

    def __init__(self, loop: asyncio.AbstractEventLoop, server: RefereeServer) -> None:
        self._loop = loop
        self._server = server

    def seeds(self) -> Sequence[bytes]:
        """A good start, reports that make sense, and those that do not."""
        start = sitting_start(variant=VARIANT, control=CONTROL, seats=3)
        wanted = control.RunSittingRequest
        reports = [
            wanted(process_started=control.ProcessStarted(process=1)),
            wanted(process_exited=control.ProcessExited(process=1, exit_status=-9, detail="Killed")),
            wanted(cpu_wait=control.CpuWait(process=1, waited_us=5, wanted=True)),
            wanted(watch_tables=control.WatchTables(match_ids=["match-7-1"])),
            wanted(process_exited=control.ProcessExited(process=2, launch_failed=True)),
            wanted(process_started=control.ProcessStarted(process=99)),
            wanted(),
        ]
        scripts = [
            [start],
            *([start, one.SerializeToString()] for one in reports),
            [b""],
            [start, start],
            [b"\xff" * 9],
        ]
        all_exit = [
            wanted(process_exited=control.ProcessExited(process=number)).SerializeToString() for number in range(1, 7)
        ]
        return [b"\n".join(one.hex().encode() for one in script) for script in (*scripts, [start, *all_exit])]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Other messages, or bytes that are none."""
        script = [bytes.fromhex(line.decode()) for line in source.split(b"\n")]
        at = chance.randrange(len(script))
        message = control.RunSittingRequest()
        try:
            message.ParseFromString(script[at])
        except DecodeError:
            script[at] = change_bytes(script[at], chance)
        else:
            for _ in range(chance.choice((1, 1, 2, 4))):
                change_message(message, chance)
            script[at] = message.SerializeToString()
        if chance.random() < 0.15:
            script[at] = change_bytes(script[at], chance)
        if chance.random() < 0.3:
            script.append(chance.choice(script))
        return b"\n".join(one.hex().encode() for one in script[:40])

    def attempt(self, given: bytes) -> str:
        """Send the messages of a call; then the referee must still be well."""
        script = [bytes.fromhex(line.decode()) for line in given.split(b"\n")]
        return self._loop.run_until_complete(self._call(script))

    async def _call(self, script: Sequence[bytes]) -> str:
        async with _channel(self._server.address) as channel:
            metadata = (("king-control-key", KEY),)
            call: RawCall = channel.stream_stream(_RUN)(metadata=metadata)
            said = await _converse(call, script)
            status = (await call.code(), await call.details() or "")
            set_bots: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_SET)
            remote = set_bots(script[-1], metadata=metadata)
            with contextlib.suppress(grpc.aio.AioRpcError):
                await remote
            _check_statuses([status, (await remote.code(), await remote.details() or "")])
        await _check_health(self._server)
        return f"{status[0].name} {status[1]} {sorted(said)}"


async def _converse(call: RawCall, script: Sequence[bytes]) -> set[str]:
    """Write the messages; return the kinds of what came back until it was quiet."""
    said: set[str] = set()
    reader = asyncio.create_task(_hear(call, said))
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        for message in script:
            await asyncio.wait_for(call.write(message), 5)
    await asyncio.wait({reader}, timeout=_QUIET_S)
    if reader.done():
        reader.result()
    else:
        call.cancel()
        await asyncio.wait({reader})
    return said


async def _hear(call: RawCall, said: set[str]) -> None:
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
        while isinstance(data := await call.read(), bytes):
            response = control.RunSittingResponse.FromString(data)
            said.add(str(response.WhichOneof("message")))
            if response.HasField("sitting_end") and "the referee failed" in response.sitting_end.void_reason:
                raise WrongAnswerError(response.sitting_end.void_reason)
            if response.HasField("table_result"):
                _check_verified(parse_record(response.table_result.record))


def _check_verified(record: dict[str, Any]) -> None:
    wrong = verify(record).problems
    if wrong:
        raise WrongAnswerError(f"a record does not verify: {wrong[0]}")


def _stray_hello(token: str, version: int = 1) -> bytes:
    return pb.PlayRequest(
        messages=[pb.BotMessage(hello=pb.Hello(protocol_version=version, token=token))]
    ).SerializeToString()


def _check_statuses(statuses: Sequence[tuple[grpc.StatusCode, str]]) -> None:
    for code, detail in statuses:
        if code in OURS and detail not in NOT_OURS:
            raise WrongAnswerError(f"a call ended with {code.name}: {detail[:200]}")
        if len(detail) > 2000:
            raise WrongAnswerError(f"a call ended with {len(detail)} letters of detail")


def _check_record(record: dict[str, Any]) -> None:
    _check_verified(record)
    stood_in = {action["seat"] for deal in record["deals"] for action in deal["actions"] if action["by"] == By.STAND_IN}
    if stood_in - {HOSTILE}:
        raise WrongAnswerError(f"the stand-in acted for seats {sorted(stood_in)}")


async def _check_health(server: RefereeServer) -> None:
    async with _channel(server.address) as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=30)
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            raise WrongAnswerError(f"the referee's health is {answer.status}")


@contextlib.asynccontextmanager
async def _channel(address: str) -> AsyncIterator[grpc.aio.Channel]:
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_send_message_length", -1))
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        yield channel


@contextmanager
def _referee() -> Iterator[tuple[asyncio.AbstractEventLoop, RefereeServer]]:
    """A referee on a loop of this thread; what nobody awaited is a find of whoever runs next."""
    loop = asyncio.new_event_loop()
    server = RefereeServer("127.0.0.1:0", control_key=KEY)
    try:
        loop.run_until_complete(server.start())
        yield loop, server
        loop.run_until_complete(server.stop(0.2))
    finally:
        loop.close()


@contextmanager
def open_streams(_folder: Path) -> Iterator[Streams]:
    """A referee of the surface's own."""
    with _referee() as (loop, server):
        yield Streams(loop, server)


@contextmanager
def open_control(_folder: Path) -> Iterator[Control]:
    """A referee of the surface's own."""
    with _referee() as (loop, server):
        yield Control(loop, server)
