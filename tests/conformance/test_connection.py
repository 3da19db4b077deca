"""What the Python SDK does beyond what every kit must do (`kits.py`)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import king_bot
import king_bot.referees
import pytest
from king.v1 import arena_pb2 as pb
from king_bot.dialling import Place

from benchmarks.in_process import SAMPLES
from tests.conformance.kits import Heard, request, table_start
from tests.conformance.referee_script import Script, ScriptedReferee, Talk, run_bot, serving

LOWEST = SAMPLES / "lowest" / "bot.py"
CRASHING = Path(__file__).parent / "broken_bots" / "crashing" / "bot.py"


class First(king_bot.Bot):
    """Takes the first action."""

    def choose(self, table: king_bot.Table, actions: Sequence[king_bot.Action]) -> int:
        """The first."""
        del table, actions
        return 0


def asking(heard: Heard) -> Script:
    """A stream that asks once."""

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield pb.PlayResponse(messages=[*table_start(5, deal=3), request(5, 71)])
        heard.answers(talk, 1)

    return script


@pytest.mark.slow
def test_name_is_that_of_the_manifest(tmp_path: Path) -> None:
    """A bot says the name and the version that its bot.toml has."""
    heard = Heard()
    with serving(ScriptedReferee(asking(heard)), tmp_path) as address:
        done = run_bot(LOWEST, address)
    assert done.returncode == 0
    assert [(hello.name, hello.version) for hello in heard.hellos] == [("lowest", "1")]


@pytest.mark.slow
def test_exception_of_the_bot_ends_it_with_its_traceback(tmp_path: Path) -> None:
    """What `choose` raises goes to standard error as a traceback, and the status is 1."""
    with serving(ScriptedReferee(asking(Heard())), tmp_path) as address:
        done = run_bot(CRASHING, address)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "in choose" in done.stderr


@pytest.mark.slow
def test_a_stream_to_a_referee_that_has_left_its_name_is_dialled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that drains is not among the addresses any more, and its tables go on: if the stream breaks, the bot comes
    back.
    """
    monkeypatch.setattr(king_bot.referees, "LOOK_AGAIN_S", 0.1)
    left, over = threading.Event(), threading.Event()

    def breaks(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from Heard().meet(talk)
        places.remove(Place(draining))
        assert left.wait(30)
        talk.context.abort(grpc.StatusCode.UNAVAILABLE, "cut")

    def comes_back(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from Heard().meet(talk)
        over.set()
        talk.context.abort(grpc.StatusCode.UNAUTHENTICATED, "the test is over")

    def stays(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from Heard().meet(talk)
        over.wait(15)
        talk.context.abort(grpc.StatusCode.UNAUTHENTICATED, "the test is over")

    def places_of(name: str) -> tuple[Place, ...]:
        if len(places) == 1:
            seen.append(name)
        if len(seen) > 1:  # what was told the first time is known by now
            left.set()
        return tuple(places)

    seen: list[str] = []
    monkeypatch.setattr(king_bot.referees, "places_of", places_of)
    folders = [tmp_path / name for name in ("draining", "other")]
    for folder in folders:
        folder.mkdir()
    with (
        serving(ScriptedReferee(breaks, comes_back), folders[0]) as draining,
        serving(ScriptedReferee(stays), folders[1]) as other,
    ):
        places = [Place(draining), Place(other)]
        assert king_bot.referees.play_at_all(First(), ["name:7700"], "king-remote-token") == 1
    assert over.is_set()
