"""How the first bot of a `king match` stands at its table, and when that is settled.

Owns how far one bot is above the table's mean, which is what ladders show: its boards, its estimate, its verdict. Must
not play.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Any

from king_cli.reporting import counted, number_text
from league.estimates import Estimate, estimate
from league.results import MatchResult
from league.sums import deviations
from league.verdicts import Sprt, SprtVerdict, sprt
from referee.rules import Variant

FIRST = 0


@dataclass(frozen=True, kw_only=True)
class Score:
    """The first bot's points per deal above the table's mean, its own among them, over whole boards."""

    bot: str
    lead: Estimate
    boards: int

    def __str__(self) -> str:
        told = f"{self.bot} {number_text(self.lead.value, 2, '+')}"
        boards = counted(self.boards, "board")
        if self.lead.high is None:
            return f"{told} points a deal, {boards}: too few for an interval"
        return f"{told} ± {self.lead.high - self.lead.value:.2f} points a deal, {boards}"


def lead_of(board: Sequence[MatchResult], variant: Variant) -> float:
    """How far the first bot is above the table's mean on a whole board, in points per deal."""
    seats = variant.seats
    ahead = sum(deviations(result, variant.forfeit_points)[result.players.index(FIRST)] for result in board)
    return ahead / seats / (len(board) * variant.deal_count)  # deviations are seats × (score − mean)


def score(bot: str, leads: Sequence[float]) -> Score | None:
    """The score over these boards; None before there is one."""
    if not leads:
        return None
    count = len(leads)
    spread = variance(leads) / count if count > 1 else 0.0
    return Score(bot=bot, lead=estimate(fmean(leads), spread, count - 1), boards=count)


def settled(leads: Sequence[float]) -> Sprt:
    """The sequential test at the first board that settles it, or at the last one."""
    for count in range(1, len(leads) + 1):
        test = sprt(leads[:count])
        if test.verdict is not SprtVerdict.GO_ON:
            return test
    return sprt(leads)


def verdict_json(bot: str, leads: Sequence[float]) -> dict[str, Any]:
    """The JSON of a verdict. An estimate that stopped at a verdict is further from 0 than the truth on average."""
    test, so_far = settled(leads), score(bot, leads)
    lead = so_far.lead if so_far else Estimate(value=0.0, low=None, high=None)
    return {
        "bot": bot,
        "verdict": test.verdict.value,
        "after_boards": test.boards,
        "boards": len(leads),
        "llr": test.llr if math.isfinite(test.llr) else None,
        "lower": test.lower,
        "upper": test.upper,
        "points_per_deal": lead.value,
        "low": lead.low,
        "high": lead.high,
        "biased": test.verdict is not SprtVerdict.GO_ON,
    }


def verdict_line(verdict: dict[str, Any]) -> str:
    """A verdict in one sentence."""
    bot, boards = verdict["bot"], counted(verdict["after_boards"], "board")
    points = number_text(verdict["points_per_deal"], 2, "+")
    if verdict["verdict"] == SprtVerdict.GO_ON:
        return f"No verdict on {bot} after {boards} ({points} points a deal): play more boards."
    words = "is better than" if verdict["verdict"] == SprtVerdict.BETTER else "is not better than"
    return (
        f"{bot} {words} the others at its table, settled after {boards} ({points} points a deal; "
        "an estimate that stopped at a verdict is biased)."
    )
