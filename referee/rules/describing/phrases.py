"""The phrases that a description of rules is put together from, one set for each language.

Owns the type only: every value of every enum of rules must have its phrase, which a test checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.rules.contracts import FollowRule, LeadRule, PriceRule, Scored, TrumpRule, VoidRule
from referee.rules.variant import LeaderRule, Step, WinnerRule


@dataclass(frozen=True, kw_only=True)
class Headings:
    """The headings of the sections and of the contract table."""

    cards: str
    contracts: str
    deals: str
    before_play: str
    play: str
    end: str
    options: str
    number: str
    id: str
    name: str
    scores: str
    total: str
    rules: str
    value: str
    meaning: str


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """Everything that one language says.

    Functions take what their phrase is about: `pack` seats, cards, cards a hand, lowest rank and cards left out;
    `deals_…` first and last number and the contracts' ids; `numbered` trick numbers; `…_limit` a number of times.
    """

    headings: Headings
    pack: Callable[[int, int, int, str, str], str]
    clockwise: Callable[[bool], str]
    dealer: str
    chooser_by_lot: str
    chooser_by_card: Callable[[str], str]
    talon: Callable[[int, int], str]
    first_cards: Callable[[int], str]
    deals_fixed: Callable[[int, int, str], str]
    deals_open: Callable[[int, int, str], str]
    extra_deals: Callable[[int], str]
    steps: Mapping[Step, str]
    follow: str
    taker: str
    trump_taker: str
    no_early_end: str
    early_end: str
    leaders: Mapping[LeaderRule, str]
    leads: Mapping[LeadRule, str]
    voids: Mapping[VoidRule, str]
    follows: Mapping[FollowRule, str]
    must_beat: str
    trumps: Mapping[TrumpRule, str]
    prices: Mapping[PriceRule, str]
    scored: Mapping[Scored, str]
    numbered: Callable[[str], str]
    flat_points: Callable[[int], str]
    match_limit: Callable[[int], str]
    seat_limit: Callable[[int], str]
    group_limits: Callable[[str], str]
    groups: Mapping[str, str]
    marks_king: str
    winners: Mapping[WinnerRule, str]
    ties: str
    settlement: str
    option_names: Mapping[str, str]
    option_values: Mapping[str, Mapping[str, str]]
    number_list: str
    default: str
