"""What a seat knows as one vector of numbers from -1 to 1.

Owns the layout. Seats count from the observer's own: 0 is the observer, 1 the next in playing order. Cards are in the
order of the variant's pack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from king_env.seat_view import SeatView
from referee.rules import SUITS, ActionKind, Contract, Variant

Vector = NDArray[np.float32]

_SAID: Final = (
    *(ActionKind.NAME_TRUMP, ActionKind.BY_LAST, ActionKind.MISERE),
    *(ActionKind.TWO_TRICKS_EACH, ActionKind.OFFER, ActionKind.KEEP),
)


class Encoding:
    """The vectors of a variant.

    Attributes:
        sections: where each part of a vector is, by name, in order.
        size: the length of a vector.
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._contracts = {name: place for place, name in enumerate(variant.contracts)}
        self._bits = np.array([1 << card for card in variant.pack], dtype=np.int64)
        self._most_points = _most_points(variant)
        seats, cards, contracts = variant.seats, len(variant.pack), len(variant.contracts)
        sizes = {
            "held": seats * cards,
            "talon": cards,
            "trick": seats * cards,
            "played_by": seats * cards,
            "played_in": cards,
            "cards_taken": seats * cards,
            "tricks_taken": seats,
            "contract": contracts,
            "trump": len(SUITS),
            "misere": 1,
            "price": 1,
            "declarer": seats,
            "turn": seats,
            "bids": seats,
            "passed": seats,
            "said": seats * len(_SAID),
            "chosen": seats * contracts,
            "deal": 1,
            "totals": seats,
        }
        ends = np.cumsum(list(sizes.values())).tolist()
        self.sections: Mapping[str, slice] = {
            name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        self.size: int = ends[-1]

    def encode(self, view: SeatView) -> Vector:
        """The vector of a view, float32 of shape (size,)."""
        vector = np.zeros(self.size, dtype=np.float32)
        for name, place in self.sections.items():
            _PARTS[name](self, view, vector[place])
        return vector

    def _masks(self, masks: Sequence[int], view: SeatView, part: Vector) -> None:
        """Sets of cards by seat."""
        rows = part.reshape(self._variant.seats, -1)
        for seat, mask in enumerate(masks):
            rows[self._from_me(seat, view)] = (mask & self._bits) != 0

    def _from_me(self, seat: int, view: SeatView) -> int:
        return (seat - view.seat) % self._variant.seats

    def _by_seat(self, values: Sequence[float], view: SeatView, part: Vector) -> None:
        for seat, value in enumerate(values):
            part[self._from_me(seat, view)] = value

    def _held(self, view: SeatView, part: Vector) -> None:
        self._masks(view.held, view, part)

    def _talon(self, view: SeatView, part: Vector) -> None:
        part[:] = (view.talon & self._bits) != 0

    def _trick(self, view: SeatView, part: Vector) -> None:
        masks = [0] * self._variant.seats
        for seat, card in view.trick:
            masks[seat] |= 1 << card
        self._masks(masks, view, part)

    def _played_by(self, view: SeatView, part: Vector) -> None:
        masks = [0] * self._variant.seats
        for card, (seat, _trick) in view.fallen.items():
            masks[seat] |= 1 << card
        self._masks(masks, view, part)

    def _played_in(self, view: SeatView, part: Vector) -> None:
        for place, card in enumerate(self._variant.pack):
            if card in view.fallen:
                part[place] = view.fallen[card][1] / self._variant.tricks

    def _cards_taken(self, view: SeatView, part: Vector) -> None:
        self._masks(view.cards_taken, view, part)

    def _tricks_taken(self, view: SeatView, part: Vector) -> None:
        self._by_seat([tricks / self._variant.tricks for tricks in view.tricks_taken], view, part)

    def _contract(self, view: SeatView, part: Vector) -> None:
        fixed = self._variant.plan(max(view.deal_number, 1)).fixed_contract
        contract = view.contract or fixed
        if contract is not None:
            part[self._contracts[contract]] = 1

    def _trump(self, view: SeatView, part: Vector) -> None:
        if view.trump is not None:
            part[SUITS.index(view.trump)] = 1

    def _misere(self, view: SeatView, part: Vector) -> None:
        part[0] = view.misere

    def _price(self, view: SeatView, part: Vector) -> None:
        part[0] = view.price / self._variant.tricks

    def _declarer(self, view: SeatView, part: Vector) -> None:
        if view.declarer is not None:
            part[self._from_me(view.declarer, view)] = 1

    def _turn(self, view: SeatView, part: Vector) -> None:
        holder = view.dealer if view.chooser is None else view.chooser
        if holder is not None:
            part[self._from_me(holder, view)] = 1

    def _bids(self, view: SeatView, part: Vector) -> None:
        self._by_seat([bid / self._variant.tricks for bid in view.bids], view, part)

    def _passed(self, view: SeatView, part: Vector) -> None:
        self._by_seat(view.passed, view, part)

    def _said(self, view: SeatView, part: Vector) -> None:
        rows = part.reshape(self._variant.seats, -1)
        for seat, kind in view.said:
            rows[self._from_me(seat, view), _SAID.index(kind)] = 1

    def _chosen(self, view: SeatView, part: Vector) -> None:
        rows = part.reshape(self._variant.seats, -1)
        for (seat, contract), times in view.chosen.items():
            rows[self._from_me(seat, view), self._contracts[contract]] = times / view.deal_number

    def _deal(self, view: SeatView, part: Vector) -> None:
        part[0] = view.deal_number / (self._variant.deal_count + self._variant.extra_deals)

    def _totals(self, view: SeatView, part: Vector) -> None:
        self._by_seat([points / self._most_points for points in view.totals], view, part)


def _most_points(variant: Variant) -> int:
    """More points than a seat can ever have, or owe, in a match."""
    deals = variant.deal_count + variant.extra_deals
    return sum(
        max(_most_of(variant.contracts[contract], variant) for contract in variant.plan(number).contracts)
        for number in range(1, deals + 1)
    )


def _most_of(contract: Contract, variant: Variant) -> int:
    """Of one deal; with a price, all tricks once more, for who pays with none taken."""
    return 2 * max(abs(contract.total), abs(contract.flat_points) * variant.seats)


_PARTS: Final[Mapping[str, Callable[[Encoding, SeatView, Vector], None]]] = {
    "held": Encoding._held,
    "talon": Encoding._talon,
    "trick": Encoding._trick,
    "played_by": Encoding._played_by,
    "played_in": Encoding._played_in,
    "cards_taken": Encoding._cards_taken,
    "tricks_taken": Encoding._tricks_taken,
    "contract": Encoding._contract,
    "trump": Encoding._trump,
    "misere": Encoding._misere,
    "price": Encoding._price,
    "declarer": Encoding._declarer,
    "turn": Encoding._turn,
    "bids": Encoding._bids,
    "passed": Encoding._passed,
    "said": Encoding._said,
    "chosen": Encoding._chosen,
    "deal": Encoding._deal,
    "totals": Encoding._totals,
}
