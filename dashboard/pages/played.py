"""Whole boards of a season in the order in which they became whole, made from stored matches.

Pure. Owns that order, on which histories and sequential tests go; what a board means for ratings is the league's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.model import MatchRow, Season
from league.results import MatchResult
from league.sums import SetSums, board_sums, deviations
from referee.rules import Variant


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A whole board: its rotations in order, and the how-manieth result of the season made it whole.

    `devs`: of each player, n × score − the table's sum, added up over the rotations (a forfeited match is −W × n).
    """

    number: int
    set_number: int
    at_result: int
    public: bool
    results: tuple[MatchResult, ...]
    sums: SetSums
    devs: Mapping[int, int]


def result_from_row(row: MatchRow, season: Season) -> MatchResult:
    """A stored match as ratings take it, without its points by contract."""
    failed = {forfeit.seat for forfeit in row.forfeits}
    return MatchResult(
        board=row.board,
        rotation=row.rotation,
        players=row.players,
        scores=row.scores,
        places=row.places,
        forfeited=tuple(seat in failed for seat in range(season.seats)),
        deals=season.deal_count,
    )


def played_boards(rows: Iterable[MatchRow], season: Season, variant: Variant) -> tuple[PlayedBoard, ...]:
    """The boards whose rotations are all among `rows`, the earliest whole one first."""
    boards: dict[int, list[MatchRow]] = {}
    for row in rows:
        boards.setdefault(row.board, []).append(row)
    whole = [_played(group, season, variant) for group in boards.values() if len(group) == season.seats]
    return tuple(sorted(whole, key=lambda board: board.at_result))


def _played(rows: Sequence[MatchRow], season: Season, variant: Variant) -> PlayedBoard:
    ordered = sorted(rows, key=lambda row: row.rotation)
    results = tuple(result_from_row(row, season) for row in ordered)
    devs = dict.fromkeys(results[0].players, 0)
    for result in results:
        for player, dev in zip(result.players, deviations(result, variant.forfeit_points), strict=True):
            devs[player] += dev
    return PlayedBoard(
        number=ordered[0].board,
        set_number=ordered[0].set_number,
        at_result=max(row.number for row in ordered),
        public=all(row.public for row in ordered),
        results=results,
        sums=board_sums(results, variant.forfeit_points),
        devs=devs,
    )
