"""Remembers what has fallen and who is void, and weighs every card by the chance that it takes the trick.

For each legal card it adds what the trick is expected to bring and what the rest of the hand is still worth, both
counted from the cards that are really out. Chances treat every unseen card as equally likely with every seat that may
still hold it. Choosing, bidding and naming rest on the estimates of `king_bot.tactics`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from king_bot import SUIT_MASKS, Action, ActionKind, Bot, Card, Table, cards_of, run
from king_bot.tactics import decide

UNLOADED = 1.0  # how often a seat that can throw a penalty on our trick does so
RESTRAINT = 0.1  # how often a seat that could take a trick worth having does not
LATER = 0.4  # what points that a card may still take are worth beside points at hand
DUCKED = 2.5  # the power of the share of lower cards that gives a card's danger


class Counter(Bot):
    """Counts cards."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes a decision of any kind."""
        if actions[0].kind is not ActionKind.PLAY:
            return decide(table, actions)
        count = Count(table)
        return max(actions, key=lambda action: count.value(action.card) if action.card is not None else 0.0)


class Count:
    """What is known at one decision: who may hold which unseen card, and what the cards are worth."""

    def __init__(self, table: Table) -> None:
        deal = table.deal
        self.table = table
        self.deal = deal
        self.scoring = table.scoring
        self.plays = deal.trick.plays if deal.trick else []
        played = {play.seat for play in self.plays}
        self.behind = [seat for seat in table.opponents if seat not in played]
        self.may_hold = _may_hold(table)
        self.holders: dict[int, int] = {
            card: sum(1 for mask in self.may_hold if mask >> card & 1) for card in cards_of(deal.unseen)
        }
        self.number = deal.trick_number
        self.open_points = self.scoring.trick_points(self.number, deal.trick.cards if deal.trick else 0)

    def value(self, card: Card) -> float:
        """What playing this card is worth, in points."""
        hand = self.deal.hand_mask & ~card.bit
        wins = self.chance_to_take(card)
        brought = self.open_points + self.worth(card) + self.points_to_come(card)
        return wins * brought + self.rest(hand) * (1.0 if self.scoring.avoids else LATER)

    def worth(self, card: int) -> int:
        """What the card scores for its taker."""
        return self.scoring.card_points.get(card, 0)

    def power(self, card: Card) -> int:
        """Rank within the suit, trumps above all, misère upside down."""
        rank = 16 - card.rank if self.deal.misere else card.rank
        return rank + 20 if card.suit == self.deal.trump else rank

    def chance_to_take(self, card: Card) -> float:
        """The chance that the trick is ours if we play this card."""
        led = self.plays[0].card.suit if self.plays else card.suit
        if card.suit not in {led, self.deal.trump}:
            return 0.0
        in_play = [play.card for play in self.plays if play.card.suit in {led, self.deal.trump}]
        if any(self.power(other) > self.power(card) for other in in_play):
            return 0.0
        chance = 1.0
        for seat in self.behind:
            chance *= 1.0 - self.chance_beaten_by(seat, card, led)
        return chance

    def chance_beaten_by(self, seat: int, card: Card, led: str) -> float:
        """The chance that a seat behind us takes the trick from this card: it has to, or wants to."""
        cards = cards_of(self.may_hold[seat] & SUIT_MASKS[led])
        ruffed = card.suit == self.deal.trump != led
        none_higher = none_lower = 1.0
        for other in cards:
            absent = 1.0 - 1.0 / self.holders[other]
            if not ruffed and self.power(other) > self.power(card):
                none_higher *= absent
            else:
                none_lower *= absent
        higher = 1.0 - none_higher
        if self.scoring.avoids:
            return higher * none_lower
        trumps = SUIT_MASKS[self.deal.trump] & self.may_hold[seat] if self.deal.trump and led != self.deal.trump else 0
        void = none_higher * none_lower
        return higher * (1.0 if self.wanted else RESTRAINT) + void * (1.0 - 0.5 ** trumps.bit_count())

    @property
    def wanted(self) -> bool:
        """Whether the trick is worth taking as it lies."""
        return self.open_points > 0

    def points_to_come(self, card: Card) -> float:
        """What the seats behind us are expected to add if we take the trick."""
        if not self.scoring.card_points:
            return 0.0
        led = self.plays[0].card.suit if self.plays else card.suit
        points = 0.0
        for seat in self.behind:
            suit = self.may_hold[seat] & SUIT_MASKS[led]
            void = 1.0
            for other in cards_of(suit):
                void *= 1.0 - 1.0 / self.holders[other]
            points += self._from(seat, card, led, void)
        return points

    def _from(self, seat: int, card: Card, led: str, void: float) -> float:
        expected = 0.0
        for other, worth in self.scoring.card_points.items():
            if self.may_hold[seat] >> other & 1:
                follows = bool(SUIT_MASKS[led] >> other & 1)
                chance = (1.0 - void if follows else void) * UNLOADED / self.holders[other]
                if worth > 0:
                    chance *= 1.0 - RESTRAINT
                expected += worth * chance
        return expected

    def rest(self, hand: int) -> float:
        """What the rest of the hand is expected to score, counted suit by suit."""
        tricks_left = hand.bit_count()
        if not tricks_left:
            return 0.0
        points = 0.0
        trick_worth = self._later_trick_points(tricks_left)
        for mask in SUIT_MASKS.values():
            held = cards_of(hand & mask)
            out = mask & self.deal.unseen
            for place, card in enumerate(held):
                chance = self._later_chance(card, out, place)
                points += chance * (trick_worth + self.worth(card))
        return points

    def _later_trick_points(self, tricks_left: int) -> float:
        """What a later trick is worth on average: its own points, and the penalties still out."""
        out = sum(worth for card, worth in self.scoring.card_points.items() if self.deal.unseen >> card & 1)
        numbered = sum(worth for number, worth in self.scoring.tricks.items() if number > self.number)
        return self.scoring.each_trick + (out + numbered) / tricks_left

    def _later_chance(self, card: Card, out: int, place: int) -> float:
        """The chance that a card of ours takes a later trick; `place` counts our lower cards of the suit."""
        total = out.bit_count()
        below = (1 << card) - 1
        lower = (out & (~below if self.deal.misere else below)).bit_count()
        if card.suit == self.deal.trump:
            return max((lower / total) ** 2 if total else 1.0, 0.4)
        if not total:
            return 0.25 if self.scoring.avoids else 0.7
        if self.scoring.avoids:
            spare = max(0, lower - place)
            return math.pow(spare / total, DUCKED)
        return math.pow(lower / total, self.table.seats - 1)


def _may_hold(table: Table) -> list[int]:
    """By seat, the unseen cards that it may hold: no suit in which it is void, nothing known to be elsewhere."""
    deal = table.deal
    known = sum(deal.known_cards)
    voids = deal.void_masks
    return [
        0 if seat == table.seat else deal.known_cards[seat] | deal.unseen & ~known & ~voids[seat]
        for seat in range(table.seats)
    ]


if __name__ == "__main__":
    run(Counter())
