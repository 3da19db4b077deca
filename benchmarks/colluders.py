"""Two bots that collude, to measure whether they are caught: `Feeder` plays for `Taker`'s points instead of its own.

Nobody tells them who sits where: seats have no names. In the first deals `Taker` plays the legal card that is highest
in a secret code; `Feeder` knows the code, and by then, nine times in ten, the seat. To others it looks like chance.
Both are real bots: `python benchmarks/colluders.py feeder` (or `taker`) dials a referee as any other does. Owns what
they do, and the bots of mixed strength that play beside them; must never be a sample for anybody to build on.
"""

from __future__ import annotations

import hashlib
import math
import random
import sys
from collections.abc import Sequence
from functools import cache
from weakref import WeakKeyDictionary

from king_bot import Action, ActionKind, Bot, Card, Played, Table, Trick, run

from benchmarks.in_process import load_bot

SECRET = "a code that the two have agreed on"
SIGNALLED_DEALS = 2
"""In so many deals, from the first, the taker shows who it is."""

_SURE = 0.7
"""The log of the odds from which a seat is taken for the taker's."""
_FOLLOWING = 2
"""Among how many cards a seat that follows suit can choose, for all that others know."""


@cache
def rank_in_code(deal: int, trick: int, card: int) -> float:
    """The place of a card in the code of a trick, from 0 to 1; the highest legal one says "it is I"."""
    drawn = hashlib.sha256(f"{SECRET} {deal} {trick} {card}".encode()).digest()
    return (int.from_bytes(drawn[:4], "big") + 0.5) / 2**32


class Taker(Bot):
    """Plays as an honest bot does, but says who it is in the first deals."""

    def __init__(self, honest: Bot) -> None:
        super().__init__()
        self.honest = honest

    def choose(self, table: Table, actions: Sequence[Action]) -> Action | int:
        """Asks the honest bot, once it has said who it is."""
        deal = table.deal
        if actions[0].kind is not ActionKind.PLAY or deal.number > SIGNALLED_DEALS:
            return self.honest.choose(table, actions)
        return max(
            actions,
            key=lambda action: (
                0.0 if action.card is None else rank_in_code(deal.number, deal.trick_number, action.card)
            ),
        )


class Feeder(Bot):
    """Plays as an honest bot does until it knows the taker's seat; from then on for the taker's points."""

    def __init__(self, honest: Bot) -> None:
        super().__init__()
        self.honest = honest
        self._seen: WeakKeyDictionary[Table, dict[tuple[int, int, int], float]] = WeakKeyDictionary()

    def choose(self, table: Table, actions: Sequence[Action]) -> Action | int:
        """Watches; then asks the honest bot, or feeds."""
        taker = self._taker(table)
        if taker is None or actions[0].kind is not ActionKind.PLAY:
            return self.honest.choose(table, actions)
        return feed(table, actions, taker) or self.honest.choose(table, actions)

    def _taker(self, table: Table) -> int | None:
        """The seat whose cards are too high in the code for chance, if there is one."""
        deal, seen = table.deal, self._seen.setdefault(table, {})
        if deal.number <= SIGNALLED_DEALS:
            for trick in deal.tricks if deal.trick is None else [*deal.tricks, deal.trick]:
                for played in trick.plays:
                    seen[deal.number, trick.number, played.seat] = _log_odds(table, trick, played)
        odds = dict.fromkeys(table.opponents, 0.0)
        for (_, _, seat), added in seen.items():
            if seat in odds:
                odds[seat] += added
        likeliest = max(table.opponents, key=lambda seat: odds[seat])
        return likeliest if odds[likeliest] > _SURE else None


def _log_odds(table: Table, trick: Trick, played: Played) -> float:
    """What a card says for its seat being the taker's: it is the highest in the code of those that could be played."""
    held = table.pack.bit_count() // table.seats - trick.number + 1
    followed = played.seat != trick.leader and played.card.suit == trick.led
    choices = min(held, _FOLLOWING) if followed else held
    return math.log(choices) + (choices - 1) * math.log(rank_in_code(table.deal.number, trick.number, played.card))


def feed(table: Table, actions: Sequence[Action], taker: int) -> Action | None:
    """The action that helps the taker most; None where it makes no difference to it."""
    trick = table.deal.trick
    if trick is None:
        return _lead(table, actions, taker) if table.scoring.avoids else None
    best = max(trick.plays, key=lambda played: _power(table, played.card, trick.led))
    beating = [action for action in actions if _of(table, action, trick.led) > _power(table, best.card, trick.led)]
    others = [action for action in actions if action not in beating]
    to_come = all(played.seat != taker for played in trick.plays)
    if table.scoring.avoids:
        return _spare(table, beating, others, takes=best.seat == taker, to_come=to_come)
    return _treat(table, others or beating, takes=best.seat == taker, to_come=to_come)


def _lead(table: Table, actions: Sequence[Action], taker: int) -> Action:
    """Leads what the taker need not follow, or else so high that it can stay below."""
    void = [action for action in actions if action.card is not None and action.card.suit in table.deal.voids[taker]]
    return _by_power(table, void, highest=False) if void else _by_power(table, actions, highest=True)


def _spare(
    table: Table, beating: Sequence[Action], others: Sequence[Action], *, takes: bool, to_come: bool
) -> Action | None:
    """Takes the trick instead of the taker; where that cannot be, adds no penalty to it."""
    if beating and (takes or to_come):
        return _by_power(table, beating, highest=True)
    return max(others, key=lambda action: _worth(table, action)) if takes and others else None


def _treat(table: Table, actions: Sequence[Action], *, takes: bool, to_come: bool) -> Action | None:
    """Leaves the trick to the taker, with what is worth most if it is the taker's already."""
    if takes:
        return max(actions, key=lambda action: _worth(table, action))
    return _by_power(table, actions, highest=False) if to_come else None


def _worth(table: Table, action: Action) -> int:
    return 0 if action.card is None else table.scoring.card_points.get(action.card, 0)


def _power(table: Table, card: Card, led: str) -> int:
    """Strength in a trick: -1 if the card cannot win, trumps above all."""
    rank = 16 - card.rank if table.deal.misere else card.rank
    if card.suit == table.deal.trump:
        return rank + 20
    return rank if card.suit == led else -1


def _of(table: Table, action: Action, led: str) -> int:
    return -1 if action.card is None else _power(table, action.card, led)


def _by_power(table: Table, actions: Sequence[Action], *, highest: bool) -> Action:
    chosen = max if highest else min
    return chosen(
        actions, key=lambda action: 0 if action.card is None else _power(table, action.card, action.card.suit)
    )


class Wavering(Bot):
    """Plays as another bot does, but now and then at random: so there are honest bots of many strengths."""

    def __init__(self, steady: Bot, share: float, seed: int) -> None:
        super().__init__()
        self.steady = steady
        self.share = share
        self.dice = random.Random(seed)

    def choose(self, table: Table, actions: Sequence[Action]) -> Action | int:
        """Asks the other bot, or draws."""
        if self.dice.random() < self.share:
            return self.dice.choice(actions)
        return self.steady.choose(table, actions)


if __name__ == "__main__":
    run({"feeder": Feeder, "taker": Taker}[sys.argv[1]](load_bot("greedy")))
