"""Rate limits: counting, its headers, and what is refused."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from dashboard.api.rate_limits import Policy, RateLimiter, RateLimits, caller_of_address
from dashboard.app import create_app
from league.audit_log import SHELL
from tests.api.conftest import Caller
from tests.dashboard.conftest import PlayedLeague, serving


class Seconds:
    """A clock that moves on when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_window_has_its_quota_and_then_begins_anew() -> None:
    """So many are within it; the next is not, until the window of the caller's first request is over."""
    clock = Seconds()
    limiter, policy = RateLimiter(clock), Policy(name="p", quota=2, window_seconds=10)
    told = [limiter.take(policy, "a") for _ in range(3)]
    assert [(one.is_within, one.remaining, one.reset_seconds) for one in told if one] == [
        (True, 1, 10),
        (True, 0, 10),
        (False, 0, 10),
    ]
    clock.now += 7.5
    late = limiter.take(policy, "a")
    assert late is not None
    assert (late.is_within, late.reset_seconds) == (False, 3)
    clock.now += 2.5
    fresh = limiter.take(policy, "a")
    assert fresh is not None
    assert (fresh.is_within, fresh.remaining) == (True, 1)


def test_callers_and_policies_are_counted_apart() -> None:
    """Nobody uses up what another has, and writing takes nothing from reading; no quota, no counting."""
    limiter = RateLimiter(Seconds())
    once, other = Policy(name="once", quota=1), Policy(name="other", quota=1)
    for policy, caller in ((once, "a"), (once, "b"), (other, "a")):
        standing = limiter.take(policy, caller)
        assert standing is not None
        assert standing.is_within
    assert limiter.take(Policy(name="free", quota=0), "a") is None


def test_headers_are_structured_fields() -> None:
    """Names are quoted strings, numbers parameters, as the draft has them."""
    standing = RateLimiter(Seconds()).take(Policy(name="reading", quota=600), "a")
    assert standing is not None
    assert standing.headers == {"RateLimit-Policy": '"reading";q=600;w=60', "RateLimit": '"reading";r=599;t=60'}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("testclient", "testclient", True),
    ],
)
def test_who_has_a_network_is_one_caller(one: str, other: str, *, same: bool) -> None:
    """Addresses of one IPv6 network of 64 bits count together."""
    assert (caller_of_address(one) == caller_of_address(other)) is same


@pytest.fixture
def token(played: PlayedLeague) -> str:
    """A token of somebody's."""
    account = played.store.accounts.create("ada", by=SHELL)
    return played.store.tokens.create(account.id, "laptop", by=SHELL).text


@pytest.fixture
def client(played: PlayedLeague) -> Generator[Caller, None, None]:
    """A client of a dashboard with two reads a minute, six with a token, and one write."""
    limits = RateLimits.of(reads=2, writes=1)
    with serving(create_app(played.store, clock=played.clock, limits=limits)) as address:
        caller = Caller(address)
        yield caller
        caller.close()


@pytest.mark.slow
def test_who_asks_too_often_is_told_when_to_come_back(client: Caller) -> None:
    """Each answer says what is left; one too many is 429 with Retry-After."""
    first, second = client.answer("/api/v1/seasons"), client.answer("/feeds/seasons.atom")
    assert first.headers["ratelimit"].startswith('"reading";r=1;t=')
    assert second.headers["ratelimit"].startswith('"reading";r=0;t=')
    refused = client.answer("/api/v1/variants")
    assert refused.status_code == 429
    assert refused.json()["type"] == "/api/problems/quota-exceeded"
    assert refused.json()["violated-policies"] == ["reading"]
    assert refused.headers["ratelimit-policy"] == '"reading";q=2;w=60'
    assert 0 < int(refused.headers["retry-after"]) <= 60


@pytest.mark.slow
def test_errors_count_and_pages_do_not(client: Caller) -> None:
    """What is refused counts as well; the pages themselves are for readers, who are not counted."""
    assert client.answer("/api/v1/nothing").headers["ratelimit"].startswith('"reading";r=1;t=')
    assert client.answer("/api/v1/seasons?x=1").headers["ratelimit"].startswith('"reading";r=0;t=')
    assert client.answer("/bots").status_code == 200
    assert client.answer("/live/0123456789abcdef/events").status_code == 204  # a stream is a page's
    assert client.answer("/feeds/seasons.atom").status_code == 429
    assert client.answer("/api/v1/seasons", method="OPTIONS").status_code == 204


@pytest.mark.slow
def test_a_token_has_a_quota_of_its_own(client: Caller, token: str) -> None:
    """With a token the account is counted, whatever its address; a wrong one counts for the address."""
    mine = client.answer("/api/v1/seasons", headers={"Authorization": f"Bearer {token}"})
    assert mine.headers["ratelimit"].startswith('"reading-with-token";r=5;t=')
    wrong = {"Authorization": f"Bearer {token[:-1]}"}
    assert [client.answer("/api/v1/seasons", headers=wrong).status_code for _ in range(3)] == [401, 401, 429]
    assert client.answer("/api/v1/seasons", headers={"Authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.slow
def test_a_twin_that_is_kept_ready_counts_too(client: Caller, played: PlayedLeague) -> None:
    """What is answered from memory tells what is left now, not what was left when it was made."""
    left = [client.answer(f"/seasons/{played.over}/ladder.json").headers["ratelimit"][:15] for _ in range(2)]
    assert left == ['"reading";r=1;t', '"reading";r=0;t']
    assert client.answer(f"/seasons/{played.over}/ladder.json").status_code == 429
