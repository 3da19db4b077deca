"""The pages about the API: its operations as the OpenAPI document has them, and its kinds of problem.

Owns what is shown of the document. What operations do is said there, in English; kinds of problem are in the reader's
language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import links
from dashboard.api.problems import EXPLAINED, Explained, ProblemKind
from dashboard.words import Words


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, or a member of a body; `place` is path, query or body, `values` what may be there."""

    name: str
    place: str
    required: bool
    values: str
    told: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation; `model` names its schema, empty without one; `members`: of a good answer."""

    status: str
    told: str
    model: str
    members: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation; `needs_token`: nobody may without one."""

    id: str
    method: str
    path: str
    summary: str
    told: str
    needs_token: bool
    parameters: tuple[Parameter, ...]
    body: tuple[Parameter, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """Operations on one subject."""

    name: str
    told: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """The model of the page."""

    version: str
    document: str
    subjects: tuple[Subject, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """A kind of problem: its address, which is its type, and what it means."""

    type: str
    status: int
    title: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ProblemsPage:
    """The model of the page about all kinds of problem, or one."""

    kinds: tuple[ProblemLine, ...]


def api_page(document: Mapping[str, Any]) -> ApiPage:
    """The page of a document."""
    found = [
        (operation["tags"][0], _operation(method, path, operation, document["components"]["schemas"]))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    subjects = tuple(
        Subject(tag["name"], tag["description"], tuple(one for name, one in found if name == tag["name"]))
        for tag in document["tags"]
    )
    return ApiPage(
        version=document["info"]["version"],
        document=links.api_document(),
        subjects=tuple(subject for subject in subjects if subject.operations),
        count=len(found),
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Operation:
    told = str(operation.get("description", ""))
    summary = str(operation["summary"])
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        told="" if told.rstrip(".") == summary else told,
        needs_token=bool(operation.get("security")) and {} not in operation["security"],
        parameters=tuple(_parameter(one) for one in operation.get("parameters", ())),
        body=_body(operation.get("requestBody", {}), schemas),
        answers=tuple(_answers(operation["responses"], schemas)),
    )


def _parameter(one: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=one["name"],
        place=one["in"],
        required=bool(one.get("required")),
        values=_values(one["schema"]),
        told=one.get("description", ""),
    )


def _values(schema: Mapping[str, Any]) -> str:
    """What may stand for a schema: its words, its bounds, or its type."""
    kinds = [_values(one) for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if kinds:
        return " | ".join(kinds)
    if schema.get("type") == "array":
        return f"[{_values(schema.get('items', {}))}, …]"
    if "enum" in schema or "const" in schema:
        return " | ".join(map(str, schema.get("enum", [schema.get("const")])))
    return str(schema["$ref"]).rpartition("/")[2] if "$ref" in schema else _kind_of_value(schema)


def _kind_of_value(schema: Mapping[str, Any]) -> str:
    """The pattern, bounds, format or type of a value."""
    if "pattern" in schema and "minimum" not in schema:
        return str(schema["pattern"])
    bounds = [f"{schema[end]:,}".replace(",", " ") for end in ("minimum", "maximum") if end in schema]
    return "–".join(bounds) or str(schema.get("format", schema.get("type", "")))


def _answers(answers: Mapping[str, Mapping[str, Any]], schemas: Mapping[str, Any]) -> Iterable[Answer]:
    for status, one in answers.items():
        told = [content.get("schema", {}) for content in one.get("content", {}).values()]
        names = [str(schema["$ref"]).rpartition("/")[2] for schema in told if "$ref" in schema]
        name = next(iter(names), "")
        is_shown = status < "300" and not name.startswith("Page.")
        yield Answer(status, one["description"], name, _members(name, schemas) if is_shown else ())


def _body(body: Mapping[str, Any], schemas: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The members of a body; of one that may be of several kinds, those kinds."""
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    kinds = [str(one["$ref"]).rpartition("/")[2] for one in schema.get("oneOf", ())]
    if kinds:
        return tuple(_kind(schemas[kind], schemas) for kind in kinds)
    return _members(str(schema.get("$ref", "")).rpartition("/")[2], schemas)


def _kind(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Parameter:
    """A kind of body in one line: its mark, and its other members."""
    members = schema["properties"]
    names = [name if name in schema["required"] else f"{name}?" for name in members if name != "kind"]
    return Parameter(members["kind"]["const"], "body", True, ", ".join(names), schema.get("description", ""))


def _members(name: str, schemas: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The members of a model, in its order; of a part of a list those of its items."""
    schema = schemas.get(name, {})
    items = schema.get("properties", {}).get("items", {}).get("items", {})
    if name.startswith("Part_") and "$ref" in items:
        return _members(str(items["$ref"]).rpartition("/")[2], schemas)
    needed = schema.get("required", ())
    return tuple(
        Parameter(each, "body", each in needed, _values(one), one.get("description", ""))
        for each, one in schema.get("properties", {}).items()
    )


def problems_page(words: Words, only: ProblemKind | None = None) -> ProblemsPage:
    """The page about every kind of problem, or `only` one."""
    kinds = ProblemKind if only is None else (only,)
    return ProblemsPage(tuple(_line(kind, EXPLAINED[kind], words) for kind in kinds))


def _line(kind: ProblemKind, explained: Explained, words: Words) -> ProblemLine:
    return ProblemLine(kind.address, explained.status, words.say(explained.title), words.say(explained.meaning))
