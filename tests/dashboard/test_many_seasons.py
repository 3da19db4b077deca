"""Selects of a league with many seasons: the newest and the chosen one are offered, and no page reads them all."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from dashboard import choices
from dashboard.app import create_app
from dashboard.routes import bots as bots_page
from league.model import Season
from tests.dashboard.conftest import Reader, serving
from tests.dashboard.seasons import Clock, new_season, open_store

pytestmark = pytest.mark.slow

BOTS = ("greedy", "highest", "lowest", "random")
OFFERED, COUNT = 5, 25
OLD, CLASSIC = 1, 2
"""The ids of the oldest season, and of the only one of another variant."""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Generator[Reader, None, None]:
    """A reader of a league with more seasons than are offered, here few, none of them begun."""
    folder: Path = tmp_path_factory.mktemp("crowd")
    store = open_store(folder, Clock())
    for number in range(1, COUNT + 1):
        variant = "classic" if number == CLASSIC else "russian-14"
        new_season(store, BOTS, name=f"Season {number}", variant=variant, boards=1)
    with pytest.MonkeyPatch.context() as patch, serving(create_app(store)) as address:
        patch.setattr(choices, "SEASONS_OFFERED", OFFERED)
        reader = Reader(address)
        yield reader
        reader.close()
    store.close()


def offered(page: BeautifulSoup, name: str) -> list[str]:
    return [str(one.get("value", one.get_text())) for one in page.select(f"select[name={name}] option")]


def chosen(page: BeautifulSoup, name: str) -> str:
    (found,) = page.select(f"select[name={name}] option[selected]")
    return str(found.get("value", found.get_text()))


NEWEST = [str(number) for number in range(COUNT, COUNT - OFFERED, -1)]


@pytest.mark.parametrize("path", [f"/seasons/{OLD}/ladder", f"/matches?season={OLD}", f"/bots/greedy?season={OLD}"])
def test_the_newest_and_the_chosen_season_are_offered(
    crowd: Reader, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The select has so many, and the one that the page is of; hardly more are read from the store."""
    read, build = [], Season.__init__

    def counted(self: Season, **values: object) -> None:
        read.append(values["id"])
        build(self, **values)  # type: ignore[arg-type]

    monkeypatch.setattr(Season, "__init__", counted)
    page = crowd.page(path)
    assert [one for one in offered(page, "season") if one] == [*NEWEST, str(OLD)]
    assert chosen(page, "season") == str(OLD)
    assert OFFERED < len(read) < COUNT


def test_rare_variants_are_offered_too(crowd: Reader) -> None:
    """However old the only season of a variant is, the variant leads to it; an unknown one names those there are."""
    page = crowd.page(f"/seasons/{COUNT}/ladder")
    assert offered(page, "variant") == ["classic", "russian-14"]
    answer = crowd.answer(f"/ladders?variant=classic&season={COUNT}")
    assert answer.url.path == f"/seasons/{CLASSIC}/ladder"
    assert offered(crowd.page(f"/seasons/{CLASSIC}/ladder"), "season") == [str(CLASSIC)]
    assert "classic, russian-14" in crowd.page("/ladders?variant=whist", 404).get_text()


def test_a_list_of_bots_is_gone_on_with(crowd: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too many for a page is on the next, each bot with its latest season."""
    monkeypatch.setattr(bots_page, "BOTS_SHOWN", 3)
    first = crowd.page("/bots")
    assert [line.get_text() for line in first.select("tbody th a")] == ["greedy", "highest", "lowest"]
    assert {str(link["href"]) for link in first.select("tbody td a")} == {f"/seasons/{COUNT}/ladder"}
    (more,) = (str(link["href"]) for link in first.select("nav.pages a"))
    assert more == "/bots?after=lowest"
    rest = crowd.page(more)
    assert [line.get_text() for line in rest.select("tbody th a")] == ["random"]
    assert not rest.select("nav.pages")
