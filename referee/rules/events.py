"""Events: what happens in a match, in the order in which it happens and is told.

Owns the event types and who may see what of them. Must not change a position.
"""

from dataclasses import dataclass, replace

from referee.rules.actions import Action
from referee.rules.cards import Card


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal begins; `number` counts from 1, `dealer` and `chooser` are seats or None where there is none."""

    number: int
    dealer: int | None
    chooser: int | None


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Cards for one hand, in the order dealt; only that seat sees the event."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TalonShown:
    """The face-up cards of the talon."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A seat did something; gifts of cards are `CardGiven` instead."""

    action: Action


@dataclass(frozen=True, slots=True)
class CardGiven:
    """A `give` action was taken; the card is None for those who are neither giver nor receiver."""

    seat: int
    to: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card in a hand was shown to all; it stays in that hand."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class ContractSet:
    """What is played for: once a deal, before the first lead. `price` is in tricks."""

    contract: str
    declarer: int | None
    trump: str | None
    misere: bool
    price: int | None


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """A trick is complete; `number` counts from 1."""

    number: int
    taker: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal is over; points of the deal and running totals, by seat."""

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; totals and places (from 1, ties share), by seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


Event = (
    DealStarted
    | CardsDealt
    | TalonShown
    | ActionTaken
    | CardGiven
    | CardExposed
    | ContractSet
    | TrickEnded
    | DealEnded
    | MatchEnded
)


def visible_to(event: Event, seat: int) -> Event | None:
    """Return what one seat may know of an event, or None if nothing."""
    if isinstance(event, CardsDealt):
        return event if event.seat == seat else None
    if isinstance(event, CardGiven) and seat not in {event.seat, event.to}:
        return replace(event, card=None)
    return event
