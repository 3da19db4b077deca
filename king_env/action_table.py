"""A number for each action that a seat can ever have in a variant.

Owns the numbering, which is the same for every seat. Knows no position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.rules import SUITS, Action, ActionKind, Step, Variant

_NOBODY = 0  # the seat of the actions in the table; `action` puts the real one in


class ActionTable:
    """All actions of a variant, numbered from 0 in the order of their kinds; a gift's receiver counts from the giver.

    The kinds that none of the variant's deals asks for have no numbers.
    """

    def __init__(self, variant: Variant) -> None:
        self._seats = variant.seats
        self._actions = tuple(_all_actions(variant))
        self._numbers = {action: number for number, action in enumerate(self._actions)}

    def __len__(self) -> int:
        return len(self._actions)

    def action(self, number: int, seat: int) -> Action:
        """The action with this number, as the one of a seat.

        Raises:
            IndexError: if there is none.
        """
        if not 0 <= number < len(self._actions):
            raise IndexError(f"{number} is no number of an action: they go from 0 to {len(self._actions) - 1}")
        found = self._actions[number]
        return replace(found, seat=seat, to=None if found.to is None else (seat + found.to) % self._seats)

    def number(self, action: Action) -> int:
        """The number of an action.

        Raises:
            KeyError: if the variant has no such action.
        """
        to = None if action.to is None else (action.to - action.seat) % self._seats
        return self._numbers[replace(action, seat=_NOBODY, to=to)]


def _all_actions(variant: Variant) -> Iterator[Action]:
    steps = {step for plan in variant.deals for step in plan.opening.steps}
    yield from (Action(_NOBODY, ActionKind.PLAY, card=card) for card in variant.pack)
    if Step.CHOOSE in steps:
        trumps = (None, *SUITS)
        yield from (
            Action(_NOBODY, ActionKind.CHOOSE, contract=contract, trump=trump)
            for contract in variant.contracts
            for trump in trumps
        )
    if Step.ORDER in steps:
        yield from (Action(_NOBODY, ActionKind.ORDER, contract=contract) for contract in variant.contracts)
    yield from _calls(variant, steps)
    if Step.GIVE in steps:
        yield from (
            Action(_NOBODY, ActionKind.GIVE, card=card, to=to)
            for to in range(1, variant.seats)
            for card in variant.pack
        )


def _calls(variant: Variant, steps: set[Step]) -> Iterator[Action]:
    if steps & {Step.ORDER, Step.BID, Step.SALE}:
        yield Action(_NOBODY, ActionKind.PASS)
    if steps & {Step.BID, Step.SALE}:
        yield from (Action(_NOBODY, ActionKind.BID, tricks=tricks) for tricks in range(1, variant.tricks + 1))
    praises = steps & {Step.PRAISE, Step.PRAISE_BOUGHT}
    if praises or steps & {Step.NAME_TRUMP, Step.NAME_TRUMP_OR_LAST}:
        yield from (Action(_NOBODY, ActionKind.NAME_TRUMP, trump=suit) for suit in SUITS)
    if praises or Step.NAME_TRUMP_OR_LAST in steps:
        yield Action(_NOBODY, ActionKind.BY_LAST)
    if praises:
        yield from (Action(_NOBODY, kind) for kind in (ActionKind.MISERE, ActionKind.TWO_TRICKS_EACH))
    if Step.OFFER in steps:
        yield from (Action(_NOBODY, kind) for kind in (ActionKind.OFFER, ActionKind.KEEP))
