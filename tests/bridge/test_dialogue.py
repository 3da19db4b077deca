"""The command sees one conversation over all streams, and the referee a whole one on each."""

from __future__ import annotations

import pytest
from king.v1 import arena_pb2 as pb

from king_cli.bridge.dialogue import Dialogue
from king_cli.bridge.reading import LineError
from tests.protocol.clients import choice

READY = pb.BotMessage(ready=pb.Ready())
WELCOME = pb.RefereeMessage(welcome=pb.Welcome(protocol_version=1))


def hello(**fields: object) -> pb.BotMessage:
    return pb.BotMessage(hello=pb.Hello(**fields))  # type: ignore[arg-type]


def frame(*messages: pb.BotMessage, more: bool = False) -> pb.PlayRequest:
    return pb.PlayRequest(messages=messages, more=more)


def told(*messages: pb.RefereeMessage) -> pb.PlayResponse:
    return pb.PlayResponse(messages=messages)


def request(number: int) -> pb.RefereeMessage:
    return pb.RefereeMessage(table=1, request=pb.Request(request_id=number))


class Talk:
    """A dialogue whose streams are opened and broken by hand."""

    def __init__(self) -> None:
        self.dialogue = Dialogue("secret")

    def stream(self) -> None:
        self.frames = self.dialogue.open_stream()

    def cut(self) -> list[pb.PlayRequest]:
        """Break the stream; return the frames that went over it."""
        self.dialogue.break_stream()
        return list(self.frames)

    def started(self) -> Talk:
        """Hello, welcome and ready on a first stream."""
        self.dialogue.hear(frame(hello(name="x"), READY))
        self.stream()
        self.dialogue.take_in(told(WELCOME))
        return self


def test_hello_is_filled_in() -> None:
    """A hello that leaves out token and protocol version gets them; what it does say stays."""
    talk = Talk()
    talk.dialogue.hear(frame(hello(name="x", table_limit=3)))
    talk.stream()
    assert talk.cut() == [frame(hello(protocol_version=1, token="secret", name="x", table_limit=3))]
    talk = Talk()
    talk.dialogue.hear(frame(hello(protocol_version=2, token="own")))
    talk.stream()
    assert talk.cut() == [frame(hello(protocol_version=2, token="own"))]


@pytest.mark.parametrize("first", [frame(), frame(READY), frame(choice(1, 0)), frame(READY, hello())])
def test_first_message_is_hello(first: pb.PlayRequest) -> None:
    """A command that does not introduce itself first is told so."""
    with pytest.raises(LineError, match="the first message must be hello"):
        Talk().dialogue.hear(first)


def test_frames_go_over_as_they_are() -> None:
    """On the first stream the referee gets each frame of the command, in order, right or wrong."""
    talk = Talk().started()
    said = [frame(choice(5, 0), choice(5, 1)), frame(more=True), frame(READY), frame(hello())]
    for each in said:
        talk.dialogue.hear(each)
    assert talk.cut()[1:] == said


def test_new_stream_is_introduced_again_and_welcome_comes_once() -> None:
    """On a new stream the bridge says hello and ready itself, and the command is told nothing but what matters."""
    talk = Talk().started()
    talk.cut()
    talk.stream()
    assert talk.dialogue.take_in(told(WELCOME)) is None
    assert talk.dialogue.take_in(told(WELCOME, request(5))) == told(request(5))
    assert talk.cut() == [frame(hello(protocol_version=1, token="secret", name="x"), READY)]


def test_ready_is_not_said_for_a_command_that_is_not() -> None:
    """A stream that broke before the command was ready is followed by one without a ready, until it says so."""
    talk = Talk()
    talk.dialogue.hear(frame(hello()))
    talk.stream()
    talk.cut()
    talk.stream()
    talk.dialogue.hear(frame(READY))
    assert talk.cut() == [frame(hello(protocol_version=1, token="secret")), frame(READY)]


def test_answer_said_between_streams_is_dropped() -> None:
    """What is open is asked anew, so an answer that found no stream must not come beside the new one."""
    talk = Talk().started()
    talk.dialogue.take_in(told(request(5)))
    talk.cut()
    talk.dialogue.hear(frame(choice(5, 0)))
    talk.stream()
    talk.dialogue.take_in(told(WELCOME, request(5)))
    talk.dialogue.hear(frame(choice(5, 1)))
    assert talk.cut()[1:] == [frame(choice(5, 1))]


def test_answer_said_late_counts_for_the_new_stream_once() -> None:
    """If the first of two answers to a request asked twice comes late, it is passed on and the second is not."""
    talk = Talk().started()
    talk.dialogue.take_in(told(request(5), request(6)))
    talk.cut()
    talk.stream()
    talk.dialogue.take_in(told(WELCOME, request(5), request(6)))
    for said in (frame(choice(5, 0)), frame(choice(6, 0), choice(5, 0)), frame(choice(6, 0))):
        talk.dialogue.hear(said)
    assert talk.cut()[1:] == [frame(choice(5, 0)), frame(choice(6, 0))]


def test_answering_twice_is_still_the_bot_s_fault() -> None:
    """More answers than questions go on to the referee, on a later stream too."""
    talk = Talk().started()
    talk.dialogue.take_in(told(request(5)))
    talk.cut()
    talk.stream()
    talk.dialogue.take_in(told(WELCOME, request(5)))
    for _ in range(3):
        talk.dialogue.hear(frame(choice(5, 0)))
    assert talk.cut()[1:] == [frame(choice(5, 0)), frame(choice(5, 0))]


def test_nonsense_is_told_to_whichever_stream_there_is() -> None:
    """What the command said wrong reaches the referee under the bot's token: before hello, and after a break."""
    wrong = frame(pb.BotMessage())
    talk = Talk()
    talk.dialogue.fail(wrong)
    talk.stream()
    assert talk.cut() == [frame(hello(protocol_version=1, token="secret")), wrong]
    talk.stream()
    assert talk.cut() == [frame(hello(protocol_version=1, token="secret")), wrong]
