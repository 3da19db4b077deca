"""The small facts that a view of a table is made of: plays, calls, gifts, tricks, finished deals.

Owns their shapes; who keeps them is `table.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from king_bot.actions import Action, ActionBy
from king_bot.cards import CARDS, Card, mask_of


class Played(NamedTuple):
    """A card on the table, and who played it."""

    seat: int
    card: Card


MOST_SEATS = 8
"""More than any game of cards here has."""

PLAYED = tuple([tuple([Played(seat, card) for card in CARDS]) for seat in range(MOST_SEATS)])
"""Every card played by every seat, by seat and card."""


class Said(NamedTuple):
    """An action other than playing or giving a card: who took it and how it came about."""

    seat: int
    action: Action
    by: ActionBy


class Gift(NamedTuple):
    """A card given by the declarer of a talon deal; `card` is None where it is not ours to know."""

    seat: int
    to: int
    card: Card | None


class TimeControl(NamedTuple):
    """The clock of a process, in milliseconds: until ready, added for each request, and at most in the bank."""

    start_ms: int
    increment_ms: int
    bank_ms: int


class Forfeit(NamedTuple):
    """A seat that was taken from its bot: what it did, and the deal and action at which the stand-in took over."""

    seat: int
    kind: str
    deal: int
    action: int


ABOVE_ALL = 20  # lifts trumps over every other suit


@dataclass(slots=True)
class Trick:
    """One trick, open or complete."""

    number: int  # from 1
    plays: list[Played] = field(default_factory=list)
    taker: int | None = None

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.plays[0].seat

    @property
    def led(self) -> str:
        """The suit that was led."""
        return self.plays[0].card.suit

    @property
    def cards(self) -> int:
        """The cards in it, as a set."""
        return mask_of(played.card for played in self.plays)

    def winner(self, trump: str | None, *, misere: bool) -> Played:
        """The play that takes the trick as it lies: its highest trump, or else its highest of the suit led."""
        return max(self.plays, key=lambda played: self._power(played.card, trump, misere=misere))

    def is_beaten_by(self, card: Card, trump: str | None, *, misere: bool) -> bool:
        """Whether a card would take the trick as it lies."""
        best = self.winner(trump, misere=misere).card
        return self._power(card, trump, misere=misere) > self._power(best, trump, misere=misere)

    def _power(self, card: Card, trump: str | None, *, misere: bool) -> int:
        """A card's strength here: below zero if it cannot win. At misère the ranks are upside down."""
        rank = 16 - card.rank if misere else card.rank
        if card.suit == trump:
            return rank + ABOVE_ALL
        return rank if card.suit == self.led else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedDeal:
    """What is remembered of a deal that is over; points by seat."""

    number: int
    contract: str | None
    declarer: int | None
    trump: str | None
    misere: bool
    price: int | None
    points: tuple[int, ...]
