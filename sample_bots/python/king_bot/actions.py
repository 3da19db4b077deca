"""What a seat can do: the kinds of action, and one action.

Owns the words (those of the match record). Knows neither rules nor the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from king_bot.cards import CARDS, Card


class ActionKind(StrEnum):
    """The kinds of action, in the order in which legal actions are listed."""

    PLAY = "play"
    CHOOSE = "choose"
    ORDER = "order"
    PASS = "pass"
    BID = "bid"
    NAME_TRUMP = "name_trump"
    BY_LAST = "by_last"
    MISERE = "misere"
    TWO_TRICKS_EACH = "two_tricks_each"
    OFFER = "offer"
    KEEP = "keep"
    GIVE = "give"


class ActionBy(StrEnum):
    """How an action came about."""

    BOT = "bot"
    FORCED = "forced"
    STAND_IN = "stand_in"


@dataclass(frozen=True, slots=True)
class Action:
    """One action; a field that its kind does not use is None."""

    kind: ActionKind
    card: Card | None = None  # play, give
    contract: str | None = None  # choose, order
    trump: str | None = None  # name_trump; choose, where the choice includes a suit
    tricks: int | None = None  # bid
    to: int | None = None  # give: the seat that gets the card


PLAYS: tuple[Action, ...] = tuple(Action(ActionKind.PLAY, card=card) for card in CARDS)
