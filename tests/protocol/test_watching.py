"""Whoever runs a referee may look on at its streams, and let a deputy decide at its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from king.v1 import arena_pb2 as pb

from referee.plans import TablePlan
from referee.rules import Action, By, Match
from referee.table import Deputy
from tests.protocol.arena import decided_by, referee, run
from tests.protocol.clients import TaskWorker, dial, simple_bot
from tests.protocol.plans import sitting_plan


@dataclass
class Seen:
    """Keeps what passes, by stream."""

    heard_frames: list[tuple[int, bytes]] = field(default_factory=list)
    sent_frames: list[tuple[int, bytes]] = field(default_factory=list)
    ends: dict[int, tuple[str, str]] = field(default_factory=dict)

    def heard(self, stream: int, frame: bytes) -> None:
        """As in `StreamWatch`."""
        self.heard_frames.append((stream, frame))

    def sent(self, stream: int, frame: bytes) -> None:
        """As in `StreamWatch`."""
        self.sent_frames.append((stream, frame))

    def closed(self, stream: int, status: str, detail: str) -> None:
        """As in `StreamWatch`."""
        self.ends[stream] = status, detail


def test_watch_sees_frames_in_both_directions() -> None:
    """Each of four bots has a stream of its own, from its Hello to the end with OK, and its frames are seen as sent."""
    seen = Seen()

    async def scenario() -> None:
        async with referee(watch=seen) as server:
            await TaskWorker(server.address, {}).play(sitting_plan(), control_key="key")

    run(scenario())
    assert seen.ends == dict.fromkeys(range(1, 5), ("OK", ""))
    first_heard = dict(reversed(seen.heard_frames))
    assert all(pb.PlayRequest.FromString(frame).messages[0].HasField("hello") for frame in first_heard.values())
    first_sent = dict(reversed(seen.sent_frames))
    assert all(pb.PlayResponse.FromString(frame).messages[0].HasField("welcome") for frame in first_sent.values())
    asked = [message for _, frame in seen.sent_frames for message in pb.PlayResponse.FromString(frame).messages]
    answered = [message for _, frame in seen.heard_frames for message in pb.PlayRequest.FromString(frame).messages]
    requests = sum(message.HasField("request") for message in asked)
    assert requests == sum(message.HasField("choice") for message in answered) > 0


def test_watch_sees_refusals_and_broken_streams() -> None:
    """A refused stream ends with the status and the words that the bot gets, a broken one with CANCELLED."""
    seen = Seen()

    async def scenario() -> None:
        async with referee(watch=seen) as server:
            async with dial(server.address, "no token") as stranger:
                await stranger.hello()
                code, words = await stranger.status()
            assert seen.ends.pop(1) == (code.name, words)
            async with dial(server.address, "") as silent:
                await silent.say()
                code, words = await silent.status()
            assert seen.ends.pop(2) == (code.name, words)

    run(scenario())
    assert seen.ends == {}


def test_deputy_decides_in_place_of_bots() -> None:
    """Where a deputy decides nobody is asked, and it says how the action came about; the bots decide the rest."""
    asked: Counter[int] = Counter()

    def deputize(table: TablePlan) -> Deputy:
        def decide(match: Match, legal: Sequence[Action]) -> tuple[Action, By] | None:
            assert len(legal) > 1
            if match.seat_to_act != 2:
                return legal[-1], By.STAND_IN
            asked[match.seat_to_act] += 1
            return None

        return decide

    async def scenario() -> None:
        seen = Seen()
        async with referee(watch=seen, deputize=deputize) as server:
            outcome = await TaskWorker(server.address, {2: simple_bot}).play(sitting_plan(), control_key="key")
        (record,) = outcome.records.values()
        assert outcome.faults == []
        assert decided_by(record, 2) == {"bot", "forced"}
        assert {by for seat in (0, 1, 3) for by in decided_by(record, seat)} == {"stand_in", "forced"}
        frames = [pb.PlayResponse.FromString(frame) for _, frame in seen.sent_frames]
        requests = sum(message.HasField("request") for frame in frames for message in frame.messages)
        assert requests == asked[2] > 0

    run(scenario())
