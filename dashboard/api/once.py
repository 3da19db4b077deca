"""What takes long to make and is made once, by whoever needs it first."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from anyio import to_thread

T = TypeVar("T")


class MadeOnce(Generic[T]):
    """Made at the first use. Others who want it meanwhile wait, and an event loop goes on with what is not of this."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: list[T] = []

    def now(self) -> T:
        """It, in the calling thread."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    async def wait(self) -> T:
        """It, made in a thread if need be."""
        return self._made[0] if self._made else await to_thread.run_sync(self.now)
