"""`king ask` puts a bot before a position of a record."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from king_cli.asking.desk import AnswerError, _Desk, ask
from king_cli.asking.positions import AskedPosition, asked_position
from king_cli.errors import UsageError
from referee.clock import TimeControl
from referee.random_match import random_match
from referee.rules import Action, ActionKind, parse_variant, replay
from tests.conformance.sittings import play
from tests.e2e.arena import Arena
from workers.bots import find_bot, read_manifest

BROKEN = Path(__file__).parents[1] / "conformance" / "broken_bots"
CONTROL = TimeControl.parse("start=30s,inc=100ms,bank=2s")


def first_of_each_kind(record: dict[str, Any]) -> dict[ActionKind, AskedPosition]:
    """The first position of each kind of action at which somebody was asked."""
    found: dict[ActionKind, AskedPosition] = {}
    for deal in record["deals"]:
        for number, form in enumerate(deal["actions"], 1):
            kind = ActionKind(form["do"])
            if form["by"] == "bot" and kind not in found:
                found[kind] = asked_position(record, deal=deal["number"], number=number, control=CONTROL)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["classic[redemption=praise]", "classic[redemption=talon]", "ordered-56"])
def test_bot_that_has_not_changed_decides_as_it_did(tmp_path: Path, variant: str) -> None:
    """A deterministic bot is told what it was told then: at every kind of decision its answer is the record's."""
    (record,) = play(tmp_path, [find_bot("greedy")] * 4, variant).records
    positions = first_of_each_kind(record)
    assert len(positions) >= 3
    for position in positions.values():
        answer = ask(find_bot("greedy"), position, CONTROL)
        assert position.legal[answer.index] == position.then


@pytest.mark.slow
def test_command_shows_then_beside_now(arena: Arena) -> None:
    """The lines name the position, what was legal, what was done and what would be; the JSON has the same."""
    arena.king("random", "russian-14", "--seed", "1", "--out", "match.json")
    lines = arena.king("ask", "lowest", "match.json", "--deal", "2", "--action", "1").splitlines()
    assert lines[0].startswith("russian-14, deal 2, action 1, seat ")
    assert [line.split()[0] for line in lines[1:]] == ["hand", "legal", "then", "now"]
    told = arena.king_json("ask", "lowest", "match.json", "--deal", "2", "--action", "1", "--json")
    assert told["then"]["player"] == "random 1"
    assert told["now"]["player"] == "lowest 1"
    assert told["now"]["action"] == told["legal"][told["now"]["index"]]
    assert told["same"] == (told["now"]["action"] == told["then"]["action"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("illegal", "chose the index"),
        ("crashing", "ended with exit status 1 before it answered: ZeroDivisionError"),
        ("silent", "said no Choice within 2 s"),
        ("never_ready", "said no Ready within 3 s"),
    ],
)
def test_bot_that_gives_no_answer_is_told_why(bot: str, reason: str) -> None:
    """Whatever keeps a bot from answering is named."""
    control = TimeControl.parse("start=3s,inc=100ms,bank=2s") if bot == "never_ready" else CONTROL
    position = asked_position(random_match(parse_variant("russian-14"), 1), deal=3, number=1, control=control)
    with pytest.raises(AnswerError, match=reason):
        ask(read_manifest(BROKEN / bot), position, control)


BREAKS_AND_LIVES_ON = """
import os, time, grpc
from king.v1 import arena_pb2 as pb, arena_pb2_grpc
hello = pb.Hello(protocol_version=1, token=os.environ["KING_TOKEN"])
with grpc.insecure_channel(os.environ["KING_REFEREE"]) as channel:
    call = arena_pb2_grpc.ArenaServiceStub(channel).Play(iter([pb.PlayRequest(messages=[pb.BotMessage(hello=hello)])]))
    next(call)
    call.cancel()
time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "start", "reason"),
    [
        ("import time; time.sleep(600)", "3s", "did not dial within 3 s"),
        (BREAKS_AND_LIVES_ON, "10s", "ended its stream before it answered"),
    ],
)
def test_bot_that_lives_on_without_a_stream_is_not_waited_for(
    program: str, start: str, reason: str, tmp_path: Path
) -> None:
    """A bot that never dials, or breaks its stream and does not dial again, is given up when its time is over."""
    (tmp_path / "bot.py").write_text(program)
    text = 'name = "b"\nversion = "1"\nlanguage = "python"\nrun = ["python", "bot.py"]\nvariants = ["*"]\n'
    (tmp_path / "bot.toml").write_text(text)
    control = TimeControl.parse(f"start={start},inc=100ms,bank=1s")
    position = asked_position(random_match(parse_variant("russian-14"), 1), deal=3, number=1, control=control)
    with pytest.raises(AnswerError, match=reason):
        ask(read_manifest(tmp_path), position, control)


def test_a_stream_that_grpc_cancels_has_ended() -> None:
    """GRPC may cancel who serves a stream that breaks, instead of telling of its end: the reason is the same."""
    position = asked_position(random_match(parse_variant("russian-14"), 1), deal=3, number=1, control=CONTROL)

    class Broken:
        """A stream on which nothing comes."""

        async def read(self) -> bytes:
            await asyncio.Event().wait()
            return b""

    async def scenario() -> None:
        desk = _Desk(position, CONTROL)
        serving = asyncio.create_task(desk._play(None, Broken()))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        with pytest.raises(AnswerError, match="ended its stream before it answered"):
            await desk.answer

    asyncio.run(scenario())


@pytest.mark.slow
def test_crash_is_shown_with_its_trace(arena: Arena) -> None:
    """Of a bot that fails the command prints, after the reason, the end of what it wrote; the status is 1."""
    arena.king("random", "russian-14", "--seed", "1", "--out", "match.json")
    done = arena.run("ask", str(BROKEN / "crashing"), "match.json", "--deal", "3", "--action", "1")
    assert done.returncode == 1
    first, *lines = done.stderr.splitlines()
    assert "ended with exit status 1 before it answered: ZeroDivisionError" in first
    assert 1 < len(lines) <= 5
    assert all(line.startswith("    | ") for line in lines)
    assert "    | ZeroDivisionError" in lines[-1]


def test_action_is_the_next_one_of_the_replay_before_it() -> None:
    """What is asked before action N is the position that a replay shows after N - 1 actions: play=N-1."""
    record = random_match(parse_variant("russian-14"), 1)
    replayed = replay(record).deals[0].positions
    for number in (1, 6):
        position = asked_position(record, deal=1, number=number, control=CONTROL)
        assert position.hand == replayed[number - 1].hands[position.seat]
        assert position.then == Action.from_json(record["deals"][0]["actions"][number - 1])


def test_wrong_places_are_named() -> None:
    """A deal or action that is not there, or where nobody was asked, says what would be right."""
    record = random_match(parse_variant("russian-14"), 1)
    with pytest.raises(UsageError, match="from 1 to 14"):
        asked_position(record, deal=15, number=1, control=CONTROL)
    with pytest.raises(UsageError, match="from 1 to"):
        asked_position(record, deal=1, number=0, control=CONTROL)
    with pytest.raises(UsageError, match="nobody was asked"):
        asked_position(record, deal=1, number=len(record["deals"][0]["actions"]), control=CONTROL)


def test_position_is_the_seat_s_own() -> None:
    """Of the deal in progress the bot is told its own hand and nobody else's."""
    record = random_match(parse_variant("russian-14"), 1)
    position = asked_position(record, deal=1, number=1, control=CONTROL)
    told = b"".join(position.told[:-1])
    hands = record["deals"][0]["hands"]
    assert all(card.encode() in told for card in hands[position.seat])
    hidden = [card for seat, hand in enumerate(hands) if seat != position.seat for card in hand]
    assert not [card for card in hidden if b"\x02" + card.encode() in told]
