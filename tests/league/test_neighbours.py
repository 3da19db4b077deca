"""Who sits after whom."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.neighbours import arcs, balanced_orders, cyclic_orders, neighbour_spread, orders_of_all_sets


def test_four_players_have_six_cyclic_orders_and_three_have_two() -> None:
    """All cyclic orders are there, each once."""
    for players, count in (((0, 1, 2, 3), 6), ((4, 7, 9), 2)):
        orders = cyclic_orders(players)
        assert len(orders) == count
        assert len({frozenset(arcs(order)) for order in orders}) == count


@pytest.mark.slow
@pytest.mark.parametrize("bots", range(4, 13))
def test_neighbours_are_within_one_where_all_sets_of_four_meet(bots: int) -> None:
    """With one board for each set of players, everybody sits after everybody else equally often, within one."""
    assert neighbour_spread(orders_of_all_sets(bots, 4, 1), bots) <= 1


@settings(max_examples=8, deadline=None)
@given(bots=st.integers(4, 8), copies=st.integers(1, 8))
def test_neighbours_are_within_one_for_any_number_of_boards(bots: int, copies: int) -> None:
    """So they are for any number of boards, save 3, 9, … boards of four bots, where it cannot be."""
    spread = neighbour_spread(orders_of_all_sets(bots, 4, copies), bots)
    assert spread <= (2 if bots == 4 and copies % 6 == 3 else 1)


@settings(max_examples=10, deadline=None)
@given(bots=st.integers(3, 10), copies=st.integers(1, 5))
def test_neighbours_are_within_one_at_three_seats(bots: int, copies: int) -> None:
    """The same holds for three seats."""
    assert neighbour_spread(orders_of_all_sets(bots, 3, copies), bots) <= 1


@settings(max_examples=10, deadline=None)
@given(bots=st.integers(4, 8), copies=st.integers(1, 3), seats=st.sampled_from((3, 4)))
def test_every_set_of_players_gets_its_boards(bots: int, copies: int, seats: int) -> None:
    """Balancing changes the orders of players only, not who meets."""
    orders = orders_of_all_sets(bots, seats, copies)
    wanted = sorted(list(combinations(range(bots), seats)) * copies)
    assert sorted(tuple(sorted(order)) for order in orders) == wanted


def test_the_same_sets_give_the_same_orders() -> None:
    """The search draws from a fixed sequence."""
    sets = [(0, 1, 2, 3), (0, 1, 4, 5), (2, 3, 4, 5), (0, 2, 4, 5)]
    assert balanced_orders(sets, 6) == balanced_orders(sets, 6)
