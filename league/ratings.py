"""Official ratings: order-independent Elo and points per deal, with intervals, from additive sums.

Pure. The board is the unit of every interval. Only whole boards come in (`league.sums.whole_boards`); the live Elo is
`league.elo`. The same sums give the same bits, whatever order their boards were added in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.differences import Differences, all_differences, no_differences
from league.estimates import Estimate, estimate, rounding_of
from league.jackknife import Jackknife, jackknife
from league.linking import steady_groups
from league.solver import (
    Layout,
    bradley_terry,
    chance,
    deviation_slopes,
    layout_of,
    least_squares,
    pair_slopes,
)
from league.sums import SetSums, add_up

MEAN_ELO = 1500.0
ELO_PER_UNIT = 400.0 / math.log(10.0)
PRIOR_DRAWS = 2.0


@dataclass(frozen=True, kw_only=True)
class BotRating:
    """The official numbers of one entrant; `elo` and `points` (per deal, against the pool's mean) None without boards.

    `prior_pull`: by how many Elo the prior has moved the rating, to first order. `places[k]`: matches ended at place
    k + 1. `forfeits`: matches forfeited. Only whole boards count in all of them.
    """

    entrant: int
    boards: int
    matches: int
    elo: Estimate | None
    prior_pull: float | None
    points: Estimate | None
    places: tuple[int, ...]
    forfeits: int


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Ratings of all entrants by number, and of all pairs a < b."""

    bots: tuple[BotRating, ...]
    differences: Differences


def rate(sums: Sequence[SetSums], *, bot_count: int, deals: int, prior_draws: float = PRIOR_DRAWS) -> Ratings:
    """Rates entrants 0 to `bot_count` - 1 from sums of sets of players; `deals` are the regular deals of a match.

    Raises LeagueError when without a prior a rating is not finite.
    """
    merged = [part for part in add_up(sums) if part.boards]
    if not merged:
        return _unrated(bot_count)
    present = sorted({player for part in merged for player in part.players})
    layout = layout_of(merged, present)
    fit = _fit(layout, deals, prior_draws)
    place = {bot: at for at, bot in enumerate(present)}
    bots = tuple(_bot_rating(bot, fit, place.get(bot)) for bot in range(bot_count))
    return Ratings(bots=bots, differences=_differences(bot_count, present, fit))


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """Estimates and covariances of the bots that have boards, in their order."""

    elo: Floats
    elo_covariance: Floats
    elo_rounding: float
    pull: Floats
    points: Floats
    points_covariance: Floats
    points_rounding: float
    boards: Ints
    places: Ints
    forfeits: Ints
    together: Ints
    apart_without_one: Bools


def _fit(layout: Layout, deals: int, prior_draws: float) -> _Fit:
    wins = layout.pair_sums(layout.pair_wins) / 2.0
    meetings = layout.meetings().astype(np.float64)
    theta, elo_g = bradley_terry(wins, meetings, prior_draws)
    phantom = chance(theta)
    unit = 1.0 / (layout.seats * deals)
    points, points_g = least_squares(layout, unit)
    by_points = jackknife(points_g, [deviation_slopes(layout, points, unit)])
    by_places = jackknife(elo_g, [pair_slopes(layout, theta)])
    elo, elo_covariance = MEAN_ELO + theta * ELO_PER_UNIT, by_places.covariance * ELO_PER_UNIT**2
    return _Fit(
        elo=elo,
        elo_covariance=elo_covariance,
        elo_rounding=_rounding(elo, elo_covariance),
        pull=elo_g @ (prior_draws * (0.5 - phantom)) * ELO_PER_UNIT,
        points=points,
        points_covariance=by_points.covariance,
        points_rounding=_rounding(points, by_points.covariance),
        boards=layout.boards_of_bots(),
        places=layout.bot_sums(layout.places),
        forfeits=layout.bot_sums(layout.forfeits),
        together=layout.boards_together(),
        apart_without_one=_apart(layout, by_points),
    )


def _rounding(values: Floats, covariance: Floats) -> float:
    return rounding_of(float(np.abs(values).max()), float(np.diagonal(covariance).max()))


def _apart(layout: Layout, left_out: Jackknife) -> Bools:
    """The pairs that are not linked, or not without one single board: their difference has no interval."""
    group = steady_groups(layout.boards_together(), left_out.sole_links)
    apart: Bools = group[:, None] != group[None, :]
    return apart


def _bot_rating(bot: int, fit: _Fit, at: int | None) -> BotRating:
    if at is None:
        return _unrated_bot(bot)
    boards = int(fit.boards[at])
    points_told = not fit.apart_without_one[at].any()
    return BotRating(
        entrant=bot,
        boards=boards,
        matches=int(fit.places[at].sum()),
        elo=estimate(fit.elo[at], fit.elo_covariance[at, at], boards - 1, rounding=fit.elo_rounding),
        prior_pull=float(fit.pull[at]),
        points=estimate(
            fit.points[at],
            fit.points_covariance[at, at],
            boards - 1 if points_told else 0,
            rounding=fit.points_rounding,
        ),
        places=tuple(fit.places[at].tolist()),
        forfeits=int(fit.forfeits[at]),
    )


def _differences(bot_count: int, present: Sequence[int], fit: _Fit) -> Differences:
    either = fit.boards[:, None] + fit.boards[None, :] - fit.together
    told = ~fit.apart_without_one & (np.minimum(fit.boards[:, None], fit.boards[None, :]) >= 2)
    return all_differences(
        bot_count,
        present,
        points=fit.points,
        covariance=fit.points_covariance,
        degrees=np.where(told, either - 1, 0),
        together=fit.together,
        rounding=fit.points_rounding,
    )


def _unrated(bot_count: int) -> Ratings:
    bots = tuple(map(_unrated_bot, range(bot_count)))
    return Ratings(bots=bots, differences=no_differences(bot_count))


def _unrated_bot(bot: int) -> BotRating:
    return BotRating(entrant=bot, boards=0, matches=0, elo=None, prior_pull=None, points=None, places=(), forfeits=0)
