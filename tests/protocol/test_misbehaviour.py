"""Bots that fail in every way, over real gRPC: one fault of the right kind, and the others play on."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any

import pytest
from king.v1 import arena_pb2 as pb

from referee.plans import StartProcess
from tests.protocol.arena import (
    PATIENCE_S,
    SHORT,
    Failing,
    assert_sound,
    decided_by,
    forfeited,
    play,
    run,
    spoken,
)
from tests.protocol.clients import BotClient, Outcome, choice, dial, requests_of
from tests.protocol.plans import sitting_plan

pytestmark = pytest.mark.slow


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
