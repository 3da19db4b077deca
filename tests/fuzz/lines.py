"""The bot's side: lines of a command at the bridge, frames of a hostile referee at the bridge and at the SDK.

Owns what must hold: a line is a frame, the one that protobuf itself reads, or is told in a short line; a frame of the
referee is written as protobuf writes it; the SDK takes a frame in, or raises the ValueError that its author documents.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from king.v1 import arena_pb2 as pb
from king_bot.wire import Tables

from king_cli.bridge.dialogue import Dialogue
from king_cli.bridge.reading import LineError, read_line
from king_cli.bridge.writing import frame_line
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.messages import change_message
from tests.fuzz.mutation import change_bytes, change_json, change_json_text, json_bytes
from tests.protocol.fakes import HandDriven
from tests.protocol.plans import sitting_plan

VARIANTS = (("russian-14", 4), ("chooser-12[seats=3]", 3), ("classic[redemption=talon]", 4), ("auction-11", 4))
_LINE = b"L"
_FRAMES = b"F"
_BREAK = b"\n--\n"


class Lines:
    """The surface: the first byte of an input says whether it is a line, or frames of the referee."""

    def seeds(self) -> Sequence[bytes]:
        """Frames of bots as lines, of each kind; and what seats were sent in matches."""
        lines = [
            {"messages": [{"hello": {"name": "owl", "version": "1", "table_limit": 4}}]},
            {"messages": [{"ready": {}}], "more": True},
            {"messages": [{"choice": {"request_id": "7", "index": 3}}, {"choice": {"requestId": 9}}]},
            {"messages": [{"hello": {"protocol_version": 1, "token": "x"}}, {"ready": {}}], "more": False},
            {},
        ]
        odd = [b"", b"\n", b"[" * 100_000, b'{"more":NaN}', b'{"messages":null}', b'{"messages":[{}]}', b"9" * 5000]
        odd += [b'{"messages":[{"hello":{"name":"\\ud800"}}]}', b'{"a":1,"a":1}', "{}".encode("utf-16"), b"\xff"]
        frames = [_FRAMES + _BREAK.join(frame.hex().encode() for frame in seat) for seat in _sent()]
        return [*(_LINE + json_bytes(line) for line in lines), *(_LINE + line for line in odd), *frames]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another line, or another frame among those that a seat is sent."""
        if source[:1] == _LINE:
            return _LINE + _change_line(source[1:], chance)
        frames = [bytes.fromhex(part.decode()) for part in source[1:].split(_BREAK)]
        for _ in range(chance.choice((1, 1, 2, 5))):
            _change_frames(frames, chance)
        return _FRAMES + _BREAK.join(frame.hex().encode() for frame in frames[:80])

    def attempt(self, given: bytes) -> str:
        """Have it read."""
        if given[:1] == _LINE:
            return _read(given[1:])
        return _take_in([bytes.fromhex(part.decode()) for part in given[1:].split(_BREAK)])


def _change_line(line: bytes, chance: Random) -> bytes:
    if chance.random() < 0.3:
        return change_json_text(line, chance)
    try:
        return json_bytes(change_json(json.loads(line), chance))
    except (ValueError, RecursionError):
        return change_bytes(line, chance)


def _change_frames(frames: list[bytes], chance: Random) -> None:
    at = chance.randrange(len(frames))
    kind = chance.randrange(8)
    if kind == 0:
        del frames[at : at + chance.choice((1, 2, 5))]
    elif kind == 1:
        frames.insert(at, chance.choice(frames))
    elif kind == 2:
        frames[at] = change_bytes(frames[at], chance)
    else:
        response = pb.PlayResponse()
        with contextlib.suppress(DecodeError):
            response.ParseFromString(frames[at])
        change_message(response, chance)
        frames[at] = response.SerializeToString()
    if not frames:
        frames.append(b"")


def _read(line: bytes) -> str:
    try:
        frame = read_line(line)
    except LineError as error:
        told = str(error)
        told.encode()
        if "\n" in told or len(told) > 1000:
            raise WrongAnswerError(f"a bad line is told as {told[:200]!r}") from error
        return told
    if frame != json_format.Parse(line, pb.PlayRequest()):
        raise WrongAnswerError("protobuf reads another frame")
    dialogue = Dialogue("token")
    with contextlib.suppress(LineError):
        dialogue.hear(frame)
        dialogue.hear(frame)
    return "read"


def _take_in(frames: Sequence[bytes]) -> str:
    tables = Tables(started=lambda table: None, deal_ended=lambda table: None, ended=lambda table: None)
    dialogue = Dialogue("token")
    said = "taken in"
    for data in frames:
        try:
            frame = pb.PlayResponse.FromString(data)
        except DecodeError:
            return f"{said}, then no frame"
        _check_written(frame)
        dialogue.take_in(pb.PlayResponse.FromString(data))
        if said == "taken in":
            try:
                tables.take_in(frame.messages)
            except ValueError as error:
                said = f"refused: {error}"
    return said


def _check_written(frame: pb.PlayResponse) -> None:
    line = frame_line(frame)
    if line.count(b"\n") != 1 or not line.isascii():
        raise WrongAnswerError("a frame is written on several lines, or not as ASCII")
    told = json_format.MessageToDict(frame, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    if json.loads(line) != told:
        raise WrongAnswerError("a frame is not written as protobuf writes it")


@cache
def _sent() -> tuple[tuple[bytes, ...], ...]:
    """What a bot is sent in the first deals of matches, frame by frame."""
    return tuple(_sent_in(variant, seats) for variant, seats in VARIANTS)


def _sent_in(variant: str, seats: int) -> tuple[bytes, ...]:
    sitting = HandDriven(sitting_plan(variant=variant, seats=seats))
    sitting.start_all()
    kept: list[bytes] = []
    for _ in range(60):
        kept += [pb.PlayResponse(messages=frame).SerializeToString() for frame in sitting.streams[1].frames]
        if not sitting.answer_all():
            break
    return tuple(kept)


@contextmanager
def open_lines(_folder: Path) -> Iterator[Lines]:
    """The surface needs nothing."""
    yield Lines()
