"""The OpenAPI document: that nothing is missing from it, and that it can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from fastapi.openapi.models import OpenAPI
from fastapi.routing import iter_route_contexts

from tests.api.conftest import Caller

pytestmark = pytest.mark.slow

NO_PAGE = {"/health", "/display/set", "/set-password", "/mine/submit"}
"""What GET answers with and has no twin: a word, the way back from a choice, forms alone."""


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
    assert {path for path in document["paths"] if not path.startswith("/api/v1")} == twins


def test_every_page_has_a_twin_in_the_document(app: FastAPI, document: dict[str, Any]) -> None:
    """Each address of a page has its twin beside it: nothing that a page shows is out of the API's reach."""
    pages = {path for path in routes(app) if not re.search(r"\.\w+$", path)}
    pages = {path for path in pages if not path.startswith(("/static", "/favicon"))} - NO_PAGE
    without = {path for path in pages if ("/index" if path == "/" else path) + ".json" not in document["paths"]}
    assert {path for path in without if not path.endswith("/events")} == set()


def test_every_good_answer_has_a_schema(document: dict[str, Any]) -> None:
    """No operation leaves open what it answers with."""
    for path, _method, operation in operations(document):
        good = [answer for status, answer in operation["responses"].items() if status in {"200", "201", "202"}]
        for answer in good:
            assert answer["content"]["application/json"]["schema"] or path == "/seasons.json", path


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
        assert "429" in operation["responses"], path
        for status, answer in operation["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], path
            if status != "304":
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
