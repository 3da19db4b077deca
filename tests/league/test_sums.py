"""Additive sums: exact, whatever the order, and rebuilt from bytes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import LeagueError
from league.results import DealPoints, MatchResult
from league.sums import SetSums, add_up, board_sums, contract_sums, deviations, pair_points, whole_boards
from tests.league.leagues import board_results


def forfeited(result: MatchResult, *seats: int) -> MatchResult:
    return replace(result, forfeited=tuple(seat in seats for seat in range(len(result.players))))


ONE = board_results(1, (0, 1, 2, 3), lambda rotation, players: (30, 10, 10, -50))[0]


def test_a_win_counts_two_half_points_and_a_tie_one() -> None:
    """By places, against each opponent."""
    assert pair_points(ONE) == ((0, 2, 2, 2), (0, 0, 1, 2), (0, 1, 0, 2), (0, 0, 0, 0))


def test_who_forfeits_loses_to_everybody_and_forfeiters_tie() -> None:
    """Even with the best score; the others count among themselves as played."""
    assert pair_points(forfeited(ONE, 0)) == ((0, 0, 0, 0), (2, 0, 1, 2), (2, 1, 0, 2), (2, 0, 0, 0))
    assert pair_points(forfeited(ONE, 0, 3))[0] == (0, 0, 0, 1)


def test_deviations_are_from_the_tables_mean_and_a_forfeit_costs_w() -> None:
    """The others' deviations count as played, though the stand-in's score is in the mean."""
    skewed = replace(ONE, scores=(31, 10, 10, -50))
    assert deviations(skewed, 99) == (4 * 31 - 1, 39, 39, -201)
    assert deviations(forfeited(skewed, 0), 99) == (-99 * 4, 39, 39, -201)


def drawn_boards(seed: int, count: int) -> list[MatchResult]:
    draw = random.Random(seed)
    results: list[MatchResult] = []
    for board in range(1, count + 1):
        players = draw.sample(range(6), 4)
        rows = board_results(board, players, lambda rotation, seated: [draw.randint(-99, 99) for _ in seated])
        results += [forfeited(row, 1) if draw.random() < 0.1 else row for row in rows]
    return results


def sums_of(results: Sequence[MatchResult]) -> tuple[SetSums, ...]:
    return add_up(board_sums(board, 120) for board in whole_boards(results))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), shuffle=st.integers(0, 1000))
def test_the_order_of_results_changes_nothing(seed: int, shuffle: int) -> None:
    """Results in any order, boards added in any order, in parts or at once: the same numbers."""
    results = drawn_boards(seed, 12)
    shuffled = random.Random(shuffle).sample(results, len(results))
    assert sums_of(results) == sums_of(shuffled)
    halves = [*sums_of([r for r in results if r.board <= 6]), *sums_of([r for r in results if r.board > 6])]
    assert add_up(reversed(halves)) == sums_of(results)


def test_sums_survive_their_bytes() -> None:
    """What is stored is read back, number by number."""
    for one in sums_of(drawn_boards(1, 8)):
        assert SetSums.from_bytes(one.players, one.to_bytes()) == one


def test_parts_of_a_sum_are_what_they_say() -> None:
    """Boards, matches, wins, deviations, places and forfeits of one board, added twice."""
    rows = board_results(1, (7, 3, 5, 4), lambda rotation, players: [10 * player for player in players])
    one = board_sums([forfeited(rows[0], rows[0].players.index(7)), *rows[1:]], 50)
    twice = one + one
    assert twice.players == (3, 4, 5, 7)
    assert (twice.boards, twice.matches) == (2, 8)
    assert twice.part("wins") == (4, 20, 36, 36)
    assert twice.part("forfeits") == (0, 0, 0, 2)
    assert twice.part("places")[12:] == (8, 0, 0, 0)
    assert twice.part("devs") == (-560, -240, 80, 2 * (3 * (280 - 190) - 50 * 4))
    assert twice.part("pair_squares")[1] == 0
    assert twice.part("pair_squares")[4] == 2 * 8 * 8
    devs = [deviations(row, 50) for row in (forfeited(rows[0], rows[0].players.index(7)), *rows[1:])]
    assert twice.part("squares") == (2 * sum(dev * dev for line in devs for dev in line),)
    assert twice.part("hand_squares") == (2 * sum(sum(hand) ** 2 for hand in zip(*devs, strict=True)),)


def test_only_whole_boards_count() -> None:
    """A board with a rotation missing is left out."""
    results = drawn_boards(2, 3)
    assert [board[0].board for board in whole_boards(results[:-1])] == [1, 2]


def test_a_rotation_that_comes_twice_is_an_error() -> None:
    """Each (board, rotation) counts once."""
    results = drawn_boards(3, 2)
    with pytest.raises(LeagueError, match="board 2 has a rotation twice"):
        whole_boards([*results, results[-1]])


def test_rotations_of_different_players_are_an_error() -> None:
    """All rotations of a board are played by the same bots."""
    results = drawn_boards(4, 1)
    other = replace(results[3], players=tuple(player + 1 for player in results[3].players))
    with pytest.raises(LeagueError, match="board 1 has rotations of different players"):
        whole_boards([*results[:3], other])


def test_contract_sums_leave_out_what_a_stand_in_played() -> None:
    """A bot's points in a contract are from the deals that it played itself."""
    rows = board_results(1, (0, 1, 2, 3), lambda rotation, players: [10 * player for player in players])
    rows[0] = replace(
        rows[0], deal_points=(DealPoints(contract="no_tricks", points=(0, 10, 20, 30), own=(True, False, True, True)),)
    )
    sums = contract_sums(rows)
    assert sums[1, "no_tricks"].deals == 3
    assert sums[0, "no_tricks"].deals == 4
    assert sums[0, "no_tricks"].points == -240
    assert sums[0, "no_tricks"].points_squared == 240**2
