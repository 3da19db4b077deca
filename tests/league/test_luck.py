"""The luck share: known variances are found again, whatever the bots' strengths and the seats."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from league.luck import luck, luck_json
from league.results import MatchResult
from league.sums import SetSums, add_up, board_sums, whole_boards
from tests.league.leagues import board_results

DEALS = 14


def season(seats: int, boards: int, *, hand: float, taste: float, rest: float, bots: int = 6) -> list[MatchResult]:
    """Boards of all sets of bots whose scores are strength + hand + taste for the board + rest, in points a match."""
    draw = random.Random(7)
    strength = [40 * bot for bot in range(bots)]
    results: list[MatchResult] = []
    sets = list(combinations(range(bots), seats))
    for number in range(1, boards + 1):
        hands = [draw.gauss(0, hand) for _ in range(seats)]
        tastes = [draw.gauss(0, taste) for _ in range(bots)]
        results += board_results(
            number,
            sets[number % len(sets)],
            lambda rotation, seated, hands=hands, tastes=tastes: [  # type: ignore[misc]
                round(strength[bot] + hands[seat] + tastes[bot] + draw.gauss(0, rest))
                for seat, bot in enumerate(seated)
            ],
        )
    return results


def sums_of(results: list[MatchResult]) -> tuple[SetSums, ...]:
    return add_up(board_sums(board, 300) for board in whole_boards(results))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_variances_are_found_again(seats: int) -> None:
    """Of hands, of bots on boards and of the rest, though the deviations of a table sum to nothing."""
    found = luck(sums_of(season(seats, 3000, hand=56, taste=21, rest=35)), deals=DEALS)
    assert found is not None
    assert found.hand == pytest.approx(16.0, rel=0.06)
    assert found.bot_on_board == pytest.approx(2.25, rel=0.15)
    assert found.rest == pytest.approx(6.25, rel=0.05)
    assert found.share == pytest.approx(16.0 / 24.5, abs=0.02)


def test_without_luck_the_share_is_nothing() -> None:
    """Where cards decide nothing, the share is near 0, not the 1/n of a naive reading."""
    found = luck(sums_of(season(4, 1000, hand=0, taste=0, rest=50)), deals=DEALS)
    assert found is not None
    assert found.share == pytest.approx(0.0, abs=0.02)


def test_boards_too_few_tell_nothing() -> None:
    """No boards, or one: null."""
    assert luck([], deals=DEALS) is None
    assert luck_json(luck(sums_of(season(4, 1, hand=1, taste=1, rest=9)), deals=DEALS)) is None


def test_the_json_has_share_and_variances() -> None:
    """The numbers of the audit's JSON."""
    found = luck(sums_of(season(4, 40, hand=56, taste=21, rest=35)), deals=DEALS)
    shown = luck_json(found)
    assert found is not None and shown is not None
    assert shown == {
        "boards": 40,
        "share": found.share,
        "hand_variance": found.hand,
        "bot_on_board_variance": found.bot_on_board,
        "rest_variance": found.rest,
    }
