"""The rules of King as a pure library: variants, actions, matches, records.

Everything a user of the rules needs is re-exported here. Nothing in this package knows a network, a clock, chance or
storage, and it imports nothing else of the project.
"""

from referee.rules.actions import FIELDS, Action, ActionKind, By
from referee.rules.cards import SUITS, Card, card_text, cards_of, mask_of, parse_card, rank_of, suit_mask, suit_of
from referee.rules.checking import check_record
from referee.rules.contracts import (
    Contract,
    FollowRule,
    Group,
    LeadRule,
    PriceRule,
    Scored,
    ScoreRow,
    Title,
    TrumpRule,
    VoidRule,
)
from referee.rules.deal import Deal, Trick
from referee.rules.describing import LANGUAGES, Description, Section, Table, contract_name, describe, description_text
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
from referee.rules.record import (
    Forfeit,
    Player,
    Record,
    Secrets,
    Taken,
    match_record,
    match_scores,
    option_texts,
    options_json,
    parse_record,
    read_record,
    record_text,
    variants_json,
    write_record,
)
from referee.rules.replaying import Position, Replay, ReplayDeal, legal_json, replay
from referee.rules.scoring import lead_is_shared, places, settlement
from referee.rules.shape import Problem
from referee.rules.state import Match, Packs
from referee.rules.variant import Step, Variant, VariantRow, WinnerRule
from referee.rules.variants import PRESETS, VARIANTS, parse_variant, variant_with

__all__ = [
    "FIELDS",
    "LANGUAGES",
    "PRESETS",
    "SUITS",
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
    "Description",
    "Event",
    "FollowRule",
    "Forfeit",
    "Group",
    "IllegalAction",
    "LeadRule",
    "Match",
    "MatchEnded",
    "Packs",
    "Play",
    "PlayRules",
    "Player",
    "Position",
    "PriceRule",
    "Problem",
    "Record",
    "Replay",
    "ReplayDeal",
    "RulesError",
    "ScoreRow",
    "Scored",
    "Secrets",
    "Section",
    "Stake",
    "Step",
    "Table",
    "Taken",
    "TalonShown",
    "Title",
    "Trick",
    "TrickEnded",
    "TrumpRule",
    "Variant",
    "VariantRow",
    "VoidRule",
    "WinnerRule",
    "card_text",
    "cards_of",
    "check_record",
    "contract_name",
    "describe",
    "description_text",
    "lead_is_shared",
    "legal_json",
    "mask_of",
    "match_record",
    "match_scores",
    "option_texts",
    "options_json",
    "parse_card",
    "parse_record",
    "parse_variant",
    "places",
    "play_rules",
    "rank_of",
    "read_record",
    "record_text",
    "replay",
    "settlement",
    "suit_mask",
    "suit_of",
    "variant_with",
    "variants_json",
    "visible_to",
    "write_record",
]
