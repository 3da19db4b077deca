"""Frames that wait while it is judged whether their process has overrun: they came after its clock ran out.

Owns what waits, and how much may. Must not judge, nor read a frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from referee.codec import BotFrame
from referee.processes import Stream

HELD_LIMIT_BYTES: Final = 4 << 20
"""How much a bot may send while an overrun waits; beyond that the overrun is judged without the worker's report."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A frame whose size and number were found good; from the first frame of a stream, what followed `Hello`."""

    stream: Stream
    frame: bytes | BotFrame
    at_ns: int


@dataclass(slots=True)
class HeldFrames:
    """The frames of a process that wait until an overrun is judged, and the bytes of those after `Hello`."""

    arrivals: list[Arrival] = field(default_factory=list)
    size_bytes: int = 0

    def add(self, arrival: Arrival) -> None:
        """Have one more wait."""
        self.arrivals.append(arrival)
        if isinstance(arrival.frame, bytes):
            self.size_bytes += len(arrival.frame)

    @property
    def too_many(self) -> bool:
        """Whether no more of them can be kept."""
        return self.size_bytes > HELD_LIMIT_BYTES
