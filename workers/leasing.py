"""Work under a claim: done while somebody renews its lease, dropped when the claim is lost.

Knows nothing of what is claimed, nor of what the work is.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, TypeVar

_Result = TypeVar("_Result")


async def work_while_renewed(
    work: Coroutine[Any, Any, _Result], renew: Callable[[], None], lease: timedelta
) -> _Result:
    """Do `work`, calling `renew` in a thread four times a lease; cancelling ends both.

    Raises whatever `work` raises, or `renew`: then `work` has been cancelled, and has ended.
    """
    working = asyncio.create_task(work)
    renewing = asyncio.create_task(_renew_for_ever(renew, lease))
    try:
        await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (working, renewing):
            task.cancel()
        await asyncio.wait({working, renewing})
    if not renewing.cancelled():
        renewing.result()
    return working.result()


def worker_name() -> str:
    """Who holds a claim: this machine and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


async def _renew_for_ever(renew: Callable[[], None], lease: timedelta) -> None:
    while True:
        await asyncio.sleep(lease.total_seconds() / 4)
        await asyncio.to_thread(renew)
