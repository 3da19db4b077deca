"""The audit for collusion, against plain regression on the boards themselves."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from league.arrays import Floats
from league.collusion import Audit, Lack, audit, audit_json
from league.errors import LeagueError
from league.results import MatchResult
from league.sums import board_sums, whole_boards
from tests.league.leagues import board_results

DEALS = 14


def season(bots: int, boards: int, *, seed: int = 1, feeding: Sequence[tuple[int, int, int]] = ()) -> list[MatchResult]:
    """All sets of four play `boards` boards; in `feeding`, (giver, taker, points a match)."""
    draw = random.Random(seed)
    strength = [draw.randint(-60, 60) for _ in range(bots)]

    def scores(rotation: int, seated: tuple[int, ...]) -> list[int]:
        made = [strength[bot] + draw.randint(-50, 50) for bot in seated]
        for giver, taker, points in feeding:
            if giver in seated and taker in seated:
                made[seated.index(taker)] += points
                made[seated.index(giver)] -= points
        return made

    results: list[MatchResult] = []
    for _ in range(boards):
        for players in combinations(range(bots), 4):
            results += board_results(len(results) // 4 + 1, players, scores)
    return results


def plain_fit(results: Sequence[MatchResult], bots: int, pairs: Sequence[tuple[int, int]]) -> float:
    """The effect of the last of `pairs`, by least squares on the deviations of every seat of every match."""
    rows, outcomes = [], []
    for result in results:
        rates: Floats = np.zeros((4, bots + len(pairs)))
        for seat, player in enumerate(result.players):
            rates[seat, player] = 1.0
            for at, (giver, taker) in enumerate(pairs):
                rates[seat, bots + at] = float(player == taker and giver in result.players)
        scores = np.array(result.scores) / DEALS
        rows.append(rates - rates.mean(axis=0))
        outcomes.append(scores - scores.mean())
    return float(np.linalg.lstsq(np.concatenate(rows), np.concatenate(outcomes), rcond=None)[0][-1])


def plain_variance(results: Sequence[MatchResult], bots: int, pairs: Sequence[tuple[int, int]]) -> float:
    """The jackknife variance of that effect: the whole fit again without each board."""
    boards = whole_boards(results)
    whole = plain_fit(results, bots, pairs)
    moves = [
        plain_fit([row for board in boards if board is not left_out for row in board], bots, pairs) - whole
        for left_out in boards
    ]
    return (len(boards) - 1) / len(boards) * sum(move * move for move in moves)


def audited(results: Sequence[MatchResult]) -> Audit:
    return audit([board_sums(board, 300) for board in whole_boards(results)], deals=DEALS)


@pytest.mark.slow
def test_effects_and_their_spread_are_those_of_plain_regressions() -> None:
    """Value and interval of a pair are what fitting every match, and again without each board, gives."""
    results = season(6, 2)
    told = {(one.giver, one.taker): one for one in audited(results).pairs}
    assert len(told) == 30
    for pair in [(0, 1), (1, 0), (5, 2)]:
        effect = told[pair].effect
        assert effect is not None
        assert effect.low is not None
        assert effect.value == pytest.approx(plain_fit(results, 6, [pair]), abs=1e-9)
        # 12 boards together, 8 of the taker without the giver: 7 degrees of freedom
        assert told[pair].boards == 12
        reach = 2.3646242510 * plain_variance(results, 6, [pair]) ** 0.5
        assert effect.value - effect.low == pytest.approx(reach, rel=1e-6)


def test_a_pair_that_feeds_is_flagged_in_its_direction_alone() -> None:
    """The giver and the taker are told apart, and nobody else is flagged with them."""
    found = audited(season(8, 2, feeding=[(3, 6, 60)]))
    assert [(one.giver, one.taker) for one in found.flagged] == [(3, 6)]
    assert found.pairs[0].flagged
    assert found.pairs[0].p_adjusted is not None
    assert found.pairs[0].p_adjusted < 0.001


@pytest.mark.slow
def test_what_is_flagged_is_allowed_for_in_what_comes_after() -> None:
    """A second pair's effect is that of a regression that knows the first, in both directions; both are found."""
    results = season(7, 2, feeding=[(0, 1, 90), (4, 2, 70)])
    found = audited(results)
    first, second = ((one.giver, one.taker) for one in found.flagged)
    assert {first, second} == {(0, 1), (4, 2)}
    effect = found.flagged[1].effect
    assert effect is not None
    known = [first, first[::-1]]
    assert effect.value == pytest.approx(plain_fit(results, 7, [*known, second]), abs=1e-9)
    known += [second, second[::-1]]
    rest = next(one for one in found.pairs if (one.giver, one.taker) == (3, 5)).effect
    assert rest is not None
    assert rest.low is not None
    assert rest.value == pytest.approx(plain_fit(results, 7, [*known, (3, 5)]), abs=1e-9)
    spread = plain_variance(results, 7, [*known, (3, 5)]) ** 0.5
    assert rest.value - rest.low == pytest.approx(2.0930240544 * spread, rel=1e-6)  # 20 boards together, 20 without


def test_what_a_pair_costs_or_gives_the_others_is_not_laid_at_their_door() -> None:
    """A giver that throws away more than the taker gains, for all at the table, has nobody else flagged."""
    results = season(8, 6, feeding=[(3, 6, 100)])
    spilled = [
        replace(
            row,
            scores=tuple(score - 150 * (player == 3) for player, score in zip(row.players, row.scores, strict=True)),
        )
        if {3, 6} <= set(row.players)
        else row
        for row in results
    ]
    found = audited(spilled)
    assert [(one.giver, one.taker) for one in found.flagged] == [(3, 6)]
    opposite = next(one for one in found.pairs if (one.giver, one.taker) == (6, 3)).effect
    assert opposite is not None
    assert opposite.value < -10


def test_honest_bots_are_not_flagged() -> None:
    """Noise alone raises no flag."""
    for seed in range(10):
        assert audited(season(8, 1, seed=seed)).flagged == ()


def test_where_all_always_meet_nothing_can_be_told() -> None:
    """With four bots a pair's effect cannot be told from strengths: no number, no flag."""
    found = audited(season(4, 5))
    assert len(found.pairs) == 12
    assert all(one.effect is None and one.p is None and not one.flagged for one in found.pairs)


@pytest.mark.parametrize(
    ("tables", "lack"),
    [
        (["0123"] * 5, Lack(bots=4, bots_needed=5, together=5, apart=0)),
        (["0123", "0124", "0134", "0234", "1234"], Lack(bots=5, bots_needed=5, together=3, apart=1)),
        (["0123", "4567"] * 3, Lack(bots=8, bots_needed=5, together=3, apart=0)),
        (["0123", "0145"] * 2, None),
        ([], None),
    ],
)
def test_what_there_is_where_nobody_can_be_judged(tables: Sequence[str], lack: Lack | None) -> None:
    """Bots, and the boards of the pair that has most with and without each other; nothing where somebody is judged."""
    results = [
        match
        for board, players in enumerate(tables, 1)
        for match in board_results(board, [int(player) for player in players], lambda *_: [9, 1, -3, -7])
    ]
    found = audited(results)
    assert found.lack == lack
    assert (lack is None) == (not tables or any(one.p is not None for one in found.pairs))


def test_a_season_without_boards_has_an_empty_audit() -> None:
    """Nothing played yet is no error."""
    assert audit([], deals=DEALS).pairs == ()


def test_a_family_wise_error_must_be_a_probability() -> None:
    """Nonsense is refused with what would be right."""
    with pytest.raises(LeagueError, match="between 0 and 1"):
        audit([], deals=DEALS, family_wise=1.5)


def test_the_json_names_giver_and_taker() -> None:
    """Labels stand for numbers; what cannot be told is null."""
    shown = json.loads(json.dumps(audit_json(audited(season(8, 2, feeding=[(3, 6, 60)])), list("abcdefgh"))))
    assert shown["boards"] == 140
    assert [(one["giver"], one["taker"], one["flagged"]) for one in shown["flagged"]] == [("d", "g", True)]
    assert len(shown["pairs"]) == 56
    told = audit_json(audited(season(4, 5)), list("abcd"))["pairs"][0]
    assert told["points_per_deal"] is None and told["p_adjusted"] is None
