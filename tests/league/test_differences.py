"""Differences of all pairs at once: what each says, and that it is what single numbers say."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

from league.differences import Differences, all_differences, no_differences
from league.estimates import estimate, two_sided_p
from league.verdicts import holm


def drawn(count: int, bots: list[int], seed: int) -> tuple[Differences, list[tuple[float, float, int]]]:
    """Differences of drawn estimates, with value, variance and degrees of freedom of each pair of bots."""
    dice = np.random.default_rng(seed)
    points = dice.normal(size=len(bots)).round(1)
    spread = dice.normal(size=(len(bots), len(bots)))
    covariance = spread @ spread.T
    degrees = dice.integers(0, 9, size=covariance.shape)
    degrees = np.triu(degrees, 1) + np.triu(degrees, 1).T
    made = all_differences(
        count, bots, points=points, covariance=covariance, degrees=degrees, together=degrees + 1, rounding=1e-9
    )
    single = [
        (points[i] - points[k], covariance[i, i] + covariance[k, k] - 2.0 * covariance[i, k], int(degrees[i, k]))
        for i, k in combinations(range(len(bots)), 2)
    ]
    return made, single


@pytest.mark.parametrize("seed", range(5))
def test_all_at_once_say_what_each_alone_does(seed: int) -> None:
    """Estimates, p and Holm's p are those of single numbers, bit for bit; who is not there counts, untold."""
    bots = [0, 1, 3, 4, 6]
    made, single = drawn(8, bots, seed)
    expected = dict(zip(combinations(bots, 2), single, strict=True))
    p = {pair: two_sided_p(*one, rounding=1e-9) for pair, one in expected.items()}
    adjusted = dict(
        zip(combinations(range(8), 2), holm([p.get(pair) for pair in combinations(range(8), 2)]), strict=True)
    )
    assert len(made) == 28
    for one in made:
        pair = (one.a, one.b)
        if pair in expected:
            assert one.points == estimate(*expected[pair], rounding=1e-9)
            assert (one.p, one.p_holm) == (p[pair], adjusted[pair])
        else:
            assert (one.points, one.p, one.p_holm) == (None, None, None)


def test_a_pair_turned_is_the_opposite() -> None:
    """B − A is A − B with its sign changed, bit for bit; nobody differs from itself, or from one who is not there."""
    made, _single = drawn(6, [0, 1, 2, 3, 5], 1)
    for one in made:
        assert made.between(one.b, one.a) == one.turned()
    assert made.between(2, 2) is None
    assert made.between(2, 6) is None


def test_the_sign_of_a_pair_is_that_of_its_difference() -> None:
    """Where p is small enough; else, and of who is not there, it has none."""
    signs = []
    for seed, (a, b) in product(range(5), product(range(8), repeat=2)):
        made, _single = drawn(6, [0, 1, 2, 3, 5], seed)
        one, sign = made.between(a, b), made.sign(a, b, below_p=0.9)
        sure = one is not None and one.points is not None and one.p_holm is not None and one.p_holm < 0.9
        assert sign == (0 if not sure or one is None or one.points is None else 1 if one.points.value > 0 else -1)
        signs.append(sign)
    assert 0 < signs.count(1) == signs.count(-1) < signs.count(0)


def test_pairs_come_in_the_order_asked_for() -> None:
    """The first with all others, then the second with those after it."""
    made, _single = drawn(4, [0, 1, 2, 3], 2)
    order = [2, 0, 3, 1]
    again = made.ordered(order)
    assert [(one.a, one.b) for one in again] == list(combinations(order, 2))
    assert again[0] == made.between(2, 0)
    assert again[1:3] == tuple(again)[1:3]
    assert again != made
    assert again.ordered(range(4)) == made


def test_pairs_are_counted_without_being_made() -> None:
    """How many are there, can be told, are surer than one, are apart, and how large the largest is."""
    made, _single = drawn(7, [0, 1, 2, 3, 4, 6], 3)
    all_pairs = list(made)
    p = [one.p for one in all_pairs if one.p is not None]
    chosen = random.Random(1).choice(p)
    assert made.told == sum(one.points is not None for one in all_pairs) == 15
    assert made.told - made.untold == len(p)
    assert made.count_surer(chosen) == sum(one < chosen for one in p)
    assert made.count_apart(0.5) == sum(one.p_holm is not None and one.p_holm < 0.5 for one in all_pairs)
    assert made.largest == max(abs(one.points.value) for one in all_pairs if one.points is not None)
    assert Differences.of(all_pairs).count_surer(chosen) == made.count_surer(chosen)


def test_of_nobody_nothing_is_told() -> None:
    """Pairs without boards are there, and empty."""
    made = no_differences(3)
    assert [(one.a, one.b, one.points, one.p) for one in made] == [
        (0, 1, None, None),
        (0, 2, None, None),
        (1, 2, None, None),
    ]
    assert (made.largest, made.told, made.untold) == (0.0, 0, 0)
