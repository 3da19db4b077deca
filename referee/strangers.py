"""Streams that have not said yet whose they are: how long they may take to, when many wait at once.

Owns the counting. What a stranger sends is held until it is whole, so many of them could fill the memory: few may wait
long. Must not read, nor know what is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

HELLO_WAIT_S: Final = 10.0
HURRIED_WAIT_S: Final = 3.0
UNHURRIED_AT_MOST: Final = 32
"""Beyond so many at once, who comes has the shorter time: long enough for who means to play, whoever else there is."""


class Strangers:
    """The streams whose first frame is waited for."""

    def __init__(self) -> None:
        self._count = 0

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Count one while the context lasts; how long it may take, in seconds."""
        self._count += 1
        try:
            yield HELLO_WAIT_S if self._count <= UNHURRIED_AT_MOST else HURRIED_WAIT_S
        finally:
            self._count -= 1
