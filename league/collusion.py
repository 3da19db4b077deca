"""The audit of a season for collusion and king-making: who scores more than it should when a certain other sits there.

Pure numpy. Works on the additive sums of boards without a forfeit. At a table B is taken to be worth its strength, and
γ_AB more if A sits there too; γ is fitted beside the strengths of all bots, its spread is that of leaving out one
board at a time. Pairs are flagged one after another, the surest first. How a flagged pair fares together, in both
directions, is then allowed for in what is fitted after it, so that its doings are not laid at another's door.

A flag is a reason to look at the records, not a proof: styles may suit each other without anybody's doing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.errors import LeagueError
from league.estimates import Estimate, estimate, one_sided_p, rounding_of
from league.solver import Layout, layout_of, least_squares
from league.sums import SetSums, add_up

FAMILY_WISE = 0.001
"""How likely honest play may raise any flag at all in a season."""

BOARDS_EACH_WAY = 2
"""A pair is judged from so many boards on which both sat, and so many of the taker without the giver."""

_NUMBERS_AT_ONCE = 4_000_000
_NOTHING = 1e-9


@dataclass(frozen=True, kw_only=True)
class PairEffect:
    """What the presence of `giver` is worth to `taker`, in points per deal of strength.

    `effect` is None where the tables cannot tell it from the strengths. `p` is one-sided, for a gain; `p_adjusted` is
    corrected for all ordered pairs. `boards` are those on which both sat.
    """

    giver: int
    taker: int
    boards: int
    effect: Estimate | None
    p: float | None
    p_adjusted: float | None
    flagged: bool


@dataclass(frozen=True, kw_only=True)
class Lack:
    """What there is where no pair can be judged: how many bots of `bots_needed`, and of the pair that has most of them
    the boards on which both sat, and those of the taker without the giver; BOARDS_EACH_WAY of each are needed.

    Where there is enough of all three, the tables were too alike.
    """

    bots: int
    bots_needed: int
    together: int
    apart: int


@dataclass(frozen=True, kw_only=True)
class Audit:
    """All ordered pairs that have met, the most suspicious first; `boards` and what flags a pair.

    `lack`: None where a pair could be judged, and where there are no boards at all.
    """

    boards: int
    family_wise: float
    pairs: tuple[PairEffect, ...]
    lack: Lack | None = None

    @property
    def flagged(self) -> tuple[PairEffect, ...]:
        """The pairs that are flagged, in the order in which they were found."""
        return tuple(pair for pair in self.pairs if pair.flagged)


def audit(sums: Sequence[SetSums], *, deals: int, family_wise: float = FAMILY_WISE) -> Audit:
    """Audits a season from the sums of its boards without a forfeit; `deals` are the regular deals of a match.

    Raises LeagueError for a family-wise error that is not between 0 and 1.
    """
    if not 0.0 < family_wise < 1.0:
        raise LeagueError(f"a family-wise error is between 0 and 1, not {family_wise}")
    merged = [part for part in add_up(sums) if part.boards]
    if not merged:
        return Audit(boards=0, family_wise=family_wise, pairs=())
    present = sorted({player for part in merged for player in part.players})
    tables = _Tables.of(layout_of(merged, present), deals)
    found, rest = _one_after_another(tables, family_wise)
    pairs = [replace(one, giver=present[one.giver], taker=present[one.taker]) for one in (*found, *rest)]
    judged = any(one.p is not None for one in pairs)
    return Audit(
        boards=int(tables.boards.sum()),
        family_wise=family_wise,
        pairs=tuple(pairs),
        lack=None if judged else _lack_of(tables, len(present)),
    )


def _lack_of(tables: _Tables, bots: int) -> Lack:
    met = tables.together > 0
    together, apart = tables.together[met], tables.apart[met]
    fullest = int(np.lexsort((together + apart, np.minimum(together, apart)))[-1])
    return Lack(
        bots=bots,
        bots_needed=tables.seats + 1,
        together=int(together[fullest]),
        apart=int(apart[fullest]),
    )


def _one_after_another(tables: _Tables, family_wise: float) -> tuple[list[PairEffect], list[PairEffect]]:
    """The flagged pairs as they are found, and all others, the surest first; bots by their place."""
    left = [(a, b) for a, b in np.argwhere(tables.together > 0).tolist()]
    model, family = _strengths_alone(tables), len(left)
    found: list[PairEffect] = []
    opposite: list[PairEffect] = []
    while True:
        tested = _tested(tables, model, left, family)
        surest = next((one for one in tested if one.p_adjusted is not None), None)
        if surest is None or surest.p_adjusted is None or surest.p_adjusted >= family_wise:
            return found, _surest_first([*opposite, *tested])
        found.append(replace(surest, flagged=True))
        left.remove((surest.giver, surest.taker))
        model = model.allowing_for(tables, surest.giver, surest.taker)
        back = (surest.taker, surest.giver)
        if back in left:
            left.remove(back)
            (turned,) = _effects(tables, model, [back], family)
            opposite.append(turned)
            if turned.effect is not None:
                model = model.allowing_for(tables, *back)


def audit_json(found: Audit, labels: Sequence[str]) -> dict[str, Any]:
    """The JSON of an audit; `labels` by entrant. Numbers that boards cannot tell are null."""
    return {
        "boards": found.boards,
        "family_wise": found.family_wise,
        "lack": _lack_json(found.lack),
        "flagged": [_pair_json(one, labels) for one in found.flagged],
        "pairs": [_pair_json(one, labels) for one in found.pairs],
    }


def audit_summary(found: Audit) -> dict[str, Any]:
    """An audit without the pairs that are not flagged, which are counted: `asked` of `pairs` could be judged.

    Bots are entrant numbers.
    """
    entrants = range(1 + max((max(one.giver, one.taker) for one in found.pairs), default=0))
    return {
        "boards": found.boards,
        "family_wise": found.family_wise,
        "pairs": len(found.pairs),
        "asked": sum(one.p is not None for one in found.pairs),
        "lack": _lack_json(found.lack),
        "flagged": [_pair_json(one, entrants) for one in found.flagged],
    }


def _lack_json(lack: Lack | None) -> Mapping[str, int] | None:
    return None if lack is None else asdict(lack)


def _pair_json(one: PairEffect, labels: Sequence[object]) -> Mapping[str, Any]:
    effect = one.effect
    return {
        "giver": labels[one.giver],
        "taker": labels[one.taker],
        "boards_together": one.boards,
        "points_per_deal": None if effect is None else effect.value,
        "low": None if effect is None else effect.low,
        "high": None if effect is None else effect.high,
        "p": one.p,
        "p_adjusted": one.p_adjusted,
        "flagged": one.flagged,
    }


@dataclass(frozen=True, kw_only=True)
class _Tables:
    """Boards by set of n players, with sums over them of deviations in points per deal: `total` (m, n), `products`
    (m, n, n).

    `together[a, b]`: boards on which a and b sat, `apart[a, b]`: those of b without a, `threes[a, b, c]`: of all three.
    """

    at: Ints
    boards: Ints
    total: Floats
    products: Floats
    together: Ints
    apart: Ints
    threes: Ints
    strengths: Floats
    g: Floats

    @classmethod
    def of(cls, sets: Layout, deals: int) -> _Tables:
        n, rotations = sets.seats, sets.rotations
        unit = 1.0 / (n * rotations * deals)  # devs are n times the deviation, summed over the board's matches
        total: Floats = sets.devs.astype(np.float64) * unit
        products: Floats = sets.devs_products.astype(np.float64) * unit**2
        strengths, g = least_squares(sets, 1.0 / (n * deals))
        threes: Ints = np.zeros((sets.size,) * 3, dtype=np.int64)
        at = sets.at
        np.add.at(
            threes,
            (at[:, :, None, None], at[:, None, :, None], at[:, None, None, :]),
            sets.boards[:, None, None, None],
        )
        together: Ints = sets.boards_together()
        return cls(
            at=at,
            boards=sets.boards,
            total=total,
            products=products,
            together=together,
            apart=sets.boards_of_bots()[None, :] - together,
            threes=threes,
            strengths=strengths,
            g=g * rotations,
        )

    @property
    def seats(self) -> int:
        return int(self.at.shape[1])

    @property
    def centre(self) -> Floats:
        """Takes the table's mean away."""
        centre: Floats = np.eye(self.seats) - 1.0 / self.seats
        return centre

    def beside_strengths(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """What of each pair's effect on a board's deviations is not strengths, (pairs, m, n)."""
        a, b = np.array(pairs, dtype=np.int64).T
        inner = -self.threes[a, b] / self.seats
        inner[np.arange(len(pairs)), b] += self.together[a, b]
        weights = inner @ self.g
        sits = (self.at[None] == a[:, None, None]).any(axis=2, keepdims=True) & (self.at[None] == b[:, None, None])
        column: Floats = (sits - weights[:, self.at]) @ self.centre
        return column


@dataclass(frozen=True, kw_only=True)
class _Model:
    """What is fitted already: (m, n) the expected deviations, (m, n, n) what a board's residuals become when that board
    is left out, and (f, m, n) the columns of the pairs allowed for, all orthonormal."""

    fitted: Floats
    left_out: Floats
    columns: Floats

    def allowing_for(self, tables: _Tables, giver: int, taker: int) -> _Model:
        """The model with one more pair."""
        column = self.beside(tables, [(giver, taker)])[0]
        column = column / math.sqrt((tables.boards * (column**2).sum(axis=1)).sum())
        return _Model(
            fitted=self.fitted + column * (column * tables.total).sum(),
            left_out=_left_out(tables, [*self.columns, column]),
            columns=np.concatenate([self.columns, column[None]]),
        )

    def beside(self, tables: _Tables, pairs: Sequence[tuple[int, int]]) -> Floats:
        """What of each pair's effect is neither strengths nor a pair allowed for."""
        column = tables.beside_strengths(pairs)
        shared = np.einsum("pmi,fmi,m->pf", column, self.columns, tables.boards.astype(np.float64), optimize=True)
        return column - np.tensordot(shared, self.columns, axes=1)


def _strengths_alone(tables: _Tables) -> _Model:
    return _Model(
        fitted=tables.strengths[tables.at] @ tables.centre,
        left_out=_left_out(tables, []),
        columns=np.zeros((0, *tables.at.shape)),
    )


def _left_out(tables: _Tables, columns: Sequence[Floats]) -> Floats:
    """The inverse of what of a board's residuals is its own, by set."""
    g_set = tables.g[tables.at[:, :, None], tables.at[:, None, :]]
    own = np.eye(tables.seats) - tables.centre @ g_set @ tables.centre
    for column in columns:
        own = own - column[:, :, None] * column[:, None, :]
    inverse: Floats = np.asarray(np.linalg.pinv(own, rcond=_NOTHING, hermitian=True), dtype=np.float64)
    return inverse


def _tested(tables: _Tables, model: _Model, pairs: Sequence[tuple[int, int]], family: int) -> list[PairEffect]:
    """Every pair beside the model, the surest first."""
    at_once = max(1, _NUMBERS_AT_ONCE // tables.at.size)
    tested: list[PairEffect] = []
    for start in range(0, len(pairs), at_once):
        chunk = pairs[start : start + at_once]
        tested += _effects(tables, model, chunk, family)
    return _surest_first(tested)


def _surest_first(pairs: Sequence[PairEffect]) -> list[PairEffect]:
    return sorted(pairs, key=lambda one: (one.p is None, one.p or 0.0, one.giver, one.taker))


def _effects(tables: _Tables, model: _Model, pairs: Sequence[tuple[int, int]], family: int) -> Iterator[PairEffect]:
    column = model.beside(tables, pairs)
    boards = tables.boards.astype(np.float64)
    information = np.einsum("pmi,pmi,m->p", column, column, boards, optimize=True)
    told = information > _NOTHING * boards.sum()
    divisor = np.where(told, information, 1.0)
    value = np.einsum("pmi,mi->p", column, tables.total - boards[:, None] * model.fitted, optimize=True) / divisor
    variance, sure = _variance(tables, model, column, value, divisor)
    rounding = rounding_of(float(np.abs(tables.total / boards[:, None]).max()), float(variance.max()))
    for at, (a, b) in enumerate(pairs):
        together = int(tables.together[a, b])
        degrees = min(together, int(tables.apart[a, b])) - BOARDS_EACH_WAY + 1
        yield _pair_effect(
            PairEffect(giver=a, taker=b, boards=together, effect=None, p=None, p_adjusted=None, flagged=False),
            (float(value[at]), float(variance[at]), degrees) if told[at] and sure[at] and degrees > 0 else None,
            family,
            rounding,
        )


def _pair_effect(blank: PairEffect, fit: tuple[float, float, int] | None, family: int, rounding: float) -> PairEffect:
    if fit is None:
        return blank
    p = one_sided_p(*fit, rounding=rounding)
    effect = estimate(*fit, rounding=rounding)
    return replace(blank, effect=effect, p=p, p_adjusted=min(1.0, family * p))


def _variance(
    tables: _Tables, model: _Model, column: Floats, value: Floats, information: Floats
) -> tuple[Floats, Bools]:
    """The jackknife variance of each pair's effect, and whether it can be told whichever board is left out.

    Leaving out a board of set S moves the effect by what the column, turned by `left_out`, makes of its residuals.
    """
    boards = tables.boards.astype(np.float64)
    turned: Floats = np.einsum("mij,pmj->pmi", model.left_out, column, optimize=True)
    rest = information[:, None] - (turned * column).sum(axis=2)
    sure: Bools = (rest > _NOTHING * information[:, None]).all(axis=1)
    mean = model.fitted[None] + column * value[:, None, None]
    along = (turned * mean).sum(axis=2)
    squares = (
        np.einsum("pmi,mij,pmj->pm", turned, tables.products, turned, optimize=True)
        - 2.0 * along * (turned * tables.total).sum(axis=2)
        + boards * along**2
    )
    count = boards.sum()
    moves = squares / np.where(rest > 0.0, rest, 1.0) ** 2
    return (count - 1.0) / count * moves.sum(axis=1), sure
