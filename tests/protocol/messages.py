"""Each message of the protocol as it looks on both ways, gRPC and JSON lines, for the guide.

Owns the tables' form. The messages come from matches that were played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import Message
from king.v1 import arena_pb2 as pb

from king_cli.bridge.reading import read_line
from king_cli.bridge.writing import frame_line

BEGIN = "<!-- made by python -m tests.protocol.transcripts: begin -->"
END = "<!-- made by python -m tests.protocol.transcripts: end -->"


FIELD = re.compile(r"^\s*(\w+)", re.MULTILINE)
FLAT_ARRAY = re.compile(r"\[[^\[\]{}]*\]")


def message_tables(heard: Iterable[pb.PlayResponse], said: Iterable[str]) -> str:
    """For each kind of message the one that says most, in protobuf's text format and as JSON.

    `heard` are frames of the referee, `said` lines of the bot.
    """
    from_bot = _by_kind((message, shown) for line in said for message, shown in _of_bot(line))
    from_referee = _by_kind((message, shown) for frame in heard for message, shown in _of_referee(frame))
    rows = [
        *_section("From the bot", pb.BotMessage.DESCRIPTOR, from_bot),
        *_section("From the referee", pb.RefereeMessage.DESCRIPTOR, from_referee),
    ]
    return "\n".join(rows)


def _of_bot(line: str) -> Iterator[tuple[Message, Any]]:
    """The messages of a line, as they go over gRPC and as the bot writes them."""
    for message, shown in zip(read_line(line.encode()).messages, json.loads(line)["messages"], strict=True):
        if message.HasField("hello"):
            message.hello.protocol_version, message.hello.token = 1, "what KING_TOKEN holds"
        yield message, shown


def _of_referee(frame: pb.PlayResponse) -> Iterator[tuple[Message, Any]]:
    yield from zip(frame.messages, json.loads(frame_line(frame))["messages"], strict=True)


def _by_kind(messages: Iterable[tuple[Message, Any]]) -> dict[str, tuple[Message, Any]]:
    """The message of each kind with most fields away from their defaults; of equals the shortest, then the first."""
    found: dict[str, tuple[Message, Any]] = {}
    most: dict[str, tuple[int, int]] = {}
    for message, shown in messages:
        kind = message.WhichOneof("message")
        told = len(set(FIELD.findall(str(message)))), -message.ByteSize()
        if kind not in found or told > most[kind]:
            found[kind], most[kind] = (message, shown), told
    return found


def _section(title: str, descriptor: Any, found: dict[str, tuple[Message, Any]]) -> Iterator[str]:
    """A table of two columns; in HTML, for a cell of a Markdown table has no lines."""
    yield f"<table>\n<tr><th>{title}, over gRPC</th><th>in a JSON line</th></tr>"
    for field in descriptor.oneofs_by_name["message"].fields:
        message, shown = found[field.name]
        yield f"<tr><td colspan=2><code>{field.message_type.name}</code></td></tr>"
        text = text_format.MessageToString(message).rstrip("\n")
        spread = FLAT_ARRAY.sub(
            lambda array: re.sub(r"\s+", " ", array[0]).replace("[ ", "[").replace(" ]", "]"),
            json.dumps(shown, indent=2),
        )
        yield f"<tr><td><pre>{_cell(text)}</pre></td><td><pre>{_cell(spread)}</pre></td></tr>"
    yield "</table>\n"


def _cell(text: str) -> str:
    return escape(text, quote=False)
