"""Changes messages of protobuf by their descriptors: fields set to odd values, left out, given many times.

Every change leads to a message that can be written; bytes that are none are made by `mutation`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tests.fuzz.mutation import NUMBERS, TEXTS, change_text, random_bytes

_BITS = {FieldDescriptor.TYPE_INT32: 32, FieldDescriptor.TYPE_INT64: 64, FieldDescriptor.TYPE_ENUM: 32}


def change_message(message: Message, chance: Random) -> None:
    """One change somewhere in a message."""
    below = [
        one
        for field, value in message.ListFields()
        if field.message_type is not None and not field.message_type.GetOptions().map_entry
        for one in (value if field.is_repeated else [value])
    ]
    if below and chance.random() < 0.75:
        change_message(chance.choice(below), chance)
        return
    fields: list[Any] = list(message.DESCRIPTOR.fields)
    if fields:
        _change_field(message, chance.choice(fields), chance)


def _change_field(message: Message, field: FieldDescriptor, chance: Random) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        getattr(message, field.name)[_text(chance)] = _text(chance)
    elif chance.random() < 0.2:
        message.ClearField(field.name)
    elif field.is_repeated:
        _change_repeated(getattr(message, field.name), field, chance)
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
    elif chance.random() < 0.5 and isinstance(getattr(message, field.name), str):
        setattr(message, field.name, _writable(change_text(getattr(message, field.name), chance)))
    else:
        setattr(message, field.name, _value(field, chance))


def _change_repeated(values: Any, field: FieldDescriptor, chance: Random) -> None:
    if values and chance.random() < 0.3:
        del values[chance.randrange(len(values))]
        return
    if values and chance.random() < 0.4:
        values.extend([values[chance.randrange(len(values))]] * chance.choice((1, 2, 300)))
        return
    if field.message_type is not None:
        change_message(values.add(), chance)
    else:
        values.append(_value(field, chance))


def _value(field: FieldDescriptor, chance: Random) -> Any:
    if field.type in _BITS:
        bits = _BITS[field.type]
        number = chance.choice((*NUMBERS, chance.randrange(-8, 64)))
        return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return chance.random() < 0.5
    return random_bytes(chance, 70) if field.type == FieldDescriptor.TYPE_BYTES else _text(chance)


def _text(chance: Random) -> str:
    return _writable(chance.choice(TEXTS))


def _writable(text: str) -> str:
    """A text that protobuf takes."""
    return text.encode("utf-8", "replace").decode()
