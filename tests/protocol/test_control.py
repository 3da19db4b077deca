"""The worker's side over real gRPC: attempts, voids, refusals."""

from __future__ import annotations

import asyncio
import contextlib

import grpc
import grpc.aio
import pytest
from structlog.testing import capture_logs

from referee.plans import SittingPlan, StartProcess
from tests.protocol.arena import (
    PATIENCE_S,
    play,
    referee,
    run,
)
from tests.protocol.clients import Outcome, TaskWorker, dial, requests_of
from tests.protocol.plans import sitting_plan, sitting_start
from workers.referee_client import (
    PlanRefusedError,
    RefereeFullError,
    RefereeLostError,
    SittingDroppedError,
    run_sitting,
)

pytestmark = pytest.mark.slow


def _raw_call(*messages: bytes) -> tuple[grpc.StatusCode, str]:
    """How a call of RunSitting ends in which these bytes are sent."""

    async def scenario() -> tuple[grpc.StatusCode, str]:
        async with referee() as server, grpc.aio.insecure_channel(server.address) as channel:
            call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
                "/king.control.v1.ControlService/RunSitting"
            )(metadata=(("king-control-key", "key"),))
            for message in messages:
                await call.write(message)
            with contextlib.suppress(grpc.aio.AioRpcError):
                while isinstance(await call.read(), bytes):
                    pass
            return await call.code(), await call.details()

    return run(scenario())


@pytest.mark.parametrize("before", [(), (sitting_start(),)])
def test_bytes_that_are_no_message_of_a_worker_are_refused(before: tuple[bytes, ...]) -> None:
    """Who has the key and sends bytes that cannot be read is told so; it is no failure of the referee's."""
    status, detail = _raw_call(*before, b"\xff" * 9)
    assert status == grpc.StatusCode.INVALID_ARGUMENT
    assert "the bytes are no RunSittingRequest" in detail


@pytest.mark.parametrize(
    ("key", "status"), [("key", grpc.StatusCode.INVALID_ARGUMENT), ("", grpc.StatusCode.PERMISSION_DENIED)]
)
def test_bytes_that_are_no_list_of_remote_bots_are_refused(key: str, status: grpc.StatusCode) -> None:
    """They are told as such to who has the key; of who has none they are not even read."""

    async def scenario() -> grpc.StatusCode:
        async with referee() as server, grpc.aio.insecure_channel(server.address) as channel:
            set_bots: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
                "/king.control.v1.ControlService/SetRemoteBots"
            )
            call = set_bots(b"\xff" * 9, metadata=(("king-control-key", key),))
            return await call.code()

    assert run(scenario()) == status


def test_a_refusal_quotes_the_start_of_what_was_sent() -> None:
    """What is refused is quoted, but not so long that the answer does not get through."""
    status, detail = _raw_call(sitting_start(variant="x" * 100_000))
    assert status == grpc.StatusCode.INVALID_ARGUMENT
    assert detail.startswith("there is no variant 'xxx")
    assert len(detail) < 1000


def test_newer_attempt_drops_the_older() -> None:
    """A sitting taken up again with a higher attempt ends the older attempt and its bots' streams."""

    async def scenario() -> None:
        hanging = asyncio.Event()

        async def hang(address: str, start: StartProcess) -> int:
            async with dial(address, start.token) as bot:
                await bot.start()
                frame = await bot.frame_with_requests()
                assert requests_of(frame)
                hanging.set()
                end = await bot.frame()
                assert end is not None
                assert "attempt 2 of the sitting has replaced attempt 1" in end[-1].table_end.aborted
                assert (await bot.status())[0] == grpc.StatusCode.ABORTED
            return 0

        async with referee() as server:
            older = asyncio.create_task(TaskWorker(server.address, {0: hang}).play(sitting_plan(), control_key="key"))
            await hanging.wait()
            with pytest.raises(SittingDroppedError, match="attempt 1 of this sitting is in progress"):
                await TaskWorker(server.address, {}).play(sitting_plan(), control_key="key")
            newer = await TaskWorker(server.address, {}).play(sitting_plan(attempt=2), control_key="key")
            assert len(newer.records) == 1
            with pytest.raises(SittingDroppedError, match="has replaced"):
                await older

    run(scenario())


def test_launch_failure_voids_the_sitting() -> None:
    """When the worker cannot start a bot, the sitting is void and nobody has a fault."""

    async def scenario() -> Outcome:
        async with referee() as server, run_sitting(server.address, sitting_plan(), control_key="key") as call:
            outcome = Outcome()
            async for event in call.events():
                outcome.events.append(event)
                if isinstance(event, StartProcess) and event.player == 3:
                    await call.process_exited(event.process, exit_status=127, detail="no such file", launch_failed=True)
            return outcome

    outcome = run(scenario())
    assert outcome.void_reason == "the worker could not start process 4: no such file"
    assert outcome.faults == []
    assert outcome.records == {}


def test_worker_that_goes_drops_the_sitting() -> None:
    """When the worker's side breaks, its bots' tables are aborted and its sitting can be taken up again.

    The log has an end of every sitting that began.
    """

    async def scenario() -> None:
        async with referee() as server:
            async with run_sitting(server.address, sitting_plan(), control_key="key") as call:
                tokens = []
                async for event in call.events():
                    assert isinstance(event, StartProcess)
                    tokens.append(event.token)
                    if len(tokens) == 4:
                        break
                async with dial(server.address, tokens[0]) as bot:
                    await bot.start()
                    assert await bot.frame()
                    call._call.cancel()
                    code, detail = await bot.status()
                    assert (code, detail) == (grpc.StatusCode.ABORTED, "the worker has gone")
            again = await TaskWorker(server.address, {}).play(sitting_plan(), control_key="key")
            assert len(again.records) == 1

    with capture_logs() as logged:
        run(scenario())
    assert [line["event"] for line in logged].count("sitting begins") == 2
    ends = [line for line in logged if line["event"] == "sitting ends"]
    assert [line["void_reason"] for line in ends] == ["the worker has gone", ""]
    assert {(line["sitting"], line["attempt"]) for line in ends} == {(sitting_plan().sitting, sitting_plan().attempt)}


def test_stopping_referee_voids_sittings() -> None:
    """A referee that is stopped tells worker and bots, and the sitting is void."""

    async def scenario() -> None:
        async with referee() as server:
            token: asyncio.Future[str] = asyncio.get_running_loop().create_future()

            async def hand_over_token(address: str, start: StartProcess) -> int:
                token.set_result(start.token)
                await asyncio.sleep(PATIENCE_S)
                return 0

            worker = TaskWorker(server.address, {0: hand_over_token})
            playing = asyncio.create_task(worker.play(sitting_plan(), control_key="key"))
            async with dial(server.address, await token) as bot:
                await bot.start()
                await bot.frame_with_requests()
                await server.stop(5)
                assert await bot.status() == (grpc.StatusCode.UNAVAILABLE, "the referee is going away")
            assert (await playing).void_reason == "the referee is going away"

    run(scenario())


def test_worker_needs_the_control_key() -> None:
    """A caller without the referee's key, such as a bot, cannot run a sitting."""

    async def scenario() -> None:
        async with referee() as server:
            for key in ("", "other"):
                with pytest.raises(PlanRefusedError, match="king-control-key"):
                    await TaskWorker(server.address, {}).play(sitting_plan(), control_key=key)

    run(scenario())


def test_bad_plan_is_refused_with_the_reason() -> None:
    """A plan that makes no sense is refused, and the reason names what would be right."""
    with pytest.raises(PlanRefusedError, match="russian-15"):
        run(play(sitting_plan(variant="russian-15")))


def test_full_referee_refuses_politely() -> None:
    """A referee that has as many sittings as it takes says so."""

    async def scenario() -> None:
        async with (
            referee(sitting_limit=1) as server,
            run_sitting(server.address, sitting_plan(), control_key="key") as call,
        ):
            await anext(call.events())
            other = SittingPlan("sitting-2", 1, "russian-14", "bank=10s", sitting_plan().players, sitting_plan().tables)
            with pytest.raises(RefereeFullError, match="plays 1 sittings and takes no more"):
                await TaskWorker(server.address, {}).play(other, control_key="key")

    run(scenario())


def test_nobody_at_the_address_is_said() -> None:
    """A worker whose referee does not answer learns so within its patience."""

    async def scenario() -> None:
        with pytest.raises(RefereeLostError, match=r"no referee answers at 127\.0\.0\.1:1"):
            async with run_sitting("127.0.0.1:1", sitting_plan(), connect_timeout_s=0.2):
                raise AssertionError("nobody listens there")

    run(scenario())
