"""The crosstable: every bot against every other in points per deal, who finishes above whom, and places.

Owns what is shown of computed standings. Verdicts are the league's, by Holm's adjusted p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.pages.estimates import decimals_of, half_width
from dashboard.pages.ladder import Share, shares
from dashboard.pages.tables import Window, heat_step, shown_part, windows
from dashboard.words import Words
from league.differences import Difference
from league.ladder import Ladder, LadderRow, Verdict, verdict_of
from league.model import Progress, Season
from league.pair_sums import PairSums
from league.standings import Above, share_above
from league.verdicts import SURE_BELOW_P

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


def crosstable_window(ladder: Ladder, first: int) -> tuple[tuple[Window, ...], tuple[LadderRow, ...]]:
    """The windows of a ladder's rated bots, and the rows of the one that holds place `first`."""
    rated = [row for row in ladder.rows if row.rating.elo is not None]
    parts = windows(len(rated), min(max(1, first), max(1, len(rated))))
    return parts, tuple(shown_part(rated, parts)) if rated else ()


def crosstable_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    pairs: Mapping[tuple[int, int], PairSums],
    words: Words,
    *,
    first: int = 1,
) -> CrosstablePage:
    """The page of a season; of many bots the window that holds place `first` of the ladder.

    `pairs` a < b: those of the window that have boards together.
    """
    parts, chosen = crosstable_window(ladder, first)
    all_pairs = ladder.differences
    return CrosstablePage(
        season=season,
        progress=progress,
        rows=tuple(_row(ladder, pairs, row, chosen) for row in chosen),
        windows=parts if len(parts) > 1 else (),
        decimals=decimals_of(all_pairs.largest),
        bots=sum(row.rating.elo is not None for row in ladder.rows),
        pairs=all_pairs.told,
        separated=all_pairs.count_apart(SURE_BELOW_P),
        untold=all_pairs.untold,
        place_key=tuple((place, words.ordinal(place)) for place in range(1, season.seats + 1)),
    )


def _row(
    ladder: Ladder, pairs: Mapping[tuple[int, int], PairSums], row: LadderRow, chosen: Sequence[LadderRow]
) -> CrossRow:
    places = row.rating.places
    played = sum(places)
    return CrossRow(
        number=row.rank,
        name=row.entry.label,
        provisional=row.provisional,
        cells=tuple(None if other is row else _cell(ladder, pairs, row, other) for other in chosen),
        places=places,
        place_shares=shares(places),
        mean_place=sum(place * count for place, count in enumerate(places, start=1)) / played if played else None,
    )


def _cell(ladder: Ladder, pairs: Mapping[tuple[int, int], PairSums], row: LadderRow, other: LadderRow) -> CrossCell:
    a, b = row.entry.entrant, other.entry.entrant
    pair = pairs.get((min(a, b), max(a, b)))
    seen = None if pair is None else share_above(pair if a < b else pair.turned())
    return CrossCell(
        against=other.entry.label,
        gap=gap(ladder.difference(a, b), ladder.differences.largest),
        finish=None if seen is None else finish(seen),
    )


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


def finish(above: Above) -> Finish:
    """How often a pair's first finishes above its second."""
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
