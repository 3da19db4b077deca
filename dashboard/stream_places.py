"""How many streams each client may have open at once, so that one does not take the places of all.

Owns the counting, in this process. Must not know requests: clients are keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, TypeVar

STREAMS_EACH: Final = 50
"""For one address, behind which there may be a whole class; a browser opens six at most."""

_Told = TypeVar("_Told")


class ClientCrowdedError(Exception):
    """A client has as many streams open as it may."""

    def __init__(self, at_most: int) -> None:
        super().__init__(f"{at_most} streams are open from there, which is as many as one address may have")
        self.at_most = at_most


class StreamPlaces:
    """The places of clients. To be used within one event loop."""

    def __init__(self, at_most: int = STREAMS_EACH) -> None:
        """So many for each client; 0: without a limit."""
        self._at_most = at_most
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many are taken now, by all."""
        return self._taken.total()

    async def held(self, client: str, told: AsyncGenerator[_Told, None]) -> AsyncGenerator[_Told, None]:
        """Yield what is told, with a place taken from the first step to the last.

        Raises:
            ClientCrowdedError: if the client has as many as it may.
        """
        if 0 < self._at_most <= self._taken[client]:
            raise ClientCrowdedError(self._at_most)
        self._taken[client] += 1
        try:
            async with aclosing(told):
                async for one in told:
                    yield one
        finally:
            self._taken[client] -= 1
            if not self._taken[client]:
                del self._taken[client]
