"""The Rust code of the protocol, committed so that bots are built without a generator, is that of the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from king.v1 import arena_pb2 as pb

from workers.bots import SAMPLES

KIT = SAMPLES / "rust"
CODE = (KIT / "src" / "generated" / "king.v1.rs").read_text(encoding="utf-8")
PROTOCOL = (KIT / "proto" / "king" / "v1" / "arena.proto").read_text(encoding="utf-8")
STALE = f"run `cargo run --manifest-path generate/Cargo.toml` in {KIT}"
SCALARS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_MESSAGE: "message",
}


def kind_of(field: FieldDescriptor) -> str:
    """How prost writes the type of a field; of a map, that of its keys."""
    if field.message_type and field.message_type.GetOptions().map_entry:
        return f"map {kind_of(field.message_type.fields_by_name['key'])}"
    return f"enumeration {field.enum_type.name}" if field.enum_type else SCALARS[field.type]


def fields_of(message: Descriptor) -> dict[str, tuple[int, str]]:
    """By name, the tag and type of each field that is in no choice of several."""
    plain = [field for field in message.fields if not _is_choice(field)]
    return {field.name: (field.number, kind_of(field)) for field in plain}


def choices_of(message: Descriptor) -> dict[str, set[tuple[int, str]]]:
    """By name, the tags and types of each choice of several."""
    several = [choice for choice in message.oneofs if len(choice.fields) > 1]
    return {choice.name: {(field.number, kind_of(field)) for field in choice.fields} for choice in several}


def _is_choice(field: FieldDescriptor) -> bool:
    return field.containing_oneof is not None and len(field.containing_oneof.fields) > 1


def attributes(code: str, what: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """The name of each item below an attribute of prost with a tag, the tag, and the type."""
    for attribute, name in re.findall(rf"#\[prost\(([^\]]*?)\)\]\s*{what}(\w+)", code):
        if tag := re.search(r'\btag = "(\d+)"', attribute):
            kind = attribute.split(",")[0].strip().replace(" = ", " ").replace('"', "").replace("::", " ")
            yield name, (int(tag[1]), kind)


def test_fields_are_those_of_the_protocol() -> None:
    """Every message has its fields, with their tags and types."""
    bodies = re.findall(r"^pub struct (\w+) \{(?:\}|(.*?)^\})", CODE, re.MULTILINE | re.DOTALL)
    assert {name: dict(attributes(body, "pub ")) for name, body in bodies} == {
        name: fields_of(message) for name, message in pb.DESCRIPTOR.message_types_by_name.items()
    }, STALE


def test_choices_are_those_of_the_protocol() -> None:
    """Every choice of several messages has its members, with their tags and types."""
    wanted = {name: choices_of(message) for name, message in pb.DESCRIPTOR.message_types_by_name.items()}
    modules = dict(re.findall(r"^pub mod (\w+) \{\n(.*?)^\}", CODE, re.MULTILINE | re.DOTALL))
    for name, choices in wanted.items():
        for choice, members in choices.items():
            module = modules[re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()]
            assert {told for _name, told in attributes(module, "")} == members, f"{name}.{choice}: {STALE}"
    assert any(wanted.values())


def test_values_are_those_of_the_protocol() -> None:
    """Every enumeration has its values, under their names and numbers."""
    for name, enum in pb.DESCRIPTOR.enum_types_by_name.items():
        (body,) = re.findall(rf"^pub enum {name} \{{(.*?)^\}}", CODE, re.MULTILINE | re.DOTALL)
        numbers = dict(re.findall(r"^    (\w+) = (\d+),", body, re.MULTILINE))
        names = dict(re.findall(r'"(\w+)" => Some\(Self::(\w+)\)', CODE))
        assert {value.name: value.number for value in enum.values} == {
            told: int(numbers[variant]) for told, variant in names.items() if told in enum.values_by_name
        }, STALE
        assert len(numbers) == len(enum.values), STALE


def test_comments_are_those_of_the_protocol() -> None:
    """What is told of messages, fields and values is told in the code."""
    told = set(re.findall(r"^ *// (.+)$", PROTOCOL.partition("package ")[2], re.MULTILINE))
    code = set(re.findall(r"^ */// ?(.+)$", CODE.replace("\\[", "[").replace("\\]", "]"), re.MULTILINE))
    assert told
    assert told - code == set(), STALE
