"""What one seat knows of a match, gathered from the events that it may see.

Owns the knowledge of a seat. Must never be shown an event that is not `visible_to` the seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import singledispatchmethod

from referee.rules import (
    Action,
    ActionKind,
    ActionTaken,
    Card,
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    DealEnded,
    DealStarted,
    Event,
    MatchEnded,
    TalonShown,
    TrickEnded,
    Variant,
)


class SeatView:
    """The knowledge of `seat`; sets of cards are masks, and lists are by seat."""

    def __init__(self, variant: Variant, seat: int) -> None:
        self.variant = variant
        self.seat = seat
        self.chosen: Counter[tuple[int, str]] = Counter()  # how often a seat chose or ordered a contract
        self.totals: tuple[int, ...] = (0,) * variant.seats
        self.deal_number = 0
        self._begin_deal(None, None)

    def _begin_deal(self, dealer: int | None, chooser: int | None) -> None:
        seats = self.variant.seats
        self.dealer, self.chooser = dealer, chooser
        self.held = [0] * seats  # cards known to be in a hand: all of the own one
        self.talon = 0
        self.contract: str | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.misere = False
        self.price = 0
        self.bids = [0] * seats
        self.passed = [False] * seats
        self.said: set[tuple[int, ActionKind]] = set()
        self.trick: list[tuple[int, Card]] = []
        self.fallen: dict[Card, tuple[int, int]] = {}  # the seat and the trick of every card played
        self.tricks_taken = [0] * seats
        self.cards_taken = [0] * seats
        self.trick_number = 1

    @singledispatchmethod
    def see(self, event: Event) -> None:
        """Take in an event that this seat may see."""
        raise TypeError(f"{event!r} is no event of a match")

    @see.register
    def _(self, event: DealStarted) -> None:
        self._begin_deal(event.dealer, event.chooser)
        self.deal_number = event.number

    @see.register
    def _(self, event: CardsDealt) -> None:
        for card in event.cards:
            self.held[event.seat] |= 1 << card

    @see.register
    def _(self, event: TalonShown) -> None:
        for card in event.cards:
            self.talon |= 1 << card

    @see.register
    def _(self, event: CardExposed) -> None:
        self.held[event.seat] |= 1 << event.card

    @see.register
    def _(self, event: CardGiven) -> None:
        if event.seat == self.seat:
            self._take_talon()
        if event.card is not None:
            self.held[event.seat] &= ~(1 << event.card)
            self.held[event.to] |= 1 << event.card

    def _take_talon(self) -> None:
        """The declarer has taken the talon when the first card is given; the others go on seeing what lay there."""
        self.held[self.seat] |= self.talon
        self.talon = 0

    @see.register
    def _(self, event: ContractSet) -> None:
        self.contract, self.declarer, self.trump = event.contract, event.declarer, event.trump
        self.misere, self.price = event.misere, event.price or 0

    @see.register
    def _(self, event: ActionTaken) -> None:
        _SAYINGS.get(event.action.kind, SeatView._say)(self, event.action)

    def _say(self, action: Action) -> None:
        self.said.add((action.seat, action.kind))

    def _play(self, action: Action) -> None:
        card = _card(action)
        for seat in range(self.variant.seats):
            self.held[seat] &= ~(1 << card)
        self.talon &= ~(1 << card)
        self.trick.append((action.seat, card))
        self.fallen[card] = (action.seat, self.trick_number)

    def _pass(self, action: Action) -> None:
        self.passed[action.seat] = True

    def _bid(self, action: Action) -> None:
        self.bids[action.seat] = action.tricks or 0

    def _choose(self, action: Action) -> None:
        self.chosen[action.seat, str(action.contract)] += 1

    @see.register
    def _(self, event: TrickEnded) -> None:
        self.tricks_taken[event.taker] += 1
        for _seat, card in self.trick:
            self.cards_taken[event.taker] |= 1 << card
        self.trick = []
        self.trick_number = event.number + 1

    @see.register
    def _(self, event: DealEnded) -> None:
        self.totals = event.totals

    @see.register
    def _(self, event: MatchEnded) -> None:
        self.totals = event.totals


def _card(action: Action) -> Card:
    if action.card is None:
        raise ValueError(f"{action} has no card")
    return action.card


_SAYINGS: Mapping[ActionKind, Callable[[SeatView, Action], None]] = {
    ActionKind.PLAY: SeatView._play,
    ActionKind.PASS: SeatView._pass,
    ActionKind.BID: SeatView._bid,
    ActionKind.CHOOSE: SeatView._choose,
    ActionKind.ORDER: SeatView._choose,
}
