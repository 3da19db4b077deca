"""Every page that can be reached: links that lead somewhere, twins, a strict content policy, accessible tables."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.dashboard.conftest import Reader
from tests.dashboard.crawling import crawl, kind_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(reader: Reader) -> dict[str, BeautifulSoup]:
    """Pages reached by links from the first one, a few of each kind."""
    return crawl(reader)


def test_the_crawl_meets_every_kind_of_page(pages: dict[str, BeautifulSoup]) -> None:
    """Ladders, seasons, boards, matches, replays, bots and rules are all reached from the first page."""
    kinds = {kind_of(path) for path in pages}
    assert {"/", "/ladders", "/matches", "/bots", "/rules", "/seasons/*", "/seasons/*/ladder"} <= kinds
    assert {"/seasons/*/boards/*", "/matches/*", "/matches/*?", "/rules/russian-14"} <= kinds
    assert {"/seasons/*/crosstable", "/seasons/*/contracts", "/seasons/*/duel", "/seasons/*/duel?"} <= kinds
    assert "/seasons/*/deals" in kinds


def test_every_page_has_its_twin(pages: dict[str, BeautifulSoup], reader: Reader) -> None:
    """Every page names a JSON twin at its own address, and the twin is JSON."""
    for path, page in pages.items():
        twin = page.select_one("link[rel=alternate][type='application/json']")
        assert twin is not None, path
        address = str(twin["href"])
        assert urlsplit(address).path in {urlsplit(path).path + ".json", "/index.json"}
        assert reader.answer(address).headers["content-type"] == "application/json"


def test_nothing_is_inline(pages: dict[str, BeautifulSoup], reader: Reader) -> None:
    """No page has an inline script, style or handler, and the content policy forbids them."""
    policy = reader.answer("/").headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    for path, page in pages.items():
        assert not page.select("[style], style"), path
        assert all(script.get("src") for script in page.select("script")), path
        assert not [tag for tag in page.find_all(True) if any(name.startswith("on") for name in tag.attrs)], path


def test_pages_are_marked_up_for_everybody(pages: dict[str, BeautifulSoup]) -> None:
    """Every page has a language, one h1, a main part, tables with captions and scopes, named controls, unique ids."""
    for path, page in pages.items():
        assert page.html is not None
        assert page.html["lang"] == "en", path
        assert len(page.select("h1")) == 1, path
        assert len(page.select("main#main")) == 1, path
        for table in page.select("table"):
            assert table.select("caption"), path
            assert all(head.get("scope") for head in table.select("th")), path
        for image in page.select("svg"):
            named = image.get("aria-label") or image.get("aria-hidden") == "true"
            assert named or image.find_parent("svg") or image.find_parent(attrs={"aria-hidden": "true"}), path
        ids = [str(tag["id"]) for tag in page.select("[id]")]
        assert len(ids) == len(set(ids)), path


def test_headings_descend_by_one(pages: dict[str, BeautifulSoup]) -> None:
    """No page skips a level of headings."""
    for path, page in pages.items():
        levels = [int(heading.name[1]) for heading in page.select("main h1, main h2, main h3, main h4")]
        assert all(below - above <= 1 for above, below in pairwise(levels)), path
