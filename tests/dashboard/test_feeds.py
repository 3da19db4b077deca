"""Atom feeds: valid, stable, and only of what is public."""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree import ElementTree as Tree

import httpx
import pytest

from dashboard.atom import Feed, FeedEntry, document, stable_id
from dashboard.links import bot_feed
from tests.dashboard.conftest import PlayedLeague, Reader
from tests.dashboard.seasons import CYRILLIC_NAME, LONG_NAME, MARKUP_NAME, Clock

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def feed_of(answer: httpx.Response) -> Tree.Element:
    """A feed, checked against what RFC 4287 demands of one."""
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    root = Tree.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"{ATOM}{name}")) == 1, f"{element.tag} has one {name}"
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", text(element, "id"))
        assert RFC_3339.fullmatch(text(element, "updated"))
        assert link(element, "alternate").startswith("http://127.0.0.1")
    assert text(root.find(f"{ATOM}author") or root, "name")
    ids = [text(entry, "id") for entry in root.findall(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    moments = [text(entry, "updated") for entry in root.findall(f"{ATOM}entry")]
    assert moments == sorted(moments, reverse=True)
    assert not moments or text(root, "updated") == moments[0]
    return root


def text(element: Tree.Element, name: str) -> str:
    found = element.find(f"{ATOM}{name}")
    assert found is not None
    return found.text or ""


def link(element: Tree.Element, relation: str) -> str:
    return next(one.get("href", "") for one in element.findall(f"{ATOM}link") if one.get("rel") == relation)


def entries(root: Tree.Element) -> list[Tree.Element]:
    return root.findall(f"{ATOM}entry")


def test_the_feed_of_seasons(reader: Reader, played: PlayedLeague) -> None:
    """It tells when each season opened, began and ended, and leads there."""
    root = feed_of(reader.answer("/feeds/seasons.atom"))
    titles = [text(entry, "title") for entry in entries(root)]
    assert "Autumn <i>2026</i> has ended" in titles
    assert "Spring 2027: entries are open" in titles
    assert "Winter 2026 has ended" not in titles
    assert {link(entry, "alternate").rsplit("/seasons/", 1)[1] for entry in entries(root)} >= {f"{played.over}/ladder"}


def test_the_feed_of_a_season(reader: Reader, played: PlayedLeague) -> None:
    """It tells which boards have become public."""
    root = feed_of(reader.answer(f"/feeds/seasons/{played.over}.atom"))
    assert any(re.search(r": [23] boards of set \d are public", text(entry, "title")) for entry in entries(root))
    running = feed_of(reader.answer(f"/feeds/seasons/{played.running}.atom"))
    assert not any("public" in text(entry, "title") for entry in entries(running))


def test_the_feed_of_a_bot_has_public_matches_alone(reader: Reader, played: PlayedLeague) -> None:
    """Each entry leads to a replay that can be read; matches of sets in play are not told."""
    for name in ("greedy", LONG_NAME, CYRILLIC_NAME, MARKUP_NAME):
        root = feed_of(reader.answer(bot_feed(name)))
        assert entries(root), name
        told = {link(entry, "alternate").rsplit("/", 1)[1] for entry in entries(root)}
        hidden = {row.match_id for row in played.store.results.matches(played.running)}
        assert hidden
        assert not told & hidden


def test_a_feed_that_has_not_changed_is_not_sent_again(reader: Reader) -> None:
    """With the ETag that a reader has, alone or among others, the answer is empty."""
    first = reader.answer("/feeds/seasons.atom")
    tag = first.headers["etag"]
    for known in (tag, f'"another", {tag}', f"W/{tag}"):
        again = reader.answer("/feeds/seasons.atom", **{"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == "public, max-age=60"


def test_ids_stay(reader: Reader) -> None:
    """An entry has the same id in every language and at every reading, whatever the address of the site."""
    english = feed_of(reader.answer("/feeds/seasons.atom"))
    russian = feed_of(reader.answer("/feeds/seasons.atom?lang=ru"))
    assert [text(entry, "id") for entry in entries(english)] == [text(entry, "id") for entry in entries(russian)]
    assert text(english, "title") != text(russian, "title")
    assert stable_id("match x") == "urn:uuid:" + stable_id("match x").removeprefix("urn:uuid:")
    assert stable_id("match x") != stable_id("match y")


def test_pages_name_their_feeds(reader: Reader, played: PlayedLeague) -> None:
    """Bot, season, ladder and the list of ladders have a link that feed readers find."""
    for path in ("/ladders", f"/seasons/{played.over}", f"/seasons/{played.over}/ladder", "/bots/greedy"):
        found = reader.page(path).select_one("link[rel=alternate][type='application/atom+xml']")
        assert found is not None, path
        feed_of(reader.answer(str(found["href"])))


def test_what_xml_cannot_hold_is_left_out() -> None:
    """A title with control characters and markup gives a feed that can be parsed."""
    moment: datetime = Clock().now
    entry = FeedEntry("a", "x\x00\x0b<b>&\ud7ff\uffff", "…", "/", moment)
    root = Tree.fromstring(document(Feed("f", "t", "/", "/", moment, [entry]), base="http://h", language="en"))
    assert text(entries(root)[0], "title") == "x<b>&\ud7ff"
