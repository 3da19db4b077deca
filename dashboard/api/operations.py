"""What can be asked where: the operations of the document, found by the path of a request.

Owns the look-up. The document is the law: a method or (under `/api/v1`) a parameter that it does not name is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from re import Pattern
from typing import Any

from starlette.routing import compile_path

READING = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Place:
    """One path of the document, with the names of the query's parameters by method."""

    pattern: Pattern[str]
    parameters: Mapping[str, frozenset[str]]

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
                places.append(Place(pattern, _parameters(document["paths"][path_format])))
        return cls(tuple(places))

    def at(self, path: str) -> Place | None:
        """The place of a path; None where there is nothing."""
        return next((place for place in self.places if place.pattern.match(path)), None)


def _parameters(methods: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found = {
        method.upper(): frozenset(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query")
        for method, operation in methods.items()
    }
    if "GET" in found:
        found["HEAD"] = found["GET"]
    return found
