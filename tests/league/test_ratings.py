"""Official ratings against other ways of computing them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, groupby

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import LeagueError
from league.ratings import ELO_PER_UNIT, Ratings, rate
from league.results import MatchResult
from league.solver import bradley_terry
from league.sums import board_sums, deviations, pair_points, whole_boards
from tests.league import student
from tests.league.leagues import board_results

W = 200
DEALS = 14
Floats = npt.NDArray[np.float64]

HALF_POINTS = (
    (0, 186, 151, 140, 210, 268, 270, 54),
    (0, 0, 160, 150, 252, 280, 291, 98),
    (0, 0, 0, 191, 293, 277, 305, 122),
    (0, 0, 0, 0, 315, 330, 325, 134),
    (0, 0, 0, 0, 0, 212, 259, 53),
    (0, 0, 0, 0, 0, 0, 239, 49),
    (0, 0, 0, 0, 0, 0, 0, 30),
    (0, 0, 0, 0, 0, 0, 0, 0),
)
"""Half points of row against column in 200 made-up games each of 8 bots, and what maximum likelihood makes of them
(ties ½, no prior, 400-point scale, mean 0), as two independent solvers found it."""
MAXIMUM_LIKELIHOOD = (-31.2869, 9.0235, 66.1023, 103.3950, -86.8283, -120.9667, -169.9964, 230.5575)


def season(
    seed: int, boards: int, bots: int = 6, *, forfeit_share: float = 0.0, rotations: int = 4
) -> list[MatchResult]:
    """Boards of drawn players whose strength grows with their number, luck shared by a board's hands."""
    draw = random.Random(seed)
    results: list[MatchResult] = []
    for board in range(1, boards + 1):
        hands = [draw.gauss(0, 60) for _ in range(4)]

        def scores(rotation: int, seated: tuple[int, ...], hands: list[float] = hands) -> list[int]:
            made = [round(8 * bot + hand + draw.gauss(0, 30)) for bot, hand in zip(seated, hands, strict=True)]
            return [score - sum(made) // 4 for score in made]

        for row in board_results(board, draw.sample(range(bots), 4), scores):
            gone = tuple(draw.random() < forfeit_share for _ in range(4))
            if row.rotation < rotations:
                results.append(replace(row, forfeited=gone))
    return results


def boards_of(results: Sequence[MatchResult]) -> list[list[MatchResult]]:
    """Results grouped by board, whatever the number of rotations."""
    return [list(rows) for _, rows in groupby(results, key=lambda row: row.board)]


def rated(results: Sequence[MatchResult], bots: int = 6, prior: float = 2.0) -> Ratings:
    sums = [board_sums(board, W) for board in whole_boards(results)]
    return rate(sums, bot_count=bots, deals=DEALS, prior_draws=prior)


def slope_of_places(board: Sequence[MatchResult], theta: Floats) -> Floats:
    """The derivative of a board's log likelihood."""
    slope: Floats = np.zeros(len(theta))
    for result in board:
        points = pair_points(result)
        for i, k in combinations(range(4), 2):
            a, b = result.players[i], result.players[k]
            gap = points[i][k] / 2 - 1 / (1 + np.exp(theta[b] - theta[a]))
            slope[a] += gap
            slope[b] -= gap
    return slope


def information_of_places(board: Sequence[MatchResult], theta: Floats) -> Floats:
    information: Floats = np.zeros((len(theta), len(theta)))
    for result in board:
        for a, b in combinations(result.players, 2):
            p = 1 / (1 + np.exp(theta[b] - theta[a]))
            direction = np.zeros(len(theta))
            direction[a], direction[b] = 1, -1
            information += p * (1 - p) * np.outer(direction, direction)
    return information


def step_with_mean_zero(information: Floats, slope: Floats) -> Floats:
    """Newton's step with the sum held at 0, by a border of ones."""
    size = len(slope)
    bordered = np.block([[information, np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
    solved: Floats = np.linalg.solve(bordered, np.append(slope, 0.0))[:size]
    return solved


def test_maximum_likelihood_without_a_prior_is_that_of_two_other_solvers() -> None:
    """Eight bots with 200 games against each other, to 0.001 Elo."""
    half: Floats = np.array(HALF_POINTS) / 2.0
    wins = half + np.tril(200.0 - half.T, -1)
    meetings = 200.0 * (1 - np.eye(8))
    theta, _ = bradley_terry(wins, meetings, 0.0)
    assert theta * ELO_PER_UNIT == pytest.approx(MAXIMUM_LIKELIHOOD, abs=1e-3)


@pytest.mark.slow
def test_official_elo_is_the_maximum_of_the_likelihood_with_its_prior() -> None:
    """A general optimiser finds the same ratings, with two draws a bot against a phantom at the mean."""
    from scipy import optimize  # long to import, and nothing else here needs it

    results = season(1, 20)

    def minus_log_likelihood(free: Floats) -> float:
        theta = np.append(free, -free.sum())
        total = float(np.sum(np.logaddexp(0, -theta) + np.logaddexp(0, theta)))
        for result in results:
            points = pair_points(result)
            for i, k in combinations(range(4), 2):
                gap = theta[result.players[i]] - theta[result.players[k]]
                total += points[i][k] / 2 * np.logaddexp(0, -gap) + points[k][i] / 2 * np.logaddexp(0, gap)
        return total

    best = optimize.minimize(minus_log_likelihood, np.zeros(5), method="BFGS", options={"gtol": 1e-9})
    theta = np.append(best.x, -best.x.sum())
    elo = [bot.elo.value for bot in rated(results).bots if bot.elo]
    assert elo == pytest.approx(1500 + theta * ELO_PER_UNIT, abs=1e-3)
    assert np.mean(elo) == pytest.approx(1500)


@pytest.mark.parametrize("rotations", [4, 1])
@pytest.mark.parametrize("forfeit_share", [0.0, 0.05])
def test_elo_intervals_are_the_jackknife_done_board_by_board(forfeit_share: float, rotations: int) -> None:
    """Leaving out each board in turn with one Newton step, the slow way, gives the same interval."""
    results = season(2, 25, forfeit_share=forfeit_share, rotations=rotations)
    boards = boards_of(results)
    ratings = rate([board_sums(board, W) for board in boards], bot_count=6, deals=DEALS)
    theta = np.array([bot.elo.value - 1500 for bot in ratings.bots if bot.elo]) / ELO_PER_UNIT
    phantom = 1 / (1 + np.exp(-theta))
    whole: Floats = np.diag(2 * phantom * (1 - phantom))
    for board in boards:
        whole += information_of_places(board, theta)
    moves = [
        step_with_mean_zero(whole - information_of_places(board, theta), -slope_of_places(board, theta))
        for board in boards
    ]
    variance = np.sum([np.outer(move, move) for move in moves], axis=0) * (len(boards) - 1) / len(boards)
    for bot in ratings.bots:
        assert bot.elo and bot.elo.high is not None
        reach = student.reach(bot.boards - 1) * np.sqrt(variance[bot.entrant, bot.entrant]) * ELO_PER_UNIT
        assert bot.elo.high - bot.elo.value == pytest.approx(reach, rel=1e-6)


def design_of(results: Sequence[MatchResult], bots: int) -> tuple[Floats, Floats]:
    """Rows of (own strength − the table's mean strength), and deviations in points per deal."""
    rows, seen = [], []
    for result in results:
        for seat, deviation in enumerate(deviations(result, W)):
            row = np.zeros(bots)
            row[list(result.players)] -= 1 / 4
            row[result.players[seat]] += 1
            rows.append(row)
            seen.append(deviation / 4 / DEALS)
    return np.array(rows), np.array(seen)


@pytest.mark.parametrize("rotations", [4, 1])
@pytest.mark.parametrize("forfeit_share", [0.0, 0.05])
def test_points_and_their_differences_are_least_squares_with_a_jackknife(forfeit_share: float, rotations: int) -> None:
    """An ordinary least-squares solver on the matches, refitted without each board, gives the same numbers."""
    results = season(3, 25, forfeit_share=forfeit_share, rotations=rotations)
    ratings = rate([board_sums(board, W) for board in boards_of(results)], bot_count=6, deals=DEALS)

    def fit(kept: Sequence[MatchResult]) -> Floats:
        solved = np.asarray(np.linalg.lstsq(*design_of(kept, 6), rcond=None)[0], dtype=np.float64)
        return np.asarray(solved - solved.mean(), dtype=np.float64)

    points = fit(results)
    assert [bot.points.value for bot in ratings.bots if bot.points] == pytest.approx(points, abs=1e-9)
    moves = np.array([fit([row for row in results if row.board != board]) - points for board in range(1, 26)])
    for one in ratings.differences:
        gaps = moves[:, one.a] - moves[:, one.b]
        error = np.sqrt((gaps**2).sum() * 24 / 25)
        boards = sum(1 for board in boards_of(results) if {one.a, one.b} & set(board[0].players))
        assert one.points and one.points.high is not None
        assert one.points.value == pytest.approx(points[one.a] - points[one.b], abs=1e-9)
        assert one.points.high - one.points.value == pytest.approx(student.reach(boards - 1) * error, rel=1e-6)
        p = student.two_sided(one.points.value / error, boards - 1)
        assert one.p == pytest.approx(p, rel=1e-6, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(shuffle=st.integers(0, 10_000))
def test_ratings_are_bit_for_bit_the_same_in_any_order(shuffle: int) -> None:
    """Sets, boards and matches in any order give the very same floating point numbers."""
    results = season(4, 15, forfeit_share=0.03)
    shuffled = random.Random(shuffle).sample(results, len(results))
    sums = [board_sums(board, W) for board in whole_boards(shuffled)]
    random.Random(shuffle).shuffle(sums)
    assert rate(sums, bot_count=6, deals=DEALS) == rated(results)


def first_wins(rotation: int, seated: tuple[int, ...]) -> list[int]:
    del rotation
    return [90 if bot == 0 else -30 for bot in seated]


def test_a_bot_that_wins_everything_has_a_finite_rating_and_the_pull_is_told() -> None:
    """The prior holds it, by an amount that is reported."""
    results: list[MatchResult] = []
    for board in range(1, 6):
        results += board_results(
            board, (0, 1, 2, 3), lambda rotation, seated: [{0: 90}.get(bot, -30) for bot in seated]
        )
    ratings = rated(results, bots=4)
    best = ratings.bots[0]
    assert best.elo and best.prior_pull is not None
    assert 1700 < best.elo.value < 2500
    assert best.prior_pull < -20
    assert best.places == (20, 0, 0, 0)


def test_without_a_prior_an_infinite_rating_is_an_error_that_says_so() -> None:
    """Maximum likelihood does not exist for a bot that has won everything."""
    results = board_results(1, (0, 1, 2, 3), first_wins)
    with pytest.raises(LeagueError, match="use a prior above 0"):
        rated(results, bots=4, prior=0.0)


def test_bots_without_boards_have_no_numbers_and_a_single_board_no_intervals() -> None:
    """What cannot be told is not told."""
    ratings = rated(board_results(1, (0, 1, 2, 3), lambda rotation, seated: [3, 2, -1, -4]), bots=5)
    assert ratings.bots[4].elo is None
    assert ratings.bots[4].points is None
    assert ratings.bots[0].elo and ratings.bots[0].elo.low is None
    assert all(one.p is None and one.p_holm is None for one in ratings.differences)
    assert rated([], bots=2).bots[1].boards == 0


def test_groups_that_have_not_met_are_not_compared() -> None:
    """Bots of two groups have ratings, but no interval and no verdict between the groups."""
    draw = random.Random(5)
    results: list[MatchResult] = []
    for board in range(1, 11):
        group = (0, 1, 2, 3) if board % 2 else (4, 5, 6, 7)
        results += board_results(board, group, lambda rotation, seated: [draw.randint(-50, 50) for _ in seated])
    told = {(one.a, one.b): one for one in rated(results, bots=8).differences}
    assert told[0, 1].p is not None
    assert told[4, 7].p is not None
    assert told[0, 4].p is None
    assert told[0, 4].boards_together == 0


def test_groups_that_one_board_links_are_not_compared_either() -> None:
    """Where leaving out one board parts two bots, their difference has no interval."""
    draw = random.Random(6)
    results: list[MatchResult] = []
    for board in range(1, 12):
        group = (0, 1, 4, 5) if board == 11 else (0, 1, 2, 3) if board % 2 else (4, 5, 6, 7)
        results += board_results(board, group, lambda rotation, seated: [draw.randint(-50, 50) for _ in seated])
    told = {(one.a, one.b): one for one in rated(results, bots=8).differences}
    assert told[0, 2].p is not None
    assert told[0, 4].p is None


def test_a_forfeit_costs_the_forfeiter_and_leaves_the_others_apart_as_they_were() -> None:
    """Crashing in a match that it won costs a bot dearly; the difference of two others does not move."""
    results = season(7, 20)
    forfeited = [
        replace(row, forfeited=tuple(bot == 5 for bot in row.players)) if row.board <= 4 else row for row in results
    ]
    before, after = rated(results), rated(forfeited)
    assert before.bots[5].points and after.bots[5].points and before.bots[5].elo and after.bots[5].elo
    assert after.bots[5].points.value < before.bots[5].points.value - 1
    assert after.bots[5].elo.value < before.bots[5].elo.value - 20
    assert after.bots[5].forfeits == 4 * sum(1 for board in whole_boards(results)[:4] if 5 in board[0].players)


def test_a_true_gap_is_found_and_none_where_there_is_none() -> None:
    """Twenty boards a bot tell the strongest from the weakest, and not two equals."""
    told = {(one.a, one.b): one for one in rated(season(8, 30)).differences}
    assert (told[0, 5].p_holm or 0.0) < 0.001
    equal = rated(
        [row for board in range(1, 31) for row in board_results(board, (0, 1, 2, 3), _luck(board))], bots=4
    ).differences
    assert all((one.p_holm or 0.0) > 0.05 for one in equal)


def _luck(board: int) -> Callable[[int, tuple[int, ...]], list[int]]:
    draw = random.Random(board)

    def scores(rotation: int, seated: tuple[int, ...]) -> list[int]:
        del rotation
        return [draw.randint(-60, 60) for _ in seated]

    return scores


def test_three_seats_are_rated_as_well() -> None:
    """Three players, three rotations, the same machinery."""
    draw = random.Random(9)
    results: list[MatchResult] = []
    for board in range(1, 25):
        players = draw.sample(range(5), 3)
        results += board_results(
            board, players, lambda rotation, seated: [20 * bot + draw.randint(-40, 40) for bot in seated]
        )
    ratings = rated(results, bots=5)
    values = [bot.points.value for bot in ratings.bots if bot.points]
    assert values == sorted(values)
    assert all(len(bot.places) == 3 for bot in ratings.bots)
