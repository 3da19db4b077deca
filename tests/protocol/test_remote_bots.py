"""Remote bots over real gRPC: tokens, waiting, sitting after sitting over one stream, breaks and failures of ours."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

import grpc
import grpc.aio
import pytest
from king.v1 import arena_pb2 as pb

from referee.plans import PlanError, SittingPlan, check_plan
from referee.remotes import TOKEN_MARK
from referee.server import RefereeServer
from tests.protocol.arena import SHORT, assert_sound, decided_by, forfeited, referee, run
from tests.protocol.clients import BotClient, Outcome, TaskWorker, dial, requests_of
from tests.protocol.plans import sitting_plan
from workers.referee_client import PlanRefusedError, RefereeFullError, run_sitting, tell_remote_bots

pytestmark = pytest.mark.slow

TOKEN = f"{TOKEN_MARK}owl"
OTHER = f"{TOKEN_MARK}jay"


async def tell(server: RefereeServer, *, key: str = "key", **tokens: str) -> tuple[str, ...]:
    """Tells the referee the good tokens by bot; returns who is connected."""
    hashes = {bot: hashlib.sha256(token.encode()).digest() for bot, token in tokens.items()}
    return await asyncio.to_thread(tell_remote_bots, server.address, hashes, control_key=key)


async def until_connected(server: RefereeServer, **tokens: str) -> None:
    """Tells the tokens until all their bots are connected."""
    while True:
        if set(await tell(server, **tokens)) == set(tokens):
            return
        await asyncio.sleep(0.01)


async def until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so."""
    while True:
        if is_so():
            return
        await asyncio.sleep(0.01)


def with_remotes(plan: SittingPlan, *bots: str, name: str = "sitting-1") -> SittingPlan:
    """The plan with its first players remote."""
    players = tuple(replace(player, remote=bot) for player, bot in zip(plan.players, bots, strict=False))
    return replace(plan, sitting=name, players=(*players, *plan.players[len(bots) :]))


async def play(server: RefereeServer, plan: SittingPlan) -> Outcome:
    return await TaskWorker(server.address, {}).play(plan, control_key="key")


class Owl:
    """A remote bot that answers everything with the first action, and keeps what it was told."""

    def __init__(self, bot: BotClient) -> None:
        self.bot = bot
        self.told: list[pb.RefereeMessage] = []
        self.asked: list[int] = []

    async def play(self) -> None:
        """Answer until the stream ends."""
        while (frame := await self.bot.frame()) is not None:
            self.told += frame
            requests = requests_of(frame)
            self.asked += [request.request_id for request in requests]
            if requests:
                await self.bot.choose(*((request.request_id, 0) for request in requests))

    def strays(self) -> list[int]:
        """The numbers of tables of which something came before they had started."""
        started: set[int] = {0}
        stray = []
        for message in self.told:
            if message.HasField("table_start"):
                started.add(message.table)
            elif message.table not in started:
                stray.append(message.table)
        return stray

    def tables(self, kind: str) -> list[int]:
        """The numbers of the tables of which a message of this kind came."""
        return [message.table for message in self.told if message.HasField(kind)]  # type: ignore[arg-type]


Scene = Callable[[RefereeServer, Owl], Awaitable[None]]


def with_owl(scene: Scene) -> None:
    """Plays a scene with a referee and an owl that is connected and answers by itself."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                owl = Owl(bot)
                await bot.start()
                playing = asyncio.create_task(owl.play())
                await until_connected(server, owl=TOKEN)
                try:
                    await scene(server, owl)
                finally:
                    playing.cancel()
                    await asyncio.gather(playing, return_exceptions=True)

    run(scenario())


@pytest.mark.slow
def test_one_stream_serves_sitting_after_sitting() -> None:
    """A remote bot waits, plays a sitting, waits, plays another, all on one stream; numbers are never used twice."""

    async def scene(server: RefereeServer, owl: Owl) -> None:
        for number in range(3):
            plan = with_remotes(sitting_plan(tables=4), "owl", name=f"sitting {number}")
            outcome = await play(server, plan)
            assert len(outcome.starts) == 3  # the others
            assert outcome.faults == []
            for record in outcome.records.values():
                assert_sound(record)
                assert decided_by(record, 0) <= {"bot", "forced"}
        await until(lambda: len(owl.tables("table_end")) == 12)
        assert len(owl.tables("welcome")) == 1
        assert owl.strays() == []
        assert sorted(set(owl.tables("table_start"))) == list(range(1, 13))
        assert len(set(owl.asked)) == len(owl.asked)
        assert await tell(server, owl=TOKEN) == ("owl",)

    with_owl(scene)


@pytest.mark.slow
def test_nothing_tells_a_remote_bot_who_its_opponents_are() -> None:
    """No name of a player or id of a bot is in anything that a remote bot is sent."""

    async def scene(server: RefereeServer, owl: Owl) -> None:
        plan = with_remotes(sitting_plan(tables=2, season="Autumn"), "owl")
        named = [replace(player, bot=f"opponent {place}") for place, player in enumerate(plan.players)]
        assert (await play(server, replace(plan, players=tuple(named)))).faults == []
        await until(lambda: len(owl.tables("table_end")) == 2)
        text = "".join(str(message) for message in owl.told)
        assert "opponent" not in text
        assert "owl" not in text
        assert "Autumn" not in text
        starts = [message.table_start for message in owl.told if message.HasField("table_start")]
        assert [start.deal_commitment for start in starts] == ["", ""]

    with_owl(scene)


def test_a_remote_bot_plays_one_sitting_at_a_time() -> None:
    """While it plays, another sitting with it is not taken up; one without it is."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await until_connected(server, owl=TOKEN)
                first = asyncio.create_task(play(server, with_remotes(sitting_plan(), "owl", name="first")))
                await bot.frame_with_requests()
                with pytest.raises(RefereeFullError, match="remote bot owl plays another sitting"):
                    await play(server, with_remotes(sitting_plan(), "owl", name="second"))
                assert len((await play(server, replace(sitting_plan(), sitting="third"))).records) == 1
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)

    run(scenario())


@pytest.mark.parametrize("token", [f"{TOKEN_MARK}wrong", "wrong"])
def test_a_wrong_token_is_refused(token: str) -> None:
    """Whoever has no token that was told is refused with words that say so."""

    async def scenario() -> None:
        async with referee() as server:
            telling = asyncio.create_task(_keep_telling(server))
            async with dial(server.address, token) as bot:
                await bot.hello()
                status, detail = await bot.status()
            assert status is grpc.StatusCode.UNAUTHENTICATED
            assert "token" in detail
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    run(scenario())


async def _keep_telling(server: RefereeServer) -> None:
    while True:
        await tell(server, owl=TOKEN)
        await asyncio.sleep(0.05)


def test_a_referee_that_was_not_told_yet_asks_for_patience() -> None:
    """A referee that has just started refuses nobody for good: a bot is to dial again."""

    async def scenario() -> None:
        async with referee() as server, dial(server.address, TOKEN) as bot:
            await bot.hello()
            status, detail = await bot.status()
            assert status is grpc.StatusCode.UNAVAILABLE
            assert "dial again" in detail

    run(scenario())


def test_a_token_that_is_told_a_moment_later_is_good() -> None:
    """A bot that dials right after it was registered waits until the referee hears of it."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, jay=OTHER)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await until_connected(server, owl=TOKEN)

    run(scenario())


@pytest.mark.parametrize("tokens", [{}, {"owl": OTHER}])
def test_a_revoked_token_ends_its_stream(tokens: dict[str, str]) -> None:
    """When a token is revoked, or renewed, the stream that was opened with it is closed with words that say so."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await until_connected(server, owl=TOKEN)
                await tell(server, **tokens)
                status, detail = await bot.status()
                assert status is grpc.StatusCode.UNAUTHENTICATED
                assert "was revoked, or another one has taken its place" in detail
            async with dial(server.address, TOKEN) as bot:
                await bot.hello()
                telling = asyncio.create_task(tell(server, **tokens))
                assert (await bot.status())[0] is grpc.StatusCode.UNAUTHENTICATED
                await telling

    run(scenario())


def test_only_who_has_the_key_says_which_tokens_are_good() -> None:
    """A bot cannot let others in, or hear who is connected."""

    async def scenario() -> None:
        async with referee() as server:
            with pytest.raises(PlanRefusedError, match="is not this referee's key"):
                await tell(server, key="wrong", owl=TOKEN)

    run(scenario())


@pytest.mark.slow
def test_a_stream_that_breaks_and_comes_back_costs_nothing() -> None:
    """A remote bot whose stream is cut in the middle of its tables is sent them whole, and plays on."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as first:
                await first.start()
                await until_connected(server, owl=TOKEN)
                playing = asyncio.create_task(play(server, with_remotes(sitting_plan(tables=2), "owl")))
                for _ in range(5):
                    frame = await first.frame_with_requests()
                    await first.choose(*((request.request_id, 0) for request in requests_of(frame)))
                open_ids = {request.request_id for request in requests_of(await first.frame_with_requests())}
            async with dial(server.address, TOKEN) as second:
                await second.start()
                again = await second.frame_with_requests()
                assert sum(message.HasField("table_start") for message in again) == 2
                assert {request.request_id for request in requests_of(again)} == open_ids
                owl = Owl(second)
                await second.choose(*((request, 0) for request in open_ids))
                answering = asyncio.create_task(owl.play())
                outcome = await playing
                answering.cancel()
                await asyncio.gather(answering, return_exceptions=True)
            assert outcome.faults == []
            assert [forfeited(record) for record in outcome.records.values()] == [[], []]

    run(scenario())


def test_ends_that_it_may_have_missed_are_told_again() -> None:
    """A remote bot that comes back after its sitting is over is told the tables whose ends it may not have read."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as first:
                await first.start()
                await until_connected(server, owl=TOKEN)
                owl = Owl(first)
                answering = asyncio.create_task(owl.play())
                await play(server, with_remotes(sitting_plan(), "owl"))
                await until(lambda: bool(owl.tables("table_end")))
                answering.cancel()
                await asyncio.gather(answering, return_exceptions=True)
            async with dial(server.address, TOKEN) as second:
                await second.start()
                frames = [await second.frame(), await second.frame()]
                told = [message for frame in frames for message in frame or []]
                assert [message.table for message in told if message.HasField("table_start")] == [1]
                assert told[-1].HasField("table_end")

    run(scenario())


def test_a_void_sitting_leaves_the_stream_open() -> None:
    """What fails through our fault ends the tables as aborted; the bot stays, and late answers cost nothing."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await until_connected(server, owl=TOKEN)
                async with run_sitting(
                    server.address, with_remotes(sitting_plan(tables=3), "owl"), control_key="key"
                ) as call:
                    worker = TaskWorker(server.address, {})
                    hearing = asyncio.create_task(_obey(worker, call))
                    requests = requests_of(await bot.frame_with_requests())
                    hearing.cancel()
                    await asyncio.gather(hearing, return_exceptions=True)
                aborted: list[pb.RefereeMessage] = []
                while len(aborted) < 3:
                    aborted += [message for message in await bot.frame() or [] if message.HasField("table_end")]
                assert {message.table_end.aborted for message in aborted} == {"the worker has gone"}
                await bot.choose(*((request.request_id, 0) for request in requests))
                await until_connected(server, owl=TOKEN)
                answering = asyncio.create_task(Owl(bot).play())
                outcome = await play(server, replace(with_remotes(sitting_plan(), "owl"), attempt=2))
                assert outcome.faults == []
                answering.cancel()
                await asyncio.gather(answering, return_exceptions=True)

    run(scenario())


async def _obey(worker: TaskWorker, call: object) -> None:
    async for event in call.events():  # type: ignore[attr-defined]
        await worker._obey(event, call)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_fault_closes_the_stream_and_a_new_one_plays_the_rest() -> None:
    """An illegal choice forfeits the open tables and closes the stream; who dials again plays those not begun."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bad:
                await bad.start(table_limit=1)
                await until_connected(server, owl=TOKEN)
                playing = asyncio.create_task(play(server, with_remotes(sitting_plan(tables=3), "owl")))
                (request,) = requests_of(await bad.frame_with_requests())
                await bad.choose((request.request_id, 99))
                status, detail = await bad.status()
                assert status is grpc.StatusCode.INVALID_ARGUMENT
                assert "index 99" in detail
            async with dial(server.address, TOKEN) as good:
                await good.start()
                answering = asyncio.create_task(Owl(good).play())
                outcome = await playing
                answering.cancel()
                await asyncio.gather(answering, return_exceptions=True)
            assert [(fault.kind, len(fault.match_ids)) for fault in outcome.faults] == [("illegal", 1)]
            lost = [forfeited(record) for record in outcome.records.values()]
            assert sorted(lost) == [[], [], [(0, "illegal")]]

    run(scenario())


@pytest.mark.slow
def test_who_is_not_there_any_more_is_absent_and_the_others_play() -> None:
    """A remote bot that went between the look and the sitting has its start-up allowance, twice; then it forfeits."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            plan = with_remotes(sitting_plan(control="start=100ms,inc=100ms,bank=10s"), "owl")
            outcome = await TaskWorker(server.address, {}).play(
                replace(plan, time_control="start=3s,inc=100ms,bank=10s"), control_key="key"
            )
            (record,) = outcome.records.values()
            assert forfeited(record) == [(0, "absent")]
            assert {fault.player for fault in outcome.faults} == {0}

    run(scenario())


@pytest.mark.slow
def test_a_clock_that_runs_out_is_judged_at_once() -> None:
    """Nobody can say how long a remote bot had no CPU, so no worker is asked; the third overrun forfeits."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await until_connected(server, owl=TOKEN)
                outcome = await play(server, with_remotes(sitting_plan(control=SHORT), "owl"))
                assert [fault.kind for fault in outcome.faults] == ["timeout"] * 3
                assert not [event for event in outcome.events if type(event).__name__ == "CpuWaitWanted"]
                assert (await bot.status())[0] is grpc.StatusCode.DEADLINE_EXCEEDED

    run(scenario())


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (pb.BotMessage(ready=pb.Ready()), "Ready was said twice"),
        (pb.BotMessage(choice=pb.Choice(request_id=7)), "request 7 was never sent"),
        (pb.BotMessage(hello=pb.Hello()), "Hello was said twice"),
        (pb.BotMessage(), ""),
    ],
)
def test_nonsense_of_a_bot_that_waits_ends_its_stream(message: pb.BotMessage, why: str) -> None:
    """What the protocol forbids ends the stream also while nothing is played; nobody forfeits anything."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                await bot.say(message)
                status, detail = await bot.status()
                assert status is grpc.StatusCode.INVALID_ARGUMENT
                assert why in detail
            assert await tell(server, owl=TOKEN) == ()

    run(scenario())


def test_a_waiting_bot_cannot_flood() -> None:
    """A bot that sends frame after frame while nothing is played is cut off."""

    async def scenario() -> None:
        async with referee() as server:
            await tell(server, owl=TOKEN)
            async with dial(server.address, TOKEN) as bot:
                await bot.start()
                with contextlib.suppress(grpc.aio.AioRpcError):  # it may be cut off before it has said all
                    for _ in range(20):
                        await bot.say()
                assert (await bot.status())[0] is grpc.StatusCode.RESOURCE_EXHAUSTED

    run(scenario())


def test_a_remote_bot_holds_one_seat() -> None:
    """A plan that gives one remote bot two places is refused: it would see one deal twice."""
    with pytest.raises(PlanError, match="remote bot 'owl' is given twice"):
        check_plan(with_remotes(sitting_plan(), "owl", "owl"))
