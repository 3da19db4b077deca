"""Sittings where there are several referees: real ones, which are busy, go away, die, or show a certificate."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from king.control.v1 import control_pb2

from league.store import Store
from referee.plans import StartProcess
from referee.server import RefereeServer
from referee.service import CONTROL_SERVICE_NAME, ControlContext
from tests.protocol.arena import run
from tests.protocol.certificates import ArenaFiles
from tests.protocol.clients import TaskWorker, dial
from tests.protocol.plans import sitting_plan
from tests.workers.stores import LEASE
from tests.workers.test_claimed import running_season
from tests.workers.test_sitting import Memory
from tests.workers.test_sitting import plan_of as plan_among
from workers import referee_client
from workers.bots import BotProgram, find_bot
from workers.choosing import Stages, ask_all, refusal
from workers.claimed import play_from_store
from workers.client_tls import ClientTls
from workers.finding import RefereeAt, Referees
from workers.launcher import BotProcess, Launcher, Limits, LocalLauncher
from workers.referee_client import (
    CertificateRefusedError,
    PlanRefusedError,
    RefereeLostError,
    RefereeUnreachableError,
    describe_referee,
    run_sitting,
)
from workers.relay import Exit, relaying
from workers.sitting import play_sitting

pytestmark = pytest.mark.slow

KEY = "key"
SEATS = 4


@asynccontextmanager
async def referees(*limits: int) -> AsyncIterator[list[RefereeServer]]:
    """Referees that take so many sittings."""
    async with AsyncExitStack() as held:
        servers = []
        for limit in limits:
            server = RefereeServer("127.0.0.1:0", control_key=KEY, sitting_limit=limit)
            await server.start()
            held.push_async_callback(server.stop, 0.2)
            servers.append(server)
        yield servers


def stages_of(*addresses: str, dialled: list[str] | None = None) -> Stages:
    """The stages of these referees; `dialled` gets the addresses that bots are started for."""

    def launching(address: str, tls: ClientTls) -> Launcher:
        del tls
        if dialled is not None:
            dialled.append(address)
        return LocalLauncher(address)

    return Stages(referees=Referees(each=addresses, control_key=KEY), launching=launching)


def silent() -> socket.socket:
    """Who takes connections and says nothing."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


def test_a_referee_tells_how_busy_it_is() -> None:
    """Its sittings, its tables that are not over, and who it is; nobody without the key is told."""

    async def scenario() -> None:
        async with referees(2) as (server,):
            idle = await describe_referee(server.address, control_key=KEY)
            assert (idle.sitting_count, idle.sitting_limit, idle.table_count) == (0, 2, 0)
            async with run_sitting(server.address, sitting_plan(tables=3), control_key=KEY) as call:
                await anext(call.events())
                busy = await describe_referee(server.address, control_key=KEY)
                assert (busy.sitting_count, busy.table_count, busy.draining) == (1, 3, False)
                assert busy.referee == idle.referee
            with pytest.raises(PlanRefusedError):
                await describe_referee(server.address, control_key="wrong")

    run(scenario())


def test_the_first_that_takes_a_sitting_plays_it() -> None:
    """A referee that is full, one that is gone and one that says nothing are passed over."""
    programs = [find_bot("lowest")] * 4
    memory = Memory()
    dialled: list[str] = []

    async def scenario() -> None:
        async with referees(1, 4) as (full, free):
            with silent() as listener:
                async with run_sitting(full.address, sitting_plan(), control_key=KEY) as call:
                    await anext(call.events())
                    quiet = f"127.0.0.1:{listener.getsockname()[1]}"
                    stages = stages_of("127.0.0.1:1", quiet, full.address, free.address, dialled=dialled)
                    await play_sitting(plan_among(programs, boards=1), programs, stage=stages, sink=memory)
            assert dialled == [free.address]

    run(scenario())
    assert list(memory.records) == ["m1"]
    assert memory.faults == []


def test_a_sitting_moves_on_when_a_referee_fills_up_meanwhile() -> None:
    """What was told a moment ago promises nothing: the next one is tried, and no bot is started twice."""
    programs = [find_bot("lowest")] * 4
    memory = Memory()

    class Outdated(Stages):
        async def stages(self, plan):  # type: ignore[no-untyped-def]
            return [self._stage(at) for at in self.referees.find()[0]]

    async def scenario() -> None:
        async with (
            referees(1, 4) as (full, free),
            run_sitting(full.address, sitting_plan(), control_key=KEY) as call,
        ):
            await anext(call.events())
            stages = stages_of(full.address, free.address)
            outdated = Outdated(referees=stages.referees, launching=stages.launching)
            await play_sitting(plan_among(programs, boards=1), programs, stage=outdated, sink=memory)

    run(scenario())
    assert list(memory.records) == ["m1"]
    assert [status for status, _ in memory.logs.values()] == [0] * 4


@asynccontextmanager
async def scripted_referee(play: Callable[[ControlContext], Awaitable[None]]) -> AsyncIterator[str]:
    """The address of who is idle, as it says, and plays sittings so."""

    async def run_sitting_so(messages: AsyncIterator[bytes], context: ControlContext) -> None:
        await anext(messages)
        await play(context)

    async def describe(message: bytes, context: object) -> control_pb2.DescribeRefereeResponse:
        del message, context
        return control_pb2.DescribeRefereeResponse(referee="scripted", sitting_limit=99)

    methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "RunSitting": grpc.stream_stream_rpc_method_handler(
            run_sitting_so, response_serializer=control_pb2.RunSittingResponse.SerializeToString
        ),
        "DescribeReferee": grpc.unary_unary_rpc_method_handler(
            describe, response_serializer=control_pb2.DescribeRefereeResponse.SerializeToString
        ),
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(CONTROL_SERVICE_NAME, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


def test_a_referee_that_hangs_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that says how idle it is, and nothing to the plan of a sitting, is left for the next one."""
    monkeypatch.setattr(referee_client, "FIRST_WORD_WITHIN_S", 1.0)
    programs = [find_bot("lowest")] * 4
    memory = Memory()

    async def hang(context: ControlContext) -> None:
        del context
        await asyncio.sleep(3600)

    async def scenario() -> None:
        async with (
            referees(4) as (server,),
            scripted_referee(hang) as hanging,
            run_sitting(server.address, sitting_plan(tables=3), control_key=KEY) as call,
        ):
            await anext(call.events())  # so it is busier than the other
            stages = stages_of(hanging, server.address)
            plan = plan_among(programs, boards=1)
            await asyncio.wait_for(play_sitting(plan, programs, stage=stages, sink=memory), 60)

    run(scenario())
    assert list(memory.records) == ["m1"]


def test_a_sitting_that_was_taken_is_not_called_untouched() -> None:
    """Whatever status a call breaks with once the referee has spoken: cards may have been seen."""

    async def break_off(context: ControlContext) -> None:
        start = control_pb2.StartProcess(process=1, player=0, token="t")
        await context.write(control_pb2.RunSittingResponse(start_process=start))
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "calm down")

    async def scenario() -> None:
        async with scripted_referee(break_off) as address, run_sitting(address, sitting_plan()) as call:
            events = call.events()
            await anext(events)
            with pytest.raises(RefereeLostError, match="calm down"):
                await anext(events)

    run(scenario())


def test_nobody_answers() -> None:
    """That is said of each, and nothing was asked of anybody."""

    async def scenario() -> None:
        with pytest.raises(RefereeUnreachableError) as nobody:
            await stages_of("127.0.0.1:1", "127.0.0.1:2").stages(sitting_plan())
        assert all(f"no referee answers at 127.0.0.1:{port}" in str(nobody.value) for port in (1, 2))

    run(scenario())


def test_certificates_are_those_of_the_name(tmp_path: Path) -> None:
    """Who dials a number that a name has believes the certificate of that name alone, and so do relays."""
    files = ArenaFiles(tmp_path)
    pair = files.authority.sign("named", "referee.example")
    believing = replace(files.client, name="referee.example")
    numbered = files.client

    async def scenario() -> None:
        server = RefereeServer(
            "tls://127.0.0.1:0",
            more_addresses=("mtls://127.0.0.1:0",),
            control_key=KEY,
            tls=replace(files.server, pair=pair),
        )
        await server.start()
        (orders,) = server.more_addresses

        async def bot(address: str, start: StartProcess) -> int:
            async with relaying(Exit.to(address, believing)) as path, dial(f"unix:{path}", start.token) as client:
                await client.start()
                await client.play_on()
            return 0

        try:
            at = RefereeAt(addresses=orders, tls=believing)
            candidates, failed = await ask_all([at, replace(at, tls=numbered)], (), KEY)
            assert [each.at for each in candidates] == [at]
            assert len(failed) == 1
            worker = TaskWorker(server.address, dict.fromkeys(range(4), bot), control_address=orders, tls=believing)
            outcome = await worker.play(sitting_plan(), control_key=KEY)
            assert (len(outcome.records), outcome.faults, outcome.void_reason) == (1, [], "")
            with pytest.raises(CertificateRefusedError, match="is not believed"):
                async with run_sitting(orders, sitting_plan(), control_key=KEY, tls=numbered):
                    pass
        finally:
            await server.stop(0.2)

    run(scenario())


def test_a_wrong_control_key_is_known_before_anything_is_claimed() -> None:
    """One that answers says so, and which it is; one that does not may come later."""

    async def scenario() -> None:
        async with referees(1) as (server,):
            there = Referees(each=("127.0.0.1:1", server.address), control_key=KEY)
            assert await refusal(there) is None
            refused = await refusal(replace(there, control_key="wrong"))
            assert str(refused).startswith(f"the referee at {server.address}: the metadata king-control-key is not")
        assert await refusal(replace(there, control_key="wrong")) is None

    run(scenario())


def test_one_referee_alone_is_not_asked() -> None:
    """Then the sitting goes there, and whatever is wrong is said as ever."""

    async def scenario() -> None:
        (stage,) = await stages_of("127.0.0.1:1").stages(sitting_plan())
        assert stage.referee == "127.0.0.1:1"

    asyncio.run(scenario())


class Fatal:
    """Starts bots, and kills their referee when the last of them runs, once."""

    def __init__(self, address: str, processes: dict[str, subprocess.Popen[str]], dialled: list[str]) -> None:
        self._plain = LocalLauncher(address)
        self._address = address
        self._processes = processes
        self._dialled = dialled

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        process = await self._plain.start(bot, token, limits)
        self._dialled.append(self._address)
        if len(self._dialled) == SEATS:
            self._processes[self._address].kill()
        return process


@contextmanager
def referee_processes(count: int) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Referees that are processes, by their addresses."""
    with ExitStack() as held:
        processes = {}
        for _ in range(count):
            process = held.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "referee.server", "--address", "127.0.0.1:0"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    env=os.environ | {"KING_CONTROL_KEY": KEY},
                )
            )
            held.callback(process.kill)
            assert process.stdout is not None
            processes[process.stdout.readline().split()[-1]] = process
        yield processes


def test_a_sitting_whose_referee_died_is_played_again_on_another(store: Store) -> None:
    """One of two is killed in the middle: the sitting is given back, its new attempt goes to the other, by itself."""
    season = running_season(store)
    (sitting,) = store.sittings.due()
    dialled: list[str] = []

    with referee_processes(2) as processes:
        there = Referees(each=tuple(processes), control_key=KEY)
        stages = Stages(referees=there, launching=lambda address, tls: Fatal(address, processes, dialled))
        with pytest.raises(RefereeLostError):
            asyncio.run(play_from_store(store, sitting, stage=stages, lease=LEASE))
        assert asyncio.run(play_from_store(store, sitting, stage=stages, lease=LEASE))
    assert len(dialled) == 2 * SEATS
    assert len(set(dialled[:SEATS])) == len(set(dialled[SEATS:])) == 1
    assert dialled[0] != dialled[-1]
    assert store.sittings.get(sitting).attempt == 2
    assert store.seasons.progress(season.id).matches_stored == 1
    assert store.results.faults(season.id) == ()
