"""Season pages: the list of ladders, and one season with crosstable, entrants and boards.

Owns the heat of the crosstable: shares of matches in which the row bot finishes above the column bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.pages.ladder import Lead, lead
from league.ladder import Ladder, Verdict
from league.model import Board, Entrant, Progress, Season
from league.standings import Crosstable, CrosstableCell

_FIRST_STEPS = (0.04, 0.12, 0.25)


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season on the list of ladders."""

    season: Season
    progress: Progress
    lead: Lead | None


@dataclass(frozen=True, slots=True)
class CrossCell:
    """Row bot against column bot; `share` of finishing above, None where they have not met."""

    share: float | None
    low: float | None
    high: float | None
    matches: int
    difference: float | None
    heat: int


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A bot against all the others; its own cell is None."""

    number: int
    name: str
    cells: tuple[CrossCell | None, ...]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of the plan: its players in cyclic order, how many rotations are stored, whether it is public."""

    number: int
    set_number: int
    players: tuple[str, ...]
    commitment: str
    is_public: bool


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The model of a season's page."""

    season: Season
    progress: Progress
    lead: Lead | None
    entrants: tuple[Entrant, ...]
    cross: tuple[CrossRow, ...]
    boards: tuple[BoardLine, ...]


def season_card(season: Season, progress: Progress, ladder: Ladder) -> SeasonCard:
    """A season with its lead."""
    return SeasonCard(season, progress, lead(ladder))


def season_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    table: Crosstable,
    entrants: Sequence[Entrant],
    boards: Sequence[Board],
) -> SeasonPage:
    """The page of a season."""
    labels = {entrant.number: entrant.label for entrant in entrants}
    return SeasonPage(
        season=season,
        progress=progress,
        lead=lead(ladder),
        entrants=tuple(entrants),
        cross=cross_rows(table, ladder) if progress.boards_over else (),
        boards=tuple(
            BoardLine(
                number=board.number,
                set_number=board.set_number,
                players=tuple(labels[player] for player in board.players),
                commitment=board.commitment,
                is_public=board.deal_secret is not None,
            )
            for board in boards
        ),
    )


def cross_rows(table: Crosstable, ladder: Ladder) -> tuple[CrossRow, ...]:
    """All against all, in the ladder's order."""
    return tuple(
        CrossRow(
            number=at + 1,
            name=table.labels[at],
            cells=tuple(
                None if at == other else _cell(cell, ladder.verdict(table.order[at], table.order[other]))
                for other, cell in enumerate(cells)
            ),
        )
        for at, cells in enumerate(table.cells)
    )


def _cell(cell: CrosstableCell, verdict: Verdict) -> CrossCell:
    above, gap = cell.above, cell.difference
    share = None if above is None else above.share.value
    steps = 0 if share is None else sum(abs(share - 0.5) >= least for least in _FIRST_STEPS)
    if verdict is Verdict.NOT_SEPARABLE:
        steps = min(steps, 1)
    return CrossCell(
        share=share,
        low=None if above is None else above.share.low,
        high=None if above is None else above.share.high,
        matches=0 if above is None else above.matches,
        difference=None if gap is None or gap.points is None else gap.points.value,
        heat=steps if (share or 0.0) > 0.5 else -steps,
    )
