"""Whether the referee is behind, by how late its beats are: then tables that would begin wait.

Owns the measure and its bounds, and nothing else. Reads no clock of its own: it is told the time, in nanoseconds.
"""

from __future__ import annotations

from typing import Final

from referee.clock import NS_PER_MS

BEHIND_NS: Final = 100 * NS_PER_MS
"""A referee whose beats are later than this on average is behind."""
CAUGHT_UP_NS: Final = 50 * NS_PER_MS
"""It has caught up when they are no later than this."""
_AVERAGE_OVER_NS: Final = 1000 * NS_PER_MS


class Overload:
    """The lateness of beats, averaged over about the last second."""

    __slots__ = ("behind", "lag_ns")

    def __init__(self) -> None:
        self.lag_ns = 0
        self.behind = False
        """Whether no more should be taken up for now."""

    def note(self, lag_ns: int, passed_ns: int) -> bool:
        """Take in how late a beat was, `passed_ns` after the one before. Returns whether `behind` has changed."""
        weight_ns = min(passed_ns, _AVERAGE_OVER_NS)
        seen_ns = min(lag_ns, _AVERAGE_OVER_NS)  # a referee that was stopped for a minute is not behind for long
        self.lag_ns += (seen_ns - self.lag_ns) * weight_ns // _AVERAGE_OVER_NS
        was_behind = self.behind
        self.behind = self.lag_ns > (CAUGHT_UP_NS if was_behind else BEHIND_NS)
        return self.behind is not was_behind
