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


def no_beat(now_ns: int, *, at_once: bool = False) -> None:
    """A referee that is never late."""


def tokens(run: SittingRun) -> list[str]:
    """The tokens of the processes asked for."""
    return [event.token for event in run.take_events() if isinstance(event, StartProcess)]


@pytest.mark.slow
def test_exception_of_ours_voids_the_sitting() -> None:
    """When the referee itself fails, the sitting is void with the reason, streams close, and nobody has a fault."""

    def broken_clock() -> str:
        raise RuntimeError("no time today")

    run = SittingRun(Sitting(PLAN, utc_now=broken_clock), no_beat)
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


def test_beat_that_drops_the_process_that_dials_voids_nothing() -> None:
    """A process that the beat just before its greeting drops is closed with words; the sitting goes on."""
    sitting = Sitting(PLAN, utc_now=lambda: "2026-11-29T20:00:00Z")

    def beat(now_ns: int, *, at_once: bool = False) -> None:
        if sitting.processes and sitting.processes[1].live:
            sitting.process_exited(1, exit_status=1, detail="", now_ns=now_ns)

    run = SittingRun(sitting, beat)
    run.begin()
    stream = KeptStream()
    run.greet(sitting.processes[1], stream, BotFrame([hello(), Ready()], more=False), hello())
    assert (stream.ending, stream.detail) == (Ending.DROPPED, "process 1 is over, its token is spent")
    assert not sitting.over
    assert not any(isinstance(event, SittingEnd) for event in run.take_events())


def test_greeting_is_work_for_the_bot_that_greets() -> None:
    """The referee's time for a new stream counts as time for that bot's frames, as with any other frame."""
    run = SittingRun(Sitting(PLAN, utc_now=lambda: "2026-11-29T20:00:00Z"), no_beat)
    run.begin()
    process = run.sitting.processes[1]
    run.greet(process, KeptStream(), BotFrame([hello()], more=False), hello())
    assert process.handled_ns > 0
    assert run.sitting.processes[2].handled_ns == 0


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


def test_lag_counts_before_a_clock_is_judged() -> None:
    """With the report by which an overrun is judged the beat comes at once, so that no lag of ours is left out."""
    beats: list[bool] = []

    def beat(now_ns: int, *, at_once: bool = False) -> None:
        beats.append(at_once)

    run = SittingRun(Sitting(PLAN, utc_now=lambda: "2026-11-29T20:00:00Z"), beat)
    run.begin()
    run.process_started(1)
    run.cpu_waited(1, 100, wanted=False)
    run.cpu_waited(1, 100, wanted=True)
    assert beats == [False, False, False, True]
