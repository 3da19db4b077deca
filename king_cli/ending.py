"""How a command that plays ends before its time: SIGTERM clears up as Ctrl-C does."""

from __future__ import annotations

import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

Returned = TypeVar("Returned")


TERMINATED_STATUS: Final = 128 + signal.SIGTERM


class TerminatedError(BaseException):
    """SIGTERM has come, and what was under way is cleared up."""


def run_clearing_up(main: Coroutine[Any, Any, Returned]) -> Returned:
    """As `asyncio.run`, but SIGTERM cancels `main`: processes are ended, folders removed.

    Raises:
        TerminatedError: SIGTERM has come.
    """
    import asyncio  # lazily, as all that `king --help` does not need

    return asyncio.run(_run(main))


async def _run(main: Coroutine[Any, Any, Returned]) -> Returned:
    import asyncio

    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    came: list[int] = []

    def cancel() -> None:
        came.append(signal.SIGTERM)
        task.cancel()

    loop.add_signal_handler(signal.SIGTERM, cancel)
    try:
        return await main
    except asyncio.CancelledError:
        if came:
            raise TerminatedError from None
        raise
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
