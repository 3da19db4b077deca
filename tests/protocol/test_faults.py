"""What a fault costs, and the stand-in."""

from __future__ import annotations

from hashlib import sha256

import pytest

from referee import faults
from referee.dealing import stand_in_stream
from referee.faults import Fault, FaultKind, StandIn
from referee.rules.actions import play_action


@pytest.mark.parametrize("kind", [kind for kind in FaultKind if kind is not FaultKind.TIMEOUT])
def test_every_fault_but_an_overrun_forfeits_at_once(kind: FaultKind) -> None:
    """Illegal choices, exits, protocol errors, floods and absence cost the open tables at the first time."""
    assert faults.forfeits(Fault(kind, ""), overrun_count=0)


def test_third_overrun_forfeits() -> None:
    """Two overruns are forgiven."""
    timeout = Fault(FaultKind.TIMEOUT, "")
    assert [faults.forfeits(timeout, overrun_count=count) for count in (1, 2, 3)] == [False, False, True]


def test_bot_is_started_once_more() -> None:
    """After the first failure of a process the bot is started again, after the second it is not."""
    assert [faults.may_restart(count) for count in (1, 2)] == [True, False]


def test_frames_allowed_follow_the_requests() -> None:
    """A stream may carry sixteen frames more than two for each request."""
    assert (faults.frames_allowed(0), faults.frames_allowed(10)) == (16, 36)


def test_kinds_are_those_of_records() -> None:
    """The kinds of fault are the words that records use."""
    assert [kind.value for kind in FaultKind] == ["timeout", "illegal", "exit", "protocol", "flood", "absent"]


def test_stand_in_draws_from_the_deals_own_stream() -> None:
    """One draw below the number of legal actions for each action, from stream 2**31 + n of the seed."""
    seed = sha256(b"seed").digest()
    legal = [play_action(0, card) for card in (3, 9, 14)]
    stand_in, stream = StandIn(seed, 5), stand_in_stream(seed, 5)
    places = [stand_in.choose(legal[:count]) for count in (3, 2, 3, 3, 2)]
    assert places == [stream.below(count) for count in (3, 2, 3, 3, 2)]
