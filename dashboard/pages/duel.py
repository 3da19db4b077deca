"""The duel page: two bots of a season against each other, with the verdict and what a verdict still needs.

Owns what is shown of the pair. The verdict is the ladder's: its difference takes all tables into account.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from dashboard.pages.estimates import Shown, column_scale, decimals_for, shown, tick_decimals
from dashboard.pages.ladder import Share, shares
from dashboard.pages.needed import CHANCE, MOST, Needed, boards_needed
from dashboard.pages.scale import Scale
from dashboard.pages.sequence import Tested, watch
from dashboard.pages.tables import heat_step
from dashboard.words import Words
from league.differences import Difference
from league.ladder import Ladder, LadderRow, Verdict, verdict_of
from league.model import Progress, Season
from league.pair_sums import BoardGap as KeptGap
from league.pair_sums import PairSums
from league.standings import Above, share_above


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its place on the ladder, and its places in the matches of both."""

    name: str
    rank: int
    boards: int
    provisional: bool
    places: tuple[int, ...]
    place_shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class PlacesCell:
    """How often the first came in at one place while the second came in at another."""

    count: int
    heat: int


@dataclass(frozen=True, slots=True)
class BoardGap:
    """A board of both: the first minus the second in points per deal, over all rotations."""

    number: int
    points: float
    public: bool
    flagged: bool


@dataclass(frozen=True, slots=True)
class Together:
    """What comes of the boards of both: finishing above, ties and below in matches; places against places, a row for
    each place of the first; the sequential test; the boards where they differed most, and their mean difference."""

    boards: int
    won: int
    tied: int
    lost: int
    above: Above
    places: tuple[tuple[PlacesCell, ...], ...]
    test: Tested
    most_different: tuple[BoardGap, ...]
    mean_gap: float


@dataclass(frozen=True, slots=True)
class DuelPage:
    """The model of the page, seen from `a`. Below `scale` None where boards cannot tell. `chance`: with what chance the
    boards needed are enough."""

    season: Season
    progress: Progress
    names: tuple[str, ...]
    a: Side | None
    b: Side | None
    difference: Shown | None
    verdict: Verdict
    single: Verdict
    p: float | None
    p_holm: float | None
    decimals: int
    scale: Scale
    tick_decimals: int
    needed: Needed | None
    together: Together | None
    place_key: tuple[tuple[int, str], ...]
    chance: float = CHANCE
    most_needed: int = MOST


def duel_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    rows: tuple[LadderRow, LadderRow] | None,
    pair: PairSums | None,
    public: Set[int],
    words: Words,
) -> DuelPage:
    """The page of two bots; `rows` None: fewer than two have entered; `pair` None: they have no board together.

    `public`: numbers of boards that may be shown.
    """
    one = None if rows is None else ladder.difference(rows[0].entry.entrant, rows[1].entry.entrant)
    points = None if one is None else one.points
    scale = column_scale([points] if points else [], origin=0.0, least=1.0, most_ticks=5)
    counts = () if pair is None else pair.places
    sides = () if rows is None else (_side(rows[0], _sums_of(counts)), _side(rows[1], _sums_of(_turned(counts))))
    return DuelPage(
        season=season,
        progress=progress,
        names=tuple(row.entry.label for row in ladder.rows),
        a=sides[0] if sides else None,
        b=sides[1] if sides else None,
        difference=None if points is None else shown(points, scale),
        verdict=Verdict.NOT_SEPARABLE if one is None else verdict_of(one),
        single=_single(one),
        p=None if one is None else one.p,
        p_holm=None if one is None else one.p_holm,
        decimals=decimals_for([points]),
        scale=scale,
        tick_decimals=tick_decimals(scale),
        needed=None if one is None or rows is None else boards_needed(one, ladder.differences, _of_either(one, rows)),
        together=None if pair is None else _together(season, pair, public),
        place_key=tuple((place, words.ordinal(place)) for place in range(1, season.seats + 1)),
    )


def _of_either(one: Difference, pair: tuple[LadderRow, LadderRow]) -> int:
    return pair[0].rating.boards + pair[1].rating.boards - one.boards_together


def _single(one: Difference | None) -> Verdict:
    """What the interval of this pair alone says."""
    points = None if one is None else one.points
    if points is None or points.low is None or points.high is None or points.low <= 0 <= points.high:
        return Verdict.NOT_SEPARABLE
    return Verdict.ABOVE if points.value > 0 else Verdict.BELOW


def _side(row: LadderRow, places: tuple[int, ...]) -> Side:
    return Side(
        name=row.entry.label,
        rank=row.rank,
        boards=row.rating.boards,
        provisional=row.provisional,
        places=places,
        place_shares=shares(places),
    )


def _sums_of(counts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """How often the bot of the rows came in at each place."""
    return tuple(map(sum, counts))


def _turned(counts: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    return tuple(zip(*counts, strict=True))


def _together(season: Season, pair: PairSums, public: Set[int]) -> Together:
    # gaps are n times a deviation, summed over the rotations of a board
    unit = pair.seats * pair.matches // pair.boards * season.deal_count
    counts = pair.places
    tied = sum(counts[place][place] for place in range(pair.seats))
    won = sum(count for row, line in enumerate(counts) for count in line[row + 1 :])
    return Together(
        boards=pair.boards,
        won=won,
        tied=tied,
        lost=pair.matches - won - tied,
        above=share_above(pair),
        places=_place_cells(counts),
        test=watch([gap / unit for gap in pair.path], pair.boards),
        most_different=tuple(_gap(one, unit, public) for one in pair.widest),
        mean_gap=pair.gaps[0] / unit / pair.boards,
    )


def _gap(one: KeptGap, unit: int, public: Set[int]) -> BoardGap:
    return BoardGap(number=one.board, points=one.gap / unit, public=one.board in public, flagged=one.flagged)


def _place_cells(counts: Sequence[Sequence[int]]) -> tuple[tuple[PlacesCell, ...], ...]:
    """Tinted by which of the two is ahead there: blue above the diagonal, orange below it."""
    largest = max(max(line) for line in counts)
    return tuple(
        tuple(
            PlacesCell(count, heat_step(float(count * _sign(column - row)), largest, clear=True))
            for column, count in enumerate(line)
        )
        for row, line in enumerate(counts)
    )


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
