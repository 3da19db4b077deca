"""Standings of a season: ladder, crosstable, points by contract, duel, audit, ratings over time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from dashboard.api.models.common import Interval
from league.by_contract import ContractPoints
from league.collusion import Audit, PairEffect
from league.differences import Difference
from league.histories import PastRating
from league.ladder import ALL_PAIRS_UP_TO, Verdict, ladder_json
from league.ladder import Ladder as ComputedLadder
from league.model import SeasonKind
from league.standings import CrosstableCell


class LadderBot(BaseModel):
    """A row of the ladder; numbers that boards cannot tell are null."""

    rank: int
    bot: str = Field(description="The entrant's label.")
    version: str
    boards: int
    matches: int
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    points_per_deal: float | None
    points_low: float | None
    points_high: float | None
    faults: int
    forfeits: int
    provisional: bool = Field(description="Too few boards to take the numbers at their word.")
    places: list[int] = Field(description="Matches ended at place 1, 2, …")
    live_elo: float | None = Field(description="For show: it depends on the order of results.")
    prior_pull: float | None = Field(description="By how many Elo the prior has moved the rating.")
    elo_without_flagged: float | None = Field(description="Without boards on which anybody forfeited.")
    points_per_deal_without_flagged: float | None


class LadderDifference(BaseModel):
    """A pair, the higher row first: A − B in points per deal."""

    a: str
    b: str
    points_per_deal: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None = Field(description="Adjusted for all pairs; below 0.05 the ladder tells the two apart.")
    boards_together: int


class Ladder(BaseModel):
    """The ladder, as `king ladder --json` prints it, but for the differences of very many bots."""

    variant: str
    kind: SeasonKind = Field(description="In an open season each board is played once: luck is not cancelled.")
    bots: list[LadderBot]
    differences: list[LadderDifference] = Field(
        description=f"Of every pair; of more than {ALL_PAIRS_UP_TO} bots of neighbours: the crosstable has all."
    )
    boards: int
    flagged_boards: int = Field(description="Boards on which anybody forfeited.")
    deals_per_match: int
    results_version: int
    updated_at: datetime | None

    @classmethod
    def of(cls, ladder: ComputedLadder) -> Ladder:
        """The model of a ladder."""
        told: dict[str, Any] = ladder_json(ladder, all_pairs_up_to=ALL_PAIRS_UP_TO)
        return cls.model_validate(told)


class PairDifference(BaseModel):
    """A − B in points per deal, with what the ladder says of it."""

    points_per_deal: Interval | None
    p: float | None
    p_holm: float | None
    boards_together: int
    verdict: Verdict

    @classmethod
    def of(cls, one: Difference, verdict: Verdict) -> PairDifference:
        """The model of a difference."""
        return cls(
            points_per_deal=Interval.of_known(one.points),
            p=one.p,
            p_holm=one.p_holm,
            boards_together=one.boards_together,
            verdict=verdict,
        )


class CellAgainst(BaseModel):
    """A row's bot against another."""

    against: str
    difference: PairDifference | None
    finishes_above: Interval | None = Field(description="How often it finishes above, ties counting half.")
    matches: int = Field(description="Matches of both.")

    @classmethod
    def of(cls, against: str, cell: CrosstableCell, verdict: Verdict) -> CellAgainst:
        """The model of a cell."""
        above = cell.above
        return cls(
            against=against,
            difference=None if cell.difference is None else PairDifference.of(cell.difference, verdict),
            finishes_above=None if above is None else Interval.of(above.share),
            matches=0 if above is None else above.matches,
        )


class CrosstableRow(BaseModel):
    """A bot against all others, in the ladder's order."""

    rank: int
    bot: str
    places: list[int]
    cells: list[CellAgainst]


class ContractNumbers(BaseModel):
    """A bot in a contract, against the mean of its tables; deals that a stand-in finished are left out."""

    contract: str
    boards: int
    deals: int
    points_per_deal: Interval
    p: float | None = Field(description="Two-sided, against the mean of its tables.")
    p_holm: float | None = Field(description="After Holm's correction over the contracts of the bot.")

    @classmethod
    def of(cls, one: ContractPoints) -> ContractNumbers:
        """The model of points in a contract."""
        return cls(
            contract=one.contract,
            boards=one.boards,
            deals=one.deals,
            points_per_deal=Interval.of(one.points),
            p=one.p,
            p_holm=one.p_holm,
        )


class BotContracts(BaseModel):
    """Where a bot wins and loses."""

    rank: int
    bot: str
    contracts: list[ContractNumbers]


class DuelSide(BaseModel):
    """One of two bots."""

    bot: str
    rank: int
    boards: int
    provisional: bool


class BoardsNeeded(BaseModel):
    """Boards of either bot that tell the two apart with a chance of 80 % if today's difference is the true one."""

    boards_now: int
    alone: int | None = Field(description="For a verdict on these two alone; null: more than 100,000.")
    on_ladder: int | None = Field(description="For the ladder's verdict, which looks at all pairs.")


class Duel(BaseModel):
    """Two bots of a season against each other, seen from the first."""

    a: DuelSide
    b: DuelSide
    difference: PairDifference | None
    finishes_above: Interval | None
    matches: int
    boards_needed: BoardsNeeded | None


class FlaggedPair(BaseModel):
    """What the presence of `giver` is worth to `taker`."""

    giver: str
    taker: str
    boards: int
    points_per_deal: Interval
    p_adjusted: float | None


class CollusionAudit(BaseModel):
    """The audit of a season for collusion. A flag is a reason to look at the records, not a proof."""

    boards: int
    pairs: int = Field(description="Ordered pairs that have met; those that are not flagged are counted, not named.")
    judged: int = Field(description="Of them those that boards can tell something of.")
    family_wise: float = Field(description="How likely honest play may raise any flag at all.")
    flagged: list[FlaggedPair]

    @classmethod
    def of(cls, found: Audit, labels: Mapping[int, str]) -> CollusionAudit:
        """The model of an audit; `labels` by entrant."""
        return cls(
            boards=found.boards,
            pairs=len(found.pairs),
            judged=sum(one.p is not None for one in found.pairs),
            family_wise=found.family_wise,
            flagged=[_flagged(one, labels) for one in found.flagged],
        )


def _flagged(one: PairEffect, labels: Mapping[int, str]) -> FlaggedPair:
    if one.effect is None:
        raise ValueError(f"the pair {one.giver}, {one.taker} is flagged without an effect")
    return FlaggedPair(
        giver=labels[one.giver],
        taker=labels[one.taker],
        boards=one.boards,
        points_per_deal=Interval.of(one.effect),
        p_adjusted=one.p_adjusted,
    )


class Moment(BaseModel):
    """The official numbers of a bot when so many results of its season were stored."""

    results: int
    boards: int = Field(description="Whole boards of the bot.")
    elo: Interval
    points_per_deal: Interval | None

    @classmethod
    def of(cls, past: PastRating) -> Moment:
        """The model of a rating as it stood."""
        return cls(
            results=past.at_result,
            boards=past.boards,
            elo=Interval.of(past.elo),
            points_per_deal=Interval.of_known(past.points),
        )


class LiveMoment(BaseModel):
    """The live Elo after a match, by the number of that result in the season."""

    result: int
    elo: float


class History(BaseModel):
    """A bot through a season."""

    bot: str
    official: list[Moment] = Field(description="At up to 24 moments, and at the season's end.")
    live: list[LiveMoment] = Field(description="After each of its latest 500 matches; for show, without intervals.")
