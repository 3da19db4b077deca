"""The referee over real gRPC, with real bots and a real worker's client."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import grpc
import grpc.aio
import pytest
from king.v1 import arena_pb2 as pb
from structlog.testing import capture_logs

from referee.plans import SittingPlan, StartProcess
from referee.rules import Record
from referee.server import RefereeServer
from referee.verification import verify
from tests.protocol.clients import BotClient, BotScript, Outcome, TaskWorker, choice, dial, requests_of, simple_bot
from tests.protocol.plans import sitting_plan
from workers.referee_client import (
    PlanRefusedError,
    RefereeFullError,
    RefereeLostError,
    SittingDroppedError,
    run_sitting,
)

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


def test_sitting_ends_with_sound_records() -> None:
    """Every table of a sitting gives one record that verifies, with times for each asked decision."""
    outcome = run(play(sitting_plan(tables=3)))
    assert outcome.void_reason == ""
    assert sorted(outcome.records) == ["match-7-1", "match-7-2", "match-7-3"]
    assert outcome.faults == []
    for record in outcome.records.values():
        assert_sound(record)
        assert record["termination"] == {"kind": "normal", "detail": ""}
        for deal in record["deals"]:
            for action in deal["actions"]:
                assert (action["by"] == "bot") == ("ms" in action) == ("asked_with" in action)


EVERY_KIND = (
    "turkish-20",
    "turkish-20[limits=free,must_beat=always]",
    "classic[redemption=talon]",
    "classic[negatives=7,redemption=praise]",
    "classic[redemption=talon,seats=3]",
    "ordered-56",
    "auction-11",
    "trump-11",
    "chooser-12[bonus_trump=chooser]",
)


@pytest.mark.parametrize("variant", EVERY_KIND)
def test_every_kind_of_action_travels(variant: str) -> None:
    """Matches with choices, orders, bids, trumps, sales and gifts are played through the protocol."""
    seats = 3 if "seats=3" in variant else 4
    outcome = run(play(sitting_plan(variant=variant, seats=seats)))
    (record,) = outcome.records.values()
    assert_sound(record)
    assert outcome.faults == []


def test_illegal_choice_forfeits_open_tables_only() -> None:
    """An index out of range costs the open table, and the bot is started once more for the table after it."""
    bot = Failing(spoken(lambda bot, requests: bot.choose((requests[0].request_id, 99))))

    async def one_at_a_time(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as client:
            await client.start(table_limit=1)
            await client.play_on()
        return 0

    outcome = run(play(sitting_plan(tables=2), {0: bot, 1: one_at_a_time}))
    assert [(fault.kind, fault.forfeits, fault.process, len(fault.match_ids)) for fault in outcome.faults] == [
        ("illegal", True, 1, 1)
    ]
    assert "index 99 is not from 0 to" in outcome.faults[0].detail
    assert bot.starts == 2
    first, second = (outcome.records[f"match-7-{board}"] for board in _in_order(outcome))
    assert forfeited(first) == [(0, "illegal")]
    assert "bot" not in decided_by(first, 0)
    assert forfeited(second) == []
    assert decided_by(second, 0) == {"bot", "forced"}
    for record in (first, second):
        assert_sound(record)


def _in_order(outcome: Outcome) -> list[int]:
    """Boards in the order in which they forfeited first."""
    spoiled = [board for board in (1, 2) if outcome.records[f"match-7-{board}"]["forfeits"]]
    return spoiled + [board for board in (1, 2) if board not in spoiled]


async def _answer_twice(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.choose((requests[0].request_id, 0))
    await bot.choose((requests[0].request_id, 0))


async def _answer_unknown(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.choose((requests[0].request_id + 1000, 0))


async def _say_hello_again(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.hello()


async def _say_ready_again(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.ready()


async def _say_nothing_in_a_message(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.say(pb.BotMessage())


async def _flood_with_frames(bot: BotClient, requests: list[pb.Request]) -> None:
    for _ in range(17 + 2 * len(requests)):
        await bot.say()


async def _flood_with_parts(bot: BotClient, requests: list[pb.Request]) -> None:
    for _ in range(17 + 2 * len(requests)):
        await bot.say(more=True)


async def _send_long_frame(bot: BotClient, requests: list[pb.Request]) -> None:
    await bot.say(*[choice(requests[0].request_id, 0)] * ((1 << 20) // 4))


async def _send_immense_frame(bot: BotClient, requests: list[pb.Request]) -> None:
    hello = pb.Hello(name="x" * (20 << 20))
    await bot.say(pb.BotMessage(hello=hello))


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        (_answer_twice, "protocol", "was answered before"),
        (_answer_unknown, "protocol", "was never sent"),
        (_say_hello_again, "protocol", "Hello was said twice"),
        (_say_ready_again, "protocol", "Ready was said twice"),
        (_say_nothing_in_a_message, "protocol", "none of hello, ready and choice"),
        (_flood_with_frames, "flood", "frames on a stream with 1 requests; 18 are allowed"),
        (_flood_with_parts, "flood", "frames on a stream with 1 requests; 18 are allowed"),
        (_send_long_frame, "flood", "the limit is 1048576 bytes"),
        (_send_immense_frame, "flood", "the limit is 1048576 bytes"),
    ],
)
def test_misbehaviour_is_one_fault_of_its_kind(script: Any, kind: str, words: str) -> None:
    """Each breach of the protocol is one fault with its kind and words, and the others' match goes on."""
    outcome = run(play(sitting_plan(), {2: Failing(spoken(script))}))
    assert [(fault.player, fault.kind, fault.forfeits) for fault in outcome.faults] == [(2, kind, True)]
    assert words in outcome.faults[0].detail
    (record,) = outcome.records.values()
    assert forfeited(record) == [(2, kind)]
    assert "stand_in" in decided_by(record, 2)
    assert_sound(record)


def test_bytes_that_are_no_frame_are_a_protocol_fault() -> None:
    """A frame that cannot be parsed is a protocol fault."""

    async def garbage(address: str, start: StartProcess) -> int:
        async with grpc.aio.insecure_channel(address) as channel:
            play: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
            play = channel.stream_stream("/king.v1.ArenaService/Play")
            call = play()
            hello = pb.BotMessage(hello=pb.Hello(protocol_version=1, token=start.token))
            await call.write(pb.PlayRequest(messages=[hello]).SerializeToString())
            await call.write(b"\xff\xff\xff")
            while await call.read() is not grpc.aio.EOF:
                pass
            assert await call.code() == grpc.StatusCode.INVALID_ARGUMENT
        return 1

    outcome = run(play(sitting_plan(), {1: Failing(garbage)}))
    assert [(fault.kind, fault.detail) for fault in outcome.faults] == [("protocol", "the bytes are no PlayRequest")]


def test_silent_bot_overruns_and_forfeits_at_the_third() -> None:
    """A bot that never answers has two forgiven overruns, and the third forfeits its table."""
    silent = Failing(spoken(lambda bot, requests: asyncio.sleep(0)))
    outcome = run(play(sitting_plan(control=SHORT), {3: silent}))
    assert [(fault.kind, fault.forfeits) for fault in outcome.faults] == [
        ("timeout", False),
        ("timeout", False),
        ("timeout", True),
    ]
    (record,) = outcome.records.values()
    assert forfeited(record) == [(3, "timeout")]
    assert_sound(record)


def test_one_overrun_is_forgiven_and_late_answers_are_passed_over() -> None:
    """After an overrun the stand-in's action is told, the late answer is no fault, and the bot plays on."""

    async def late_once(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start()
            (first,) = requests_of(await bot.frame_with_requests())
            told = await bot.frame_with_requests()
            assert pb.ACTION_BY_STAND_IN in {each.action_taken.by for each in told if each.HasField("action_taken")}
            (second,) = requests_of(told)
            assert second.time_taken_last_ms >= 350
            assert second.time_left_ms == 150 + 50
            await bot.choose((first.request_id, 0), (second.request_id, 0))
            await bot.play_on()
        return 0

    outcome = run(play(sitting_plan(control=SHORT), {0: late_once}))
    assert [(fault.kind, fault.forfeits, fault.match_ids) for fault in outcome.faults] == [
        ("timeout", False, ("match-7-1",))
    ]
    (record,) = outcome.records.values()
    assert record["forfeits"] == []
    assert decided_by(record, 0) == {"bot", "forced", "stand_in"}
    assert_sound(record)


def test_broken_stream_is_resumed_under_the_same_request() -> None:
    """A bot that dials again is sent its table whole, with the open request under its old id; that is no fault."""
    seen: list[list[pb.RefereeMessage]] = []

    async def break_off(address: str, start: StartProcess) -> int:
        for _ in range(2):
            async with dial(address, start.token) as bot:
                await bot.start()
                seen.append(await bot.frame_with_requests())
        async with dial(address, start.token) as bot:
            await bot.start()
            await bot.play_on()
        return 0

    outcome = run(play(sitting_plan(), {1: break_off}))
    assert outcome.faults == []
    first, second = ([message for message in frames if not message.HasField("welcome")] for frames in seen)
    assert requests_of(first)[0].request_id == requests_of(second)[0].request_id
    assert _told(first) == _told(second)
    assert first[0].HasField("table_start")
    (record,) = outcome.records.values()
    assert_sound(record)


def _told(messages: list[pb.RefereeMessage]) -> list[bytes]:
    return [message.SerializeToString() for message in messages if not message.HasField("request")]


def test_bot_that_stays_away_has_left() -> None:
    """A broken stream runs on the clock; below zero without a stream is the fault exit."""

    async def leave(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start()
            await bot.frame_with_requests()
        await asyncio.sleep(PATIENCE_S)
        return 0

    outcome = run(play(sitting_plan(control=SHORT), {0: Failing(leave)}))
    assert [fault.kind for fault in outcome.faults] == ["exit"]
    assert "no stream open" in outcome.faults[0].detail


def test_exit_is_a_fault_at_once_and_the_second_forfeits_the_rest() -> None:
    """A process that ends while it is needed is restarted once; after the second the bot is absent everywhere."""

    async def leave(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start(table_limit=1)
            await bot.frame_with_requests()
        return 3

    outcome = run(play(sitting_plan(tables=4), {2: leave}))
    assert [(fault.kind, fault.detail, len(fault.match_ids)) for fault in outcome.faults] == [
        ("exit", "the process ended with exit status 3", 1),
        ("exit", "the process ended with exit status 3", 3),
    ]
    assert len([start for start in outcome.starts if start.player == 2]) == 2
    kinds = sorted(kind for record in outcome.records.values() for _, kind in forfeited(record))
    assert kinds == ["absent", "absent", "exit", "exit"]
    for record in outcome.records.values():
        assert_sound(record)
        if forfeited(record) == [(2, "absent")]:
            assert record["forfeits"][0]["deal"] == 1


def test_bot_that_never_gets_ready_is_absent() -> None:
    """A process that is not ready within its start-up allowance fails, and after the second the bot is absent."""

    async def never_ready(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.hello()
            await bot.status()
        return 0

    outcome = run(play(sitting_plan(control="start=200ms,inc=1s,bank=10s"), {1: never_ready}))
    assert [fault.kind for fault in outcome.faults] == ["absent", "absent"]
    assert "not ready within 200 ms of its start" in outcome.faults[0].detail
    (record,) = outcome.records.values()
    assert forfeited(record) == [(1, "absent")]
    assert decided_by(record, 1) <= {"stand_in", "forced"}
    assert_sound(record)


def test_bot_that_reads_nothing_overruns() -> None:
    """A bot that does not read its stream does not hold up the others: it is one fault, and the match ends."""

    async def deaf(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start()
            await asyncio.sleep(PATIENCE_S)
        return 0

    outcome = run(play(sitting_plan(tables=8, control=SHORT), {0: Failing(deaf)}))
    assert [(fault.kind, fault.forfeits) for fault in outcome.faults][-1] == ("timeout", True)
    assert len(outcome.records) == 8


def test_stopped_process_overruns() -> None:
    """A bot process that is stopped by SIGSTOP at its first request overruns three times; nobody waits for it."""
    program = (
        "import asyncio, os, signal, sys\n"
        "from referee.plans import StartProcess\n"
        "from tests.protocol.clients import dial\n"
        "async def main():\n"
        "    async with dial(os.environ['KING_REFEREE'], os.environ['KING_TOKEN']) as bot:\n"
        "        await bot.start()\n"
        "        await bot.frame_with_requests()\n"
        "        os.kill(os.getpid(), signal.SIGSTOP)\n"
        "asyncio.run(main())\n"
    )

    async def stopped(address: str, start: StartProcess) -> int:
        environment = {**os.environ, "KING_REFEREE": address, "KING_TOKEN": start.token}
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, env=environment)
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    outcome = run(play(sitting_plan(control=SHORT), {0: Failing(stopped)}))
    assert [(fault.kind, fault.forfeits) for fault in outcome.faults] == [
        ("timeout", False),
        ("timeout", False),
        ("timeout", True),
    ]
    (record,) = outcome.records.values()
    assert forfeited(record) == [(0, "timeout")]


def test_delay_of_the_referee_is_no_fault_of_a_bot() -> None:
    """When the referee itself stands still while a request is open, the bot is not charged for it."""

    async def hold_up_the_referee(bot: BotClient, requests: list[pb.Request]) -> None:
        time.sleep(0.7)  # noqa: ASYNC251  (the loop is the referee's too)
        await bot.choose((requests[0].request_id, 0))
        await bot.play_on()

    outcome = run(play(sitting_plan(control=SHORT), {1: spoken(hold_up_the_referee)}))
    assert outcome.faults == []


@pytest.mark.parametrize(
    ("say", "status", "words"),
    [
        (lambda bot: bot.ready(), grpc.StatusCode.INVALID_ARGUMENT, "the first message on a stream is Hello"),
        (lambda bot: bot.hello(version=2), grpc.StatusCode.FAILED_PRECONDITION, "this referee speaks 1"),
        (lambda bot: bot.call.done_writing(), grpc.StatusCode.CANCELLED, "ended before Hello"),
    ],
)
def test_stream_is_refused_with_a_reason(say: Any, status: grpc.StatusCode, words: str) -> None:
    """A stream that does not begin as it should is closed with a status and words that say why."""

    async def scenario(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await say(bot)
            code, detail = await bot.status()
            assert code == status
            assert words in detail
        return await simple_bot(address, start)

    assert run(play(sitting_plan(), {0: scenario})).faults == []


def test_wrong_and_spent_tokens_are_refused() -> None:
    """A token that was never drawn, or whose process was given up, opens no stream."""

    async def scenario(address: str, start: StartProcess) -> int:
        for token, first in (("nonsense", ""), (start.token, "illegal")):
            async with dial(address, token) as bot:
                if first:
                    await bot.start()
                    await bot.choose((requests_of(await bot.frame_with_requests())[0].request_id, -1))
                    assert (await bot.status())[0] == grpc.StatusCode.INVALID_ARGUMENT
                async with dial(address, token) as again:
                    await again.hello()
                    code, detail = await again.status()
                    assert code == grpc.StatusCode.UNAUTHENTICATED
                    assert "unknown or spent" in detail
                    assert token not in detail
        return 0

    outcome = run(play(sitting_plan(), {0: scenario}))
    assert [fault.kind for fault in outcome.faults] == ["illegal"]


def test_no_token_is_logged() -> None:
    """The log tells of dials, faults and tables, and holds no token and no key."""
    with capture_logs() as logged:
        bot = Failing(spoken(_answer_unknown))
        outcome = run(play(sitting_plan(), {0: bot}))
    assert {"sitting begins", "bot dials", "fault", "table over", "sitting ends"} <= {line["event"] for line in logged}
    text = repr(logged)
    assert not any(start.token in text for start in outcome.starts)
    assert "'key'" not in text


def test_table_limit_out_of_range_is_a_protocol_fault() -> None:
    """A bot that says it plays 257 tables at once breaks the protocol."""

    async def boast(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.hello(table_limit=257)
            assert (await bot.status())[0] == grpc.StatusCode.INVALID_ARGUMENT
        return 0

    outcome = run(play(sitting_plan(), {0: Failing(boast)}))
    assert [fault.kind for fault in outcome.faults] == ["protocol"]
    assert len(outcome.records) == 1


def test_second_stream_replaces_the_first() -> None:
    """A bot that dials while its first stream is open goes on with the second, and the first is closed."""

    async def dial_twice(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as first, dial(address, start.token) as second:
            await first.start()
            await first.frame_with_requests()
            await second.start()
            assert (await first.status())[0] == grpc.StatusCode.ABORTED
            await second.play_on()
        return 0

    assert run(play(sitting_plan(), {0: dial_twice})).faults == []


def test_more_processes_are_started_for_a_bot_that_takes_one_table() -> None:
    """A bot that plays one table at a time gets as many processes as its limit allows."""

    async def narrow(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start(table_limit=1)
            await bot.play_on()
        return 0

    outcome = run(play(sitting_plan(tables=5, process_limit=3), {0: narrow}))
    assert [start.player for start in outcome.starts].count(0) == 3
    assert outcome.faults == []
    assert len(outcome.records) == 5


def test_season_tells_the_commitment() -> None:
    """In a season a bot is told the deal commitment with the table; outside it is told none."""

    async def first_start(season: str | None) -> pb.TableStart:
        starts: list[pb.TableStart] = []

        async def look(address: str, start: StartProcess) -> int:
            async with dial(address, start.token) as bot:
                await bot.start()
                frame = await bot.frame_with_requests()
                starts.extend(message.table_start for message in frame if message.HasField("table_start"))
                await bot.choose((requests_of(frame)[0].request_id, 0))
                await bot.play_on()
            return 0

        plan = sitting_plan(season=season)
        outcome = await play(plan, {0: look})
        (record,) = outcome.records.values()
        assert record["context"]["season"] == season
        assert starts[0].deal_commitment == (record["deal_commitment"] if season else "")
        return starts[0]

    start = run(first_start("autumn"))
    assert (start.variant, start.seat_count, start.seat, start.match_id) == ("russian-14", 4, 0, "match-7-1")
    assert (start.time_control.start_ms, start.time_control.increment_ms, start.time_control.bank_ms) == (
        30_000,
        100,
        10_000,
    )
    run(first_start(None))


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
    """When the worker's side breaks, its bots' tables are aborted and its sitting can be taken up again."""

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

    run(scenario())


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
