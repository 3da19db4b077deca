"""The OpenAPI document: that nothing is missing from it, and that it can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from fastapi.openapi.models import OpenAPI
from fastapi.routing import iter_route_contexts

from dashboard.api.files import FILE_KINDS
from tests.api.conftest import Caller
from tests.dashboard.conftest import NAMES, PlayedLeague

pytestmark = pytest.mark.slow

LIMITS = {"RateLimit", "RateLimit-Policy"}
"""Headers that an arena without limits has not."""

UNDOCUMENTED = {
    "/health": "a word for whoever watches over the process",
    "/display/set": "keeps a choice in the reader's own cookies, and leads back",
    "/set-password": "a form behind a one-time link, which is for a person",
    "/mine/submit": "a form alone: archives are sent to /api/v1/submissions",
    "/mine/remote/new": "a form alone: remote bots are registered at /api/v1/remote-bots",
    "/favicon.ico": "a picture of ours",
    "/static/cards.svg": "a picture of ours",
    "/static/favicon.svg": "a picture of ours",
}
"""What GET answers with and is neither in the document nor has a twin there, and why."""


@pytest.fixture(scope="module")
def document(app: FastAPI) -> dict[str, Any]:
    """The document."""
    found: dict[str, Any] = app.state.api_document()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def routes(app: FastAPI) -> set[str]:
    """The paths that can be read, as the document writes them."""
    found = set()
    for one in iter_route_contexts(app.routes):
        if one.path is not None and "GET" in (one.methods or ()):
            found.add(re.sub(r"{(\w+):\w+}", r"{\1}", one.path))
    return found


def test_no_twin_is_missing(app: FastAPI, document: dict[str, Any]) -> None:
    """Every JSON twin that the dashboard serves is an operation of the document, and it has no others of pages."""
    twins = {path for path in routes(app) if path.endswith(".json")}
    assert len(twins) > 20
    others = {path for path, _operation in files(document)}
    assert {path for path in document["paths"] if not path.startswith("/api/v1")} - others == twins


def test_nothing_that_can_be_read_is_out_of_reach(app: FastAPI, document: dict[str, Any]) -> None:
    """Every address is in the document, or is a page whose twin is there, or stands in a list with the reason."""
    read = routes(app)
    twins = {path: ("/index" if path == "/" else path) + ".json" for path in read}
    without = {path for path in read if not {path, twins[path]} & document["paths"].keys()}
    assert without == UNDOCUMENTED.keys()
    kinds = {next(iter(operation["responses"]["200"]["content"])) for path, operation in files(document)}
    assert kinds == FILE_KINDS.keys()


def files(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, method, operation in operations(document):
        if method == "get" and operation["tags"][0] in {"Files", "Streams"}:
            yield path, operation


def test_files_are_as_the_document_says(api: Caller, document: dict[str, Any], played: PlayedLeague) -> None:
    """Feeds, exports and logs have its media type and exactly its headers, to HEAD too; streams have GET alone."""
    values = {"season_id": str(played.over), "name": NAMES[0], "submission_id": "1", "match_id": "0" * 16}
    ways = {"/mine": "401", "/live": "204", "/": "200"}
    for path, operation in files(document):
        address = path.format(**{name: quote(value, safe="") for name, value in values.items()})
        status = next(one for prefix, one in ways.items() if path.startswith(prefix))
        if operation["tags"] == ["Streams"] and status == "200":
            continue
        answer, head = api.answer(address), api.answer(address, "HEAD")
        said = operation["responses"][status]
        media_type = answer.headers.get("content-type", "").split(";")[0]
        assert (str(answer.status_code), media_type) == (status, *said.get("content", [""])), path
        told = {name for name in document["components"]["headers"] if name in answer.headers}
        assert told == said["headers"].keys() - LIMITS, path
        assert head.content == b"", path
        assert head.status_code == (405 if operation["tags"] == ["Streams"] else answer.status_code), path


def test_a_browser_is_told_in_a_page(api: Caller) -> None:
    """Whoever follows a link to a file that is not there, or is not theirs, sees a page and no problem in JSON."""
    html = {"Accept": "text/html,application/xhtml+xml;q=0.9"}
    missing = api.answer("/feeds/seasons/999.atom", headers=html)
    assert (missing.status_code, missing.headers["content-type"].split(";")[0]) == (404, "text/html")
    assert api.answer("/mine/submissions/1/build.txt", headers=html).headers["location"].startswith("/sign-in?")
    api.problem("/feeds/seasons/999.atom", 404, "not-found")
    api.problem("/feeds/seasons.atom", 405, "method-not-allowed", method="POST")
    api.problem("/mine/submissions/1/build.txt", 401, "unauthenticated")


def test_every_good_answer_has_a_schema(document: dict[str, Any]) -> None:
    """No operation leaves open what it answers with."""
    for path, _method, operation in operations(document):
        good = [answer for status, answer in operation["responses"].items() if status in {"200", "201", "202"}]
        for answer in good:
            (content,) = answer["content"].values()
            assert content["schema"] or path == "/seasons.json", path


def test_operations_are_told_in_words(document: dict[str, Any]) -> None:
    """Each has an id of its own, a summary, a subject that is listed, and its parameters are described."""
    ids = [operation["operationId"] for _path, _method, operation in operations(document)]
    assert len(ids) == len(set(ids))
    subjects = {tag["name"] for tag in document["tags"]}
    for path, _method, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        assert set(operation["tags"]) <= subjects, path
        if path.startswith("/api/v1"):
            assert all(one.get("description") for one in operation.get("parameters", ())), path


def test_errors_are_problems_everywhere(document: dict[str, Any]) -> None:
    """Every answer from 400 on is a problem, and rate limits are told with each."""
    for path, _method, operation in operations(document):
        is_stream = operation["tags"] == ["Streams"]
        assert ("429" in operation["responses"]) != is_stream, path
        for status, answer in operation["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], path
            if status != "304" and not is_stream:
                assert "RateLimit" in answer["headers"], path


def test_what_changes_something_needs_a_token(document: dict[str, Any]) -> None:
    """Whatever is not read asks for a token and answers 401 without."""
    for path, method, operation in operations(document):
        if method != "get":
            assert operation["security"] == [{"token": []}], path
            assert "401" in operation["responses"], path


def test_references_lead_somewhere_and_nothing_lies_about(document: dict[str, Any]) -> None:
    """Every reference names a component, every schema is used, and the whole is a document of OpenAPI 3.1."""
    named = set(re.findall(r"#/components/(\w+/[\w.-]+)", str(document)))
    there = {f"{part}/{name}" for part in ("schemas", "headers") for name in document["components"][part]}
    assert named == there
    assert OpenAPI.model_validate(document).openapi == "3.1.0"


def test_the_document_is_served_and_paths_of_programs_are_not_in_it(api: Caller, document: dict[str, Any]) -> None:
    """The address in the guide has it; where a bot's program lies is told nowhere."""
    assert api.json("openapi.json") == document
    assert "source" not in document["components"]["schemas"]["Page.BotVersion"]["properties"]


def test_the_page_lists_every_operation(api: Caller, document: dict[str, Any]) -> None:
    """The readable page has each operation of the document, without assets of others."""
    page = BeautifulSoup(api.answer("/api").text, "html.parser")
    shown = {
        (str(one.select_one(".api-method").get_text()), str(one.select_one(".api-path").get_text()))  # type: ignore[union-attr]
        for one in page.select("details.api-operation")
    }
    assert shown == {(method.upper(), path) for path, method, _operation in operations(document)}
    addresses = [str(tag.get("src") or tag.get("href")) for tag in page.select("script, link, img")]
    assert all(address.startswith("/") for address in addresses)
