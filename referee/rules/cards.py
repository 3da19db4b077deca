"""Cards, packs and hands. Owns the two-letter codes and the pack order; knows no contract and no variant.

A card is an int, `suit * 13 + rank`: suits in pack order S H D C, ranks from the two up to the ace. A hand is a bit
mask with bit `card` set for each card held.
"""

from collections.abc import Iterable
from typing import Final

from referee.rules.errors import RulesError

Card = int

SUITS: Final = "SHDC"
RANKS: Final = "23456789TJQKA"
RANK_COUNT: Final = len(RANKS)
CARD_COUNT: Final = len(SUITS) * RANK_COUNT

CARD_TEXTS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS_BY_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}

SUIT_MASKS: Final = tuple(((1 << RANK_COUNT) - 1) << (RANK_COUNT * suit) for suit in range(len(SUITS)))
SUIT_MASK_OF: Final = tuple(SUIT_MASKS[card // RANK_COUNT] for card in range(CARD_COUNT))
HEARTS: Final = SUIT_MASKS[SUITS.index("H")]


def card_text(card: Card) -> str:
    """Write a card: rank, then suit, such as "KH"."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """Read a card such as "KH".

    Raises:
        RulesError: if it is not a rank and a suit.
    """
    card = CARDS_BY_TEXT.get(text)
    if card is None:
        raise RulesError(f"{text!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, such as 'KH'")
    return card


def suit_of(card: Card) -> int:
    """Return the suit's place in `SUITS`."""
    return card // RANK_COUNT


def rank_of(card: Card) -> int:
    """Return the rank's place in `RANKS`."""
    return card % RANK_COUNT


def suit_mask(suit: str | None) -> int:
    """Return the cards of a suit given by its letter, or none of them for None."""
    return 0 if suit is None else SUIT_MASKS[SUITS.index(suit)]


def rank_mask(rank: str) -> int:
    """Return the four cards of a rank given by its letter."""
    return mask_of([card for card in range(CARD_COUNT) if RANKS[rank_of(card)] == rank])


def mask_of(cards: Iterable[Card]) -> int:
    """Return the hand that holds these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a hand in pack order."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


def pack_of(*, lowest: str = "2", without: Iterable[str] = (), without_suits: str = "") -> tuple[Card, ...]:
    """Return a pack in pack order: from rank `lowest` up, some cards or suits left out."""
    left_out = {parse_card(text) for text in without}
    return tuple(
        card
        for card in range(CARD_COUNT)
        if rank_of(card) >= RANKS.index(lowest) and card not in left_out and SUITS[suit_of(card)] not in without_suits
    )


KINGS: Final = rank_mask("K")
QUEENS: Final = rank_mask("Q")
JACKS: Final = rank_mask("J")
KING_OF_HEARTS: Final = parse_card("KH")
