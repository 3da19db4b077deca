"""A draining referee over real gRPC: what workers, bots and health checks hear, and the signals that end it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.plans import SittingEnd, StartProcess
from referee.server import run as serve
from tests.protocol.arena import referee, run
from tests.protocol.clients import Outcome, TaskWorker, dial, requests_of
from tests.protocol.plans import sitting_plan
from tests.protocol.test_remote_bots import TOKEN, tell
from workers.referee_client import RefereeDrainingError

pytestmark = pytest.mark.slow


class Pausing:
    """A bot that takes one table at a time, and waits at its second request until `going` is set."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.going = asyncio.Event()

    async def __call__(self, address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start(table_limit=1)
            while (frame := await bot.frame()) is not None:
                for request in requests_of(frame):
                    self.asked.set()
                    await self.going.wait()
                    await bot.choose((request.request_id, 0))
        return 0


def test_what_is_open_is_played_on_while_nothing_new_is_taken() -> None:
    """Health says so at once, another sitting is refused, the table that is open ends as ever, the rest comes back."""

    async def scenario() -> Outcome:
        async with referee() as server:
            pausing = Pausing()
            worker = TaskWorker(server.address, {0: pausing})
            playing = asyncio.create_task(worker.play(sitting_plan(tables=3), control_key="key"))
            await pausing.asked.wait()
            draining = asyncio.create_task(server.drain())
            await asyncio.sleep(0)
            async with grpc.aio.insecure_channel(server.address) as channel:
                health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
            assert health.status == health_pb2.HealthCheckResponse.NOT_SERVING
            with pytest.raises(RefereeDrainingError, match="the referee is going away"):
                await TaskWorker(server.address, {}).play(sitting_plan(attempt=2), control_key="key")
            assert not draining.done()
            pausing.going.set()
            outcome = await playing
            await draining
            return outcome

    outcome = run(scenario())
    assert len(outcome.records) == 1
    assert isinstance(outcome.events[-1], SittingEnd)
    assert outcome.events[-1].handed_back
    assert outcome.faults == []


def test_a_remote_bot_is_sent_away_and_not_taken_again() -> None:
    """One that plays nothing hears at once that the referee goes away, and hears the same when it dials again."""

    async def scenario() -> list[tuple[grpc.StatusCode, str]]:
        heard = []
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                assert await bot.frame()
                await server.drain()
                heard.append(await bot.status())
            async with dial(server.address, TOKEN) as bot:
                await bot.hello()  # and no more: the stream may be closed by then
                heard.append(await bot.status())
        return heard

    assert run(scenario()) == [
        (grpc.StatusCode.UNAVAILABLE, "the referee is going away"),
        (grpc.StatusCode.UNAVAILABLE, "the referee is going away; dial another one, or again"),
    ]


def test_who_watches_the_health_and_reads_nothing_keeps_nobody_from_draining() -> None:
    """A stranger asks to be told of the health with a window of no bytes: what is written to it waits for ever."""

    async def scenario() -> None:
        async with referee() as server:
            host, port = server.address.split(":")
            _, stranger = await asyncio.open_connection(host, int(port))
            stranger.write(watching_with_a_closed_window())
            async with grpc.aio.insecure_channel(server.address) as channel:
                watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
                assert (await anext(aiter(watching))).status == health_pb2.HealthCheckResponse.SERVING
                await asyncio.sleep(0.3)  # the stranger's call is under way
                await asyncio.wait_for(server.drain(), 5)
                assert (await anext(aiter(watching))).status == health_pb2.HealthCheckResponse.NOT_SERVING
            stranger.close()
            with contextlib.suppress(OSError):
                await stranger.wait_closed()

    run(scenario())


def watching_with_a_closed_window() -> bytes:
    """HTTP/2 by hand: settings with a window of no bytes, then a call of `Health.Watch` with an empty message."""

    def frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
        return len(body).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + body

    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": "/grpc.health.v1.Health/Watch",
        ":authority": "referee",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    headers = b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in fields.items()
    )
    settings = (4).to_bytes(2) + (0).to_bytes(4)
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    return preface + frame(4, 0, 0, settings) + frame(1, 4, 1, headers) + frame(0, 1, 1, bytes(5))


@asynccontextmanager
async def referee_process(drain_s: float) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A referee in a process of its own, and its address."""
    program = f"import asyncio, referee.server; asyncio.run(referee.server.run('127.0.0.1:0', drain_s={drain_s}))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        while not (line := (await process.stdout.readline()).decode()).startswith("referee ready on "):
            assert line, "the referee has ended"
        yield process, line.split()[-1]
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize(("drain_s", "signals"), [(0.2, 1), (3600.0, 2)])
def test_a_table_that_does_not_end_is_given_up(drain_s: float, signals: int) -> None:
    """When the time is over, or at a second signal, the process ends well, and the sitting is void."""

    async def scenario() -> tuple[Outcome, int]:
        async with referee_process(drain_s) as (process, address):
            pausing = Pausing()
            playing = asyncio.create_task(TaskWorker(address, {0: pausing}).play(sitting_plan()))
            await pausing.asked.wait()
            for _ in range(signals):
                process.send_signal(signal.SIGTERM)
                await asyncio.sleep(0.05)  # or both would be one
            return await playing, await process.wait()

    assert serve.__kwdefaults__ is not None
    assert serve.__kwdefaults__["drain_s"] == 60
    outcome, status = run(scenario())
    assert (status, outcome.void_reason, outcome.faults) == (0, "the referee is going away", [])
