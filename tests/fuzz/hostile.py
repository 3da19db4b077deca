"""What a hostile bot does, as a script of JSON: readable, so a find can be kept as it is.

A script is a list of steps, each a list: its kind, then what it needs. Owns the kinds, their making and their frames.
Knows neither the referee nor how a stream is opened.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from google.protobuf.message import DecodeError
from king.v1 import arena_pb2 as pb

from tests.fuzz.messages import change_message
from tests.fuzz.mutation import NUMBERS, change_bytes, change_json, json_bytes, random_bytes

Step = list[Any]
Script = list[Step]
LONGEST = 60
"""A script is cut after so many steps."""


def read_script(given: bytes) -> Script:
    """The steps of a script; what is no step is left out."""
    try:
        script = json.loads(given)
    except (ValueError, RecursionError):
        return []
    if not isinstance(script, list):
        return []
    return [step for step in script if isinstance(step, list) and step and isinstance(step[0], str)][:LONGEST]


def number_in(step: Step, at: int, least: int, most: int) -> int:
    """A number of a step within bounds, 0 or the nearest if there is none."""
    value = step[at] if len(step) > at else 0
    number = int(value) if isinstance(value, int) else 0
    return max(least, min(most, number))


def frame_of(step: Step, asked: Sequence[int], token: str) -> bytes:
    """The frame that a step `frame` or `say` sends; `asked` are the ids of open requests.

    `["frame", hex]` sends bytes, `["say", [MESSAGE, …], more]` messages: `["choice", n, index]` answers the nth open
    request, or one with an id that was never sent; `["hello", version, limit]`; `["ready"]`; `["empty"]`.
    """
    if step[0] == "frame":
        text = step[1] if len(step) > 1 and isinstance(step[1], str) else ""
        try:
            return bytes.fromhex(text) * number_in(step, 2, 1, 4000)
        except ValueError:
            return text.encode("utf-8", "replace")
    said = step[1] if len(step) > 1 and isinstance(step[1], list) else []
    messages = [_message(one, asked, token) for one in said[:500] if isinstance(one, list) and one]
    return pb.PlayRequest(messages=messages, more=len(step) > 2 and bool(step[2])).SerializeToString()


def _message(said: Step, asked: Sequence[int], token: str) -> pb.BotMessage:
    if said[0] == "choice":
        place = number_in(said, 1, -(2**63), 2**63 - 1)
        request_id = asked[place] if 0 <= place < len(asked) else place
        index = number_in(said, 2, -(2**31), 2**31 - 1)
        return pb.BotMessage(choice=pb.Choice(request_id=request_id, index=index))
    if said[0] == "hello":
        version, limit = number_in(said, 1, -(2**31), 2**31 - 1), number_in(said, 2, -(2**31), 2**31 - 1)
        return pb.BotMessage(hello=pb.Hello(protocol_version=version, token=token, table_limit=limit))
    return pb.BotMessage(ready=pb.Ready()) if said[0] == "ready" else pb.BotMessage()


def change_script(source: bytes, chance: Random, kinds: Sequence[str]) -> bytes:
    """A script with a few steps changed, put in or left out."""
    script = read_script(source)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(script) + 1)
        if script and chance.random() < 0.3:
            at = min(at, len(script) - 1)
            script[at] = change_json(script[at], chance)
        elif script and chance.random() < 0.2:
            del script[min(at, len(script) - 1)]
        elif script and chance.random() < 0.2:
            start = chance.randrange(len(script))
            script[at:at] = script[start : start + chance.choice((1, 2, 5))] * chance.choice((1, 3, 10))
        else:
            script.insert(at, made_step(chance, chance.choice(kinds)))
    return json_bytes([step for step in script if isinstance(step, list)])


def made_step(chance: Random, kind: str) -> Step:
    """A step of a kind."""
    if kind == "frame":
        return ["frame", _frame(chance).hex(), chance.choice((1, 1, 1, 1, 20, 3000))]
    if kind == "say":
        return ["say", [_said(chance) for _ in range(chance.choice((0, 1, 1, 2, 5, 40)))], chance.random() < 0.15]
    if kind == "dial":
        return ["dial", chance.choice((0, 1, 1, 2, 64, 256, 257, -1, 2**31 - 1)), [["ready"]][: chance.randrange(2)]]
    if kind == "wait":
        return ["wait", chance.choice((0, 1, 50, 300, 999, 1001, 5000, 10_200, 31_000))]
    if kind == "exit":
        return ["exit", chance.choice((0, 1, -9, 255)), chance.choice(("", "Killed", "x" * 5000))]
    return [kind, chance.choice((0, 1, 1000, 10**6, chance.choice(NUMBERS))), chance.random() < 0.5]


def _said(chance: Random) -> Step:
    kind = chance.choice(("choice", "choice", "choice", "choice", "hello", "ready", "empty"))
    if kind == "choice":
        return [
            kind,
            chance.choice((0, 0, 0, 1, 2, 5, -1, 10**6)),
            chance.choice((0, 0, 0, 1, 5, 12, 13, -1, 2**31 - 1)),
        ]
    return [kind, chance.choice((1, 1, 0, 2, -1)), chance.choice((0, 1, 256, 257, -1))]


def _frame(chance: Random) -> bytes:
    if chance.random() < 0.2:
        return random_bytes(chance)
    request = pb.PlayRequest(
        messages=[_message(_said(chance), (1, 2, 3), "x") for _ in range(chance.choice((0, 1, 3)))]
    )
    for _ in range(chance.choice((0, 1, 3))):
        change_message(request, chance)
    frame = request.SerializeToString()
    return change_bytes(frame, chance) if chance.random() < 0.5 else frame


def is_frame(frame: bytes) -> bool:
    """Whether bytes are a frame of the protocol."""
    try:
        pb.PlayRequest.FromString(frame)
    except DecodeError:
        return False
    return True
