"""The crosstable: every bot against every other in points per deal, who finishes above whom, and places.

Owns what is shown of computed standings. Verdicts are the league's, by Holm's adjusted p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.pages.estimates import decimals_for, half_width
from dashboard.pages.ladder import Share, shares
from dashboard.pages.tables import Window, heat_step, shown_part, windows
from dashboard.words import Words
from league.differences import Difference
from league.ladder import SURE_BELOW_P, Ladder, LadderRow, Verdict
from league.model import Progress, Season
from league.standings import Crosstable, CrosstableCell

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Gap:
    """Row minus column in points per deal; `error` is half its interval. p is two-sided, of this pair alone and
    after Holm's correction over all pairs of the ladder. `boards`: those on which both sat."""

    points: float
    low: float | None
    high: float | None
    error: float | None
    p: float | None
    p_holm: float | None
    boards: int
    verdict: Verdict
    heat: int


@dataclass(frozen=True, slots=True)
class Finish:
    """How often the row finishes above the column, ties counting half, with its interval."""

    share: float
    low: float | None
    high: float | None
    matches: int
    clear: bool
    heat: int


@dataclass(frozen=True, slots=True)
class CrossCell:
    """Row bot against column bot; None where boards say nothing, or they have not met."""

    against: str
    gap: Gap | None
    finish: Finish | None


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A bot against all that are shown; its own cell is None. `mean_place` is None without a match."""

    number: int
    name: str
    provisional: bool
    cells: tuple[CrossCell | None, ...]
    places: tuple[int, ...]
    place_shares: tuple[Share, ...]
    mean_place: float | None


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """The model of the page. `separated` of `pairs` pairs are told apart, `untold` have too few boards to ask."""

    season: Season
    progress: Progress
    rows: tuple[CrossRow, ...]
    windows: tuple[Window, ...]
    decimals: int
    bots: int
    pairs: int
    separated: int
    untold: int
    place_key: tuple[tuple[int, str], ...]


def crosstable_page(
    season: Season, progress: Progress, ladder: Ladder, table: Crosstable, words: Words, *, first: int = 1
) -> CrosstablePage:
    """The page of a season; of many bots the window that holds place `first` of the ladder."""
    rated = [at for at, row in enumerate(ladder.rows) if row.rating.elo is not None]
    parts = windows(len(rated), min(max(1, first), max(1, len(rated))))
    chosen = shown_part(rated, parts) if rated else ()
    differences = [one for one in ladder.differences if one.points is not None]
    largest = max((abs(one.points.value) for one in differences if one.points is not None), default=0.0)
    return CrosstablePage(
        season=season,
        progress=progress,
        rows=tuple(_row(ladder, table, at, chosen, largest) for at in chosen),
        windows=parts if len(parts) > 1 else (),
        decimals=decimals_for(one.points for one in differences),
        bots=len(rated),
        pairs=len(differences),
        separated=sum(verdict_of(one) is not Verdict.NOT_SEPARABLE for one in differences),
        untold=sum(one.p_holm is None for one in differences),
        place_key=tuple((place, words.ordinal(place)) for place in range(1, season.seats + 1)),
    )


def _row(ladder: Ladder, table: Crosstable, at: int, chosen: Sequence[int], largest: float) -> CrossRow:
    row: LadderRow = ladder.rows[at]
    places = row.rating.places
    played = sum(places)
    return CrossRow(
        number=row.rank,
        name=row.entry.label,
        provisional=row.provisional,
        cells=tuple(
            None if other == at else _cell(table.cells[at][other], ladder.rows[other], largest) for other in chosen
        ),
        places=places,
        place_shares=shares(places),
        mean_place=sum(place * count for place, count in enumerate(places, start=1)) / played if played else None,
    )


def _cell(cell: CrosstableCell, other: LadderRow, largest: float) -> CrossCell:
    return CrossCell(against=other.entry.label, gap=gap(cell.difference, largest), finish=finish(cell))


def verdict_of(one: Difference) -> Verdict:
    """What the ladder says of a difference, as `Ladder.verdict` does, without looking for the pair in so many."""
    if one.points is None or one.p_holm is None or one.p_holm >= SURE_BELOW_P:
        return Verdict.NOT_SEPARABLE
    return Verdict.ABOVE if one.points.value > 0 else Verdict.BELOW


def gap(one: Difference | None, largest: float) -> Gap | None:
    """The difference of a pair; `largest` difference of the table has the strongest tint."""
    if one is None or one.points is None:
        return None
    points, verdict = one.points, verdict_of(one)
    return Gap(
        points=points.value,
        low=points.low,
        high=points.high,
        error=half_width(points),
        p=one.p,
        p_holm=one.p_holm,
        boards=one.boards_together,
        verdict=verdict,
        heat=heat_step(points.value, largest, clear=verdict is not Verdict.NOT_SEPARABLE),
    )


def finish(cell: CrosstableCell) -> Finish | None:
    """How often a pair's first finishes above its second."""
    above = cell.above
    if above is None:
        return None
    share = above.share
    clear = share.low is not None and share.high is not None and (share.low > _HALF or share.high < _HALF)
    return Finish(
        share=share.value,
        low=share.low,
        high=share.high,
        matches=above.matches,
        clear=clear,
        heat=heat_step(share.value - _HALF, _HALF, clear=clear),
    )
