"""Crosstable, contracts, duel, deals and histories over a played league: parsed HTML against their twins."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus

import pytest
from bs4 import BeautifulSoup, Tag

from dashboard.numbers import MINUS
from dashboard.pages.season import season_page
from dashboard.templating import Reader as ReaderOfPage
from dashboard.templating import Renderer
from league.collusion import Lack, audit, audit_summary
from tests.dashboard.conftest import NAMES, PlayedLeague, Reader
from tests.dashboard.seasons import CYRILLIC_NAME, MARKUP_NAME
from tests.dashboard.test_pages import text_of
from tests.dashboard.test_standings_models import fed_season

pytestmark = pytest.mark.slow


def figure_of(cell: Tag, which: str = "wide") -> float:
    return float(text_of(cell.select_one(f".{which}-figure")).replace(MINUS, "-").replace("+", ""))


def cells_of(table: Tag) -> list[list[Tag]]:
    return [row.select("td") for row in table.select("tbody tr")]


def duel_of(reader: Reader, season: int, a: str, b: str) -> dict[str, Any]:
    found: dict[str, Any] = reader.json(f"/seasons/{season}/duel.json?a={quote_plus(a)}&b={quote_plus(b)}")
    return found


def test_the_crosstable_prints_every_difference(reader: Reader, played: PlayedLeague) -> None:
    """Each pair has its number, the opposite in the opposite cell, and interval and p in the text of its link."""
    table = cells_of(reader.page(f"/seasons/{played.over}/crosstable").select("table.cross")[0])
    assert len(table) == len(NAMES)
    for i, row in enumerate(table):
        assert len(row) == len(NAMES)
        for k, cell in enumerate(row):
            if i == k:
                assert not cell.select("a")
                continue
            assert figure_of(cell) == -figure_of(table[k][i])
            behind = text_of(cell.select_one("a .more"))
            assert "±" in behind
            assert re.search(r"p after Holm (<.)?[01]\.\d+, alone (<.)?[01]\.\d+", behind)
            assert "together" in behind


def test_pairs_that_are_not_separable_are_marked(reader: Reader, played: PlayedLeague) -> None:
    """≈ stands where the adjusted p of the twin is 0.05 or more, and there the tint is the weakest."""
    rows = reader.json(f"/seasons/{played.over}/crosstable.json")["rows"]
    table = cells_of(reader.page(f"/seasons/{played.over}/crosstable").select("table.cross")[0])
    for line, cells in zip(rows, table, strict=True):
        for one, cell in zip(line["cells"], cells, strict=True):
            if one is None:
                continue
            unsure = one["gap"]["p_holm"] is None or one["gap"]["p_holm"] >= 0.05
            assert bool(cell.select(".even")) == unsure
            assert one["gap"]["verdict"] == "not separable" or not unsure
            assert abs(int(str(cell["data-heat"]))) in ((0, 1) if unsure else (2, 3))


def test_the_crosstable_agrees_with_the_ladder(reader: Reader, played: PlayedLeague) -> None:
    """Differences, intervals and p are those of the ladder's twin, and so is the number of pairs told apart."""
    ladder = reader.json(f"/seasons/{played.over}/ladder.json")["differences"]
    page = reader.json(f"/seasons/{played.over}/crosstable.json")
    gaps = {(row["name"], cell["against"]): cell["gap"] for row in page["rows"] for cell in row["cells"] if cell}
    for one in ladder:
        gap = gaps[one["a"], one["b"]]
        assert (gap["points"], gap["low"], gap["high"]) == (one["points_per_deal"], one["low"], one["high"])
        assert (gap["p"], gap["p_holm"], gap["boards"]) == (one["p"], one["p_holm"], one["boards_together"])
    assert page["separated"] == sum(one["p_holm"] is not None and one["p_holm"] < 0.05 for one in ladder)
    assert page["pairs"] == len(ladder)


def test_who_finishes_above_adds_up(reader: Reader, played: PlayedLeague) -> None:
    """Opposite shares add up to the whole, and lie within their intervals."""
    table = cells_of(reader.page(f"/seasons/{played.over}/crosstable").select("table.cross")[1])
    rows = reader.json(f"/seasons/{played.over}/crosstable.json")["rows"]
    for i, row in enumerate(rows):
        for k, cell in enumerate(row["cells"]):
            if cell is None:
                continue
            share = cell["finish"]["share"]
            assert share + rows[k]["cells"][i]["finish"]["share"] == pytest.approx(1.0)
            low, high = cell["finish"]["low"], cell["finish"]["high"]
            assert low is None or low <= share <= high
            assert text_of(table[i][k].select_one(".narrow-figure")) == f"{100 * share:.0f}"


def test_places_are_shared_out(reader: Reader, played: PlayedLeague) -> None:
    """Each bot's places add up to its matches; the mean place is theirs."""
    rows = reader.json(f"/seasons/{played.over}/crosstable.json")["rows"]
    bots = {one["bot"]: one for one in reader.json(f"/seasons/{played.over}/ladder.json")["bots"]}
    for row in rows:
        assert row["places"] == bots[row["name"]]["places"]
        mean = sum(place * count for place, count in enumerate(row["places"], start=1)) / sum(row["places"])
        assert row["mean_place"] == pytest.approx(mean)
    page = reader.page(f"/seasons/{played.over}/crosstable")
    assert len(page.select("table.place-table tbody svg.places")) == len(NAMES)


def test_contracts_have_a_cell_for_each_bot(reader: Reader, played: PlayedLeague) -> None:
    """Every contract is a row, with the numbers of the bots' own pages, ≈ where the interval holds 0."""
    page = reader.json(f"/seasons/{played.over}/contracts.json")
    assert len(page["lines"]) == 14
    at = [bot["name"] for bot in page["bots"]].index("greedy")
    own = {one["name"]: one["points"] for one in reader.json(f"/bots/greedy.json?season={played.over}")["contracts"]}
    table = cells_of(reader.page(f"/seasons/{played.over}/contracts").select_one("table.by-contract") or Tag(name="p"))
    assert len(table) == 14
    for line, cells in zip(page["lines"], table, strict=True):
        cell = line["cells"][at]
        assert (cell["points"], cell["low"], cell["high"]) == tuple(
            own[line["name"]][key] for key in ("value", "low", "high")
        )
        for one, shown in zip(line["cells"], cells, strict=True):
            assert bool(shown.select(".even")) == (not one["clear"])
            assert one["clear"] == (one["p_holm"] is not None and one["p_holm"] < 0.05)
            assert not (one["clear"] and one["low"] <= 0 <= one["high"])


def test_where_each_loses_is_the_worst_clear_cell(reader: Reader, played: PlayedLeague) -> None:
    """The contract named for a bot has the fewest points of its clear ones; without a clear loss none is named."""
    page = reader.json(f"/seasons/{played.over}/contracts.json")
    for at, bot in enumerate(page["bots"]):
        cells = [(line["cells"][at], line["name"]) for line in page["lines"]]
        losses = [(cell["points"], name) for cell, name in cells if cell["clear"] and cell["points"] < 0]
        assert bot["worst"] == (min(losses)[1] if losses else "")


def test_a_duel_tells_the_verdict_in_words(reader: Reader, played: PlayedLeague) -> None:
    """The page says what the twin does: difference, interval, verdicts, p, and boards needed."""
    told = duel_of(reader, played.over, "greedy", CYRILLIC_NAME)
    page = reader.page(f"/seasons/{played.over}/duel?a=greedy&b={quote_plus(CYRILLIC_NAME)}")
    lead = text_of(page.select_one(".lead"))
    assert ("is better" in lead) == (told["verdict"] != "not separable")
    assert ("Not yet separable" in lead) == (told["verdict"] == "not separable")
    label = str(page.select("svg.interval")[0]["aria-label"])
    assert label.startswith(f"{told['difference']['value']:+.2f}".replace("-", MINUS))
    assert told["needed"]["boards"] == 5
    assert text_of(page.select_one("#needed + .inside dd")) == "5"
    assert [text_of(option) for option in page.select("select[name=a] option[selected]")] == ["greedy"]


def test_a_duel_turns_round(reader: Reader, played: PlayedLeague) -> None:
    """Seen from the other side the difference is the opposite, and so are places and boards."""
    one = duel_of(reader, played.over, "greedy", MARKUP_NAME)
    other = duel_of(reader, played.over, MARKUP_NAME, "greedy")
    assert one["difference"]["value"] == -other["difference"]["value"]
    assert (one["p"], one["p_holm"], one["needed"]) == (other["p"], other["p_holm"], other["needed"])
    assert (one["together"]["won"], one["together"]["tied"]) == (other["together"]["lost"], other["together"]["tied"])
    points = [(gap["number"], gap["points"]) for gap in one["together"]["most_different"]]
    assert points == [(gap["number"], -gap["points"]) for gap in other["together"]["most_different"]]
    counts = [[cell["count"] for cell in row] for row in one["together"]["places"]]
    assert [list(row) for row in zip(*counts, strict=True)] == [
        [cell["count"] for cell in row] for row in other["together"]["places"]
    ]


def test_the_boards_of_a_duel_are_as_the_records_say(reader: Reader, played: PlayedLeague) -> None:
    """A board's difference is that of the two bots' scores in its matches; the widest comes first; each has a link."""
    told = duel_of(reader, played.chosen, "greedy", "lowest")["together"]
    season = reader.json(f"/seasons/{played.chosen}.json")["season"]
    matches = reader.json(f"/matches.json?season={played.chosen}")["rows"]
    sizes = [abs(gap["points"]) for gap in told["most_different"]]
    assert sizes == sorted(sizes, reverse=True)
    for gap in told["most_different"]:
        rows = [row for row in matches if row["board"] == gap["number"]]
        points = [{one["label"]: one["points"] for one in row["results"]} for row in rows]
        mean = sum(one["greedy"] - one["lowest"] for one in points) / (len(points) * season["deal_count"])
        assert gap["points"] == pytest.approx(mean)
    page = reader.page(f"/seasons/{played.chosen}/duel?a=greedy&b=lowest")
    linked = [str(link["href"]) for link in page.select("#boards ~ .flush tbody th a")]
    assert linked == [f"/seasons/{played.chosen}/boards/{gap['number']}" for gap in told["most_different"]]
    assert "No verdict before 16 boards" in text_of(page.select_one("#sequence + .inside"))


def test_a_duel_without_names_is_of_the_first_two(reader: Reader, played: PlayedLeague) -> None:
    """Whoever is not named is the first of the ladder that is left."""
    names = [one["bot"] for one in reader.json(f"/seasons/{played.over}/ladder.json")["bots"]]
    told = reader.json(f"/seasons/{played.over}/duel.json")
    assert (told["a"]["name"], told["b"]["name"]) == (names[0], names[1])
    told = reader.json(f"/seasons/{played.over}/duel.json?a={quote_plus(names[1])}")
    assert (told["a"]["name"], told["b"]["name"]) == (names[1], names[0])


def test_standings_of_a_planned_season_say_what_will_stand_there(reader: Reader, played: PlayedLeague) -> None:
    """Without boards the pages are there, have no table of numbers, and say when there will be one."""
    for page in ("crosstable", "contracts"):
        found = reader.page(f"/seasons/{played.planned}/{page}")
        assert not found.select("table.cross")
        assert "This season has not started" in text_of(found)
    duel = reader.page(f"/seasons/{played.planned}/duel")
    assert "Nothing can be said of these two yet" in text_of(duel)
    deals = reader.page(f"/seasons/{played.planned}/deals")
    assert "As soon as entries are closed" in text_of(deals)
    assert not deals.select(".checks li")


def test_every_page_of_a_season_leads_to_the_others(reader: Reader, played: PlayedLeague) -> None:
    """The pages of a season have the same links, and mark the one that is here."""
    paths = [
        f"/seasons/{played.over}{page}" for page in ("", "/ladder", "/crosstable", "/contracts", "/duel", "/deals")
    ]
    for path in paths:
        links = {str(link["href"]): link.get("aria-current") for link in reader.page(path).select(".subpages a")}
        assert set(paths) <= set(links)
        assert [address for address, here in links.items() if here == "page"] == [path]


def test_the_deals_page_has_what_is_published_and_no_more(reader: Reader, played: PlayedLeague) -> None:
    """A season that is over shows its secrets, one that runs only commitments and salt, a planned one neither."""
    over = reader.json(f"/seasons/{played.over}/deals.json")
    secret = bytes.fromhex(over["season"]["secret"])
    assert hashlib.sha256(secret).hexdigest() == over["season"]["commitment"]
    hashes = sorted(bytes.fromhex(one["version_hash"]) for one in over["hashes"])
    assert hashlib.sha256(b"".join(hashes)).hexdigest() == over["season"]["deal_salt"]
    for board in over["boards"]:
        own = hashlib.sha256(secret + board["number"].to_bytes(4, "big")).digest()
        assert own.hex() == board["deal_secret"]
        assert hashlib.sha256(own).hexdigest() == board["commitment"]
    assert all(one["over_at"] and one["deal_salt"] == over["season"]["deal_salt"] for one in over["sets"])
    running = reader.json(f"/seasons/{played.running}/deals.json")
    assert running["season"]["secret"] is None
    assert running["example"] is None
    assert [board["deal_secret"] for board in running["boards"]] == [None] * running["board_count"]
    planned = reader.json(f"/seasons/{played.planned}/deals.json")
    assert (planned["season"]["deal_salt"], planned["hashes"], planned["boards"]) == (None, [], [])


def test_the_commands_of_the_deals_page_print_what_it_says(reader: Reader, played: PlayedLeague) -> None:
    """Each command, run in a shell, prints the hash named below it."""
    if shutil.which("perl") is None or shutil.which("sha256sum") is None:
        pytest.skip("no perl or no sha256sum on the PATH")
    checks = reader.page(f"/seasons/{played.over}/deals").select(".checks li")
    assert len(checks) == 4
    for check in checks:
        command, expected = check.select_one("pre code"), check.select_one(".expected")
        assert command is not None
        assert expected is not None
        run = subprocess.run(["sh", "-c", command.get_text()], capture_output=True, text=True, check=True)
        assert run.stdout.split() == [expected.get_text(), "-"]


def test_records_of_the_deals_page_can_be_had(reader: Reader, played: PlayedLeague) -> None:
    """The example's records are public, and of the board that they are named for."""
    page = reader.page(f"/seasons/{played.over}/deals")
    links = [str(link["href"]) for link in page.select("#check + .inside a[href$='record.json']")]
    assert len(links) == 4
    board = reader.json(f"/seasons/{played.over}/deals.json")["example"]["board"]["number"]
    assert {reader.json(link)["context"]["board"] for link in links} == {board}


def test_the_bot_page_draws_its_official_history(reader: Reader, played: PlayedLeague) -> None:
    """Elo and points have a line with a band, the live Elo another line; the last moment is the ladder's row."""
    page = reader.page(f"/bots/greedy?season={played.over}")
    charts = page.select("#rating + .inside svg.history")
    assert len(charts) == 2
    assert all(chart.select("polygon.band") and chart.select("polyline.path") for chart in charts)
    assert charts[0].select("polyline.live")
    assert "for show" in text_of(page.select_one(".chart-key"))
    last = reader.json(f"/bots/greedy.json?season={played.over}")["history"]["moments"][-1]
    row = next(one for one in reader.json(f"/seasons/{played.over}/ladder.json")["bots"] if one["bot"] == "greedy")
    assert (last["elo"]["value"], last["elo"]["low"], last["elo"]["high"]) == (
        row["elo"],
        row["elo_low"],
        row["elo_high"],
    )
    assert last["points"]["value"] == row["points_per_deal"]
    assert last["boards"] == row["boards"]


def test_the_season_page_tells_of_the_audit(reader: Reader, played: PlayedLeague) -> None:
    """Organisers read that no pair is flagged, or that none can be judged yet; a planned season has no audit."""
    section = text_of(reader.page(f"/seasons/{played.over}").select_one("#audit ~ .inside"))
    assert "No pair" in section
    assert reader.json(f"/seasons/{played.over}.json")["audit"]["flagged"] == []
    assert not reader.page(f"/seasons/{played.planned}").select("#audit")


@pytest.mark.parametrize(
    ("lack", "told"),
    [
        (Lack(bots=4, bots_needed=5, together=6, apart=0), "It takes 5 bots; 4 have played."),
        (Lack(bots=5, bots_needed=5, together=3, apart=1), "has most has 3 with both and 1 of one without the other."),
        (Lack(bots=8, bots_needed=5, together=3, apart=3), "it takes other tables."),
        (None, "without the other."),
    ],
)
def test_the_season_page_says_in_numbers_what_an_audit_lacks(
    played: PlayedLeague, lack: Lack | None, told: str
) -> None:
    """Too few bots, too few boards of any pair, tables that are alike; what was kept earlier has no numbers."""
    found = audit_summary(replace(audit((), deals=14), boards=6, lack=lack))
    if lack is None:
        del found["lack"]
    text = text_of(_audit_section(played, found))
    assert "takes 2 boards where both sit, and 2 of one without the other" in text
    assert text.endswith(told)


def test_flagged_pairs_are_named_with_their_numbers(played: PlayedLeague) -> None:
    """Who gains, who sits there, how much and how surely, with the way to their duel."""
    section = _audit_section(played, audit_summary(audit(fed_season(90), deals=14)))
    labels = [one.label for one in played.store.seasons.entrants(played.over)]
    assert "1 is flagged" in text_of(section)
    row = section.select("tbody tr")
    assert [text_of(one.select_one("a.name")) for one in (row[0].select("th")[0], row[0].select("td")[0])] == [
        labels[1],
        labels[0],
    ]
    assert "±" in text_of(row[0])
    assert "<" in text_of(row[0].select("td")[-1])


def _audit_section(played: PlayedLeague, found: Mapping[str, Any]) -> Tag:
    """The part of a season's page that tells of this audit."""
    store = played.store
    model = season_page(
        store.seasons.get(played.over),
        store.seasons.progress(played.over),
        store.standings.ladder(played.over),
        store.seasons.entrants(played.over),
        store.seasons.counts(played.over),
        None,
        store.seasons.boards(played.over),
        (),
        found,
    )
    source = Renderer(clock=played.clock).render("season.html", ReaderOfPage(), area="ladders", page=model)
    section = BeautifulSoup(source, "html.parser").select_one("#audit ~ .inside")
    assert section is not None
    return section


def test_labels_of_axes_are_where_they_say(reader: Reader, played: PlayedLeague) -> None:
    """On every chart and every common scale a label's number goes with its place: none is rounded."""
    pages = [
        f"/seasons/{played.over}/ladder",
        f"/seasons/{played.over}/duel?a=greedy&b=lowest",
        *(f"/bots/{name}?season={played.over}" for name in ("greedy", "lowest")),
    ]
    axes = [axis for path in pages for axis in reader.page(path).select("svg.axis, svg.history")]
    told = [ticks for axis in axes for ticks in [_ticks(axis)] if len(ticks) > 2]
    assert len(told) >= 7
    for ticks in told:
        (place, value), (end, last) = ticks[0], ticks[-1]
        for at, number in ticks:
            assert number == pytest.approx(
                value + (last - value) * (at - place) / (end - place), abs=abs(last - value) / 500
            )


def _ticks(axis: Tag) -> list[tuple[float, float]]:
    """The labels of the scale, by place: along a common scale, or up a chart."""
    along = "class" in axis.attrs and "axis" in axis["class"]
    labels = axis.select("text" if along else "text[text-anchor=end][x='-8']")
    return [
        (
            float(str(label["x" if along else "y"]).rstrip("%")),
            float(text_of(label).replace("\u2212", "-").replace("\u202f", "").replace("+", "")),
        )
        for label in labels
    ]


def test_recent_boards_have_all_their_rotations(reader: Reader, played: PlayedLeague) -> None:
    """However many boards were played since their first rotation; of a season that is over all are whole."""
    recent = reader.json(f"/bots/greedy.json?season={played.over}")["recent"]
    assert recent
    assert all(len(board["rotations"]) == 4 and board["to_mean"] is not None for board in recent)
