"""The SDK's dialogue with a referee: frames, broken streams, refusals and exit statuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from king.v1 import arena_pb2 as pb

from benchmarks.in_process import SAMPLES
from tests.conformance.referee_script import ScriptedReferee, Talk, run_bot, serving

LOWEST = SAMPLES / "lowest" / "bot.py"
CRASHING = Path(__file__).parent / "broken_bots" / "crashing" / "bot.py"


def frame(*messages: pb.RefereeMessage, more: bool = False) -> pb.PlayResponse:
    return pb.PlayResponse(messages=messages, more=more)


def welcome() -> pb.PlayResponse:
    return frame(pb.RefereeMessage(welcome=pb.Welcome(protocol_version=1)))


def table_start(table: int, deal: int = 1) -> list[pb.RefereeMessage]:
    """A match of which `deal` has begun, with two cards in hand."""
    return [
        pb.RefereeMessage(table=table, table_start=pb.TableStart(variant="russian-14", seat_count=4, seat=1)),
        pb.RefereeMessage(table=table, deal_start=pb.DealStart(number=deal, has_dealer=True, dealer=0)),
        pb.RefereeMessage(table=table, cards_dealt=pb.CardsDealt(cards=["9S", "7S"])),
        pb.RefereeMessage(table=table, contract_set=pb.ContractSet(contract="no_tricks")),
    ]


def request(table: int, number: int) -> pb.RefereeMessage:
    """A request to play 9S or 7S, in this order: lowest answers 1."""
    legal = [pb.Action(kind=pb.ACTION_KIND_PLAY, card=card) for card in ("9S", "7S")]
    return pb.RefereeMessage(
        table=table, request=pb.Request(request_id=number, legal_actions=legal, time_left_ms=10_000)
    )


def answers(talk: Talk, count: int) -> list[tuple[int, int]]:
    """The next `count` choices, in however many frames."""
    heard: list[tuple[int, int]] = []
    while len(heard) < count:
        heard += [(message.choice.request_id, message.choice.index) for message in talk.hear()]
    return heard


class Heard:
    """What scripts note for their test."""

    def __init__(self) -> None:
        self.hellos: list[pb.Hello] = []
        self.answers: list[list[tuple[int, int]]] = []

    def meet(self, talk: Talk) -> Iterator[pb.PlayResponse]:
        """Hello, welcome, ready."""
        (hello,) = talk.hear()
        self.hellos.append(hello.hello)
        yield welcome()
        (ready,) = talk.hear()
        assert ready.HasField("ready")


def test_bot_answers_all_tables_and_exits_well(tmp_path: Path) -> None:
    """A frame in parts with requests of several tables is answered as one; a close with OK ends the bot with 0."""
    heard = Heard()

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield frame(*table_start(5), more=True)
        yield frame(*table_start(9), request(5, 71), more=True)
        yield frame(request(9, 72))
        heard.answers.append(answers(talk, 2))

    with serving(ScriptedReferee(script), tmp_path) as address:
        done = run_bot(LOWEST, address)
    assert (done.returncode, done.stderr) == (0, "")
    assert heard.answers == [[(71, 1), (72, 1)]]
    (hello,) = heard.hellos
    assert (hello.protocol_version, hello.token, hello.name, hello.table_limit) == (1, "token", "lowest", 64)


def test_bot_comes_back_after_a_broken_stream(tmp_path: Path) -> None:
    """When the stream breaks, the same process dials again, takes its tables anew and answers under the old ids."""
    heard = Heard()

    def breaks(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield frame(*table_start(5), request(5, 71))
        heard.answers.append(answers(talk, 1))
        talk.context.abort(grpc.StatusCode.UNAVAILABLE, "going away")

    def resumes(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield frame(*table_start(5), request(5, 71))
        heard.answers.append(answers(talk, 1))

    with serving(ScriptedReferee(breaks, resumes), tmp_path) as address:
        done = run_bot(LOWEST, address)
    assert done.returncode == 0
    assert "stream broken (UNAVAILABLE: going away)" in done.stderr
    assert heard.answers == [[(71, 1)], [(71, 1)]]
    assert [hello.token for hello in heard.hellos] == ["token", "token"]


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.ABORTED,
    ],
)
def test_refusal_is_told_and_final(tmp_path: Path, code: grpc.StatusCode) -> None:
    """A status after which there is no use in dialling again ends the bot with 1 and one line that gives the reason."""

    def refuses(talk: Talk) -> Iterator[pb.PlayResponse]:
        talk.hear()
        talk.context.abort(code, "speak version 1")
        yield welcome()

    with serving(ScriptedReferee(refuses), tmp_path) as address:
        done = run_bot(LOWEST, address)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("king_bot: ")
    assert line.endswith(": speak version 1")


def test_exception_of_the_bot_ends_it_with_its_traceback(tmp_path: Path) -> None:
    """What `choose` raises goes to standard error as a traceback, and the status is 1."""

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from Heard().meet(talk)
        yield frame(*table_start(5, deal=3), request(5, 71))
        answers(talk, 1)

    with serving(ScriptedReferee(script), tmp_path) as address:
        done = run_bot(CRASHING, address)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "in choose" in done.stderr


def test_missing_address_is_told(tmp_path: Path) -> None:
    """Without a referee's address the bot says what is missing."""
    done = run_bot(LOWEST, "")
    assert done.returncode == 1
    assert done.stderr.startswith("king_bot: KING_REFEREE is not set")
