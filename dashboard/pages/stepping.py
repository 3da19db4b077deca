"""What the replay script steps through: every frame of a deal as JSON, with its drawn pieces.

Owns the shape of that JSON. Pieces are rendered by the same templates as the page, and sent once each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.pages.deal import DealView, Frame, Seat
from dashboard.pages.hands import CAN, GONE, HELD, PLAYED

STATE_LETTERS = {HELD: "h", CAN: "c", PLAYED: "p", GONE: "g"}


class _Pieces:
    """Rendered pieces, each kept once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
        return self._places[text]


def stepping(deal: DealView, frames: Sequence[Frame], seats: Sequence[Seat], table: Any, card: Any) -> dict[str, Any]:
    """The JSON of one deal. `table` are the macros of the felt, `card` the macro that draws a card."""
    pieces = _Pieces()
    drawn = {played.card: str(card(played.card)) for frame in frames for played in frame.slots if played is not None}
    return {
        "deal": deal.number,
        "cards": drawn,
        "frames": [_frame(deal, frame, seats, table, pieces) for frame in frames],
        "pieces": pieces.texts,
    }


def _frame(deal: DealView, frame: Frame, seats: Sequence[Seat], table: Any, pieces: _Pieces) -> dict[str, Any]:
    shown = {
        "contract": table.contract(deal, frame),
        "trump": table.trump(frame),
        "decisions": table.decisions(deal, frame),
        "chosen": table.chosen(frame, seats),
        **{f"plate-{seat.number}": table.plate(seat, frame.plates[seat.number]) for seat in seats},
    }
    return {
        "play": frame.play,
        "phase": frame.phase,
        "turn": frame.turn,
        "trick": frame.trick,
        "over": frame.over,
        "said": frame.said,
        "hands": ["".join(STATE_LETTERS[state] for state in states) for states in frame.hands],
        "slots": [
            None
            if played is None
            else {
                "card": played.card,
                "order": played.order,
                "badge": played.badge,
                "time": played.time,
                "wins": played.wins,
            }
            for played in frame.slots
        ],
        "pieces": {name: pieces.place(str(text)) for name, text in shown.items()},
        "steps": {name: None if target is None else [target.deal, target.play] for name, target in frame.steps.items()},
    }
