"""Plans of seasons."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from league.designs import balanced_sets, every_set, may_all_meet, meetings_spread
from league.errors import LeagueError
from league.pairing import Balance, Spread, balance_of, offered_sizes, plan_season, players_by_seat, seat_of

HOUSE = ""


def test_six_bots_and_two_boards_are_thirty_boards_with_twenty_for_each_bot() -> None:
    """All 15 sets of four of six bots play two boards each, in two sets of boards."""
    plan = plan_season([HOUSE] * 6, seats=4, boards=2)
    assert len(plan.boards) == 30
    assert [board.number for board in plan.boards] == list(range(1, 31))
    assert Counter(board.set_number for board in plan.boards) == {1: 15, 2: 15}
    assert Counter(frozenset(board.players) for board in plan.boards) == {
        frozenset(four): 2 for four in combinations(range(6), 4)
    }
    assert str(plan.balance) == "boards per bot 20, boards shared by a pair 12, a bot right after another 4"
    assert Balance.parse(str(plan.balance)) == plan.balance


def test_a_balance_is_read_back_from_its_text() -> None:
    """Also where a count differs between bots; another text is none."""
    spreads = (Spread(least=14, most=23), Spread(least=0, most=2), Spread(least=4, most=4))
    balance = Balance(boards_per_bot=spreads[0], meetings=spreads[1], neighbours=spreads[2])
    assert Balance.parse(str(balance)) == balance
    assert Balance.parse("") is None


def test_a_plan_depends_on_entrants_and_settings_alone() -> None:
    """Planning twice gives the same plan."""
    assert plan_season([HOUSE] * 7, seats=4, boards=2) == plan_season([HOUSE] * 7, seats=4, boards=2)


@pytest.mark.parametrize(
    ("boards", "player_sets"), [(1_000_000, None), (100_000, 100_000), (1, 1_000_000), (17_000, None)]
)
def test_a_slip_in_a_number_is_refused_before_anything_is_planned(boards: int, player_sets: int | None) -> None:
    """Six bots are 15 sets of players: whoever plans would be at it for hours, and out of memory."""
    with pytest.raises(LeagueError, match="a season has at most 250000"):
        plan_season([HOUSE] * 6, seats=4, boards=boards, player_sets=player_sets)


@pytest.mark.parametrize("players", [(5, 2, 8, 1), (3, 1, 2)])
def test_rotations_move_everybody_on_by_one_seat(players: tuple[int, ...]) -> None:
    """Player k sits at seat (k + rotation) mod n, so that each plays every hand once."""
    n = len(players)
    for rotation in range(n):
        seated = players_by_seat(players, rotation)
        for place, player in enumerate(players):
            assert seat_of(place, rotation, n) == (place + rotation) % n
            assert seated[seat_of(place, rotation, n)] == player
    assert all({players_by_seat(players, r)[seat] for r in range(n)} == set(players) for seat in range(n))


@pytest.mark.parametrize(("bots", "seats"), [(13, 4), (17, 3), pytest.param(24, 4, marks=pytest.mark.slow)])
def test_many_bots_meet_in_a_balanced_design(bots: int, seats: int) -> None:
    """Beyond what is few, pairs meet at most two times apart, and each bot is on at least 20 boards."""
    plan = plan_season([HOUSE] * bots, seats=seats, boards=1)
    assert plan.balance.meetings.most - plan.balance.meetings.least <= 2
    assert plan.balance.boards_per_bot.least >= 20
    assert plan.balance.boards_per_bot.most == plan.balance.boards_per_bot.least
    assert all(len(set(board.players)) == seats for board in plan.boards)


def apart(spread: Spread) -> int:
    return spread.most - spread.least


@pytest.mark.parametrize(
    ("bots", "seats", "boards"),
    [(13, 4, 2), (17, 3, 1)]
    + [
        pytest.param(*one, marks=pytest.mark.slow)
        for one in ((30, 4, 3), (56, 4, 1), (56, 4, 2), (16, 4, 5), (60, 3, 4), (128, 4, 1), (200, 4, 1), (200, 3, 1))
    ],
)
def test_pairs_of_many_bots_meet_at_most_two_apart(bots: int, seats: int, boards: int) -> None:
    """Whatever the number of boards: where copies of a design would be further apart, the boards are one design."""
    plan = plan_season([HOUSE] * bots, seats=seats, boards=boards)
    assert apart(plan.balance.meetings) <= 2
    assert apart(plan.balance.boards_per_bot) == 0
    assert apart(plan.balance.neighbours) <= 3
    assert plan.balance.boards_per_bot.least >= 20 * boards


@pytest.mark.parametrize(
    ("bots", "seats"),
    [(6, 4), (13, 4), (14, 4), (19, 4), (27, 4), (16, 3), (17, 3), (20, 3), (22, 3)]
    + [pytest.param(bots, seats, marks=pytest.mark.slow) for bots, seats in ((100, 4), (103, 4), (150, 3))],
)
def test_pairs_meet_equally_often_at_the_sizes_that_are_offered(bots: int, seats: int) -> None:
    """And each bot has the boards that were promised, in every copy of the season too."""
    size = offered_sizes(bots, seats)[0]
    plan = plan_season([HOUSE] * bots, seats=seats, boards=2, player_sets=size.player_sets)
    assert len(plan.boards) == 2 * size.player_sets
    assert (plan.balance.meetings, plan.balance.boards_per_bot) == tuple(
        Spread(least=2 * count, most=2 * count) for count in (size.meetings, size.boards_per_bot)
    )
    assert apart(plan.balance.neighbours) <= 3
    assert all(len(set(board.players)) == seats for board in plan.boards)


def test_sizes_are_offered_that_leave_nobody_provisional() -> None:
    """From 13 bots at four seats on; below, all sets of players meet."""
    assert [size.player_sets for size in offered_sizes(12, 4)] == [495]
    assert [(size.player_sets, size.boards_per_bot) for size in offered_sizes(13, 4)] == [
        (78, 24),
        (104, 32),
        (130, 40),
    ]
    assert all(offered_sizes(bots, seats)[0].boards_per_bot >= 20 for bots in range(13, 201) for seats in (3, 4))
    with pytest.raises(LeagueError, match="3 bots that may meet"):
        offered_sizes(3, 4)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(
    owners=st.lists(st.sampled_from((HOUSE, HOUSE, *"abcdefgh")), min_size=6, max_size=12),
    seats=st.sampled_from((3, 4)),
)
def test_owners_are_kept_apart_whatever_they_bring(owners: list[str], seats: int) -> None:
    """No board has two bots of one owner, and every bot plays."""
    assume(owners.count(HOUSE) + len(set(owners) - {HOUSE}) > seats)
    plan = plan_season(owners, seats=seats, boards=1, player_sets=len(owners))
    assert all(may_all_meet(owners, board.players) for board in plan.boards)
    assert plan.balance.boards_per_bot.least > 0


@pytest.mark.slow
def test_where_owners_make_all_sets_uneven_closer_ones_are_chosen() -> None:
    """As many boards, and pairs that meet less far apart than if every set of players that may meet did."""
    owners = [HOUSE] * 5 + ["ann", "ann", "bob", "bob"]
    every = every_set(owners, 4)
    plan = plan_season(owners, seats=4, boards=1)
    assert len(plan.boards) == len(every)
    assert apart(plan.balance.meetings) < meetings_spread(owners, every)


def test_the_number_of_sets_of_players_can_be_set() -> None:
    """A short season of many bots is as even as it can be, and says how even that is."""
    plan = plan_season([HOUSE] * 10, seats=4, boards=1, player_sets=15, set_count=3)
    assert len(plan.boards) == 15
    assert plan.set_count == 3
    assert plan.balance.boards_per_bot.least == plan.balance.boards_per_bot.most == 6
    assert plan.balance.meetings.most - plan.balance.meetings.least <= 1


@pytest.mark.slow
def test_bots_of_one_owner_never_meet() -> None:
    """Owners' bots are kept apart, house bots meet everybody, in full plans and in designs."""
    owners = ["ann", "ann", "bob", HOUSE, HOUSE, HOUSE]
    for plan in (
        plan_season(owners, seats=4, boards=1),
        plan_season(owners * 4, seats=4, boards=1, player_sets=60),
    ):
        known = owners * 4
        for board in plan.boards:
            named = [known[player] for player in board.players if known[player]]
            assert len(named) == len(set(named))
    assert len(plan_season(owners, seats=4, boards=1).boards) == 9


def test_too_few_bots_are_refused_with_the_number_needed() -> None:
    """A table that cannot be filled is an error that says what is missing."""
    with pytest.raises(LeagueError, match="3 bots that may meet: a table of this variant needs 4"):
        plan_season([HOUSE] * 3, seats=4, boards=1)
    with pytest.raises(LeagueError, match="2 bots that may meet"):
        plan_season(["ann", "ann", "bob"], seats=3, boards=1)


@pytest.mark.parametrize("setting", ["boards", "set_count", "player_sets"])
def test_numbers_below_one_are_refused_by_name(setting: str) -> None:
    """A season of no boards is an error that names the setting."""
    with pytest.raises(LeagueError, match=f"{setting} is 0: it must be 1 or more"):
        plan_season([HOUSE] * 4, **{"seats": 4, "boards": 1, setting: 0})


def test_a_design_has_each_bot_equally_often() -> None:
    """Where sets divide evenly, every bot is in the same number of them."""
    sets = balanced_sets([HOUSE] * 16, 4, 20)
    assert Counter(player for players in sets for player in players) == dict.fromkeys(range(16), 5)


def test_boards_from_before_two_bots_had_one_owner_do_not_upset_the_balance() -> None:
    """Pairs that may not meet any more are in no count, though they have met."""
    balance = balance_of([(0, 1, 2), (0, 2, 1), (0, 1, 2)], ["", "x", "x"])
    assert str(balance) == "boards per bot 3, boards shared by a pair 3, a bot right after another 1 to 2"
