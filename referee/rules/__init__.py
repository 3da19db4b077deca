"""The rules of King as a pure library: variants, actions, matches, records.

Everything a user of the rules needs is re-exported here. Nothing in this package knows a network, a clock, chance or
storage, and it imports nothing else of the project.
"""

from referee.rules.actions import Action, ActionKind, By
from referee.rules.cards import Card, card_text, cards_of, mask_of, parse_card, rank_of, suit_mask, suit_of
from referee.rules.contracts import Contract, Group, LeadRule, Scored, ScoreRow, Title, VoidRule
from referee.rules.deal import Deal, Trick
from referee.rules.errors import IllegalAction, RulesError
from referee.rules.events import (
    ActionTaken,
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    DealEnded,
    DealStarted,
    Event,
    MatchEnded,
    TalonShown,
    TrickEnded,
    visible_to,
)
from referee.rules.play import Play
from referee.rules.play_rules import PlayRules, Stake, play_rules
from referee.rules.state import Match, Packs
from referee.rules.variant import Variant, VariantRow
from referee.rules.variants import PRESETS, VARIANTS, parse_variant, variant_with

__all__ = [
    "PRESETS",
    "VARIANTS",
    "Action",
    "ActionKind",
    "ActionTaken",
    "By",
    "Card",
    "CardExposed",
    "CardGiven",
    "CardsDealt",
    "Contract",
    "ContractSet",
    "Deal",
    "DealEnded",
    "DealStarted",
    "Event",
    "Group",
    "IllegalAction",
    "LeadRule",
    "Match",
    "MatchEnded",
    "Packs",
    "Play",
    "PlayRules",
    "RulesError",
    "ScoreRow",
    "Scored",
    "Stake",
    "TalonShown",
    "Title",
    "Trick",
    "TrickEnded",
    "Variant",
    "VariantRow",
    "VoidRule",
    "card_text",
    "cards_of",
    "mask_of",
    "parse_card",
    "parse_variant",
    "play_rules",
    "rank_of",
    "suit_mask",
    "suit_of",
    "variant_with",
    "visible_to",
]
