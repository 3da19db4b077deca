"""Waiting for conditions by polling with a deadline; the deadline is generous and no test asserts a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

DEADLINE_S = 30.0
POLL_S = 0.02
LATER_POLL_S = 0.1
"""What takes longer than a second is looked at less often: looking costs what it waits for its CPU."""


def wait_until(condition: Callable[[], bool], *, seconds: float = DEADLINE_S, what: str = "the condition") -> None:
    """Return as soon as `condition()` is true; fail after `seconds`."""
    begun = time.monotonic()
    while not condition():
        waited = time.monotonic() - begun
        if waited > seconds:
            raise AssertionError(f"{what} did not come about within {seconds} s")
        time.sleep(POLL_S if waited < 1 else LATER_POLL_S)


async def wait_until_async(condition: Callable[[], bool], *, seconds: float = DEADLINE_S) -> None:
    """As `wait_until`, letting other tasks run."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"the condition did not come about within {seconds} s")
        await asyncio.sleep(POLL_S)
