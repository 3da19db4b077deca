"""What a page costs the database: a number of queries that does not grow with the league."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from sqlalchemy import event

from dashboard.app import create_app
from dashboard.shelf import RecordShelf
from league.model import NewSeason
from league.store import Store
from tests.dashboard.conftest import Reader, serving
from tests.dashboard.crawling import kind_of, links_of
from tests.dashboard.seasons import POLICIES, Clock, new_season, open_store, play

pytestmark = pytest.mark.slow

QUERIES_AT_MOST = 26
OF_EACH_KIND_AT_MOST = 2
BOTS = tuple(POLICIES)
ARCHIVES = (".gz", ".csv")
"""What is written out match by match: no page."""


@dataclass
class Counted:
    """The dashboard over a store, and how many queries each page has cost, by kind of address."""

    app: FastAPI
    store: Store
    queries: list[str] = field(default_factory=list)
    costs: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """A reader whose pages are counted."""
        engine = self.store._database.engine

        def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
            if not statement.startswith("BEGIN"):
                self.queries.append(statement)

        event.listen(engine, "before_cursor_execute", note)
        with serving(self.app) as address:
            reader = Reader(address)
            yield reader
            reader.close()
        event.remove(engine, "before_cursor_execute", note)

    def ask(self, reader: Reader, path: str) -> httpx.Response:
        """A page that nothing is at hand for."""
        self.store.__dict__.pop("standings", None)
        self.app.state.shelf = RecordShelf(self.store)
        self.queries.clear()
        answer = reader.answer(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        kind = of_kind(path)
        self.costs[kind] = max(self.costs.get(kind, 0), len(self.queries))
        return answer


def of_kind(path: str) -> str:
    """An address without ids, names and values: what a query asks for decides what a page costs."""
    bare = path.replace(".json", "")
    kind = kind_of(bare) + "&".join(sorted({name for name, _ in parse_qsl(urlsplit(bare).query)}))
    return kind if bare == path else f"{kind}.json"


def crawl(counted: Counted) -> dict[str, int]:
    """The queries of each kind of page that links lead to, and of its JSON twin."""
    seen: dict[str, int] = {}
    waiting = ["/"]
    with counted.reader() as reader:
        while waiting:
            path = waiting.pop(0)
            if (
                path in seen
                or path.endswith(ARCHIVES)
                or sum(of_kind(one) == of_kind(path) for one in seen) >= OF_EACH_KIND_AT_MOST
            ):
                continue
            answer = counted.ask(reader, path)
            seen[path] = answer.status_code
            if not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            page = BeautifulSoup(answer.text, "html.parser")
            twin = page.select_one("link[rel=alternate][type='application/json']")
            if twin is not None:
                counted.ask(reader, str(twin["href"]))
            waiting += links_of(page)
    return counted.costs


def a_league(folder: Path, clock: Clock, *, bots: int, boards: int, seasons: int, sets: int) -> Store:
    """A league of closed seasons that are over, a rolling one and one that is being played."""
    store = open_store(folder, clock)
    for number in range(seasons):
        season = new_season(store, BOTS[:bots], name=f"Season {number}", variant="russian-14", boards=boards)
        store.seasons.start(season)
        play(store, season, clock, sittings=None if number == 0 else 2, forfeit=True)
    rolling = store.seasons.create(NewSeason(name="Rolling", variant="russian-14", boards=boards, rolling=True)).id
    for name in BOTS[:bots]:
        store.seasons.enter(rolling, store.bots.latest(name).id)
    store.seasons.start(rolling)
    while sum(one.over_at is not None for one in store.seasons.sets(rolling)) < sets:
        store.rolling.grow_all()
        play(store, rolling, clock, sittings=1)
    return store


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[dict[str, int], dict[str, int]], None, None]:
    """What pages cost in a small league and in one that is larger in every way.

    Time stands still: a kept page that is made anew in its second minute would be counted with the page asked for then.
    """
    clock = Clock()
    small = a_league(tmp_path_factory.mktemp("small"), clock, bots=4, boards=2, seasons=2, sets=1)
    large = a_league(tmp_path_factory.mktemp("large"), clock, bots=5, boards=3, seasons=3, sets=2)
    yield tuple(crawl(Counted(create_app(store, clock=clock), store)) for store in (small, large))  # type: ignore[misc]
    small.close()
    large.close()


def test_a_larger_league_costs_no_query_more(costs: tuple[dict[str, int], dict[str, int]]) -> None:
    """With more bots, boards, sets, seasons and matches each kind of page, and its twin, asks as often as before."""
    small, large = costs
    both = small.keys() & large.keys()
    assert {kind: large[kind] for kind in both} == {kind: small[kind] for kind in both}


def test_no_page_asks_often(costs: tuple[dict[str, int], dict[str, int]]) -> None:
    """Each page costs a bounded number of queries."""
    found = {**costs[0], **costs[1]}
    assert {kind: count for kind, count in found.items() if count > QUERIES_AT_MOST} == {}


def test_every_kind_of_page_is_counted(costs: tuple[dict[str, int], dict[str, int]]) -> None:
    """The crawl meets the pages of seasons, bots, boards and matches, and the lists, each with its twin."""
    of_season = ("", "/ladder", "/crosstable", "/contracts", "/duel", "/deals", "/boards/*")
    lists = ("/ladders", "/matches", "/matches/*", "/bots", "/bots/*", "/rules")
    pages = {*lists, *(f"/seasons/*{part}" for part in of_season)}
    assert pages | {f"{page}.json" for page in pages} <= costs[1].keys()
