"""Plays each contract by simple rules: what it wants of this trick, from its hand and the cards on the table.

Where points are to be avoided it ducks, throws what is dangerous, and leads low; where they are wanted it does the
opposite. It remembers nothing of earlier tricks. Choosing, bidding and naming rest on the estimates of
`king_bot.tactics`.
"""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, ActionKind, Bot, Card, Table, run
from king_bot.tactics import decide

ABOVE_ALL = 20  # lifts trumps over every other suit


class Greedy(Bot):
    """Simple rules for both signs, trumps and misère."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes a decision of any kind."""
        if actions[0].kind is not ActionKind.PLAY:
            return decide(table, actions)
        cards = [action.card for action in actions if action.card is not None]
        return actions[cards.index(self.pick(table, cards))]

    def pick(self, table: Table, cards: Sequence[Card]) -> Card:
        """Picks the card to play among the legal ones."""
        trick = table.deal.trick
        avoids = table.scoring.avoids
        if is_idle(table):
            return strongest(table, cards) if avoids else weakest(table, cards)
        if trick is None:
            return lead_to_avoid(table, cards) if avoids else lead_to_take(table, cards)
        best = max(power(table, played.card, trick.led) for played in trick.plays)
        winning = [card for card in cards if power(table, card, trick.led) > best]
        losing = [card for card in cards if power(table, card, trick.led) < best]
        is_last = len(trick.plays) == table.seats - 1
        if avoids:
            return follow_to_avoid(table, winning, losing, is_last=is_last)
        return follow_to_take(table, winning, losing, is_last=is_last)


def power(table: Table, card: Card, led: str) -> int:
    """The card's strength in a trick: below zero if it cannot win, trumps above all."""
    rank = 16 - card.rank if table.deal.misere else card.rank
    if card.suit == table.deal.trump:
        return rank + ABOVE_ALL
    return rank if card.suit == led else -1


def worth(table: Table, card: Card) -> int:
    """What the card scores for its taker."""
    return table.scoring.card_points.get(card, 0)


def open_points(table: Table) -> int:
    """What the open trick is worth so far."""
    trick = table.deal.trick
    return table.scoring.trick_points(table.deal.trick_number, trick.cards if trick else 0)


def is_idle(table: Table) -> bool:
    """Whether only later tricks score: the time to be rid of what will hurt then, or to save what will win."""
    scoring = table.scoring
    late_only = not scoring.each_trick and not scoring.card_points
    return late_only and table.deal.trick_number < min(scoring.tricks)


def strongest(table: Table, cards: Sequence[Card]) -> Card:
    """The card of the highest power, whatever its suit."""
    return max(cards, key=lambda card: power(table, card, card.suit))


def weakest(table: Table, cards: Sequence[Card]) -> Card:
    """The card of the least power, whatever its suit."""
    return min(cards, key=lambda card: power(table, card, card.suit))


def lead_to_avoid(table: Table, cards: Sequence[Card]) -> Card:
    """Leads low, and nothing that scores."""
    return min(cards, key=lambda card: (worth(table, card) < 0, card.rank))


def lead_to_take(table: Table, cards: Sequence[Card]) -> Card:
    """Leads the strongest card, a side suit's before a trump as high."""
    return max(cards, key=lambda card: (power(table, card, card.suit) % ABOVE_ALL, card.suit != table.deal.trump))


def follow_to_avoid(table: Table, winning: Sequence[Card], losing: Sequence[Card], *, is_last: bool) -> Card:
    """Stays below with what is most dangerous; if that fails, takes with as little harm as can be."""
    harmless = is_last and open_points(table) == 0
    free = [card for card in winning if worth(table, card) == 0]
    if harmless and free:
        return max(free, key=lambda card: card.rank)
    if losing:
        return min(losing, key=lambda card: (worth(table, card), -card.rank))
    if is_last:
        return max(winning, key=lambda card: (worth(table, card), card.rank))
    return min(winning, key=lambda card: (worth(table, card) < 0, card.rank))


def follow_to_take(table: Table, winning: Sequence[Card], losing: Sequence[Card], *, is_last: bool) -> Card:
    """Takes what is worth taking, the last seat as cheaply as it can; otherwise throws the least."""
    led = table.deal.trick.led if table.deal.trick else ""
    if winning and not (is_last and losing and open_points(table) == 0):
        strength = {card: power(table, card, led) for card in winning}
        if is_last or all(card.suit == table.deal.trump for card in winning):
            return min(winning, key=lambda card: (-worth(table, card), strength[card]))
        return max(winning, key=lambda card: strength[card])
    least = losing or winning
    return min(
        least, key=lambda card: (worth(table, card), card.suit == table.deal.trump, power(table, card, card.suit))
    )


if __name__ == "__main__":
    run(Greedy())
