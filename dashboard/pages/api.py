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
    """A parameter of an operation; `place` is path or query, `values` says what may stand there."""

    name: str
    place: str
    required: bool
    values: str
    told: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation; `model` names its schema, empty without one."""

    status: str
    told: str
    model: str


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
        (operation["tags"][0], _operation(method, path, operation))
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


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Operation:
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
        answers=tuple(_answers(operation["responses"])),
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
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "pattern" in schema and "minimum" not in schema:
        return str(schema["pattern"])
    bounds = [f"{schema[end]:,}".replace(",", " ") for end in ("minimum", "maximum") if end in schema]
    return "–".join(bounds) or str(schema.get("format", schema.get("type", "")))


def _answers(answers: Mapping[str, Mapping[str, Any]]) -> Iterable[Answer]:
    for status, one in answers.items():
        schemas = [content.get("schema", {}) for content in one.get("content", {}).values()]
        names = [str(schema["$ref"]).rpartition("/")[2] for schema in schemas if "$ref" in schema]
        yield Answer(status, one["description"], next(iter(names), ""))


def problems_page(words: Words, only: ProblemKind | None = None) -> ProblemsPage:
    """The page about every kind of problem, or `only` one."""
    kinds = ProblemKind if only is None else (only,)
    return ProblemsPage(tuple(_line(kind, EXPLAINED[kind], words) for kind in kinds))


def _line(kind: ProblemKind, explained: Explained, words: Words) -> ProblemLine:
    return ProblemLine(kind.address, explained.status, words.say(explained.title), words.say(explained.meaning))
