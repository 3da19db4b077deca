"""How often a password may be tried: for a name, from a network, and what lifts the brake."""

from __future__ import annotations

from datetime import timedelta

import pytest

from league.accounts import Account, AccountError, AccountProblem
from league.store import Store
from league.store.sessions import TRIES_FROM_NETWORK, TRIES_HERE
from league.store.tries import WINDOW, network_of
from tests.league.leagues import Clock
from tests.league.people import HERE, PASSWORD, refused


def test_too_many_wrong_passwords_have_to_wait(arena: Store, anna: Account, clock: Clock) -> None:
    """Then the right one waits too, from that network alone, and no longer than the window."""
    for _ in range(TRIES_HERE):
        with refused(AccountProblem.SIGN_IN_WRONG):
            arena.sessions.sign_in(anna.name, "wrong password", address=HERE)
    clock.move(60)
    with refused(AccountProblem.TOO_MANY_TRIES) as caught:
        arena.sessions.sign_in("anna", PASSWORD, address=HERE)
    assert caught.value.retry_after == WINDOW - timedelta(minutes=1)
    assert "14 minutes" in str(caught.value)
    assert arena.sessions.sign_in(anna.name, PASSWORD, address="198.51.100.1").account == anna
    clock.move(WINDOW.total_seconds())
    assert arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).account == anna


@pytest.mark.slow
def test_the_right_password_forgets_wrong_ones(arena: Store, anna: Account) -> None:
    """Who errs now and then is never braked."""
    for _ in range(3):
        for _ in range(TRIES_HERE - 1):
            with refused(AccountProblem.SIGN_IN_WRONG):
                arena.sessions.sign_in(anna.name, "wrong password", address=HERE)
        arena.sessions.sign_in(anna.name, PASSWORD, address=HERE)


@pytest.mark.slow
def test_one_network_cannot_try_many_names(arena: Store) -> None:
    """Nor make accounts without end."""
    problems = []
    for number in range(100):
        with pytest.raises(AccountError) as caught:
            arena.sessions.sign_in(f"name {number}", PASSWORD, address=f"2001:db8::{number}")
        problems.append(caught.value.problem)
    assert problems[0] is AccountProblem.SIGN_IN_WRONG
    assert problems[-1] is AccountProblem.TOO_MANY_TRIES
    with refused(AccountProblem.TOO_MANY_TRIES):
        for number in range(100):
            arena.accounts.sign_up(f"name {number}", PASSWORD, address=HERE)
    assert 1 < len(arena.accounts.all()) < 50


@pytest.mark.slow
def test_a_right_password_is_no_licence_to_guess_others(arena: Store, anna: Account) -> None:
    """Who signs in again and again under a name of their own tries other names no more often than anybody."""
    wrong = 0
    with refused(AccountProblem.TOO_MANY_TRIES):
        for number in range(100):
            arena.sessions.sign_in(anna.name, PASSWORD, address=HERE)
            with refused(AccountProblem.SIGN_IN_WRONG):
                arena.sessions.sign_in(f"name {number}", "wrong password", address=HERE)
            wrong += 1
    assert wrong == TRIES_FROM_NETWORK
    assert arena.sessions.sign_in(anna.name, PASSWORD, address="198.51.100.1").account == anna


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_is_what_one_customer_has(address: str, network: str) -> None:
    """Of IPv6 the first 64 bits; what is no address stands for itself."""
    assert network_of(address) == network
