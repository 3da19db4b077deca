"""Work under a claim: who renews it, what becomes of it when it is lost or fails, and who hears of that."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest

from league.errors import StaleAttemptError
from workers.leasing import last_step, told, work_under_claim

LEASE = timedelta(milliseconds=40)


class Claim:
    """A claim that is renewed until `lost`; tells what was given back."""

    def __init__(self) -> None:
        self.lost = threading.Event()
        self.renewed = threading.Event()
        self.given_back: list[BaseException] = []

    def renew(self) -> None:
        self.renewed.set()
        if self.lost.is_set():
            raise StaleAttemptError("lost")


async def for_ever() -> None:
    await asyncio.Event().wait()


async def until_lost(claim: Claim) -> None:
    claim.lost.set()
    await for_ever()


async def until_renewed(claim: Claim) -> None:
    assert await asyncio.to_thread(claim.renewed.wait, 60)


async def that_fails(claim: Claim) -> None:
    raise ValueError("no")


async def do(work: Coroutine[Any, Any, None], claim: Claim) -> bool:
    return await work_under_claim(work, renew=claim.renew, give_back=claim.given_back.append, lease=LEASE)


def test_work_is_done_under_renewals() -> None:
    """Its claim is renewed meanwhile, and nothing is given back."""
    claim = Claim()
    assert asyncio.run(do(until_renewed(claim), claim))
    assert claim.given_back == []


def test_a_lost_claim_ends_the_work_quietly() -> None:
    """What would go on for ever is ended, and there is nothing to give back."""
    claim = Claim()
    assert not asyncio.run(do(until_lost(claim), claim))
    assert claim.given_back == []


def test_work_that_fails_is_given_back() -> None:
    """With its error, which is raised then."""
    claim = Claim()
    with pytest.raises(ValueError, match="no"):
        asyncio.run(do(that_fails(claim), claim))
    assert [str(error) for error in claim.given_back] == ["no"]


def test_work_that_is_cancelled_is_given_back() -> None:
    """A worker that is told to end leaves nothing to its lease."""
    claim = Claim()

    async def scene() -> None:
        task = asyncio.create_task(do(for_ever(), claim))
        await asyncio.to_thread(claim.renewed.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    assert [told(error) for error in claim.given_back] == ["its worker was told to end"]


def test_work_that_ends_its_claim_is_done() -> None:
    """A renewal that comes just then finds no claim, and takes nothing from what is done."""
    begun, ended, raised = threading.Event(), threading.Event(), threading.Event()

    def renew() -> None:
        begun.set()
        assert ended.wait(60)
        raised.set()
        raise StaleAttemptError("ended")

    async def work() -> None:
        assert await asyncio.to_thread(begun.wait, 60)
        ended.set()
        assert raised.wait(60)  # nothing else goes on meanwhile: both are over at once

    given_back: list[BaseException] = []
    done = work_under_claim(work(), renew=renew, give_back=given_back.append, lease=LEASE)
    assert asyncio.run(done)
    assert given_back == []


def test_the_step_that_ends_a_claim_is_waited_for() -> None:
    """A renewal that finds no claim, while the step that ended it is on its way back, takes nothing from it."""
    begun, ended, lost = threading.Event(), threading.Event(), threading.Event()

    def renew() -> None:
        begun.set()
        assert ended.wait(60)
        raise StaleAttemptError("ended")

    def end() -> None:
        assert begun.wait(60)
        ended.set()
        assert lost.wait(60)

    async def work() -> None:
        waiting = asyncio.create_task(last_step(end))
        try:
            await asyncio.shield(waiting)
        except asyncio.CancelledError:  # what a renewal without a claim comes to
            waiting.cancel()
            lost.set()
            await waiting

    given_back: list[BaseException] = []
    done = work_under_claim(work(), renew=renew, give_back=given_back.append, lease=LEASE)
    assert asyncio.run(done)
    assert given_back == []


def test_a_last_step_that_finds_no_claim_ends_the_work_quietly() -> None:
    """It raises what it finds, whoever was first to find it."""

    def end() -> None:
        raise StaleAttemptError("lost")

    given_back: list[BaseException] = []
    done = work_under_claim(last_step(end), renew=lambda: None, give_back=given_back.append, lease=LEASE)
    assert not asyncio.run(done)
    assert given_back == []
