"""The difference of every two bots in points per deal, with its interval and its p.

Pure. Owns how differences are told: all pairs at once as arrays, each as an object when it is asked for. Of 200 bots
there are 19,900 pairs, and a page shows a few of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.estimates import CONFIDENCE, Estimate, chance_of_one_sign, t_quantile

_NOTHING = float("nan")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A − B in points per deal. `p` is two-sided, `p_holm` adjusted for all pairs; None where boards cannot tell."""

    a: int
    b: int
    points: Estimate | None
    p: float | None
    p_holm: float | None
    boards_together: int

    def turned(self) -> Difference:
        """B − A."""
        return replace(self, a=self.b, b=self.a, points=None if self.points is None else self.points.negated())


@dataclass(frozen=True, kw_only=True, eq=False)
class Differences(Sequence[Difference]):
    """All pairs of `order` (entrants), the one that comes first there as A: with the first all others, and so on.

    The arrays are (bots, bots), by the bots' places in `bots`, ascending entrants: `values` row less column; `reach`
    half the interval and `p`, `p_holm`, nan where boards cannot tell; `together`: boards on which both sat.
    """

    order: tuple[int, ...]
    bots: tuple[int, ...]
    values: Floats
    reach: Floats
    p: Floats
    p_holm: Floats
    together: Ints

    @classmethod
    def of(cls, differences: Sequence[Difference]) -> Differences:
        """From single ones; pairs that are not among them cannot be told."""
        bots = sorted({bot for one in differences for bot in (one.a, one.b)})
        values, reach, p, p_holm = (np.full((len(bots), len(bots)), _NOTHING) for _ in range(4))
        together: Ints = np.zeros((len(bots), len(bots)), dtype=np.int64)
        for one in (*differences, *(one.turned() for one in differences)):
            at = bots.index(one.a), bots.index(one.b)
            told = one.points
            values[at] = _NOTHING if told is None else told.value
            reach[at] = _NOTHING if told is None or told.high is None else told.high - told.value
            p[at] = _NOTHING if one.p is None else one.p
            p_holm[at] = _NOTHING if one.p_holm is None else one.p_holm
            together[at] = one.boards_together
        return cls(
            order=tuple(dict.fromkeys(bot for one in differences for bot in (one.a, one.b))),
            bots=tuple(bots),
            values=values,
            reach=reach,
            p=p,
            p_holm=p_holm,
            together=together,
        )

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self.order)

    @cached_property
    def _place(self) -> Mapping[int, int]:
        return {bot: at for at, bot in enumerate(self.bots)}

    def between(self, a: int, b: int) -> Difference | None:
        """A − B of two entrants; None for one that is none, or one and the same."""
        known = self._known
        return self._made(a, b) if a != b and a in known and b in known else None

    def sign(self, a: int, b: int, *, below_p: float) -> int:
        """1 or -1 where A − B is above or below 0 with an adjusted p below `below_p`; else, and where unknown, 0.

        What `between` says of it, a ladder asks hundreds of times a page.
        """
        if a == b or a not in self._known or b not in self._known:
            return 0
        i, k = self._place.get(a), self._place.get(b)
        if i is None or k is None or not self.p_holm[i, k] < below_p:  # nan is below nothing
            return 0
        value = self.values[i, k]
        return 0 if math.isnan(value) else 1 if value > 0 else -1

    def ordered(self, order: Sequence[int]) -> Differences:
        """The same pairs with the entrants in another order."""
        return replace(self, order=tuple(order))

    @cached_property
    def largest(self) -> float:
        """The largest difference there is, whichever way; 0 without any."""
        return float(np.nanmax(np.abs(self.values), initial=0.0))

    @property
    def told(self) -> int:
        """How many pairs have a difference."""
        return len(self.bots) * (len(self.bots) - 1) // 2

    @property
    def untold(self) -> int:
        """Of how many of these boards cannot tell p."""
        return int(np.isnan(self.p[np.triu_indices(len(self.bots), 1)]).sum())

    def count_surer(self, p: float) -> int:
        """How many pairs have a smaller p."""
        return int((self.p[np.triu_indices(len(self.bots), 1)] < p).sum())

    def count_apart(self, p: float) -> int:
        """How many pairs have a smaller p even after Holm's correction."""
        return int((self.p_holm[np.triu_indices(len(self.bots), 1)] < p).sum())

    def __len__(self) -> int:
        return len(self.order) * (len(self.order) - 1) // 2

    def __iter__(self) -> Iterator[Difference]:
        for at, a in enumerate(self.order):
            for b in self.order[at + 1 :]:
                yield self._made(a, b)

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Difference, ...]: ...
    def __getitem__(self, index: int | slice) -> Difference | tuple[Difference, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Differences) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _made(self, a: int, b: int) -> Difference:
        i, k = self._place.get(a), self._place.get(b)
        if i is None or k is None:
            return Difference(a=a, b=b, points=None, p=None, p_holm=None, boards_together=0)
        value, reach = _told(self.values[i, k]), _told(self.reach[i, k])
        points = None
        if value is not None:
            low, high = (None, None) if reach is None else (value - reach, value + reach)
            points = Estimate(value=value, low=low, high=high)
        return Difference(
            a=a,
            b=b,
            points=points,
            p=_told(self.p[i, k]),
            p_holm=_told(self.p_holm[i, k]),
            boards_together=int(self.together[i, k]),
        )


def no_differences(count: int) -> Differences:
    """The pairs of entrants 0 to `count` - 1, of which nothing can be told."""
    nothing: Floats = np.zeros((0, 0))
    together: Ints = np.zeros((0, 0), dtype=np.int64)
    return Differences(
        order=tuple(range(count)),
        bots=(),
        values=nothing,
        reach=nothing,
        p=nothing,
        p_holm=nothing,
        together=together,
    )


def all_differences(
    count: int,
    bots: Sequence[int],
    *,
    points: Floats,
    covariance: Floats,
    degrees: Ints,
    together: Ints,
    rounding: float,
) -> Differences:
    """The pairs of entrants 0 to `count` - 1, from the estimates of the `bots` among them and their covariance.

    `degrees` (bots, bots) of freedom, 0 where boards cannot tell; `rounding` as for a single estimate.
    """
    values: Floats = points[:, None] - points[None, :]
    own, shared = np.diagonal(covariance), np.triu(covariance, 1)
    shared = shared + shared.T  # a covariance is symmetric up to its last bits; A − B and B − A are to have one spread
    spread: Floats = np.sqrt(np.maximum(0.0, own[:, None] + own[None, :] - 2.0 * shared))
    spread[spread <= rounding] = 0.0
    p = _two_sided(values, spread, degrees, rounding)
    return Differences(
        order=tuple(range(count)),
        bots=tuple(bots),
        values=values,
        reach=_reach(spread, degrees),
        p=p,
        p_holm=_holm(p, count * (count - 1) // 2),
        together=together,
    )


def _reach(spread: Floats, degrees: Ints) -> Floats:
    """Half of each interval; nan without one."""
    reach = _by_degrees(t_quantile, degrees) * spread
    by_chance = (spread == 0.0) & (_by_degrees(chance_of_one_sign, degrees) > 1.0 - CONFIDENCE)
    reach[(degrees < 1) | by_chance] = _NOTHING
    return reach


def _by_degrees(told: Callable[[int], float], degrees: Ints) -> Floats:
    """What is told of each number of degrees of freedom; of none as of one."""
    kinds, kind = np.unique(np.maximum(degrees, 1), return_inverse=True)
    of_kinds: Floats = np.array([told(one) for one in kinds.tolist()])
    return of_kinds[kind.reshape(degrees.shape)]


def _two_sided(values: Floats, spread: Floats, degrees: Ints, rounding: float) -> Floats:
    """Two-sided p-values by Student's t; nan without degrees of freedom."""
    from scipy.special import stdtr

    differs: Bools = spread > 0.0
    statistic = np.divide(-np.abs(values), spread, out=np.zeros_like(values), where=differs)
    alike = np.where(np.abs(values) > rounding, _by_degrees(chance_of_one_sign, degrees) / 2.0, 1.0)
    p: Floats = np.minimum(1.0, 2.0 * np.where(differs, stdtr(np.maximum(degrees, 1), statistic), alike))
    p[degrees < 1] = _NOTHING
    return p


def _holm(p: Floats, family: int) -> Floats:
    """Holm's adjusted p-values of all pairs, each of which is here twice; nan counts as a member of the family."""
    upper = np.triu_indices(len(p), 1)
    single = p[upper]
    order = np.argsort(single, kind="stable")
    ranked = single[order]
    told = int((~np.isnan(ranked)).sum())
    steps = np.minimum(1.0, (family - np.arange(told)) * ranked[:told])
    adjusted = np.full(len(single), _NOTHING)
    adjusted[order[:told]] = np.maximum.accumulate(steps) if told else steps
    whole: Floats = np.full_like(p, _NOTHING)
    whole[upper] = adjusted
    whole.T[upper] = adjusted
    return whole


def _told(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
