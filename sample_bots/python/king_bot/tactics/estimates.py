"""What a hand is worth: quick estimates of the points that a contract would bring, from our own cards alone.

Owns the judgement that choosing, ordering, bidding and naming trumps rest on. Rough on purpose: a searching bot does
better. Must not look at anything but the table's view.
"""

from __future__ import annotations

import math

from king_bot.cards import CARDS, SUIT_MASKS, SUITS, cards_of
from king_bot.contracts import Scoring
from king_bot.table import Table

TRUMP_FLOOR = 0.45  # the chance of the smallest trump of an average holding to make a trick
TRUMP_LENGTH = 0.12  # added to it for each trump above the average holding
RUFFED = 0.8  # what a side suit's winners are worth against trumps


def chance_to_win(table: Table, card: int, hand: int, *, misere: bool = False) -> float:
    """The chance that `card` is the highest when every seat follows it; averages to a fair share over a suit."""
    suit = SUIT_MASKS[CARDS[card].suit]
    others = suit & table.pack & ~hand
    below = (1 << card) - 1
    lower = (others & (~below if misere else below)).bit_count()
    if not others:
        return 1.0
    return math.prod([lower / others.bit_count()] * (table.seats - 1))  # a power is rounded differently elsewhere


def expected_tricks(table: Table, hand: int, *, trump: str | None = None, misere: bool = False) -> float:
    """The tricks that a hand makes; cards of it that are not dealt yet count as a fair share each."""
    tricks = 0.0
    trumps = SUIT_MASKS[trump] if trump else 0
    surplus = (hand & trumps).bit_count() - hand.bit_count() / 4
    for card in cards_of(hand):
        chance = chance_to_win(table, card, hand, misere=misere)
        if trumps >> card & 1:
            tricks += min(1.0, max(chance, TRUMP_FLOOR + TRUMP_LENGTH * surplus))
        else:
            tricks += chance * RUFFED if trumps else chance
    return tricks + max(0, hand_size(table) - hand.bit_count()) / table.seats


def hand_size(table: Table) -> int:
    """The number of tricks of a deal."""
    return table.pack.bit_count() // table.seats


def expected_points(table: Table, hand: int, contract: str, trump: str | None = None) -> float:
    """The points that a contract brings with this hand."""
    scoring = table.scoring_of(contract)
    tricks = expected_tricks(table, hand, trump=trump)
    share = tricks / hand_size(table)
    points = scoring.each_trick * tricks + sum(scoring.tricks.values()) * share
    for card, worth in scoring.card_points.items():
        if table.pack >> card & 1:
            points += worth * _chance_to_take(table, card, hand, share)
    return points


def _chance_to_take(table: Table, card: int, hand: int, share: float) -> float:
    """The chance that the trick with `card` is ours: our own low ones leave us, those under our high ones come."""
    suit = SUIT_MASKS[CARDS[card].suit] & hand
    if hand >> card & 1:
        length = suit.bit_count()
        return min(1.0, 0.15 + 0.6 * chance_to_win(table, card, hand) + (0.1 if length <= 2 else 0.0))
    above = (suit >> card).bit_count()
    return 0.5 * share + 0.5 * (above / suit.bit_count() if suit else 0.0) * 0.6


def edge(table: Table, hand: int, contract: str, trump: str | None = None) -> float:
    """How much better than an average hand this one is in a contract, in points."""
    return expected_points(table, hand, contract, trump) - pack_total(table, table.scoring_of(contract)) / table.seats


def pack_total(table: Table, scoring: Scoring) -> int:
    """The points of a contract that all seats share."""
    cards = sum(worth for card, worth in scoring.card_points.items() if table.pack >> card & 1)
    return scoring.each_trick * hand_size(table) + cards + sum(scoring.tricks.values())


def best_trump(table: Table, hand: int, suits: str = SUITS) -> tuple[str, float]:
    """The suit that makes most tricks as trump, and those tricks."""
    return max(((suit, expected_tricks(table, hand, trump=suit)) for suit in suits), key=lambda found: found[1])
