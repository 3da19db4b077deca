"""Deals to look at: a bot's worst and best ones, and those of a season that were played furthest apart."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dashboard.conftest import PlayedLeague, Reader
from tests.dashboard.test_pages import text_of

pytestmark = pytest.mark.slow


def deals(reader: Reader, season: int, **asked: str) -> list[dict[str, Any]]:
    """The deals of the bot `greedy` that the list has."""
    query = "".join(f"&{name}={value}" for name, value in asked.items())
    found: list[dict[str, Any]] = reader.json(f"/bots/greedy/deals.json?season={season}{query}")["deals"]
    return found


def points_of(reader: Reader, match_id: str, deal: int, seat: int) -> int:
    """What a seat made in a deal, as the record has it."""
    found: int = reader.json(f"/matches/{match_id}/record.json")["deals"][deal - 1]["points"][seat]
    return found


def test_a_deal_is_compared_with_what_others_made_of_its_hand(reader: Reader, played: PlayedLeague) -> None:
    """Points are those of the records, its own and those of the same seat in other rotations; the worst come first."""
    found = deals(reader, played.over)
    assert found
    for line in found[:3]:
        own = points_of(reader, line["match_id"], line["deal"], line["seat"])
        others = [points_of(reader, one["match_id"], line["deal"], line["seat"]) for one in line["others"]]
        assert line["points"] == own
        assert [one["points"] for one in line["others"]] == others
        assert line["difference"] == pytest.approx(own - sum(others) / len(others))
        assert "greedy" not in [one["name"] for one in line["others"]]
    differences = [line["difference"] for line in found]
    assert differences == sorted(differences)
    assert differences[-1] < 0


def test_the_best_come_first_where_they_are_asked_for(reader: Reader, played: PlayedLeague) -> None:
    """In the other order there are deals in which others made less."""
    differences = [line["difference"] for line in deals(reader, played.over, order="best")]
    assert differences == sorted(differences, reverse=True)
    assert differences[-1] > 0


def test_the_bot_page_leads_from_a_contract_to_its_worst_deals(reader: Reader, played: PlayedLeague) -> None:
    """The link beside a contract has the deals of that contract alone, each with its replay and its board."""
    row = reader.page(f"/bots/greedy?season={played.over}").select("table.contracts tbody tr")[0]
    contract = text_of(row.select_one("th")).partition(" · ")[0]
    page = reader.page(str(row.select("th a")[0]["href"]))
    lines = page.select("table.deal-list tbody tr")
    assert lines
    for line in lines:
        assert contract.startswith(text_of(line.select_one(".contract")))
    assert f"/seasons/{played.over}/boards/" in str(lines[0].select("th a")[0]["href"])
    assert reader.answer(str(lines[0].select(".watch a")[0]["href"])).status_code == 200


def test_nothing_is_told_of_a_set_that_is_still_played(reader: Reader, played: PlayedLeague) -> None:
    """Deals come when their set of boards is over; the page says so."""
    assert deals(reader, played.running) == []
    assert "over yet" in reader.page(f"/bots/greedy/deals?season={played.running}").get_text()


@pytest.mark.parametrize("asked", ["contract=no_aces", "order=middling"])
def test_what_is_not_there_is_answered_with_what_is(reader: Reader, played: PlayedLeague, asked: str) -> None:
    """A contract or an order that there is none of is not found, and the answer names those there are."""
    answer = reader.answer(f"/bots/greedy/deals?season={played.over}&{asked}")
    assert answer.status_code == 404
    assert "no_king" in answer.text or "worst, best" in answer.text


def test_remarkable_deals_are_hands_played_furthest_apart(reader: Reader, played: PlayedLeague) -> None:
    """Each contract has one, with the most and the least that the records have for this hand; links show all of it."""
    found = reader.json(f"/seasons/{played.over}/remarkable.json")
    contracts = [line["contract"] for line in found["deals"]]
    assert contracts
    assert len(contracts) == len(set(contracts))
    line = found["deals"][0]
    board = reader.json(f"/seasons/{played.over}/boards/{line['board']}.json")
    made = [points_of(reader, one["match_id"], line["deal"], line["seat"]) for one in board["matches"]]
    assert line["best"]["points"] in made
    assert line["worst"]["points"] in made
    assert line["apart"] == line["best"]["points"] - line["worst"]["points"] > 0
    page = reader.page(f"/seasons/{played.over}/remarkable")
    assert len(page.select("table.deal-list tbody tr")) == len(contracts)
    for link in page.select("table.deal-list tbody tr")[0].select("a"):
        assert reader.answer(str(link["href"])).status_code == 200


def test_the_first_page_leads_to_remarkable_deals(reader: Reader, played: PlayedLeague) -> None:
    """Of each season that has any."""
    page = reader.page("/")
    assert page.select_one(f"a[href='/seasons/{played.over}/remarkable']") is not None
    assert page.select_one(f"a[href='/seasons/{played.running}/remarkable']") is None


def test_no_deal_is_remarkable_while_its_set_is_played(reader: Reader, played: PlayedLeague) -> None:
    """A season without a set of boards that is over has none, and says why."""
    assert reader.json(f"/seasons/{played.running}/remarkable.json")["deals"] == []
    assert "No set of boards is over yet" in reader.page(f"/seasons/{played.running}/remarkable").get_text()
