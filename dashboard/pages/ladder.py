"""The ladder page: rows with intervals on common scales, places, and the sentence that says who leads.

Owns what is shown of a computed ladder. Numbers and verdicts are the league's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from dashboard import numbers
from dashboard.numbers import percent
from dashboard.pages.estimates import Shown, column_scale, decimals_for, half_width, shown, thinned, tick_decimals
from dashboard.pages.scale import Scale
from dashboard.words import Words
from league.estimates import Estimate
from league.ladder import Ladder, LadderRow, Order, Verdict
from league.model import PROVISIONAL_BELOW_BOARDS, Progress, Season
from league.ratings import MEAN_ELO, BotRating

LEAST_ELO_WIDTH = 200.0


@dataclass(frozen=True, slots=True)
class Share:
    """A step of the places bar, in percent of its width."""

    step: int
    start: float
    width: float
    said: str


@dataclass(frozen=True, slots=True)
class Told:
    """An estimate in words: its value, half its interval (empty without one), all of it in a sentence, and the class of
    its bar."""

    value: str
    error: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """A bot on the ladder; `elo` and `points` are None without a whole board.

    What a row says is put into words here, for a template takes ten times as long, some thousand times a page.
    """

    rank: int
    name: str
    under: str
    house: bool
    provisional: bool
    alike_above: bool
    elo: Shown | None
    points: Shown | None
    elo_told: Told | None
    points_told: Told | None
    boards: int
    boards_word: str
    shares: tuple[Share, ...]
    places: str
    places_label: str
    faults: int
    faults_word: str


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads, and how sure that is.

    `kind`: alone, clear, close (only the second cannot be told from it), many (`alike` cannot), crossed (the second has
    more points per deal). `others` are there beside the two.
    """

    kind: str
    first: str
    second: str = ""
    difference: float = 0.0
    error: float = 0.0
    decimals: int = 1
    alike: int = 0
    others: bool = False


@dataclass(frozen=True, slots=True)
class LadderPage:
    """The model of the page."""

    season: Season
    progress: Progress
    lead: Lead | None
    order: str
    flagged: str
    flagged_boards: int
    variants: tuple[str, ...]
    seasons: tuple[Season, ...]
    rows: tuple[Row, ...]
    elo_scale: Scale
    narrow_scale: Scale
    points_scale: Scale
    points_decimals: int
    points_tick_decimals: int
    place_key: tuple[tuple[int, str], ...]
    provisional_below: int
    forfeit_points: int
    updated_at: datetime | None


def ladder_page(
    season: Season,
    ladder: Ladder,
    progress: Progress,
    seasons: Sequence[Season],
    variants: Sequence[str],
    words: Words,
    *,
    order: Order = Order.ELO,
    without_flagged: bool = False,
) -> LadderPage:
    """The page of a season's ladder; `seasons` and `variants`: others that it offers.

    `without_flagged`: with the numbers of boards on which nobody forfeited.
    """
    rated = [row for row in ladder.rows if _numbers(row, without_flagged=without_flagged).elo is not None]
    by_bot = {row.entry.entrant: _numbers(row, without_flagged=without_flagged) for row in rated}
    elo_scale = _scale(rated, [by_bot[row.entry.entrant].elo for row in rated], MEAN_ELO, LEAST_ELO_WIDTH, 7)
    points = [by_bot[row.entry.entrant].points for row in rated]
    points_scale = _scale(rated, points, 0.0, 1.0, 4)
    drawn = _Column(elo_scale, points_scale, decimals_for(points), words)
    rows = tuple(
        _row(ladder, row, above, by_bot[row.entry.entrant], drawn)
        for above, row in zip((None, *rated), rated, strict=False)
    )
    return LadderPage(
        season=season,
        progress=progress,
        lead=lead(ladder),
        order=order.value,
        flagged="without" if without_flagged else "",
        flagged_boards=ladder.flagged_boards,
        variants=tuple(variants),
        seasons=tuple(seasons),
        rows=rows,
        elo_scale=elo_scale,
        narrow_scale=thinned(elo_scale),
        points_scale=points_scale,
        points_decimals=drawn.decimals,
        points_tick_decimals=tick_decimals(points_scale),
        place_key=tuple((place, words.ordinal(place)) for place in range(1, season.seats + 1)),
        provisional_below=PROVISIONAL_BELOW_BOARDS,
        forfeit_points=ladder.forfeit_points,
        updated_at=ladder.updated_at,
    )


def _numbers(row: LadderRow, *, without_flagged: bool) -> BotRating:
    return row.unflagged if without_flagged else row.rating


def _scale(
    rows: Sequence[LadderRow], estimates: Sequence[Estimate | None], origin: float, least: float, most_ticks: int
) -> Scale:
    pairs = [(row, one) for row, one in zip(rows, estimates, strict=True) if one is not None]
    sure = [one for row, one in pairs if not row.provisional]
    unsure = [one for row, one in pairs if row.provisional]
    return column_scale(sure, unsure, origin=origin, least=least, most_ticks=most_ticks)


@dataclass(frozen=True, slots=True)
class _Column:
    """What all rows have in common: the scales, the decimals of points, and the language."""

    elo_scale: Scale
    points_scale: Scale
    decimals: int
    words: Words


def _row(ladder: Ladder, row: LadderRow, above: LadderRow | None, rating: BotRating, column: _Column) -> Row:
    entry, words = row.entry, column.words
    is_alike = above is not None and ladder.verdict(above.entry.entrant, entry.entrant) is Verdict.NOT_SEPARABLE
    elo = None if rating.elo is None else shown(rating.elo, column.elo_scale)
    points = None if rating.points is None else shown(rating.points, column.points_scale)
    taken = shares(rating.places)
    places = ", ".join(share.said for share in taken)
    return Row(
        rank=row.rank,
        name=entry.label,
        under=" · ".join(part for part in (entry.version, entry.language, entry.owner) if part),
        house=entry.house,
        provisional=row.provisional,
        alike_above=is_alike,
        elo=elo,
        points=points,
        elo_told=None if elo is None else _elo_told(elo, column, provisional=row.provisional),
        points_told=None if points is None else _points_told(points, column, provisional=row.provisional),
        boards=rating.boards,
        boards_word=words.count("board", "boards", rating.boards),
        shares=taken,
        places=places,
        places_label=words.say("places: %(shares)s", shares=places),
        faults=entry.faults,
        faults_word=words.count("fault", "faults", entry.faults),
    )


def _elo_told(elo: Shown, column: _Column, *, provisional: bool) -> Told:
    say, value = column.words.say, numbers.elo(elo.value)
    if elo.low is None or elo.high is None or elo.error is None:
        return Told(value, "", say("Elo %(value)s, too few boards for an interval", value=value), "provisional")
    low, high = numbers.elo(elo.low), numbers.elo(elo.high)
    label = say("Elo %(value)s, interval %(low)s to %(high)s", value=value, low=low, high=high)
    return Told(value, numbers.plus_minus(elo.error), label, "provisional" if provisional else "")


def _points_told(points: Shown, column: _Column, *, provisional: bool) -> Told:
    say, point = column.words.say, numbers.decimal_point(column.words.language)
    signed = partial(numbers.signed, decimals=column.decimals, point=point)
    value = signed(points.value)
    if points.low is None or points.high is None or points.error is None:
        label = say("%(value)s points per deal, too few boards for an interval", value=value)
        return Told(value, "", label, "provisional")
    label = say(
        "%(value)s points per deal, interval %(low)s to %(high)s",
        value=value,
        low=signed(points.low),
        high=signed(points.high),
    )
    error = numbers.plus_minus(points.error, column.decimals, point=point)
    return Told(value, error, label, "provisional" if provisional else "")


def shares(counts: Sequence[int]) -> tuple[Share, ...]:
    """How often each place was taken, as steps of a bar."""
    whole = sum(counts)
    steps = []
    start = 0.0
    for place, count in enumerate(counts, start=1):
        width = 100 * count / whole if whole else 0.0
        said = f"{place}: {percent(count, whole)}"
        steps.append(Share(step=place, start=round(start, 2), width=round(width, 2), said=said))
        start += width
    return tuple(steps)


def lead(ladder: Ladder) -> Lead | None:
    """Who leads: by the verdicts on differences, never by overlapping bars. None without a whole board."""
    rated = [row for row in ladder.rows if row.rating.elo is not None]
    if not rated:
        return None
    first = rated[0]
    if len(rated) == 1:
        return Lead("alone", first.entry.label)
    verdicts = {row.entry.entrant: ladder.verdict(first.entry.entrant, row.entry.entrant) for row in rated[1:]}
    alike = [row for row in rated[1:] if verdicts[row.entry.entrant] is not Verdict.ABOVE]
    second = alike[0] if alike else rated[1]
    difference = ladder.difference(first.entry.entrant, second.entry.entrant)
    if difference is None or difference.points is None:
        return Lead("unknown", first.entry.label, second.entry.label)
    if difference.points.value < 0:
        kind = "crossed"
    elif not alike:
        kind = "clear"
    else:
        kind = "close" if alike == [rated[1]] else "many"
    return Lead(
        kind=kind,
        first=first.entry.label,
        second=second.entry.label,
        difference=difference.points.value,
        error=half_width(difference.points) or 0.0,
        decimals=decimals_for([difference.points]),
        alike=len(alike),
        others=len(rated) > 2,
    )
