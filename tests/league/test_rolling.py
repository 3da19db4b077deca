"""The next boards of a rolling season."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.estimates import estimate
from league.pairing import balance_of
from league.rolling import Contender, error_of, next_boards, spread_by_bot

HOUSE = ""
Orders = list[tuple[int, ...]]


def contenders(owners: Sequence[str], planned: Orders, deviations: Sequence[float] | None = None) -> list[Contender]:
    """Bots whose boards are all over; one board of a bot has this standard deviation (default 3)."""
    boards = Counter(player for order in planned for player in order)
    sigma = deviations or [3.0] * len(owners)
    return [
        Contender(
            entrant=at,
            owner=owner,
            boards_over=boards[at],
            error=sigma[at] / math.sqrt(boards[at]) if boards[at] > 1 else None,
        )
        for at, owner in enumerate(owners)
    ]


def roll(
    owners: Sequence[str], seats: int, sets: int, planned: Orders, deviations: Sequence[float] | None = None
) -> Orders:
    """Plans so many sets of 8 boards more, each when all before are over."""
    for _ in range(sets):
        planned = [*planned, *next_boards(contenders(owners, planned, deviations), planned, seats=seats, boards=8)]
    return planned


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(4, 40), seats=st.sampled_from((3, 4)), sets=st.integers(1, 8))
def test_a_plan_that_grows_stays_balanced(bots: int, seats: int, sets: int) -> None:
    """Of bots that spread alike: boards within 2, meetings of pairs within 3, neighbours within 4, at every size."""
    planned = roll([HOUSE] * bots, seats, sets, [])
    assert len(planned) == 8 * sets
    assert all(len(set(order)) == seats for order in planned)
    balance = balance_of(planned, [HOUSE] * bots)
    for spread, most in ((balance.boards_per_bot, 2), (balance.meetings, 3), (balance.neighbours, 4)):
        assert spread.most - spread.least <= most, str(balance)


def test_who_comes_late_catches_up_and_then_plays_as_the_others_do() -> None:
    """It is at every table until its boards tell as much as theirs; nobody's boards are planned again."""
    before = roll([HOUSE] * 8, 4, 10, [])
    fewest = min(Counter(player for order in before for player in order).values())
    after = roll([HOUSE] * 9, 4, 5, before)
    assert after[: len(before)] == before
    assert all(8 in order for order in after[len(before) :])
    level = roll([HOUSE] * 9, 4, 12, after)
    boards = Counter(player for order in level for player in order)
    assert max(boards.values()) - min(boards.values()) <= 2
    assert boards[8] > fewest
    met = Counter(pair for order in level for pair in combinations(sorted(order), 2))
    assert max(met.values()) - min(met.values()) <= 3


def test_several_who_come_late_share_the_boards() -> None:
    """None of them waits for another to be done."""
    before = roll([HOUSE] * 8, 4, 6, [])
    after = roll([HOUSE] * 11, 4, 3, before)
    late = Counter(player for order in after[len(before) :] for player in order if player >= 8)
    assert max(late.values()) - min(late.values()) <= 1


def test_boards_go_where_the_uncertainty_is_largest() -> None:
    """A bot whose boards spread twice as widely gets more than twice the boards, the others stay level."""
    planned = roll([HOUSE] * 10, 4, 40, [], [3.0] * 9 + [6.0])
    boards = Counter(player for order in planned for player in order)
    others = [boards[bot] for bot in range(9)]
    assert boards[9] > 2 * max(others)
    assert max(others) - min(others) <= 3


@settings(max_examples=25, deadline=None)
@given(
    owners=st.lists(st.sampled_from((HOUSE, "ann", "bob", "cleo", "dan")), min_size=8, max_size=24),
    sets=st.integers(1, 4),
)
def test_bots_of_one_owner_never_meet(owners: list[str], sets: int) -> None:
    """House bots meet everybody; where too few bots may meet there are no boards."""
    planned = roll(owners, 4, sets, [])
    able = owners.count(HOUSE) + len(set(owners) - {HOUSE})
    assert len(planned) == (8 * sets if able >= 4 else 0)
    for order in planned:
        named = [owners[player] for player in order if owners[player]]
        assert len(named) == len(set(named))


def test_the_same_state_gives_the_same_boards() -> None:
    """Whoever asks: the choice is a function of what it is given, and not of the order of the boards."""
    planned = roll([HOUSE] * 7, 4, 3, [])
    known = contenders([HOUSE] * 7, planned)
    first = next_boards(known, planned, seats=4, boards=5)
    assert first == next_boards(known, list(reversed(planned)), seats=4, boards=5)
    assert len(first) == 5


def test_what_few_boards_say_of_a_bot_counts_little() -> None:
    """The spread of a bot is drawn towards the pool's by 20 boards; nothing measured, all are alike."""
    known = [
        Contender(entrant=0, owner=HOUSE, boards_over=20, error=math.sqrt(8 / 20)),
        Contender(entrant=1, owner=HOUSE, boards_over=20, error=math.sqrt(4 / 20)),
        Contender(entrant=2, owner=HOUSE),
    ]
    assert spread_by_bot(known) == {0: pytest.approx(7.0), 1: pytest.approx(5.0), 2: pytest.approx(6.0)}
    assert spread_by_bot(known[2:]) == {2: 1.0}


def test_the_error_is_the_one_behind_the_interval() -> None:
    """Whatever the number of boards; none without an interval."""
    assert error_of(estimate(1.0, 0.25, 9), 10) == pytest.approx(0.5)
    assert error_of(estimate(1.0, 0.25, 0), 1) is None
    assert error_of(None, 0) is None
