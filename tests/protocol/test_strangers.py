"""Who dials and does not say who he is: when many do, none has long, and who says it is heard all the same."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack

import grpc
import pytest

from referee.strangers import HELLO_WAIT_S, HURRIED_WAIT_S, UNHURRIED_AT_MOST, Strangers
from tests.protocol.arena import referee, run
from tests.protocol.clients import dial

pytestmark = pytest.mark.slow


def test_when_many_wait_who_comes_has_less_time() -> None:
    """Up to a number of streams have ten seconds for their Hello, others three, until some have said it."""
    strangers = Strangers()
    with ExitStack() as held:
        waits = [held.enter_context(strangers.waiting()) for _ in range(UNHURRIED_AT_MOST + 2)]
        assert waits == [HELLO_WAIT_S] * UNHURRIED_AT_MOST + [HURRIED_WAIT_S] * 2
    with strangers.waiting() as wait_s:
        assert wait_s == HELLO_WAIT_S


def test_silent_streams_do_not_hold_up_who_speaks() -> None:
    """Beyond many silent streams another is heard if it speaks, and told to dial again if it does not."""

    async def scenario() -> None:
        async with referee() as server, AsyncExitStack() as held:
            many = range(UNHURRIED_AT_MOST + 2)
            speaking, *silent = [await held.enter_async_context(dial(server.address, "no token")) for _ in many]
            await speaking.hello()
            assert (await speaking.status())[0] is grpc.StatusCode.UNAUTHENTICATED
            status, detail = await next(asyncio.as_completed([bot.status() for bot in silent]))
            assert status is grpc.StatusCode.UNAVAILABLE
            assert detail.endswith("dial again")

    run(scenario())
