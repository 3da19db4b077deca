"""Sittings in progress: attempts, tokens, and what happens when our own code fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.codec import BotFrame, Ready
from referee.plans import SittingEnd, StartProcess, check_plan
from referee.processes import Ending
from referee.runs import GoingAwayError, NoRoomError, Referee, SittingRun, StaleAttemptError
from referee.sitting import Sitting
from tests.protocol.fakes import KeptStream, hello
from tests.protocol.plans import sitting_plan

PLAN = check_plan(sitting_plan())


def tokens(run: SittingRun) -> list[str]:
    """The tokens of the processes asked for."""
    return [event.token for event in run.take_events() if isinstance(event, StartProcess)]


def test_exception_of_ours_voids_the_sitting() -> None:
    """When the referee itself fails, the sitting is void with the reason, streams close, and nobody has a fault."""

    def broken_clock() -> str:
        raise RuntimeError("no time today")

    run = SittingRun(Sitting(PLAN, utc_now=broken_clock), lambda now_ns: None)
    run.begin()
    streams = []
    for token in tokens(run):
        process = run.sitting.process_of(token)
        assert process is not None
        streams.append(KeptStream())
        run.greet(process, streams[-1], BotFrame([hello(), Ready()], more=False), hello())
    events = run.take_events()
    assert events[-1] == SittingEnd("the referee failed: RuntimeError: no time today")
    assert not any(type(event).__name__ == "FaultSeen" for event in events)
    assert [stream.ending for stream in streams] == [Ending.DROPPED] * 4


def test_token_opens_its_own_process_until_the_sitting_is_let_go() -> None:
    """A token is one process's; when the sitting is over it is spent."""
    referee = Referee(sitting_limit=2)
    run = referee.take_up(PLAN)
    run.begin()
    found = [referee.find(token) for token in tokens(run)]
    assert [each and each[1].process for each in found] == [1, 2, 3, 4]
    token = found[0][1].token if found[0] else ""
    referee.let_go(run)
    assert referee.find(token) is None
    assert referee.find("") is None


def test_newer_attempt_spends_the_tokens_of_the_older() -> None:
    """An attempt takes over from an older one only, whose end says so."""
    referee = Referee(sitting_limit=1)
    older = referee.take_up(PLAN)
    older.begin()
    (token, *_) = tokens(older)
    with pytest.raises(StaleAttemptError, match="attempt 1 of this sitting is in progress; 1 is not newer"):
        referee.take_up(PLAN)
    newer = referee.take_up(replace(PLAN, plan=replace(PLAN.plan, attempt=2)))
    assert older.superseded_by == 2
    assert isinstance(older.take_events()[-1], SittingEnd)
    assert referee.find(token) is None
    referee.let_go(older)
    assert newer.superseded_by is None
    newer.begin()
    assert referee.find(tokens(newer)[0]) is not None


def test_referee_takes_so_many_sittings() -> None:
    """A referee refuses a sitting beyond its limit, and any when it goes away."""
    referee = Referee(sitting_limit=1)
    referee.take_up(PLAN)
    other = replace(PLAN, plan=replace(PLAN.plan, sitting="other"))
    with pytest.raises(NoRoomError):
        referee.take_up(other)
    referee.go_away()
    with pytest.raises(GoingAwayError):
        referee.take_up(other)
