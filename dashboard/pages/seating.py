"""Where seats stand on a page: seat 0 at the bottom, the others in the direction of play.

Owns the arrangement alone; words and arrows for the places are made elsewhere.
"""

from __future__ import annotations

_CLOCKWISE = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
_COUNTER = {3: ("bottom", "right", "left"), 4: ("bottom", "right", "top", "left")}
_READING_ORDER = ("top", "left", "right", "bottom")


def places(seats: int, *, clockwise: bool) -> tuple[str, ...]:
    """The place of each seat: (4, clockwise) -> bottom, left, top, right."""
    return (_CLOCKWISE if clockwise else _COUNTER)[seats]


def reading_order(of_seats: tuple[str, ...]) -> tuple[int, ...]:
    """The seats as a reader meets them on the page: top, left, right, bottom."""
    return tuple(sorted(range(len(of_seats)), key=lambda seat: _READING_ORDER.index(of_seats[seat])))
