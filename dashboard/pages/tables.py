"""What the big tables of a season share: steps of heat, and windows of so many bots as a table can hold.

Owns the rule that a strong tint needs certainty: what may be nothing gets the weakest one, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

WINDOW = 30
"""Bots in one table: more of them are shown in several."""

STRONG = 0.5
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Window:
    """Bots of places `first` to `last` of the ladder; `here` is the one shown."""

    first: int
    last: int
    here: bool


def heat_step(value: float, largest: float, *, clear: bool) -> int:
    """Seven steps, −3 to 3: 1 for what is not clear, else 2, or 3 from half of `largest` on; none for 0."""
    if value == 0 or largest <= 0:
        return 0
    steps = 1 if not clear else 3 if abs(value) >= STRONG * largest else 2
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
