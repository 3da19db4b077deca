"""The duel page: two bots of a season against each other, with the verdict and what a verdict still needs.

Owns what is shown of the pair. The verdict is the ladder's: its difference takes all tables into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.pages.estimates import Shown, column_scale, decimals_for, shown, tick_decimals
from dashboard.pages.ladder import Share, shares
from dashboard.pages.needed import CHANCE, MOST, Needed, boards_needed
from dashboard.pages.played import PlayedBoard
from dashboard.pages.scale import Scale
from dashboard.pages.sequence import Tested, watch
from dashboard.pages.tables import heat_step
from dashboard.words import Words
from league.differences import Difference
from league.ladder import Ladder, LadderRow, Verdict
from league.model import Progress, Season
from league.standings import Above, shares_above

BOARDS_SHOWN = 12


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
    """The model of the page, seen from `a`. Below `scale` None where boards cannot tell, or there are too many matches
    to look back over (`is_too_long`). `chance`: with what chance the boards needed are enough."""

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
    is_too_long: bool
    place_key: tuple[tuple[int, str], ...]
    chance: float = CHANCE
    most_needed: int = MOST


def duel_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    pair: tuple[LadderRow, LadderRow] | None,
    boards: Sequence[PlayedBoard] | None,
    words: Words,
) -> DuelPage:
    """The page of a pair; `pair` None: fewer than two bots; `boards` None: too many matches."""
    one = None if pair is None else ladder.difference(pair[0].entry.entrant, pair[1].entry.entrant)
    points = None if one is None else one.points
    scale = column_scale([points] if points else [], origin=0.0, least=1.0, most_ticks=5)
    together = None if pair is None or boards is None else _together(season, pair, boards)
    matches = (
        [] if pair is None else [_side(row, together_places(pair, boards or (), at)) for at, row in enumerate(pair)]
    )
    return DuelPage(
        season=season,
        progress=progress,
        names=tuple(row.entry.label for row in ladder.rows),
        a=matches[0] if matches else None,
        b=matches[1] if matches else None,
        difference=None if points is None else shown(points, scale),
        verdict=Verdict.NOT_SEPARABLE if one is None else ladder.verdict(one.a, one.b),
        single=_single(one),
        p=None if one is None else one.p,
        p_holm=None if one is None else one.p_holm,
        decimals=decimals_for([points]),
        scale=scale,
        tick_decimals=tick_decimals(scale),
        needed=None if one is None or pair is None else boards_needed(one, ladder.differences, _of_either(one, pair)),
        together=together,
        is_too_long=boards is None,
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


def together_places(pair: tuple[LadderRow, LadderRow], boards: Sequence[PlayedBoard], which: int) -> tuple[int, ...]:
    """How often one of the two (0 or 1) came in at each place in the matches of both."""
    both = {row.entry.entrant for row in pair}
    own = pair[which].entry.entrant
    results = [result for board in boards if both <= board.devs.keys() for result in board.results]
    places = [result.places[result.players.index(own)] for result in results]
    seats = len(results[0].players) if results else 0
    return tuple(places.count(place) for place in range(1, seats + 1))


def _together(season: Season, pair: tuple[LadderRow, LadderRow], boards: Sequence[PlayedBoard]) -> Together | None:
    a, b = (row.entry.entrant for row in pair)
    shared = [board for board in boards if {a, b} <= board.devs.keys()]
    if not shared:
        return None
    unit = season.seats * season.seats * season.deal_count  # devs are n times a deviation, summed over n matches
    gaps = [BoardGap(one.number, (one.devs[a] - one.devs[b]) / unit, one.public, _flagged(one)) for one in shared]
    counts = _place_counts(shared, a, b, season.seats)
    ranked = [[(row, column) for column in range(season.seats)] for row in range(season.seats)]
    won = sum(counts[row][column] for line in ranked for row, column in line if row < column)
    tied = sum(counts[row][row] for row in range(season.seats))
    return Together(
        boards=len(shared),
        won=won,
        tied=tied,
        lost=sum(map(sum, counts)) - won - tied,
        above=next(one for one in shares_above([board.sums for board in shared]) if (one.a, one.b) == (a, b)),
        places=_place_cells(counts),
        test=watch([gap.points for gap in gaps]),
        most_different=tuple(sorted(gaps, key=lambda gap: -abs(gap.points))[:BOARDS_SHOWN]),
        mean_gap=sum(gap.points for gap in gaps) / len(gaps),
    )


def _flagged(board: PlayedBoard) -> bool:
    return any(any(result.forfeited) for result in board.results)


def _place_counts(boards: Sequence[PlayedBoard], a: int, b: int, seats: int) -> list[list[int]]:
    counts = [[0] * seats for _ in range(seats)]
    for board in boards:
        for result in board.results:
            places = dict(zip(result.players, result.places, strict=True))
            counts[places[a] - 1][places[b] - 1] += 1
    return counts


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
