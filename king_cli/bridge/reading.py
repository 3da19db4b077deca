"""Lines of JSON from the command as frames of the bot.

Owns what a line may look like: proto3 JSON, by either of its names for a field, and what is said of a line that is no
frame. Whether a frame is right at this point of the dialogue is for others to say.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from king.v1 import arena_pb2 as pb

from king_cli.errors import printable

EXAMPLE = '{"messages":[{"choice":{"request_id":"7","index":0}}]}'
SHOWN_LENGTH = 60
INT_BITS = {FieldDescriptor.TYPE_INT32: 32, FieldDescriptor.TYPE_INT64: 64}

Reader = Callable[[Any, str], Any]


class LineError(ValueError):
    """A line that is no frame; the text says what is wrong, where in the line, and what would be right."""


def read_line(line: bytes) -> pb.PlayRequest:
    """The frame that a line has.

    Raises:
        LineError: the line is no JSON, or no frame.
    """
    try:
        said = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_object)
    except LineError:
        raise
    except UnicodeDecodeError as error:
        raise LineError(f"no UTF-8 at byte {error.start + 1}: {shown(line)}; a frame is ASCII or UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise LineError(f"no JSON ({error}): {shown(line)}; a frame is one line such as {EXAMPLE}") from None
    frame: pb.PlayRequest = _read_frame(said, "")
    for place, message in enumerate(frame.messages):
        if message.WhichOneof("message") is None:
            raise LineError(f"messages[{place}] is empty; it has one of hello, ready, choice, as in {EXAMPLE}")
    return frame


def shown(line: bytes) -> str:
    """The start of a line, fit to be printed."""
    text = repr(line[: SHOWN_LENGTH + 2].decode("utf-8", "replace").rstrip("\r\n"))
    return f"{text[:SHOWN_LENGTH]}…" if len(text) > SHOWN_LENGTH + 2 else text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these keys; as in protobuf's own reader, no key may come twice, for the first would be lost."""
    read = dict(pairs)
    if len(read) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise LineError(f"{_named_key(twice)} is given twice in one object; once is right")
    return read


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _message_reader(descriptor: Descriptor) -> Reader:
    message_class = GetMessageClass(descriptor)
    fields = {name: field for field in descriptor.fields for name in (field.name, field.json_name)}
    readers = {field.name: _field_reader(field) for field in descriptor.fields}

    def read(said: Any, path: str) -> Message:
        if not isinstance(said, dict):
            raise LineError(f"{path or 'the line'} is {_named(said)}; it must be an object, as in {EXAMPLE}")
        values: dict[str, Any] = {}
        for key, value in said.items():
            field = fields.get(key)
            if field is None:
                raise LineError(_unknown_field(descriptor, key, path))
            if field.name in values:
                raise LineError(f"{_below(path, field.name)} is given twice, as {key} too; once is right")
            if value is not None:  # proto3 JSON: null stands for the default
                values[field.name] = readers[field.name](value, _below(path, field.name))
        _check_oneofs(descriptor, values, path)
        return message_class(**values)

    return read


def _field_reader(field: FieldDescriptor) -> Reader:
    read = _value_reader(field)
    if not field.is_repeated:
        return read

    def read_all(said: Any, path: str) -> list[Any]:
        if not isinstance(said, list):
            raise LineError(f"{path} is {_named(said)}; it must be an array, as in {EXAMPLE}")
        return [read(each, f"{path}[{place}]") for place, each in enumerate(said)]

    return read_all


def _value_reader(field: FieldDescriptor) -> Reader:
    if field.message_type is not None:
        return _message_reader(field.message_type)
    if field.type in INT_BITS:
        return _int_reader(INT_BITS[field.type])
    return _read_bool if field.type == FieldDescriptor.TYPE_BOOL else _read_text


def _read_bool(said: Any, path: str) -> bool:
    if not isinstance(said, bool):
        raise LineError(f"{path} is {_named(said)}; it must be true or false")
    return said


def _read_text(said: Any, path: str) -> str:
    if not isinstance(said, str) or any("\ud800" <= letter <= "\udfff" for letter in said):
        raise LineError(f"{path} is {_named(said)}; it must be a text of Unicode letters")
    return said


def _int_reader(bits: int) -> Reader:
    least, most = -(1 << bits - 1), (1 << bits - 1) - 1

    def read(said: Any, path: str) -> int:
        number = _whole_number(said)
        if number is None or not least <= number <= most:
            raise LineError(f"{path} is {_named(said)}; it must be a whole number of {bits} bits")
        return number

    return read


def _whole_number(said: Any) -> int | None:
    """The number that is said, as a number or as a text; None if there is none."""
    if isinstance(said, bool):
        return None
    if isinstance(said, str):
        digits = said.removeprefix("-")
        return int(said) if digits.isascii() and digits.isdigit() and len(digits) <= 20 else None
    if isinstance(said, float):
        return int(said) if said.is_integer() else None
    return said if isinstance(said, int) else None


def _check_oneofs(descriptor: Descriptor, values: dict[str, Any], path: str) -> None:
    for oneof in descriptor.oneofs:
        given = [field.name for field in oneof.fields if field.name in values]
        if len(given) > 1:
            raise LineError(f"{path} has {' and '.join(given)}; a message is one of them, each in its own {{…}}")


def _unknown_field(descriptor: Descriptor, key: str, path: str) -> str:
    known = ", ".join(field.name for field in descriptor.fields) or "none"
    return f"{_below(path, _named_key(key))} is unknown; {path or 'a frame'} has the fields: {known}"


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _named_key(key: str) -> str:
    """The start of a key, fit to be printed: a line can have half of a surrogate pair, no control stands as it is."""
    return printable(key[:SHOWN_LENGTH])


def _named(said: Any) -> str:
    text = json.dumps(said)
    return f"{text[:SHOWN_LENGTH]}…" if len(text) > SHOWN_LENGTH else text


_read_frame = _message_reader(pb.PlayRequest.DESCRIPTOR)
