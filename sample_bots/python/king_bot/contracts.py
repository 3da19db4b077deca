"""The facts of the variants that the protocol does not send: the pack, and what a contract counts.

Owns the prices of RULES as a bot needs them. Must not decide what is legal: the referee's requests say that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from king_bot.cards import CARDS, KING_OF_HEARTS, SUIT_MASKS

RUSSIAN = frozenset({"russian-14", "base-14", "ordered-56", "auction-11", "trump-11"})
"""The variants of one pack and one list of prices."""

KINGS, QUEENS, JACKS = (sum(1 << 13 * suit + rank for suit in range(4)) for rank in (11, 10, 9))


class UnknownVariantError(ValueError):
    """A match was begun in a variant of which the SDK knows neither pack nor prices."""

    def __init__(self, base_id: str) -> None:
        super().__init__(f'this kit does not know the variant "{base_id}": add it to king_bot/contracts.py')


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What one contract counts, in points for whoever takes it: below zero what a player avoids.

    `card_points` has the points of each card that counts, `tricks` those of tricks by number, from 1.
    """

    each_trick: int = 0
    card_points: Mapping[int, int] = field(default_factory=dict)
    tricks: Mapping[int, int] = field(default_factory=dict)

    @property
    def avoids(self) -> bool:
        """Whether the contract is a penalty."""
        return self.each_trick + sum(self.card_points.values()) + sum(self.tricks.values()) < 0

    def trick_points(self, number: int, cards: int) -> int:
        """The points of trick `number` when it holds the set `cards`."""
        points = self.each_trick + self.tricks.get(number, 0)
        if self.card_points:
            for card, worth in self.card_points.items():
                if cards >> card & 1:
                    points += worth
        return points


def pack_of(base_id: str, options: Mapping[str, str]) -> int:
    """The set of all cards of a variant, given its id without options and its options as text.

    Raises:
        UnknownVariantError: there is no such variant here.
    """
    whole = (1 << 52) - 1
    short = sum(1 << card for card in CARDS if card.rank >= 7)
    three = options.get("seats") == "3"
    if base_id == "chooser-12":
        return whole & ~SUIT_MASKS["D"] if three else whole
    if base_id == "classic":
        pack = short if options.get("pack") == "32" else whole
        if three:
            pack &= ~(1 << 39) if pack == whole else ~(1 << 5 | 1 << 44)
        return pack
    if base_id == "turkish-20":
        return whole
    if base_id in RUSSIAN:
        return short
    raise UnknownVariantError(base_id)


def scoring_of(base_id: str, options: Mapping[str, str], contract: str) -> Scoring:
    """What `contract` counts in a variant, given its id without options and its options as text.

    Raises:
        UnknownVariantError: there is no such variant here.
        KeyError: if the variant has no such contract.
    """
    return _scorings(base_id, tuple(sorted(options.items())))[contract]


@cache
def _scorings(base_id: str, options: tuple[tuple[str, str], ...]) -> dict[str, Scoring]:
    build = {"classic": _classic, "chooser-12": _chooser, "turkish-20": _turkish} | dict.fromkeys(RUSSIAN, _russian)
    if base_id not in build:
        raise UnknownVariantError(base_id)
    return build[base_id](dict(options))


def _each(*groups: tuple[int, int]) -> dict[int, int]:
    points: dict[int, int] = {}
    for cards, worth in groups:
        for card in CARDS:
            if cards >> card & 1:
                points[card] = points.get(card, 0) + worth
    return points


def _jumble(*parts: Scoring) -> Scoring:
    cards: dict[int, int] = {}
    tricks: dict[int, int] = {}
    for part in parts:
        for card, worth in part.card_points.items():
            cards[card] = cards.get(card, 0) + worth
        for number, worth in part.tricks.items():
            tricks[number] = tricks.get(number, 0) + worth
    in_pack_order = dict(sorted(cards.items()))  # sums of chances over them are then the same in every language
    return Scoring(each_trick=sum(part.each_trick for part in parts), card_points=in_pack_order, tricks=tricks)


def _russian(options: Mapping[str, str]) -> dict[str, Scoring]:
    found: dict[str, Scoring] = {}
    hearts, king = SUIT_MASKS["H"], 1 << KING_OF_HEARTS
    for sign, prefix in ((-1, "no_"), (1, "")):
        both = options.get("boys") == "kings_and_jacks"
        boys = _each((KINGS | JACKS, 2 * sign) if both else (KINGS, 4 * sign))
        parts = {
            "tricks": Scoring(each_trick=2 * sign),
            "boys": Scoring(card_points=boys),
            "girls": Scoring(card_points=_each((QUEENS, 4 * sign))),
            "hearts": Scoring(card_points=_each((hearts, 2 * sign))),
            "king": Scoring(card_points=_each((king, 16 * sign))),
            "last_two": Scoring(tricks={7: 8 * sign, 8: 8 * sign}),
        }
        parts["jumble"] = _jumble(*parts.values())
        found.update({prefix + contract: scoring for contract, scoring in parts.items()})
    return found | {"trumps": Scoring(each_trick=6)}


def _classic(options: Mapping[str, str]) -> dict[str, Scoring]:
    three = options.get("seats") == "3"
    size = pack_of("classic", options).bit_count() // (3 if three else 4)
    trick, boy, king, last = (15, 30, 140, 140) if three else (20, 40, 150, 150)
    ends = {size - 1: -last // 2, size: -last // 2} if options.get("last") == "two" else {size: -last}
    found = {
        "no_tricks": Scoring(each_trick=-trick),
        "no_hearts": Scoring(card_points=_each((SUIT_MASKS["H"], -20))),
        "no_girls": Scoring(card_points=_each((QUEENS, -60))),
        "no_boys": Scoring(card_points=_each((KINGS | JACKS, -boy))),
        "no_king": Scoring(card_points=_each((1 << KING_OF_HEARTS, -king))),
        "no_last": Scoring(tricks=ends),
    }
    jumble = _jumble(*found.values())
    found["no_jumble"] = jumble
    found["jumble"] = Scoring(
        each_trick=-jumble.each_trick,
        card_points={card: -worth for card, worth in jumble.card_points.items()},
        tricks={number: -worth for number, worth in jumble.tricks.items()},
    )
    price = 30 if options.get("redemption") == "praise" else 25
    return found | {"trumps": Scoring(each_trick=price)}


def _chooser(options: Mapping[str, str]) -> dict[str, Scoring]:
    last = int(options.get("last_points", "8"))
    hearts, king = SUIT_MASKS["H"], 1 << KING_OF_HEARTS
    return {
        "no_tricks": Scoring(each_trick=-2),
        "no_hearts": Scoring(card_points=_each((hearts, -2))),
        "no_girls": Scoring(card_points=_each((QUEENS, -4))),
        "no_jacks": Scoring(card_points=_each((JACKS, -2))),
        "no_king": Scoring(card_points=_each((king, -16))),
        "no_last": Scoring(tricks={13: -last}),
        "no_7th_13th": Scoring(tricks={7: -8, 13: -8}),
        "tricks": Scoring(each_trick=2),
        "hearts": Scoring(card_points=_each((hearts, 2))),
        "girls": Scoring(card_points=_each((QUEENS, 4))),
        "king": Scoring(card_points=_each((king, 16))),
        "last": Scoring(tricks={13: last}),
    }


def _turkish(options: Mapping[str, str]) -> dict[str, Scoring]:
    del options  # none of them changes a price
    return {
        "no_tricks": Scoring(each_trick=-50),
        "no_hearts": Scoring(card_points=_each((SUIT_MASKS["H"], -30))),
        "no_boys": Scoring(card_points=_each((KINGS | JACKS, -60))),
        "no_girls": Scoring(card_points=_each((QUEENS, -100))),
        "no_king": Scoring(card_points=_each((1 << KING_OF_HEARTS, -320))),
        "no_last_two": Scoring(tricks={12: -180, 13: -180}),
        "trumps": Scoring(each_trick=50),
    }
