"""Search, the list of matches by what is asked, and the versions of a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from league.store.searching import LONGEST
from tests.dashboard.conftest import PlayedLeague, Reader
from tests.dashboard.seasons import CYRILLIC_NAME, LONG_NAME, MARKUP_NAME

pytestmark = pytest.mark.slow


def found(reader: Reader, text: str) -> Any:
    return reader.json(f"/search.json?{_query(q=text)}")


def _query(**values: object) -> str:
    from urllib.parse import urlencode

    return urlencode(values)


def test_bots_are_found_by_a_part_of_their_name(reader: Reader) -> None:
    """In any case, of any alphabet; names that begin so come first."""
    assert [bot["name"] for bot in found(reader, "GREE")["bots"]] == ["greedy"]
    assert [bot["name"] for bot in found(reader, CYRILLIC_NAME.lower()[2:])["bots"]] == [CYRILLIC_NAME]
    assert [bot["name"] for bot in found(reader, "<B>bold")["bots"]] == [MARKUP_NAME]
    assert [bot["name"] for bot in found(reader, "%")["bots"]] == []


def test_seasons_boards_and_matches_are_found(reader: Reader, played: PlayedLeague) -> None:
    """Seasons by name, id and variant, boards by number, matches by the beginning of their id."""
    assert [season["name"] for season in found(reader, "winter")["seasons"]] == ["Winter 2026"]
    assert [season["name"] for season in found(reader, "turkish")["seasons"]] == ["Evening"]
    assert {one["season"]["id"] for one in found(reader, "2")["boards"]} >= {played.over, played.chosen}
    match_id = played.store.results.matches(played.over)[0].match_id
    assert [one["match"]["match_id"] for one in found(reader, match_id[:9].upper())["matches"]] == [match_id]
    assert found(reader, "zzz")["count"] == 0
    assert found(reader, "")["count"] == 0


def test_versions_are_found(reader: Reader) -> None:
    """By their whole name, and by the beginning of their hash."""
    assert len(found(reader, "1.0")["versions"]) >= 5
    assert [one["name"] for one in found(reader, "0" * 63 + "1")["versions"]] == [LONG_NAME]


def test_the_page_says_what_was_asked_and_escapes_it(reader: Reader) -> None:
    """What was looked for stays in the box; nothing found is said with what could be asked."""
    page = reader.page(f"/search?{_query(q='<script>nothing')}")
    box = page.select_one("main input[type=search]")
    assert box is not None
    assert box["value"] == "<script>nothing"
    assert not page.select("main script")
    assert "Nothing is called" in page.get_text()
    reader.page(f"/search?{_query(q='x' * (10 * LONGEST))}")


def test_every_page_has_the_box(reader: Reader) -> None:
    """The box in the header leads to the search by GET, so that what was asked is in the address."""
    form = reader.page("/ladders").select_one("header form[role=search]")
    assert form is not None
    assert (form["method"], form["action"]) == ("get", "/search")


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ({"bot": "greedy"}, lambda row: "greedy" in labels(row)),
        ({"bot": "greedy", "opponent": "lowest"}, lambda row: {"greedy", "lowest"} <= set(labels(row))),
        ({"bot": "greedy", "place": 1}, lambda row: place_of(row, "greedy") == 1),
        ({"variant": "turkish-20"}, lambda row: row["season_name"] == "Evening"),
        ({"fault": "exit"}, lambda row: any(result["forfeited"] for result in row["results"])),
        ({"fault": "any"}, lambda row: any(result["forfeited"] for result in row["results"])),
        ({"since": "2026-11-29", "until": "2026-11-29"}, lambda row: row["ended_at"].startswith("2026-11-29")),
    ],
)
def test_matches_are_asked_for(reader: Reader, query: dict[str, object], holds: Any) -> None:
    """Only matches that are so are listed, and some are; the form shows what was asked."""
    rows = reader.json(f"/matches.json?{_query(**query)}")["rows"]
    assert rows
    assert all(map(holds, rows))
    everything = reader.json("/matches.json")["rows"]
    if len(everything) < 50:
        assert {row["match_id"] for row in rows} == {row["match_id"] for row in everything if holds(row)}
    page = reader.page(f"/matches?{_query(**query)}")
    for name, value in query.items():
        assert shown(page, name) == str(value)


def labels(row: Any) -> list[str]:
    return [result["label"] for result in row["results"]]


def place_of(row: Any, label: str) -> int | None:
    return next((result["place"] for result in row["results"] if result["label"] == label), None)


def shown(page: BeautifulSoup, name: str) -> str:
    field = page.select_one(f"main [name={name}]")
    assert field is not None
    if field.name == "input":
        return str(field["value"])
    option = field.select_one("option[selected]")
    assert option is not None
    return str(option.get("value", option.get_text()))


def test_no_match_of_a_day_in_the_future(reader: Reader) -> None:
    """Nothing found is said in words, with what may be asked instead."""
    page = reader.page("/matches?since=2031-01-01")
    assert "No match is so" in page.get_text()


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("place=1", "say which with bot="),
        ("place=9&bot=greedy", "use 1 to 4"),
        ("opponent=greedy", "say of which with bot="),
        ("fault=boredom", "timeout, illegal"),
        ("since=yesterday", "2026-11-29"),
        ("season=1&bot=nobody", "no bot nobody"),
    ],
)
def test_a_question_that_makes_no_sense_is_answered_with_one_that_does(reader: Reader, query: str, right: str) -> None:
    """Errors name what could be asked."""
    assert right in reader.page(f"/matches?{query}", 404).get_text()


def test_versions_of_a_bot(reader: Reader) -> None:
    """Its versions with hash, and the seasons that each took part in."""
    twin = reader.json("/bots/greedy/versions.json")
    assert [line["version"]["version"] for line in twin["versions"]] == ["1.0"]
    assert len(twin["versions"][0]["entries"]) == 4
    page = reader.page("/bots/greedy/versions")
    assert {"Winter 2026", "Evening"} <= {link.get_text() for link in page.select("main td a")}
    assert reader.page("/bots/greedy").select("a[href='/bots/greedy/versions']")
    assert "greedy" in reader.page("/bots/nobody/versions", 404).get_text()


def test_the_guide_leads_to_the_rules(reader: Reader) -> None:
    """The guide names every kit and links the rules of every variant, in both languages."""
    page = reader.page("/guide")
    kits = {row.get_text() for row in page.select("tbody th code")}
    folder = Path(__file__).parents[2] / "sample_bots"
    assert {"python", "go", "rust", "java", "node", "cpp"} <= kits
    assert folder.is_dir()
    assert page.select("a[href='/rules/russian-14']")
    assert "Руководство" in reader.page("/guide?lang=ru").get_text()
