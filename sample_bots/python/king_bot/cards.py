"""Cards, and sets of cards as bit masks.

Owns the numbering: a card is `suit * 13 + rank`, suits in the order S H D C, ranks from 2 up to the ace, which is
also the order in which a pack is listed. A set of cards is an int with bit n set for card n. Knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = "SHDC"
RANKS = "23456789TJQKA"


class Card(int):
    """One card. It is its own number (0 to 51), so `mask >> card & 1` asks whether a set holds it."""

    __slots__ = ()

    @property
    def suit(self) -> str:
        """The suit: "S", "H", "D" or "C"."""
        return SUITS[int(self) // 13]

    @property
    def rank(self) -> int:
        """The rank: 2 to 10, jack 11, queen 12, king 13, ace 14."""
        return int(self) % 13 + 2

    @property
    def bit(self) -> int:
        """The set of this card alone."""
        return 1 << self

    def __str__(self) -> str:
        return RANKS[int(self) % 13] + SUITS[int(self) // 13]

    __repr__ = __str__


CARDS: tuple[Card, ...] = tuple(Card(number) for number in range(52))
CARD_BY_TEXT: dict[str, Card] = {str(card): card for card in CARDS}
SUIT_MASKS: dict[str, int] = {suit: 0x1FFF << 13 * index for index, suit in enumerate(SUITS)}


def card(text: str) -> Card:
    """The card that is written rank then suit, such as "KH".

    Raises:
        ValueError: if there is no such card.
    """
    found = CARD_BY_TEXT.get(text)
    if found is None:
        raise ValueError(f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as KH")
    return found


def mask_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    mask = 0
    for member in cards:
        mask |= 1 << member
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a set, in the order of the pack."""
    members = []
    while mask:
        lowest = mask & -mask
        members.append(CARDS[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(members)


KING_OF_HEARTS = CARD_BY_TEXT["KH"]
