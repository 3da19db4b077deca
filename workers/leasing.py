"""Work under a claim: done while somebody renews its lease, dropped when the claim is lost, given back when it fails.

Knows nothing of what is claimed, nor of what the work is.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from league.errors import StaleAttemptError


async def work_under_claim(
    work: Coroutine[Any, Any, None],
    *,
    renew: Callable[[], None],
    give_back: Callable[[BaseException], None],
    lease: timedelta,
) -> bool:
    """Do `work`, calling `renew` in a thread four times a lease. Returns whether it was done: not if the claim is lost.

    Whatever else ends it, a cancellation too, is raised, when `give_back` has been called with it, in a thread.
    """
    try:
        await _work_while_renewed(work, renew, lease)
    except StaleAttemptError:
        return False
    except BaseException as error:
        await asyncio.shield(asyncio.to_thread(give_back, error))
        raise
    return True


async def last_step(step: Callable[[], object]) -> None:
    """Do in a thread what ends a claim. Once begun it is waited for, and counts: a renewal meanwhile finds no claim."""
    ending = asyncio.create_task(asyncio.to_thread(step))
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await asyncio.wait({ending})
        ending.result()


def told(error: BaseException) -> str:
    """Why an attempt was given back, for people."""
    if isinstance(error, asyncio.CancelledError):
        return "its worker was told to end"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def worker_name() -> str:
    """Who holds a claim: this machine and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


async def _work_while_renewed(work: Coroutine[Any, Any, None], renew: Callable[[], None], lease: timedelta) -> None:
    working = asyncio.create_task(work)
    renewing = asyncio.create_task(_renew_for_ever(renew, lease))
    try:
        await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (working, renewing):
            task.cancel()
        await asyncio.wait({working, renewing})
    # Work that has ended by itself counts: its last step ends the claim, and a renewal at that moment finds none.
    if working.cancelled() and not renewing.cancelled():
        renewing.result()
    working.result()


async def _renew_for_ever(renew: Callable[[], None], lease: timedelta) -> None:
    while True:
        await asyncio.sleep(lease.total_seconds() / 4)
        await asyncio.to_thread(renew)
