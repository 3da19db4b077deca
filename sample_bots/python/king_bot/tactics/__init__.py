"""Judgement that the sample bots share, for any bot that wants it: the worth of a hand, and every call but card play.

Owns nothing that the protocol needs; a bot may do without it.
"""

from __future__ import annotations

from king_bot.tactics.calls import decide
from king_bot.tactics.estimates import best_trump, chance_to_win, edge, expected_points, expected_tricks, hand_size

__all__ = ["best_trump", "chance_to_win", "decide", "edge", "expected_points", "expected_tricks", "hand_size"]
