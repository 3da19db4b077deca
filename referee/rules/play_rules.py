"""The rules of one contract made ready for play: enums turned into bit masks and tables.

Owns the meaning of every value of `LeadRule`, `VoidRule`, `FollowRule` and `PriceRule`: one function each. Must not
hold a position.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from referee.rules.cards import CARD_COUNT, HEARTS, KING_OF_HEARTS, RANK_COUNT, rank_of, suit_mask
from referee.rules.contracts import SCORED_CARDS, Contract, FollowRule, LeadRule, PriceRule, Scored, VoidRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """Who stands for what in a deal: seats, and the price in tricks; None where there is none."""

    declarer: int | None = None
    eldest: int | None = None
    price: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRules:
    """One contract, with its trump, for a number of seats and tricks.

    `ban` are cards that may not be led beside others, `breaks` those whose discard ends the ban. A hand void in the
    led suit that holds one of `void_trigger` plays one of `void_allowed`. `strength` ranks cards within the led
    suit and trumps. `trick_points` is by trick number from 0, `card_points` by card. `follows_freely`: any card of the
    led suit will do.
    """

    contract: Contract
    seats: int
    tricks: int
    trump: str | None
    misere: bool
    stake: Stake
    ban: int
    breaks: int
    void_trigger: int
    void_allowed: int
    give_up: int
    must_beat: bool
    trump_mask: int
    strength: tuple[int, ...]
    trick_points: tuple[int, ...]
    card_points: tuple[int, ...]
    early_total: int | None
    follows_freely: bool


@lru_cache(maxsize=1024)
def play_rules(
    contract: Contract,
    *,
    seats: int,
    pack: int,
    trump: str | None = None,
    misere: bool = False,
    stake: Stake | None = None,
) -> PlayRules:
    """Make a contract ready for play with a pack given as a mask."""
    trumps = suit_mask(trump)
    tricks = pack.bit_count() // seats
    give_up = FOLLOW_RULES[contract.follow](contract)
    ban, breaks = LEAD_RULES[contract.lead](trumps)
    trigger, allowed = VOID_RULES[contract.void](contract, trumps)
    return PlayRules(
        contract=contract,
        seats=seats,
        tricks=tricks,
        trump=trump,
        misere=misere,
        stake=stake or Stake(),
        ban=ban,
        breaks=breaks,
        void_trigger=trigger,
        void_allowed=allowed,
        give_up=give_up,
        must_beat=contract.must_beat,
        trump_mask=trumps,
        strength=tuple(_strength(card, trumps, misere=misere) for card in range(CARD_COUNT)),
        trick_points=tuple(_trick_points(contract, number) for number in range(1, tricks + 1)),
        card_points=tuple(_card_points(contract, card) for card in range(CARD_COUNT)),
        early_total=contract.expected_total(pack, tricks, seats) if contract.early_end else None,
        follows_freely=not (give_up or contract.must_beat),
    )


def _strength(card: int, trumps: int, *, misere: bool) -> int:
    rank = RANK_COUNT - 1 - rank_of(card) if misere else rank_of(card)
    return rank + (RANK_COUNT if trumps >> card & 1 else 0)


def _trick_points(contract: Contract, number: int) -> int:
    numbered = sum(row.points for row in contract.rows if row.scored is Scored.NUMBERED_TRICK and number in row.tricks)
    return contract.trick_points + numbered


def _card_points(contract: Contract, card: int) -> int:
    return sum(row.points for row in contract.rows if SCORED_CARDS[row.scored] >> card & 1)


def _lead_free(_trumps: int) -> tuple[int, int]:
    return 0, 0


def _lead_no_hearts(_trumps: int) -> tuple[int, int]:
    return HEARTS, 0


def _lead_no_hearts_until_broken(_trumps: int) -> tuple[int, int]:
    return HEARTS, HEARTS


def _lead_no_trumps_until_broken(trumps: int) -> tuple[int, int]:
    return trumps, trumps


def _void_any(_contract: Contract, _trumps: int) -> tuple[int, int]:
    return 0, 0


def _void_forced_king(_contract: Contract, _trumps: int) -> tuple[int, int]:
    return 1 << KING_OF_HEARTS, 1 << KING_OF_HEARTS


def _void_penalty_card(contract: Contract, _trumps: int) -> tuple[int, int]:
    return contract.scoring_cards, contract.scoring_cards


def _void_king_or_heart(_contract: Contract, _trumps: int) -> tuple[int, int]:
    return 1 << KING_OF_HEARTS, HEARTS


def _void_trump(_contract: Contract, trumps: int) -> tuple[int, int]:
    return trumps, trumps


def _follow_any(_contract: Contract) -> int:
    return 0


def _follow_give_up(contract: Contract) -> int:
    return contract.scoring_cards


def _price_none(_points: list[int], _tricks_taken: list[int], _rules: PlayRules) -> None:
    return


def _price_above_bid(points: list[int], tricks_taken: list[int], rules: PlayRules) -> None:
    stake = rules.stake
    if stake.declarer is not None and stake.price is not None:
        paid = min(stake.price, tricks_taken[stake.declarer])
        points[stake.declarer] -= paid * rules.contract.trick_points


def _price_buyer_pays(points: list[int], _tricks_taken: list[int], rules: PlayRules) -> None:
    stake = rules.stake
    if stake.declarer is not None and stake.eldest is not None and stake.price is not None:
        points[stake.declarer] -= stake.price * rules.contract.trick_points
        points[stake.eldest] += stake.price * rules.contract.trick_points


LEAD_RULES: Final[Mapping[LeadRule, Callable[[int], tuple[int, int]]]] = {
    LeadRule.FREE: _lead_free,
    LeadRule.NO_HEARTS: _lead_no_hearts,
    LeadRule.NO_HEARTS_UNTIL_BROKEN: _lead_no_hearts_until_broken,
    LeadRule.NO_TRUMPS_UNTIL_BROKEN: _lead_no_trumps_until_broken,
}
"""From the trumps: the cards banned from being led, and those that break the ban."""

VOID_RULES: Final[Mapping[VoidRule, Callable[[Contract, int], tuple[int, int]]]] = {
    VoidRule.ANY: _void_any,
    VoidRule.FORCED_KING: _void_forced_king,
    VoidRule.PENALTY_CARD: _void_penalty_card,
    VoidRule.KING_OR_HEART: _void_king_or_heart,
    VoidRule.TRUMP: _void_trump,
}
"""From the contract and the trumps: holding one of the first, a void seat plays one of the second."""

FOLLOW_RULES: Final[Mapping[FollowRule, Callable[[Contract], int]]] = {
    FollowRule.ANY: _follow_any,
    FollowRule.GIVE_UP: _follow_give_up,
}
"""From the contract: the cards that must be given up under a higher one."""

PRICE_RULES: Final[Mapping[PriceRule, Callable[[list[int], list[int], PlayRules], None]]] = {
    PriceRule.NONE: _price_none,
    PriceRule.ABOVE_BID: _price_above_bid,
    PriceRule.BUYER_PAYS: _price_buyer_pays,
}
"""Change points (by seat) for the price, given the tricks taken by seat."""
