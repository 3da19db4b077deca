"""What the big tables of a season share: steps of heat, and windows of so many bots as a table can hold.

Owns the rule that a strong tint needs certainty: what may be nothing gets the weakest one at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

WINDOW = 30
"""Bots in one table: more of them are shown in several."""

STRONG, MIDDLE = 0.6, 0.25
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Window:
    """Bots of places `first` to `last` of the ladder; `here` is the one shown."""

    first: int
    last: int
    here: bool


def heat_step(value: float, largest: float, *, clear: bool) -> int:
    """Seven steps, −3 to 3, by the share of `largest`; what is not clear gets one step at most, and 0 none."""
    if value == 0 or largest <= 0:
        return 0
    share = abs(value) / largest
    steps = 1 if not clear else 3 if share >= STRONG else 2 if share >= MIDDLE else 1
    return steps if value > 0 else -steps


def windows(count: int, first: int) -> tuple[Window, ...]:
    """The windows of a ladder with `count` rows; the one that holds place `first` is here."""
    starts = range(1, max(2, count + 1), WINDOW)
    return tuple(
        Window(first=start, last=min(count, start + WINDOW - 1), here=start <= first < start + WINDOW)
        for start in starts
    )


def shown_part(items: Sequence[_Item], parts: Sequence[Window]) -> Sequence[_Item]:
    """The items of the window that is shown."""
    here = next(part for part in parts if part.here)
    return items[here.first - 1 : here.last]
