"""A rating over a season, in coordinates for an SVG that stretches: percents of width and height.

Owns the conversion; the template draws. x is the how-manieth result of the season it was, y runs from the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dashboard.pages.estimates import column_scale, tick_decimals
from dashboard.pages.scale import Scale, scale_for
from league.estimates import Estimate
from league.histories import PastRating
from league.ladder import Ladder
from league.model import PROVISIONAL_BELOW_BOARDS
from league.ratings import MEAN_ELO

MOST_POINTS = 240


@dataclass(frozen=True, slots=True)
class Moment:
    """The official numbers of a bot when `results` matches of the season were stored, `boards` of its own whole."""

    results: int
    boards: int
    elo: Estimate
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class Curve:
    """An estimate over time. `provisional` and `sure` are points of polylines that meet; `band` those of a polygon."""

    scale: Scale
    tick_decimals: int
    provisional: str
    sure: str
    band: str
    last_y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the axis of results."""

    results: int
    at: float


@dataclass(frozen=True, slots=True)
class History:
    """Both official numbers over a season, with curves that end at `end_at` percent; `live`: a line on Elo’s scale."""

    moments: tuple[Moment, ...]
    elo: Curve
    points: Curve | None
    live: str
    marks: tuple[Mark, ...]
    end_at: float
    is_provisional: bool


def history(
    past: Sequence[PastRating], ladder: Ladder, entrant: int, live: Sequence[tuple[int, float]] = ()
) -> History | None:
    """The history of an entrant up to the ladder of today; None with fewer than two moments at which it had a rating.

    `live`: the live Elo after each of its matches, with the number of that result in the season.
    """
    moments = _moments(past, ladder, entrant)
    if len(moments) < 2:
        return None
    numbers = [moments[0].results, moments[-1].results, *(number for number, _elo in live)]
    along = Along(min(numbers), max(numbers))
    kept = [live[at] for at in thinned_places(len(live))]
    elo_scale = _scale(moments, [one.elo for one in moments], [value for _number, value in kept], MEAN_ELO, 100.0)
    points = [one.points for one in moments if one.points is not None]
    return History(
        moments=moments,
        elo=_curve(along, moments, [one.elo for one in moments], elo_scale),
        points=_points_curve(along, moments) if len(points) == len(moments) else None,
        live=polyline((along.at(number), 100 - elo_scale.at(value)) for number, value in kept),
        marks=along.marks(),
        end_at=along.at(moments[-1].results),
        is_provisional=moments[-1].boards < PROVISIONAL_BELOW_BOARDS,
    )


def _moments(past: Sequence[PastRating], ladder: Ladder, entrant: int) -> tuple[Moment, ...]:
    moments = [Moment(results=one.at_result, boards=one.boards, elo=one.elo, points=one.points) for one in past]
    today = next((row.rating for row in ladder.rows if row.entry.entrant == entrant), None)
    if today is None or today.elo is None or (past and past[-1].season_boards == ladder.boards):
        return tuple(moments)
    now = Moment(results=ladder.results_version, boards=today.boards, elo=today.elo, points=today.points)
    return (*(one for one in moments if one.results < now.results), now)


@dataclass(frozen=True, slots=True)
class Along:
    """The axis of results, from the first to the last that is shown."""

    first: int
    last: int

    def at(self, results: float) -> float:
        """Where a result stands, in percent of the width."""
        return round(100 * (results - self.first) / max(1, self.last - self.first), 2)

    def marks(self) -> tuple[Mark, ...]:
        """A few round numbers along the axis."""
        ticks = scale_for([self.first, self.last], origin=self.first, least=1.0, most_ticks=6).ticks
        inside = [round(tick.value) for tick in ticks if self.first <= tick.value <= self.last]
        return tuple(Mark(results, self.at(results)) for results in sorted(set(inside)))


def _scale(
    moments: Sequence[Moment], estimates: Sequence[Estimate], more: Sequence[float], origin: float, least: float
) -> Scale:
    settled = [one for at, one in zip(moments, estimates, strict=True) if at.boards >= PROVISIONAL_BELOW_BOARDS]
    settled = settled or [estimates[-1]]
    unsure = [one for one in estimates if one not in settled]
    shown_values = [Estimate(value=value, low=None, high=None) for value in more]
    return column_scale([*settled, *shown_values], unsure, origin=origin, least=least, most_ticks=6)


def _points_curve(along: Along, moments: Sequence[Moment]) -> Curve:
    points = [one.points for one in moments if one.points is not None]
    return _curve(along, moments, points, _scale(moments, points, [], 0.0, 1.0))


def _curve(along: Along, moments: Sequence[Moment], estimates: Sequence[Estimate], scale: Scale) -> Curve:
    told = list(zip(moments, estimates, strict=True))
    spots = [(along.at(one.results), 100 - scale.at(estimate.value)) for one, estimate in told]
    settled = next((at for at, one in enumerate(moments) if one.boards >= PROVISIONAL_BELOW_BOARDS), len(moments))
    lows = [(along.at(one.results), 100 - scale.at(each.low)) for one, each in told if each.low is not None]
    highs = [(along.at(one.results), 100 - scale.at(each.high)) for one, each in told if each.high is not None]
    return Curve(
        scale=scale,
        tick_decimals=tick_decimals(scale),
        provisional=polyline(spots[: settled + 1]),
        sure=polyline(spots[settled:]) if len(spots) - settled > 1 else "",
        band=polyline([*highs, *reversed(lows)]) if len(highs) > 1 else "",
        last_y=round(spots[-1][1], 2),
    )


def thinned_places(count: int, most: int = MOST_POINTS) -> list[int]:
    """Places of a long series that a screen can show, first and last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(place * (count - 1) / (most - 1)) for place in range(most)})


def polyline(spots: Iterable[tuple[float, float]]) -> str:
    """Points of a polyline or polygon."""
    return " ".join(f"{round(x, 2):g},{round(y, 2):g}" for x, y in spots)
