"""A referee that is told to end: what is open is played on, what has not begun is handed back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from referee.codec import BotFrame, Ready
from referee.plans import SittingEnd, StartProcess, check_plan
from referee.processes import Ending, Phase
from referee.remotes import RemoteBots
from referee.runs import GoingAwayError, Referee
from tests.protocol.fakes import HandDriven, KeptStream, hello
from tests.protocol.plans import sitting_plan

PLAN = check_plan(sitting_plan(tables=2))


def test_what_is_open_is_played_to_its_end_and_the_rest_handed_back() -> None:
    """No table begins after the word; the sitting ends with the last open one, and says what it has not begun."""
    sitting = HandDriven(sitting_plan(tables=3))
    sitting.start_all(table_limit=1)
    sitting.sitting.hand_back("the reason", sitting.now_ns)
    sitting.turn()
    assert not sitting.sitting.over
    sitting.play_out()
    assert len(sitting.records) == 1
    assert sitting.events[-1] == SittingEnd("the reason", handed_back=True)
    assert sitting.faults == []
    assert [stream.ending for stream in sitting.streams.values()] == [Ending.DONE] * 4


def test_a_sitting_without_an_open_table_is_handed_back_at_once() -> None:
    """Its bots, ready or not, are let go well, and one that dials late is told that nothing is left for it."""
    sitting = HandDriven(sitting_plan())
    sitting.dial(1)
    sitting.sitting.hand_back("the reason", sitting.now_ns)
    sitting.turn()
    assert sitting.events[-1] == SittingEnd("the reason", handed_back=True)
    assert sitting.streams[1].ending is Ending.DONE
    assert {process.phase for process in sitting.sitting.processes.values()} == {Phase.DONE}
    assert sitting.dial(2, ready=False).ending is Ending.DONE


def test_a_sitting_that_is_all_open_ends_as_ever() -> None:
    """Where nothing is left to begin, nothing is handed back."""
    sitting = HandDriven(sitting_plan())
    sitting.start_all()
    sitting.sitting.hand_back("the reason", sitting.now_ns)
    sitting.play_out()
    assert sitting.events[-1] == SittingEnd("")


def test_a_bot_that_starts_while_others_play_on_is_not_needed_any_more() -> None:
    """Its time to start up may pass: there are no tables left for it, and it is no fault."""
    sitting = HandDriven(sitting_plan(tables=2))
    sitting.start_all(table_limit=1)
    number = sitting.asked()
    sitting.sitting.process_exited(number, exit_status=1, detail="", now_ns=sitting.now_ns)
    sitting.turn()
    started_anew = sitting.starts[-1].process
    sitting.sitting.process_started(started_anew, sitting.now_ns)
    sitting.sitting.hand_back("the reason", sitting.now_ns)
    sitting.wait(31_000)
    assert sitting.process(started_anew).phase is Phase.DONE
    assert [fault.kind for fault in sitting.faults] == ["exit"]


def test_a_draining_referee_is_empty_when_its_last_sitting_is_let_go() -> None:
    """It takes nothing up, waits for what it plays, and no longer than that."""

    async def scenario() -> None:
        referee = Referee(sitting_limit=2)
        run = referee.take_up(PLAN)
        run.begin()
        referee.drain()
        assert referee.draining
        with pytest.raises(GoingAwayError):
            referee.take_up(replace(PLAN, plan=replace(PLAN.plan, sitting="other")))
        drained = asyncio.create_task(referee.drained())
        await asyncio.sleep(0)
        assert not drained.done()
        events = run.take_events()
        assert [type(event) for event in events[:-1]] == [StartProcess] * 4
        assert events[-1].handed_back if isinstance(events[-1], SittingEnd) else False
        referee.let_go(run)
        await drained

    asyncio.run(scenario())


def test_a_referee_that_plays_nothing_is_empty_at_once() -> None:
    """There is nothing to wait for."""
    referee = Referee(sitting_limit=2)
    referee.drain()
    asyncio.run(asyncio.wait_for(referee.drained(), 1))


def test_remote_bots_stay_for_their_sitting_and_no_longer() -> None:
    """Who plays nothing is sent away at once, who plays when its sitting is let go."""
    referee = Referee(sitting_limit=2)
    players = tuple(replace(player, remote=player.bot) for player in PLAN.plan.players)
    idle, *playing = (_connected(referee.remotes, bot) for bot in ("idle", *(player.bot for player in players)))
    run = referee.take_up(replace(PLAN, plan=replace(PLAN.plan, players=players)))
    run.begin()
    referee.drain()
    assert [stream.ending for stream in (idle, *playing)] == [Ending.GOING_AWAY, None, None, None, None]
    run.void("the worker has gone", Ending.DROPPED)
    referee.let_go(run)
    assert [stream.ending for stream in playing] == [Ending.GOING_AWAY] * 4


def _connected(remotes: RemoteBots, bot: str) -> KeptStream:
    stream = KeptStream()
    remotes.bot(bot).attach(stream, BotFrame([hello(), Ready()], more=False), hello())
    return stream
