"""The ladder: one row a bot with its official numbers, and the verdict for every pair.

Pure. Owns the order of rows and the JSON of `king ladder` and `king match`, whose names stay. Ladders never mix
variants or matches of different length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final

from league.differences import Difference, Differences
from league.estimates import Estimate
from league.model import PROVISIONAL_BELOW_BOARDS, SeasonKind
from league.ratings import BotRating, rate
from league.results import MatchResult
from league.sums import SetSums, board_sums, whole_boards
from league.verdicts import SURE_BELOW_P
from referee.rules import Variant


class Order(StrEnum):
    """What a ladder is sorted by, the best first."""

    ELO = "elo"
    POINTS = "points"
    BOARDS = "boards"


class Verdict(StrEnum):
    """What can be said about A and B: by Holm's adjusted p-value of their difference in points, never by their bars."""

    ABOVE = "above"
    BELOW = "below"
    NOT_SEPARABLE = "not separable"


@dataclass(frozen=True, kw_only=True)
class LadderEntry:
    """Who is on the ladder, and what is counted beside the ratings, over all matches."""

    entrant: int
    label: str
    bot: str
    version: str
    language: str = ""
    owner: str = ""
    house: bool = True
    matches: int = 0
    live_elo: float | None = None
    faults: int = 0


@dataclass(frozen=True, kw_only=True)
class LadderRow:
    """A row: who, the official numbers, and the same without boards on which anybody forfeited."""

    rank: int
    entry: LadderEntry
    rating: BotRating
    unflagged: BotRating

    @property
    def provisional(self) -> bool:
        """Whether there are too few boards to take the numbers at their word."""
        return self.rating.boards < PROVISIONAL_BELOW_BOARDS


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """A ladder, best first. `differences` have every pair once, the higher row first.

    `deal_count`: regular deals of a match, the unit of its Elo; `forfeit_points`: what a forfeited match costs.
    `boards`: whole boards, of which `flagged_boards` had a forfeit. `kind`: ladders of open seasons, where a board
    is played once, are never mixed with others.
    """

    variant: str
    seats: int
    deal_count: int
    forfeit_points: int
    boards: int
    flagged_boards: int
    results_version: int
    updated_at: datetime | None
    rows: tuple[LadderRow, ...]
    differences: Differences
    kind: SeasonKind = SeasonKind.MANAGED

    def in_order(self, order: Order) -> Ladder:
        """The same ladder, ranked by something else."""
        ranked = sorted(self.rows, key=lambda row: _rank_key(row.entry, row.rating, order))
        return replace(
            self,
            rows=tuple(replace(row, rank=at + 1) for at, row in enumerate(ranked)),
            differences=self.differences.ordered([row.entry.entrant for row in ranked]),
        )

    def difference(self, a: int, b: int) -> Difference | None:
        """A − B of two entrants, by number; None for one that is not on the ladder, or one and the same."""
        return self.differences.between(a, b)

    def verdict(self, a: int, b: int) -> Verdict:
        """Whether A is above B, below, or it cannot be told yet."""
        sign = self.differences.sign(a, b, below_p=SURE_BELOW_P)
        return Verdict.ABOVE if sign > 0 else Verdict.BELOW if sign < 0 else Verdict.NOT_SEPARABLE


def verdict_of(one: Difference) -> Verdict:
    """What a ladder says of one of its differences."""
    if one.points is None or one.p_holm is None or one.p_holm >= SURE_BELOW_P:
        return Verdict.NOT_SEPARABLE
    return Verdict.ABOVE if one.points.value > 0 else Verdict.BELOW


def make_ladder(
    entries: Sequence[LadderEntry],
    clean: Sequence[SetSums],
    flagged: Sequence[SetSums],
    *,
    variant: Variant,
    order: Order = Order.ELO,
    results_version: int = 0,
    updated_at: datetime | None = None,
    kind: SeasonKind = SeasonKind.MANAGED,
) -> Ladder:
    """A ladder from the sums of boards without and with a forfeit; `entries` by entrant number."""
    ratings = rate([*clean, *flagged], bot_count=len(entries), deals=variant.deal_count)
    unflagged = rate(clean, bot_count=len(entries), deals=variant.deal_count) if flagged else ratings
    ranked = sorted(entries, key=lambda entry: _rank_key(entry, ratings.bots[entry.entrant], order))
    rows = tuple(
        LadderRow(
            rank=at + 1,
            entry=entry,
            rating=ratings.bots[entry.entrant],
            unflagged=unflagged.bots[entry.entrant],
        )
        for at, entry in enumerate(ranked)
    )
    return Ladder(
        variant=variant.id,
        seats=variant.seats,
        deal_count=variant.deal_count,
        forfeit_points=variant.forfeit_points,
        boards=sum(part.boards for part in (*clean, *flagged)),
        flagged_boards=sum(part.boards for part in flagged),
        results_version=results_version,
        updated_at=updated_at,
        rows=rows,
        differences=ratings.differences.ordered([row.entry.entrant for row in rows]),
        kind=kind,
    )


def rate_matches(
    entries: Sequence[tuple[str, str]],
    results: Sequence[MatchResult],
    *,
    variant: Variant,
    faults: Sequence[int] | None = None,
) -> Ladder:
    """A ladder of matches that are in no store; `entries` are (bot, version) by the numbers that results use.

    `faults`: events by entrant. Only boards whose rotations are all there count. Raises LeagueError when a rotation
    comes twice.
    """
    played = [player for result in results for player in result.players]
    rows = [
        LadderEntry(
            entrant=at,
            label=bot,
            bot=bot,
            version=version,
            matches=played.count(at),
            faults=0 if faults is None else faults[at],
        )
        for at, (bot, version) in enumerate(entries)
    ]
    clean: list[SetSums] = []
    flagged: list[SetSums] = []
    for board in whole_boards(results):
        forfeited = any(any(result.forfeited) for result in board)
        (flagged if forfeited else clean).append(board_sums(board, variant.forfeit_points))
    return make_ladder(rows, clean, flagged, variant=variant, results_version=len(results))


ALL_PAIRS_UP_TO: Final = 200
"""Of more bots than these an answer has not the differences of all pairs: of 1,000 they are 90 MB."""


def ladder_json(ladder: Ladder, *, all_pairs_up_to: int | None = None) -> dict[str, Any]:
    """The JSON of a ladder; numbers that boards cannot tell are null.

    With more bots than `all_pairs_up_to`, if that is given, the differences are those of neighbours in its order.
    """
    labels = {row.entry.entrant: row.entry.label for row in ladder.rows}
    whole = all_pairs_up_to is None or len(ladder.rows) <= all_pairs_up_to
    differences: Iterable[Difference] = ladder.differences if whole else _of_neighbours(ladder)
    return {
        "variant": ladder.variant,
        "kind": ladder.kind.value,
        "bots": [_row_json(row) for row in ladder.rows],
        "differences": [_difference_json(one, labels) for one in differences],
        "boards": ladder.boards,
        "flagged_boards": ladder.flagged_boards,
        "deals_per_match": ladder.deal_count,
        "results_version": ladder.results_version,
        "updated_at": None if ladder.updated_at is None else ladder.updated_at.isoformat(),
    }


def _of_neighbours(ladder: Ladder) -> Iterator[Difference]:
    for above, below in pairwise(ladder.rows):
        one = ladder.difference(above.entry.entrant, below.entry.entrant)
        if one is not None:
            yield one


def _rank_key(entry: LadderEntry, rating: BotRating, order: Order) -> tuple[float, float, str]:
    elo = -rating.elo.value if rating.elo else float("inf")
    points = -rating.points.value if rating.points else float("inf")
    first = {Order.ELO: elo, Order.POINTS: points, Order.BOARDS: -float(rating.boards)}[order]
    return first, points, entry.label


def _parts(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)


def _row_json(row: LadderRow) -> dict[str, Any]:
    elo, elo_low, elo_high = _parts(row.rating.elo)
    points, points_low, points_high = _parts(row.rating.points)
    unflagged_elo, unflagged_points = _parts(row.unflagged.elo)[0], _parts(row.unflagged.points)[0]
    return {
        "rank": row.rank,
        "bot": row.entry.label,
        "version": row.entry.version,
        "boards": row.rating.boards,
        "matches": row.entry.matches,
        "elo": elo,
        "elo_low": elo_low,
        "elo_high": elo_high,
        "points_per_deal": points,
        "points_low": points_low,
        "points_high": points_high,
        "faults": row.entry.faults,
        "forfeits": row.rating.forfeits,
        "provisional": row.provisional,
        "places": list(row.rating.places),
        "live_elo": row.entry.live_elo,
        "prior_pull": row.rating.prior_pull,
        "elo_without_flagged": unflagged_elo,
        "points_per_deal_without_flagged": unflagged_points,
    }


def _difference_json(one: Difference, labels: dict[int, str]) -> dict[str, Any]:
    points, low, high = _parts(one.points)
    return {
        "a": labels[one.a],
        "b": labels[one.b],
        "points_per_deal": points,
        "low": low,
        "high": high,
        "p": one.p,
        "p_holm": one.p_holm,
        "boards_together": one.boards_together,
    }
