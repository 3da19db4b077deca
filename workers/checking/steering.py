"""Plays every seat of a table but the bot's, such that the bot is asked each kind of decision that there is.

What is not steered is drawn by lot from the seed, so that a bot that decides alike meets the same positions again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.dealing import Stream
from referee.rules import Action, ActionKind, By, Match
from referee.rules.variant import Step
from workers.checking.decisions import decision_at

_LOW_BIDS: Final = 3
"""Pass, and the two lowest bids: higher ones would end every auction at once."""


class Steering:
    """The deputy of one table.

    On a table that is led, the bot's own seat praises and buys by the stand-in, so that it is asked what follows.
    """

    def __init__(self, *, seat: int, seed: bytes, is_led: bool, note: Callable[[str, int], None]) -> None:
        """Leave the decisions of `seat` to the bot that holds it; draw from `seed` (32 bytes).

        `note` is told the kind of each decision that the bot is asked, and the number of its deal.
        """
        self._seat = seat
        self._lots = Stream(seed, 0)
        self._is_led = is_led
        self._note = note

    def __call__(self, match: Match, legal: Sequence[Action]) -> tuple[Action, By] | None:
        """As `referee.table.Deputy`."""
        decision = decision_at(match, legal)
        if match.seat_to_act != self._seat:
            return self._decide(decision, match, legal), By.BOT
        if self._is_led and decision in _LEADS:
            return _LEADS[decision](legal), By.STAND_IN
        self._note(decision, len(match.deals) + 1)
        return None

    def _decide(self, decision: str, match: Match, legal: Sequence[Action]) -> Action:
        if decision == Step.OFFER:
            return legal[0]
        if decision in {Step.BID, Step.SALE}:
            return legal[0] if self._makes_way(decision, match) else self._drawn(legal[:_LOW_BIDS])
        if decision == Step.PRAISE and self._is_led:
            return legal[0]
        kinds = list(dict.fromkeys(action.kind for action in legal))
        kind = kinds[self._lots.below(len(kinds))]
        return self._drawn([action for action in legal if action.kind is kind])

    def _makes_way(self, decision: str, match: Match) -> bool:
        """Whether the others pass, so that the bot gets the game: at its own sale, or as the last to speak."""
        deal = match.deal
        if deal is None or self._is_led:
            return True
        return self._seat == (deal.eldest if decision == Step.SALE else deal.dealer)

    def _drawn(self, actions: Sequence[Action]) -> Action:
        return actions[self._lots.below(len(actions))]


def _first(legal: Sequence[Action]) -> Action:
    return legal[0]


def _lowest_bid(legal: Sequence[Action]) -> Action:
    return next((action for action in legal if action.kind is ActionKind.BID), legal[0])


_LEADS: Final[Mapping[str, Callable[[Sequence[Action]], Action]]] = {Step.PRAISE: _first, Step.SALE: _lowest_bid}
