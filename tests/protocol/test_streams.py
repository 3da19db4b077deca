"""Streams of bots over real gRPC: refused, broken, resumed, replaced."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio
import pytest
from king.v1 import arena_pb2 as pb

from referee.plans import StartProcess
from referee.processes import Ending
from referee.streams import BotStream
from tests.protocol.arena import (
    PATIENCE_S,
    SHORT,
    Failing,
    assert_sound,
    play,
    run,
)
from tests.protocol.clients import dial, requests_of, simple_bot
from tests.protocol.plans import sitting_plan

pytestmark = pytest.mark.slow


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
                    assert "unknown or spent" in detail and "of a remote bot until it is renewed or revoked" in detail
                    assert token not in detail
        return 0

    outcome = run(play(sitting_plan(), {0: scenario}))
    assert [fault.kind for fault in outcome.faults] == ["illegal"]


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


def test_table_limit_out_of_range_is_a_protocol_fault() -> None:
    """A bot that says it plays 257 tables at once breaks the protocol, and reads on its stream what is right."""
    statuses: list[asyncio.Task[tuple[grpc.StatusCode, str]]] = []

    async def say_too_many(address: str, start: StartProcess) -> tuple[grpc.StatusCode, str]:
        async with dial(address, start.token) as bot:
            await bot.hello(table_limit=257)
            return await bot.status()

    async def boast(address: str, start: StartProcess) -> int:
        # The worker stops the process at once; what it reads until then is looked at all the same.
        statuses.append(asyncio.create_task(say_too_many(address, start)))
        await asyncio.shield(statuses[-1])
        return 0

    async def scenario() -> None:
        outcome = await play(sitting_plan(), {0: Failing(boast)})
        assert [fault.kind for fault in outcome.faults] == ["protocol"]
        assert len(outcome.records) == 1
        status, detail = await statuses[0]
        assert status == grpc.StatusCode.INVALID_ARGUMENT
        assert "it is 1 to 256" in detail

    run(scenario())


class StuckWriter:
    """A transport whose other side does not read until it is let."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.reads = asyncio.Event()

    async def write(self, message: bytes) -> None:
        """Keep a frame once the other side reads."""
        await self.reads.wait()
        self.written.append(message)


@pytest.mark.parametrize(
    ("ending", "written"), [(Ending.REPLACED, [b"one"]), (Ending.DROPPED, [b"one", b"two", b"three"])]
)
def test_replaced_stream_drops_what_was_not_sent(ending: Ending, written: list[bytes]) -> None:
    """A stream that was replaced keeps nothing for a bot that does not read; others send what was handed over."""

    async def close_while_stuck() -> None:
        writer = StuckWriter()
        stream = BotStream(writer)
        for frame in (b"one", b"two", b"three"):
            stream.send(frame)
        writing = asyncio.create_task(stream.write_all())
        await asyncio.sleep(0)
        stream.close(ending, "")
        assert stream.unsent_bytes == sum(map(len, written))
        writer.reads.set()
        await writing
        assert writer.written == written
        assert stream.unsent_bytes == 0

    run(close_while_stuck())
