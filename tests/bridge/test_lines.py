"""Frames as lines and lines as frames agree with protobuf's own JSON, and a line that is no frame is explained."""

from __future__ import annotations

import json

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st
from king.v1 import arena_pb2 as pb

from king_cli.bridge.reading import LineError, read_line
from king_cli.bridge.writing import frame_line

INT32 = st.integers(-(2**31), 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
ACTIONS = st.builds(
    pb.Action,
    kind=st.sampled_from([*pb.ActionKind.values(), 77]),
    card=st.sampled_from(["", "TS", "KH"]),
    contract=st.text(),
    trump=st.sampled_from(pb.Suit.values()),
    trick_count=INT32,
    to_seat=INT32,
)
STARTS = st.builds(
    pb.TableStart,
    variant=st.text(),
    options=st.dictionaries(st.text(), st.text(), max_size=3),
    seat=INT32,
    time_control=st.none() | st.builds(pb.TimeControl, bank_ms=INT64),
)
ENDS = st.builds(
    pb.TableEnd, totals=st.lists(INT32), forfeits=st.lists(st.builds(pb.Forfeit, kind=st.text(), deal=INT32))
)
MESSAGES = st.one_of(
    st.builds(pb.RefereeMessage, table=INT32),
    st.builds(pb.RefereeMessage, table=INT32, welcome=st.builds(pb.Welcome, start_allowance_ms=INT64)),
    st.builds(pb.RefereeMessage, table_start=STARTS),
    st.builds(pb.RefereeMessage, cards_dealt=st.builds(pb.CardsDealt, cards=st.lists(st.text()))),
    st.builds(pb.RefereeMessage, action_taken=st.builds(pb.ActionTaken, seat=INT32, action=ACTIONS)),
    st.builds(pb.RefereeMessage, contract_set=st.builds(pb.ContractSet, misere=st.booleans())),
    st.builds(
        pb.RefereeMessage, request=st.builds(pb.Request, request_id=INT64, legal_actions=st.lists(ACTIONS, max_size=4))
    ),
    st.builds(pb.RefereeMessage, table=INT32, table_end=ENDS),
)
SAID = st.one_of(
    st.builds(pb.BotMessage, hello=st.builds(pb.Hello, protocol_version=INT32, token=st.text(), name=st.text())),
    st.just(pb.BotMessage(ready=pb.Ready())),
    st.builds(pb.BotMessage, choice=st.builds(pb.Choice, request_id=INT64, index=INT32)),
)


@pytest.mark.slow
@given(messages=st.lists(MESSAGES, max_size=4), more=st.booleans())
def test_referee_frames_are_written_as_protobuf_does(messages: list[pb.RefereeMessage], more: bool) -> None:
    """A line is what protobuf's own writer makes of a frame, defaults written out, on one line of ASCII."""
    frame = pb.PlayResponse(messages=messages, more=more)
    line = frame_line(frame)
    assert json.loads(line) == json_format.MessageToDict(
        frame, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1


@pytest.mark.slow
@given(messages=st.lists(SAID, max_size=4), more=st.booleans(), proto_names=st.booleans())
def test_bot_frames_are_read_as_protobuf_does(messages: list[pb.BotMessage], more: bool, proto_names: bool) -> None:
    """What protobuf's own writer makes of a bot's frame is read as that frame, by either name of a field."""
    frame = pb.PlayRequest(messages=messages, more=more)
    text = json_format.MessageToJson(frame, preserving_proto_field_name=proto_names, indent=None)
    assert read_line(text.encode()) == frame


def test_key_given_twice_among_many_is_found_at_once() -> None:
    """A line as long as may be, whose last key comes twice, is told in the time that reading it takes."""
    keys = ",".join(f'"{number}":0' for number in range(60_000))
    with pytest.raises(LineError, match="59999 is given twice"):
        read_line(f'{{{keys},"59999":0}}'.encode())


@pytest.mark.slow
@given(
    line=st.binary(max_size=40)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["messages", "choice", "hello", "index", "request_id", "more", "x"]), inner, max_size=3
            )
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_line_is_a_frame_or_explained(line: bytes) -> None:
    """Whatever a command writes is a frame, or told in one line; what is read as a frame protobuf reads alike."""
    try:
        frame = read_line(line)
    except LineError as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert frame == json_format.Parse(line, pb.PlayRequest())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"hello world\n", "no JSON (Expecting value: line 1 column 1 (char 0)): 'hello world'; a frame is one line"),
        (b'{"messages":[', "no JSON"),
        (b'{"\\ud800":0}', "\\ud800 is unknown"),
        (b'{"\\u001b[2J":0,"\\u001b[2J":0}', "\\x1b[2J is given twice"),
        (b'{"more":NaN}', "NaN is no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\x00\xff\n", "no UTF-8 at byte 2"),
        (b"[]", "the line is []; it must be an object"),
        (b'{"choice":{}}', "choice is unknown; a frame has the fields: messages, more"),
        (b'{"messages":{}}', "messages is {}; it must be an array"),
        (b'{"messages":[null]}', "messages[0] is null; it must be an object"),
        (b'{"messages":[{"ready":{}},{}]}', "messages[1] is empty; it has one of hello, ready, choice"),
        (b'{"messages":[{"choice":{},"ready":{}}]}', "messages[0] has ready and choice"),
        (b'{"messages":[{"choise":{}}]}', "messages[0].choise is unknown; messages[0] has the fields: hello, ready"),
        (b'{"messages":[{"ready":{"x":1}}]}', "messages[0].ready.x is unknown; messages[0].ready has the fields: none"),
        (
            b'{"messages":[{"choice":{"index":"x"}}]}',
            'messages[0].choice.index is "x"; it must be a whole number',
        ),
        (b'{"messages":[{"choice":{"index":true}}]}', "messages[0].choice.index is true; it must be a whole number"),
        (b'{"messages":[{"choice":{"index":1.5}}]}', "messages[0].choice.index is 1.5; it must be a whole number"),
        (
            b'{"messages":[{"choice":{"index":2147483648}}]}',
            "2147483648; it must be a whole number of 32 bits",
        ),
        (b'{"messages":[{"choice":{"requestId":1,"request_id":2}}]}', "request_id is given twice"),
        (b'{"messages":[{"choice":{"index":7,"index":0}}]}', "index is given twice in one object"),
        (b'{"messages":[],"messages":[]}', "messages is given twice"),
        (b'{"messages":[{"hello":{"name":5}}]}', "messages[0].hello.name is 5; it must be a text"),
        (b'{"messages":[{"hello":{"name":"\\ud800"}}]}', "messages[0].hello.name"),
        (b'{"more":1}', "more is 1; it must be true or false"),
    ],
)
def test_bad_line_is_explained(line: bytes, words: str) -> None:
    """The reason names the place in the line, what stands there and what would be right."""
    with pytest.raises(LineError) as raised:
        read_line(line)
    assert words in str(raised.value)


@pytest.mark.parametrize("number", [b"7", b'"7"', b"7.0"])
def test_request_ids_are_read_as_numbers_and_as_texts(number: bytes) -> None:
    """64-bit numbers may be written either way, as proto3 JSON has it."""
    (message,) = read_line(b'{"messages":[{"choice":{"request_id":%b}}]}' % number).messages
    assert message == pb.BotMessage(choice=pb.Choice(request_id=7, index=0))
