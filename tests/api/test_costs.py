"""What a request costs: a bounded number of queries, however long a list is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import event

from tests.api.conftest import Caller, public_match
from tests.dashboard.conftest import NAMES, PlayedLeague

pytestmark = pytest.mark.slow

A, B = (quote(name, safe="") for name in NAMES[:2])
BOUNDS = {
    "openapi.json": 0,
    "seasons?limit=200": 1,
    "seasons/{over}": 4,
    "seasons/{over}/entrants": 5,
    "seasons/{over}/boards": 2,
    "seasons/{over}/boards/1": 2,
    "seasons/{over}/boards/1/matches": 4,
    "seasons/{over}/sets": 3,
    "seasons/{over}/faults": 2,
    f"seasons/{{over}}/entrants/{A}/logs": 6,
    "seasons/{over}/ladder": 12,
    "seasons/{over}/crosstable": 16,
    "seasons/{over}/contracts": 16,
    f"seasons/{{over}}/duel?a={A}&b={B}": 20,
    "seasons/{over}/audit": 12,
    f"seasons/{{over}}/entrants/{A}/history": 20,
    "bots?limit=200": 1,
    f"bots/{A}": 1,
    f"bots/{A}/versions": 1,
    f"bots/{A}/entries": 2,
    "versions/1": 1,
    "matches?limit=200": 2,
    f"matches?bot={A}&season={{over}}&public=true": 4,
    "matches/{match}": 2,
    "matches/{match}/record": 8,
    "matches/{match}/deals/1/positions": 8,
    "search?q=1": 12,
    "variants": 0,
    "variants/russian-14": 0,
}


@contextmanager
def counted(played: PlayedLeague) -> Iterator[list[str]]:
    """The statements that the store of the dashboard runs."""
    engine, seen = played.store._database.engine, []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("SELECT"):
            seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.mark.parametrize("path", BOUNDS)
def test_an_operation_costs_a_bounded_number_of_queries(api: Caller, played: PlayedLeague, path: str) -> None:
    """Each operation asks the store no more often than its bound, which no list's length enters."""
    at = path.format(over=played.over, match=public_match(api, played.over))
    with counted(played) as seen:
        assert api.answer(at).status_code == 200
    assert len(seen) <= BOUNDS[path], "\n".join(seen)


def test_every_operation_has_a_bound(api: Caller) -> None:
    """An operation that is new is counted too."""
    counted_paths = {path.split("?")[0].replace(A, "{name}").replace("{over}", "{season}") for path in BOUNDS}
    counted_paths = {
        path.replace("boards/1", "boards/{board}").replace("deals/1", "deals/{deal}") for path in counted_paths
    }
    counted_paths |= {path.replace("versions/1", "versions/{version}") for path in counted_paths}
    counted_paths |= {path.replace("variants/russian-14", "variants/{variant}") for path in counted_paths}
    document = api.json("openapi.json")
    own = {
        path.removeprefix("/api/v1/")
        for path, methods in document["paths"].items()
        if path.startswith("/api/v1/") and "get" in methods and "security" in methods["get"]
    }
    own = {path for path in own if {} in document["paths"][f"/api/v1/{path}"]["get"]["security"]}
    assert own <= counted_paths


def test_a_tag_spares_the_sums_of_a_season(api: Caller, played: PlayedLeague) -> None:
    """Who has the ladder already costs a query or two, and none of the sums is read."""
    at = f"seasons/{played.over}/ladder"
    tag = api.answer(at).headers["etag"]
    with counted(played) as seen:
        assert api.answer(at, headers={"If-None-Match": tag}).status_code == 304
    assert len(seen) <= 3
    assert not any("set_sums" in statement for statement in seen)
