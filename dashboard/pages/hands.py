"""Hands as they lie on the table in one view: which faces, and the state of each at each position.

Owns who may see which card in a one-seat view: its own hand, cards shown to all, and the cards it gave away itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.rules import Action, ActionKind, Position, card_text

HELD, CAN, PLAYED, GONE = "held", "can", "played", "gone"

_SUIT_ORDER = "SHCD"
_RANKS = "AKQJT98765432"


def in_hand_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as a player holds them: ♠ ♥ ♣ ♦, from high to low."""
    return tuple(sorted(cards, key=lambda card: (_SUIT_ORDER.index(card[1]), _RANKS.index(card[0]))))


@dataclass(frozen=True, slots=True)
class SeatCards:
    """The cards of one seat in a deal, as one view has them. A face that is None is a card seen from the back.

    `shown_from` says from which position on a face of a hidden hand is known.
    """

    seat: int
    is_open: bool
    faces: tuple[str | None, ...]
    shown_from: tuple[int, ...]

    def states(self, position: Position, play: int, played: set[str]) -> tuple[str, ...]:
        """The state of each face: held, can (held, and legal now), played or gone."""
        held = set(position.hands[self.seat])
        can = set(position.legal_cards) if position.seat_to_act == self.seat and self.is_open else set()
        seen = [
            self._state(face, play >= since, held, can, played)
            for face, since in zip(self.faces, self.shown_from, strict=True)
            if face is not None
        ]
        hidden = sum(face is None for face in self.faces)
        backs = max(0, len(held) - sum(state in {HELD, CAN} for state in seen)) if not self.is_open else 0
        return (*seen, *(HELD if number < backs else GONE for number in range(hidden)))

    def _state(self, face: str, is_known: bool, held: set[str], can: set[str], played: set[str]) -> str:
        if not is_known:
            return GONE
        if face in held:
            return CAN if face in can else HELD
        return PLAYED if face in played else GONE


def cards_in_view(positions: Sequence[Position], actions: Sequence[Action], seat: int, viewer: int | None) -> SeatCards:
    """The faces of a seat's cards through a deal, for a viewing seat or (None) the open view.

    `positions` are those after 0, 1, 2 … of `actions`.
    """
    ever = {card for position in positions for card in position.hands[seat]}
    if viewer is None or viewer == seat:
        faces = in_hand_order(ever)
        return SeatCards(seat=seat, is_open=True, faces=faces, shown_from=(0,) * len(faces))
    known = _known_to(positions, actions, seat, viewer)
    most = max(len(position.hands[seat]) for position in positions)
    ordered = in_hand_order(known)
    return SeatCards(
        seat=seat,
        is_open=False,
        faces=(*ordered, *(None,) * most),
        shown_from=(*(known[card] for card in ordered), *(0,) * most),
    )


def _known_to(positions: Sequence[Position], actions: Sequence[Action], seat: int, viewer: int) -> dict[str, int]:
    """Cards of a hidden hand that the viewer has seen, and from which position on."""
    known: dict[str, int] = {}
    for play, position in enumerate(positions):
        if position.exposed is not None and position.exposed in position.hands[seat]:
            known.setdefault(position.exposed, play)
    for number, action in enumerate(actions, start=1):
        is_gift = action.kind is ActionKind.GIVE and action.seat == viewer and action.to == seat
        if is_gift and action.card is not None:
            known.setdefault(card_text(action.card), number)
    return known
