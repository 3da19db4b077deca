"""What can be asked where: the operations of the document, found by the path of a request.

Owns the look-up. The document is the law: a method or (under `/api/v1`) a parameter that it does not name is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from re import Pattern
from typing import Any

from starlette.routing import compile_path

from dashboard.api.files import FILE_KINDS, FileKind

READING = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Place:
    """One path of the document: the names of the query's parameters by method; of a file or stream its kind."""

    pattern: Pattern[str]
    parameters: Mapping[str, frozenset[str]]
    file: FileKind | None = None

    @property
    def allow(self) -> str:
        """The methods that fit, as the header `Allow` has them."""
        return ", ".join(sorted({*self.parameters, "OPTIONS"}))


@dataclass(frozen=True, slots=True)
class Operations:
    """All places, in the order in which the application looks at them."""

    places: tuple[Place, ...]

    @classmethod
    def of(cls, document: Mapping[str, Any], paths: Iterable[str]) -> Operations:
        """The operations of a document; `paths` are those of the routes, with their convertors, in order."""
        places = []
        for path in dict.fromkeys(paths):
            pattern, path_format, _convertors = compile_path(path)
            if path_format in document["paths"]:
                methods = document["paths"][path_format]
                kind = _file_kind(methods)
                places.append(Place(pattern, _parameters(methods, kind), kind))
        return cls(tuple(places))

    def at(self, path: str) -> Place | None:
        """The place of a path; None where there is nothing."""
        return next((place for place in self.places if place.pattern.match(path)), None)


def _file_kind(methods: Mapping[str, Any]) -> FileKind | None:
    """What GET answers with, if it is a file or a stream."""
    content = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    return next((FILE_KINDS[name] for name in content if name in FILE_KINDS), None)


def _parameters(methods: Mapping[str, Any], kind: FileKind | None) -> dict[str, frozenset[str]]:
    found = {
        method.upper(): frozenset(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query")
        for method, operation in methods.items()
    }
    if "GET" in found and (kind is None or kind.is_counted):  # a stream has no end that HEAD could tell of
        found["HEAD"] = found["GET"]
    return found
