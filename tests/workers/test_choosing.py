"""Which of several referees a sitting goes to: how they are found, and in which order they are tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.certificates import Pair
from referee.plans import PlayerPlan, RefereeState, RemoteState, SittingPlan
from tests.protocol.plans import sitting_plan
from workers.choosing import Candidate, in_order
from workers.client_tls import ClientTls
from workers.finding import NoAddressError, RefereeAt, Referees, at_each_address, split_referees
from workers.referee_client import (
    CertificateRefusedError,
    RefereeDrainingError,
    RefereeFullError,
    RefereeUnreachableError,
    SittingError,
)

TLS = ClientTls(roots=Path("roots.pem"), pair=Pair(certificate=Path("w.crt"), key=Path("w.key")))


def candidate(name: str, *, remotes: dict[str, RemoteState] | None = None, limit: int = 64, **told: int) -> Candidate:
    state = RefereeState(referee=name, sitting_limit=limit, remotes=remotes or {}, **told)  # type: ignore[arg-type]
    return Candidate(RefereeAt(addresses=f"{name}:7700"), state)


def with_remotes(*bots: str) -> SittingPlan:
    plan = sitting_plan()
    players = [PlayerPlan(bot, "1", remote=bot) for bot in bots]
    return replace(plan, players=(*players, *plan.players[len(bots) :]))


def order(*candidates: Candidate, plan: SittingPlan | None = None, failed: tuple[SittingError, ...] = ()) -> list[str]:
    """The names of the referees that are tried, in order."""
    there = in_order(candidates, failed, plan or sitting_plan(), list)
    return [at.addresses.removesuffix(":7700") for at in there]


def test_the_least_busy_referee_is_the_first() -> None:
    """By tables that are not over, then by sittings; one that is behind comes last, whatever it has."""
    found = order(
        candidate("a", table_count=9, sitting_count=1),
        candidate("b", table_count=2, sitting_count=3),
        candidate("c", table_count=2, sitting_count=1),
        candidate("d", behind=True),
    )
    assert found == ["c", "b", "a", "d"]


def test_who_takes_nothing_is_not_tried() -> None:
    """One that is going away, and one that has as many sittings as it takes, are left out."""
    found = order(
        candidate("a", draining=True), candidate("b", sitting_count=4, limit=4), candidate("c", table_count=9)
    )
    assert found == ["c"]


def test_one_referee_by_two_addresses_is_one() -> None:
    """It is known by what it drew when it started, as of a name with an IPv4 and an IPv6 address."""
    twice = Candidate(RefereeAt(addresses="[::1]:7700"), candidate("a").state)
    assert in_order([candidate("a"), twice], (), sitting_plan(), list) == (RefereeAt(addresses="a:7700"),)


@pytest.mark.parametrize(
    ("candidates", "failed", "kind"),
    [
        ([candidate("a", sitting_count=4, limit=4)], [], RefereeFullError),
        ([candidate("a", draining=True)], [RefereeUnreachableError("no referee at b")], RefereeDrainingError),
        ([], [RefereeUnreachableError("no referee at b")], RefereeUnreachableError),
        ([], [RefereeUnreachableError("no referee at b"), CertificateRefusedError("c")], CertificateRefusedError),
    ],
)
def test_nobody_takes_it(candidates: list[Candidate], failed: list[SittingError], kind: type[SittingError]) -> None:
    """Why is said of each, and the kind is what decides whether and when it is tried again."""
    with pytest.raises(kind) as refused:
        in_order(candidates, failed, sitting_plan(), list)
    assert all(str(error) in str(refused.value) for error in failed)


def test_a_sitting_goes_where_its_remote_bots_are() -> None:
    """Of the referees that have all that are connected anywhere, the least busy; one that is nowhere may come yet."""
    here = RemoteState(connected=True)
    both = candidate("both", remotes={"owl": here, "jay": here}, table_count=9)
    one = candidate("one", remotes={"owl": here})
    assert order(both, one, plan=with_remotes("owl", "jay")) == ["both"]
    assert order(both, one, plan=with_remotes("owl")) == ["one", "both"]
    assert order(both, one, plan=with_remotes("owl", "emu")) == ["one", "both"]


def test_remote_bots_that_are_nowhere_together_are_waited_for() -> None:
    """A sitting where one of them would be absent is not begun: the worker gives it back."""
    here = RemoteState(connected=True)
    a, b = candidate("a", remotes={"owl": here}), candidate("b", remotes={"jay": here})
    with pytest.raises(RefereeFullError, match=r"no referee together: bot owl is at a:7700; bot jay is at b:7700"):
        order(a, b, plan=with_remotes("owl", "jay"))


def test_a_remote_bot_plays_one_sitting_over_all_referees() -> None:
    """While it plays another one anywhere, nothing is begun; an older attempt of this one is replaced where it is."""
    plays = {"owl": RemoteState(connected=True, sitting="sitting-1")}
    there = candidate("there", remotes=plays, table_count=9)
    idle = candidate("idle", remotes={"owl": RemoteState(connected=True)})
    assert order(idle, there, plan=with_remotes("owl")) == ["there", "idle"]
    other = replace(with_remotes("owl"), sitting="sitting-2")
    with pytest.raises(RefereeFullError, match="remote bot owl still plays another sitting at there:7700"):
        order(idle, there, plan=other)


def test_a_list_of_referees() -> None:
    """Semicolons are between referees, commas between the addresses of one."""
    assert split_referees("a:1, mtls://a:2 ;b:1; ") == ("a:1, mtls://a:2", "b:1")


def test_a_name_stands_for_a_referee_at_each_of_its_addresses() -> None:
    """All doors of one are at the same number, and certificates are still those of the name."""
    found = at_each_address("mtls://localhost:7701,tls://localhost:7700", TLS)
    assert found
    for at in found:
        orders, bots = at.addresses.split(",")
        host = orders.removeprefix("mtls://").removesuffix(":7701")
        assert host in {"127.0.0.1", "[::1]"}
        assert bots == f"tls://{host}:7700"
        assert at.tls == replace(TLS, name="localhost")
        assert str(at) == f"{orders} (localhost)"


@pytest.mark.parametrize("referee", ["10.0.0.7:7700", "[fd00::7]:7700", "localhost:7700,unix:/r.sock", "a:1,tls://b:2"])
def test_what_is_no_name_of_all_its_addresses_stays_as_it_is(referee: str) -> None:
    """Numbers need no asking, and what has a socket or several names is one referee."""
    assert at_each_address(referee, TLS) == (RefereeAt(addresses=referee, tls=TLS),)


def test_a_name_without_an_address_does_not_hide_the_others() -> None:
    """The others are found, and what is wrong is said."""
    name = f"{'x' * 64}.example"  # longer than any name, so that nobody is asked for it
    found, wrong = Referees(each=(f"{name}:7700", "10.0.0.7:7700", "10.0.0.7:7700")).find()
    assert found == (RefereeAt(addresses="10.0.0.7:7700"),)
    assert [type(error) for error in wrong] == [NoAddressError]
    assert f"the name {name} has no address" in str(wrong[0])
