"""Contracts as data: what is counted, and which of the short lists of rules holds.

Owns the enums of rules and the row types; the values are filled in by `rows/`, their meaning is given by exactly one
function each in `play_rules.py`. Must not know any variant.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.rules.cards import HEARTS, JACKS, KING_OF_HEARTS, KINGS, QUEENS, SUITS


class Scored(StrEnum):
    """A scoring object."""

    TRICK = "trick"
    HEART = "heart"
    QUEEN = "queen"
    KING = "king"
    JACK = "jack"
    KING_OF_HEARTS = "king_of_hearts"
    NUMBERED_TRICK = "numbered_trick"


SCORED_CARDS: Final[Mapping[Scored, int]] = {
    Scored.TRICK: 0,
    Scored.HEART: HEARTS,
    Scored.QUEEN: QUEENS,
    Scored.KING: KINGS,
    Scored.JACK: JACKS,
    Scored.KING_OF_HEARTS: 1 << KING_OF_HEARTS,
    Scored.NUMBERED_TRICK: 0,
}
"""The cards that each scoring object is; tricks are no cards."""


class LeadRule(StrEnum):
    """What may be led."""

    FREE = "free"
    NO_HEARTS = "no_hearts"
    """A heart only from a hand of nothing but hearts, to the end of the deal."""
    NO_HEARTS_UNTIL_BROKEN = "no_hearts_until_broken"
    """As `NO_HEARTS`, until somebody void in the led suit has discarded a heart."""
    NO_TRUMPS_UNTIL_BROKEN = "no_trumps_until_broken"
    """A trump only from a hand of trumps, until a trump has been played on another suit's trick."""


class VoidRule(StrEnum):
    """What a seat void in the led suit must play, if it can."""

    ANY = "any"
    FORCED_KING = "forced_king"
    """The king of hearts."""
    PENALTY_CARD = "penalty_card"
    """One of the contract's scoring cards."""
    KING_OR_HEART = "king_or_heart"
    """The holder of the king of hearts: any heart; the others: any card."""
    TRUMP = "trump"
    """A trump."""


class FollowRule(StrEnum):
    """What a seat that can follow suit must play, if it can."""

    ANY = "any"
    GIVE_UP = "give_up"
    """A scoring card of the led suit that is lower than the highest card of that suit in the trick."""


class TrumpRule(StrEnum):
    """Whether the contract is played with a trump suit."""

    NONE = "none"
    NAMED = "named"
    OPTIONAL = "optional"


class PriceRule(StrEnum):
    """What becomes of the tricks bid or paid."""

    NONE = "none"
    ABOVE_BID = "above_bid"
    """The declarer scores only the tricks above the bid."""
    BUYER_PAYS = "buyer_pays"
    """The buyer pays the worth of as many tricks to eldest."""


class Group(StrEnum):
    """The kind of contract that limits of choice and ways of winning speak of."""

    PENALTY = "penalty"
    BONUS = "bonus"
    TRUMPS = "trumps"


@dataclass(frozen=True, kw_only=True)
class Title:
    """A name as the game itself has it, and in the two languages of the pages."""

    en: str
    ru: str
    own: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One scoring object and its points each; `tricks` are the numbers of a `NUMBERED_TRICK`, from 1."""

    scored: Scored
    points: int
    tricks: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What one deal is played for.

    `number` is its place in the variant's table, from 1. `total` is what all seats together score, before any price.
    `flat_points` are written to every seat of a contract that is not played.
    """

    id: str
    number: int
    title: Title
    group: Group
    rows: tuple[ScoreRow, ...] = ()
    total: int
    lead: LeadRule = LeadRule.FREE
    void: VoidRule = VoidRule.ANY
    follow: FollowRule = FollowRule.ANY
    must_beat: bool = False
    early_end: bool = False
    trump: TrumpRule = TrumpRule.NONE
    trump_suits: str = SUITS
    price: PriceRule = PriceRule.NONE
    marks_king: bool = False
    is_played: bool = True
    flat_points: int = 0
    match_limit: int | None = None
    seat_limit: int | None = None

    def __hash__(self) -> int:
        """The hash of its id: contracts that differ in nothing but the rest are few."""
        return hash(self.id)

    @property
    def scoring_cards(self) -> int:
        """The cards of any pack that score, as a mask."""
        mask = 0
        for row in self.rows:
            mask |= SCORED_CARDS[row.scored]
        return mask

    @property
    def trick_points(self) -> int:
        """The points of each trick, whatever its number; 0 if tricks do not score."""
        return sum(row.points for row in self.rows if row.scored is Scored.TRICK)

    def expected_total(self, pack: int, tricks: int, seats: int) -> int:
        """Add up the score rows over a pack (a mask), a number of tricks and of seats."""
        total = self.flat_points * seats
        for row in self.rows:
            total += row.points * _count(row, pack, tricks)
        return total


def _count(row: ScoreRow, pack: int, tricks: int) -> int:
    if row.scored is Scored.TRICK:
        return tricks
    if row.scored is Scored.NUMBERED_TRICK:
        return len(row.tricks)
    return (SCORED_CARDS[row.scored] & pack).bit_count()
