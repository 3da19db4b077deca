"""The Python SDK for King Arena bots: derive from `Bot`, write `choose`, call `run`.

Owns the public names. Importing it loads neither gRPC nor the protocol, so views and bots can be tried without them.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from king_bot.actions import Action, ActionBy, ActionKind
from king_bot.bot import Bot, Clock
from king_bot.cards import CARDS, RANKS, SUIT_MASKS, SUITS, Card, card, cards_of, mask_of
from king_bot.contracts import Scoring
from king_bot.facts import FinishedDeal, Forfeit, Gift, Played, Said, TimeControl, Trick
from king_bot.table import Deal, Table

__all__ = [
    "CARDS",
    "RANKS",
    "SUITS",
    "SUIT_MASKS",
    "Action",
    "ActionBy",
    "ActionKind",
    "Bot",
    "Card",
    "Clock",
    "Deal",
    "FinishedDeal",
    "Forfeit",
    "Gift",
    "Played",
    "Said",
    "Scoring",
    "Table",
    "TimeControl",
    "Trick",
    "card",
    "cards_of",
    "mask_of",
    "run",
]


def run(bot: Bot) -> NoReturn:
    """Plays for the referee that `KING_REFEREE` names until it has no more tables, then ends the process.

    The exit status is 0 when the referee is done, 1 after a failure, which is told on standard error.
    """
    from king_bot.connection import play

    sys.exit(play(bot))
