"""The OpenAPI document: the operations under `/api/v1`, and every page's JSON twin, file and stream at its own address.

Owns what the document says beside what the routes say: common answers and headers, security, names. Twins and files are
found among the routes of the dashboard, so none can be missing; the models of twins are those of the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import RouteContext, iter_route_contexts

from dashboard import links
from dashboard.api.asked import problems
from dashboard.api.files import FILE_KINDS, may_be_file
from dashboard.api.front import is_twin
from dashboard.api.operations import READING
from dashboard.api.problems import MEDIA_TYPE, ProblemKind

_TITLE = "King Arena"
_ABOUT = """\
Leagues of bots that play the card game King: seasons, standings, matches, records.

Reading needs no token. Lists come in parts: follow `next`. Answers have strong entity tags: send `If-None-Match`.
Errors are problem details (RFC 9457) whose `type` leads to a page. Parameters that an operation does not know are
refused.

Feeds, exports, logs as text and streams of events are at the addresses that the pages link.

Under `/api/v1` names stay: members may be added, none is renamed or removed. **Pages** are the JSON twins of the
dashboard's pages, at the page's address with `.json`: what the page shows, in the reader's language, changing with it.
"""
_TAGS = (
    ("Seasons", "Seasons as they were planned, and how their deals can be checked."),
    ("Standings", "Ladder, crosstable, contracts, duels, the audit, ratings over time."),
    ("Bots", "Bots, their versions, faults and standard error."),
    ("Matches", "Matches, records and positions. Cards are public when the set of boards is over."),
    ("Search", "Bots, versions, seasons, matches and boards, by what one remembers of them."),
    ("Rules", "Variants, and their rules in words."),
    ("Account", "The account whose token is sent."),
    ("Submissions", "Bots that are sent as archives, from upload to active, and the seasons they enter."),
    ("Challenges", "Unrated boards of one's own bots against others."),
    ("Remote bots", "Bots that run at their owners', and their tokens."),
    ("Organising", "What organisers ask for, the log of who did what, and accounts."),
    ("Files", "Atom feeds, results as CSV, records as an archive, logs as text. They go out as they are made."),
    ("Streams", "Server-sent events: a live table, and how far a season is. They are not counted as requests."),
    ("Document", "The OpenAPI document."),
    ("Pages", "What each page of the dashboard shows, at its own address with `.json`. It changes with the page."),
)
_HEADERS = {
    "Content-Disposition": "What the file is called.",
    "Content-Language": "The language of what is told.",
    "ETag": "The answer's entity tag; strong. Send it as If-None-Match.",
    "Link": 'The next part of the list, as rel="next".',
    "Location": "The address of what was made.",
    "RateLimit": 'What is left: r requests, all again in t seconds. `"reading";r=599;t=60`',
    "RateLimit-Policy": 'The limit: q requests in w seconds. `"reading";q=600;w=60`',
    "Retry-After": "After how many seconds to try again.",
}
_LANGUAGE = {
    "name": links.LANGUAGE_QUERY,
    "in": "query",
    "required": False,
    "description": "The language, if not the reader's first that can be had.",
    "schema": {"type": "string"},
}
_UNSAID = "Successful Response"
_GOOD = {"200": "What is asked for.", "201": "It is made.", "202": "It is accepted.", "204": "It is done."}
_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_NOT_MODIFIED = {"description": "What If-None-Match names is still good."}
_PRIVATE = {"BotVersion": ("source",)}
_Object = dict[str, Any]


def twin_routes(dashboard: FastAPI) -> Iterator[RouteContext]:
    """The routes of the dashboard that are JSON twins."""
    for route in iter_route_contexts(dashboard.routes):
        if route.path is not None and is_twin(route.path) and READING & (route.methods or set()):
            yield route


def file_routes(dashboard: FastAPI) -> Iterator[RouteContext]:
    """The routes of the dashboard that answer with a file or a stream."""
    for route in iter_route_contexts(dashboard.routes):
        if route.path is not None and may_be_file(route.path) and READING & (route.methods or set()):
            yield route


def route_paths(api: FastAPI, dashboard: FastAPI) -> list[str]:
    """The paths of all routes in the document, with convertors, in the order in which they are looked at."""
    own = [f"{links.api()}{one.path}" for one in iter_route_contexts(api.routes)]
    return [*own, *(str(one.path) for routes in (twin_routes, file_routes) for one in routes(dashboard))]


def make_document(api: FastAPI, dashboard: FastAPI) -> _Object:
    """The document of both: addresses are whole, from the root of the site."""
    own = get_openapi(title=_TITLE, version=api.version, routes=api.routes)
    pages = _renamed(get_openapi(title=_TITLE, version=api.version, routes=list(twin_routes(dashboard))))
    paths = {f"{links.api()}{path}": _own_path(path, methods) for path, methods in own["paths"].items()}
    paths |= {path: _twin_path(path, methods) for path, methods in pages["paths"].items()}
    files = get_openapi(title=_TITLE, version=api.version, routes=list(file_routes(dashboard)))
    paths |= {path: {"get": _file_operation(path, methods["get"])} for path, methods in files["paths"].items()}
    schemas = {**own["components"]["schemas"], **pages["components"]["schemas"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": _TITLE, "version": api.version, "description": _ABOUT, "license": {"name": "MIT"}},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": told} for name, told in _TAGS],
        "paths": paths,
        "components": {
            "schemas": _used(schemas, paths),
            "headers": {name: {"description": told, "schema": {"type": "string"}} for name, told in _HEADERS.items()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A personal API token: king_…"}
            },
        },
    }


def _used(schemas: Mapping[str, _Object], paths: _Object) -> _Object:
    """The schemas that paths refer to, directly or by others."""
    used: set[str] = set()
    waiting = set(_references(paths))
    while waiting:
        used |= waiting
        waiting = {name for one in waiting for name in _references(schemas[one])} - used
    return {name: schemas[name] for name in sorted(used)}


def _references(value: Any) -> Iterator[str]:
    """The names of schemas that are referred to within a part of the document."""
    if isinstance(value, list):
        for one in value:
            yield from _references(one)
    elif isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/components/schemas/"):
            yield reference.rpartition("/")[2]
        for one in value.values():
            yield from _references(one)


def _own_path(path: str, methods: Mapping[str, _Object]) -> _Object:
    return {method: _own_operation(path, method, operation) for method, operation in methods.items()}


def _own_operation(path: str, method: str, operation: _Object) -> _Object:
    kinds = [ProblemKind.INVALID_REQUEST, ProblemKind.UNAUTHENTICATED, ProblemKind.QUOTA_EXCEEDED]
    if method not in {"get", "delete"}:
        kinds.append(ProblemKind.TOO_LARGE)
    is_open = method == "get" and "security" not in operation
    return {
        **operation,
        "security": [{}, {"token": []}] if is_open else [{"token": []}],
        "responses": _responses(operation, kinds, method=method, is_list="Part" in _answer_name(operation)),
    }


def _answer_name(operation: _Object) -> str:
    content = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    return str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2]


def _twin_path(path: str, methods: Mapping[str, _Object]) -> _Object:
    return {method: _twin_operation(path, operation) for method, operation in methods.items()}


def _words_of(path: str) -> list[str]:
    return [re.sub(r"\W", "", part).title() for part in re.split(r"[/.]", path) if part]


def _summary(operation: _Object) -> str:
    return re.split(r"[.;:]", str(operation.get("description", operation["summary"])))[0]


def _file_operation(path: str, operation: _Object) -> _Object:
    """The operation of a file or stream, whose kind is that of its media type."""
    media_type = next(iter(operation["responses"]["200"]["content"]))
    kind = FILE_KINDS[media_type]
    told: _Object = {status: one for status, one in operation["responses"].items() if status != "422"}
    problem_kinds = [ProblemKind.UNAUTHENTICATED, ProblemKind.NOT_FOUND]
    problem_kinds += [ProblemKind.QUOTA_EXCEEDED] if kind.is_counted else []
    for status, one in problems(*problem_kinds).items():
        told.setdefault(str(status), {"description": one["description"]})
    for status, one in told.items():
        names = {"RateLimit", "RateLimit-Policy"} if kind.is_counted else set()
        names |= {"Retry-After"} if status in {"429", "503"} else set()
        if status == "200":
            one["description"], names = _GOOD[status], names | set(kind.headers)
        elif status >= "400":
            one["content"] = _PROBLEM
        one["headers"] = _header_references(names)
    if kind.is_tagged:
        told["304"] = _NOT_MODIFIED
    return {
        **operation,
        "operationId": kind.subject.removesuffix("s").lower() + "".join(_words_of(path)),
        "summary": _summary(operation),
        "tags": [kind.subject],
        "security": [{}, {"token": []}],
        "parameters": [*operation.get("parameters", ()), *([_LANGUAGE] if kind.has_language else [])],
        "responses": dict(sorted(told.items())),
    }


def _twin_operation(path: str, operation: _Object) -> _Object:
    kinds = [ProblemKind.UNAUTHENTICATED, ProblemKind.NOT_FOUND, ProblemKind.QUOTA_EXCEEDED]
    if any(one["in"] == "query" for one in operation.get("parameters", ())):
        kinds.append(ProblemKind.INVALID_REQUEST)
    return {
        **operation,
        "operationId": "page" + "".join(_words_of(path)[:-1]),
        "summary": _summary(operation),
        "tags": ["Pages"],
        "security": [{}, {"token": []}],
        "parameters": [*operation.get("parameters", ()), _LANGUAGE],
        "responses": _responses(operation, kinds, method="get", is_list=False),
    }


def _responses(operation: _Object, kinds: Iterable[ProblemKind], *, method: str, is_list: bool) -> _Object:
    told: _Object = {status: one for status, one in operation["responses"].items() if status != "422"}
    shared = {"RateLimit", "RateLimit-Policy"}
    for status, one in problems(*kinds).items():
        told.setdefault(str(status), {"description": one["description"], "content": {MEDIA_TYPE: {}}})
    for status, one in told.items():
        if one["description"] == _UNSAID:
            one["description"] = _GOOD[status]
        if status >= "400":
            one["content"] = _PROBLEM
        names = shared | ({"Retry-After"} if status == "429" else set())
        if status in {"201", "202"}:
            names.add("Location")
        if status == "200":
            names |= ({"ETag"} if method == "get" else set()) | ({"Link"} if is_list else set())
        one["headers"] = _header_references(names)
    if method == "get":
        told["304"] = _NOT_MODIFIED
    return dict(sorted(told.items()))


def _header_references(names: Iterable[str]) -> _Object:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def _renamed(document: _Object) -> _Object:
    """The schemas of pages under names of their own: `Page.ladder.Row`, and without what is private."""
    schemas = document.get("components", {}).get("schemas", {})
    names = {name: f"Page.{_short(name)}" for name in schemas}
    renamed = {names[name]: _referring(_public(name, schema), names) for name, schema in schemas.items()}
    return {"paths": _referring(document["paths"], names), "components": {"schemas": renamed}}


def _short(name: str) -> str:
    """`dashboard__pages__ladder__Row` as `ladder.Row`."""
    return ".".join(name.split("__")[-2:])


def _public(name: str, schema: _Object) -> _Object:
    private = _PRIVATE.get(name.rsplit("__", maxsplit=1)[-1], ())
    if not private:
        return schema
    kept = {key: value for key, value in schema["properties"].items() if key not in private}
    return {**schema, "properties": kept, "required": [one for one in schema["required"] if one not in private]}


def _referring(value: Any, names: Mapping[str, str]) -> Any:
    """The same with references to the new names."""
    if isinstance(value, list):
        return [_referring(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    told = {key: _referring(one, names) for key, one in value.items()}
    if isinstance(value.get("$ref"), str):
        prefix, _, name = value["$ref"].rpartition("/")
        told["$ref"] = f"{prefix}/{names.get(name, name)}"
    return told
