"""Ratings of results from anywhere: the official numbers of `league.ratings`, for tables and boards of any shape.

Pure. The board is the unit of every interval here too. The numbers depend on the results and on names, not on the order
of arrival. Everything about one pair of players is an array of (players, players).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.errors import LeagueError
from league.estimates import Estimate, estimate, rounding_of, two_sided_p
from league.jackknife import jackknife
from league.linking import components, steady_groups
from league.open_boards import boards_of, by_places, by_points, totals_of
from league.open_results import OpenResults
from league.ratings import ELO_PER_UNIT, MEAN_ELO, PRIOR_DRAWS
from league.solver import bradley_terry, chance, solved
from league.verdicts import holm

PLAYERS_AT_MOST = 3000
_NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Where Elo begins: the pool's mean is `mean`, unless the player of number `anchor` is put at `anchor_elo`."""

    mean: float = MEAN_ELO
    anchor: int | None = None
    anchor_elo: float = MEAN_ELO


@dataclass(frozen=True, kw_only=True)
class Pairwise:
    """What is known of all pairs in one measure: `value[i]` − `value[k]`, with the covariance of the values.

    `degrees[i, k]`: of freedom of Student's t for the difference, 0 where boards cannot tell.
    """

    value: Floats
    covariance: Floats
    degrees: Ints

    def difference(self, i: int, k: int) -> Estimate:
        """The value of i less that of k."""
        value, rounding = self.value[i] - self.value[k], self.rounding
        return estimate(value, self._variance(i, k), int(self.degrees[i, k]), rounding=rounding)

    def p(self, i: int, k: int) -> float | None:
        """The two-sided p-value of the difference."""
        value, rounding = float(self.value[i] - self.value[k]), self.rounding
        return two_sided_p(value, self._variance(i, k), int(self.degrees[i, k]), rounding=rounding)

    @cached_property
    def rounding(self) -> float:
        """What the arithmetic may leave of nothing."""
        return rounding_of(float(np.abs(self.value).max()), float(np.diagonal(self.covariance).max()))

    def _variance(self, i: int, k: int) -> float:
        return float(self.covariance[i, i] + self.covariance[k, k] - 2.0 * self.covariance[i, k])


@dataclass(frozen=True, kw_only=True)
class OpenRatings:
    """Ratings of all players by number.

    `elo`, `points` (of a match against the pool's mean; None if no points are known) with their intervals; `pairs_elo`,
    `pairs_points`: their differences. `boards`, `matches`: (players,); `places[i, k]`: matches that i ended at place
    k + 1; `boards_together`: (players, players). `prior_pull`: by how many Elo the prior moved each, to first order.
    `groups`: for each player a number that those have in common who can be compared; `linked`: one that those have in
    common whom matches link at all, directly or through others.
    """

    elo: tuple[Estimate, ...]
    points: tuple[Estimate, ...] | None
    pairs_elo: Pairwise
    pairs_points: Pairwise | None
    boards: Ints
    matches: Ints
    places: Ints
    boards_together: Ints
    prior_pull: Floats
    groups: Ints
    linked: Ints

    def p_values(self) -> dict[tuple[int, int], tuple[float | None, float | None]]:
        """Of all pairs i < k the p-value, and Holm's over all pairs: of points where there are, else of Elo."""
        judged = self.pairs_points or self.pairs_elo
        size = len(self.elo)
        pairs = [(i, k) for i in range(size) for k in range(i + 1, size)]
        p_values = [judged.p(i, k) for i, k in pairs]
        return {pair: each for pair, *each in zip(pairs, p_values, holm(p_values), strict=True)}  # type: ignore[misc]


def rate_open(results: OpenResults, *, prior_draws: float = PRIOR_DRAWS, scale: Scale = Scale()) -> OpenRatings:
    """Rates all players of the results.

    Raises LeagueError when without a prior a rating is not finite, naming the players, or there are too many of them.
    """
    size = len(results.players)
    if size > PLAYERS_AT_MOST:
        raise LeagueError(f"{size} players: at most {PLAYERS_AT_MOST} are rated together; leave some out")
    boards = boards_of(results)
    totals = totals_of(boards, size)
    if prior_draws == 0:
        _check_finite(results.players, totals.wins, totals.meetings)
    theta, elo_g = bradley_terry(totals.wins / 2.0, totals.meetings.astype(np.float64), prior_draws)
    points, points_g = solved(totals.centred, totals.shares)
    places_left_out = jackknife(elo_g, by_places(boards, theta))
    points_left_out = jackknife(points_g, by_points(boards, points))
    groups = steady_groups(totals.boards_met, points_left_out.sole_links)
    degrees = _degrees(totals.boards, totals.boards_together, groups)
    elo = Pairwise(
        value=theta * ELO_PER_UNIT + scale.mean,
        covariance=places_left_out.covariance * ELO_PER_UNIT**2,
        degrees=degrees,
    )
    known = Pairwise(value=points, covariance=points_left_out.covariance, degrees=degrees)
    linked = not groups.any()
    phantom = chance(theta)
    return OpenRatings(
        elo=_estimates(elo, totals.boards, scale, told=linked or prior_draws > 0),
        points=None if results.deviation is None else _estimates(known, totals.boards, Scale(), told=linked),
        pairs_elo=elo,
        pairs_points=None if results.deviation is None else known,
        boards=totals.boards,
        matches=np.bincount(results.player, minlength=size),
        places=_places(results),
        boards_together=totals.boards_together,
        prior_pull=elo_g @ (prior_draws * (0.5 - phantom)) * ELO_PER_UNIT,
        groups=groups,
        linked=components(totals.boards_met > 0),
    )


def _estimates(values: Pairwise, boards: Ints, scale: Scale, *, told: bool) -> tuple[Estimate, ...]:
    """The value of each player; where there is an anchor, its difference to that one's."""
    if scale.anchor is None:
        variances = np.diagonal(values.covariance)
        return tuple(
            estimate(value, variance, count - 1 if told else 0, rounding=values.rounding)
            for value, variance, count in zip(values.value, variances, boards.tolist(), strict=True)
        )
    at, elo = scale.anchor, scale.anchor_elo
    fixed = Estimate(value=elo, low=elo, high=elo)
    return tuple(fixed if i == at else values.difference(i, at).moved(elo) for i in range(len(boards)))


def _degrees(boards: Ints, together: Ints, groups: Ints) -> Ints:
    degrees: Ints = boards[:, None] + boards[None, :] - together - 1
    degrees[groups[:, None] != groups[None, :]] = 0
    degrees[np.minimum(boards[:, None], boards[None, :]) < 2] = 0
    return degrees


def _places(results: OpenResults) -> Ints:
    size, most = len(results.players), int(np.bincount(results.match).max())
    flat = results.player * most + results.place - 1
    places: Ints = np.bincount(flat, minlength=size * most).reshape(size, most)
    return places


def _check_finite(names: Sequence[str], wins: Ints, meetings: Ints) -> None:
    """Without a prior, everybody must have scored, through others, against everybody else."""
    from scipy.sparse.csgraph import connected_components

    root = components(meetings > 0)
    if root.any():
        these, others = (_listed(names, np.flatnonzero(group)) for group in (root == 0, root != 0))
        raise LeagueError(
            f"without a prior {these} cannot be compared with {others}: no matches link them; "
            "use a prior above 0, or rate them apart"
        )
    scored = wins > 0
    count, part = connected_components(scored, directed=True, connection="strong")
    if count == 1:
        return
    raise LeagueError(
        f"without a prior not all ratings are finite: {_one_sided(names, scored, part.astype(np.int64))}; "
        "use a prior above 0, or leave out those matches"
    )


def _one_sided(names: Sequence[str], scored: Bools, part: Ints) -> str:
    """Who won, and who lost, everything against the others, alone or as a group, in words; no group of most players."""
    told: list[tuple[int, str]] = []
    for one in range(int(part.max()) + 1):
        inside = part == one
        for what, crossing in (("won", scored[~inside][:, inside]), ("lost", scored[inside][:, ~inside])):
            if not crossing.any():
                listed = _listed(names, np.flatnonzero(inside))
                told.append((int(inside.sum()), f"{listed} {what} every match against the others"))
    few = [words for count, words in told if 2 * count <= len(names)]
    return ", and ".join(sorted(few[:_NAMED], key=lambda words: "lost" in words) or [min(told)[1]])


def _listed(names: Sequence[str], at: Ints) -> str:
    listed = ", ".join(repr(names[i]) for i in at[:_NAMED].tolist())
    return listed if len(at) <= _NAMED else f"{listed} and {len(at) - _NAMED} more"
