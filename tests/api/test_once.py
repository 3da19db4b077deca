"""What is made once: by the first who needs it, while an event loop goes on."""

from __future__ import annotations

import asyncio
from threading import Event

from dashboard.api.once import MadeOnce


def test_it_is_made_once_while_the_loop_goes_on() -> None:
    """Two who need it at the same time get the same, and what runs beside them is not held up by its making."""
    began, may_end = Event(), Event()

    def make() -> object:
        began.set()
        assert may_end.wait(30)
        return object()

    once = MadeOnce(make)

    async def beside() -> None:
        await asyncio.to_thread(began.wait, 30)
        may_end.set()  # which the making waits for

    async def all_three() -> tuple[object, object, None]:
        return await asyncio.gather(once.wait(), once.wait(), beside())

    first, second, _none = asyncio.run(all_three())
    assert first is second
    assert once.now() is first
