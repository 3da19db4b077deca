"""The pages over a played league: parsed HTML, their twins, errors and what is not public."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup, Tag

from dashboard.numbers import MINUS
from tests.dashboard.conftest import NAMES, PlayedLeague, Reader
from tests.dashboard.seasons import MARKUP_NAME, as_dict

pytestmark = pytest.mark.slow


def text_of(tag: BeautifulSoup | Tag | None) -> str:
    assert tag is not None
    return re.sub(r"\s+", " ", tag.get_text(" ")).strip()


def hidden_match(reader: Reader, played: PlayedLeague) -> str:
    rows = reader.json(f"/matches.json?season={played.running}")["rows"]
    return str(next(row["match_id"] for row in rows if not row["public"]))


def public_match(reader: Reader, season: int) -> str:
    return str(reader.json(f"/matches.json?season={season}")["rows"][0]["match_id"])


def test_the_ladder_has_a_row_for_each_bot(reader: Reader, played: PlayedLeague) -> None:
    """Every bot has a row with rank, estimate with ±, bar with a spoken interval, boards, places and faults."""
    page = reader.page(f"/seasons/{played.over}/ladder")
    rows = page.select("table.ladder tbody tr")
    assert len(rows) == len(NAMES)
    assert {text_of(row.select_one(".who .name")) for row in rows} == set(NAMES)
    for row in rows:
        assert "±" in text_of(row.select_one(".elo"))
        bar = row.select_one(".elo-bar svg[role=img]")
        assert bar is not None
        assert re.match(r"Elo \d+, interval \d+ to \d+", str(bar["aria-label"]))
    assert [text_of(row.select_one(".rank"))[-1] for row in rows] == ["1", "2", "3", "4", "5"]


def test_bars_of_a_column_share_their_scale(reader: Reader, played: PlayedLeague) -> None:
    """The grid lines stand at the same places in every row and in the head."""
    page = reader.page(f"/seasons/{played.over}/ladder")
    grids = {
        tuple(str(line["x1"]) for line in bar.select("line.grid, line.origin"))
        for bar in page.select("td.elo-bar svg.interval")
    }
    assert len(grids) == 1
    head = [f"{text['x']}" for text in page.select("table.ladder thead svg.axis")[0].select("text")]
    assert tuple(head) in grids


def test_rows_that_cannot_be_told_apart_are_tied(reader: Reader, played: PlayedLeague) -> None:
    """≈ stands exactly between neighbours whose difference is not certain, as the twin's adjusted p says."""
    page = reader.page(f"/seasons/{played.over}/ladder")
    ladder = reader.json(f"/seasons/{played.over}/ladder.json")
    p_values = {(one["a"], one["b"]): one["p_holm"] for one in ladder["differences"]}
    names = [one["bot"] for one in ladder["bots"]]
    rows = page.select("table.ladder tbody tr")
    for above, below, row in zip(names, names[1:], rows[1:], strict=False):
        p = p_values[above, below]
        assert bool(row.select(".alike")) == (p is None or p >= 0.05)


def test_the_ladder_twin_has_the_published_fields(reader: Reader, played: PlayedLeague) -> None:
    """The twin is the JSON of `king ladder`: its names are fixed."""
    ladder = as_dict(reader.json(f"/seasons/{played.over}/ladder.json"))
    assert {"variant", "bots", "differences"} <= set(ladder)
    fields = {"bot", "version", "boards", "matches", "elo", "elo_low", "elo_high"}
    fields |= {"points_per_deal", "points_low", "points_high", "faults"}
    assert all(fields <= set(bot) for bot in ladder["bots"])
    assert all({"a", "b", "points_per_deal", "low", "high", "p_holm"} <= set(one) for one in ladder["differences"])


@pytest.mark.parametrize("order", ["elo", "points", "boards"])
def test_the_ladder_is_sorted_by_link(reader: Reader, played: PlayedLeague, order: str) -> None:
    """Each order has its address, says so in the head, and sorts the rows."""
    page = reader.page(f"/seasons/{played.over}/ladder?order={order}")
    sorted_heads = page.select("th[aria-sort]")
    assert len(sorted_heads) == 1
    column = {"elo": ".elo .estimate", "points": ".points .estimate", "boards": ".boards"}[order]
    values = [
        float(re.sub(r"[^\d.-]", "", text_of(cell).split(" ")[0].replace(MINUS, "-")))
        for cell in page.select(f"table.ladder tbody {column}")
    ]
    assert values == sorted(values, reverse=True)


def test_the_filter_form_leads_to_a_ladder(reader: Reader, played: PlayedLeague) -> None:
    """The form's address leads to the season asked for, or to the newest of a variant that it is not of."""
    asked = reader.answer(f"/ladders?variant=turkish-20&season={played.over}&order=points")
    assert asked.url.path == f"/seasons/{played.chosen}/ladder"
    assert asked.url.params["order"] == "points"
    same = reader.answer(f"/ladders?variant=russian-14&season={played.over}")
    assert same.url.path == f"/seasons/{played.over}/ladder"


def test_boards_with_forfeits_can_be_left_out(reader: Reader, played: PlayedLeague) -> None:
    """A ladder with a forfeit offers its numbers without the flagged boards."""
    page = reader.page(f"/seasons/{played.over}/ladder")
    assert page.select("input[name=flagged]")
    without = reader.page(f"/seasons/{played.over}/ladder?flagged=without")
    boards = [sum(int(text_of(cell).split()[0]) for cell in one.select("td.boards")) for one in (page, without)]
    assert boards[0] - boards[1] == 4
    assert not reader.page(f"/seasons/{played.chosen}/ladder").select("input[name=flagged]")


def test_names_are_escaped_and_have_their_direction(reader: Reader, played: PlayedLeague) -> None:
    """Markup in a name or season is text on every page that shows it; names carry dir=auto."""
    for path in (
        "/",
        f"/seasons/{played.over}",
        f"/seasons/{played.over}/ladder",
        "/bots",
        f"/bots/{quote(MARKUP_NAME, safe='')}",
        f"/matches?season={played.over}",
    ):
        source = reader.answer(path).text
        assert "<b>bold</b>" not in source
        assert "<i>2026</i>" not in source
    page = reader.page(f"/seasons/{played.over}/ladder")
    assert all(name["dir"] == "auto" for name in page.select(".who a.name"))


def test_a_season_shows_its_commitment(reader: Reader, played: PlayedLeague) -> None:
    """The season's page has the commitment, and leads to what explains it."""
    page = reader.page(f"/seasons/{played.over}")
    assert re.search(r"[0-9a-f]{64}", text_of(page.select_one(".commitment")))
    assert page.select(f"section a[href='/seasons/{played.over}/deals']")


def test_the_secret_follows_when_the_season_is_over(reader: Reader, played: PlayedLeague) -> None:
    """A season's secret is shown after its end only."""
    assert reader.json(f"/seasons/{played.over}.json")["season"]["secret"]
    assert reader.json(f"/seasons/{played.running}.json")["season"]["secret"] is None
    assert "published when the season is over" in text_of(reader.page(f"/seasons/{played.running}"))


def test_cards_stay_hidden_until_the_set_is_over(reader: Reader, played: PlayedLeague) -> None:
    """Of a match whose set is being played the page says when; no address gives a card or a secret."""
    match_id = hidden_match(reader, played)
    page = reader.page(f"/matches/{match_id}")
    assert "Cards and errors are shown when the set is over" in text_of(page)
    assert page.select("[role=progressbar]")
    assert not page.select("[data-card]")
    assert reader.json(f"/matches/{match_id}/record.json", 403)["status"] == 403
    assert reader.json(f"/matches/{match_id}/deals/1.json", 403)["status"] == 403
    twin = reader.answer(f"/matches/{match_id}.json").text
    assert "deals" not in as_dict(reader.json(f"/matches/{match_id}.json"))
    assert '"hands"' not in twin
    board = reader.json(f"/matches.json?season={played.running}")["rows"][0]["board"]
    compared = as_dict(reader.json(f"/seasons/{played.running}/boards/{board}.json"))
    assert compared["comparison"] is None
    assert compared["board"]["deal_secret"] is None


def test_a_public_record_can_be_downloaded(reader: Reader, played: PlayedLeague) -> None:
    """The record of a public match is given whole, as a file, secrets included."""
    match_id = public_match(reader, played.over)
    answer = reader.answer(f"/matches/{match_id}/record.json")
    assert "attachment" in answer.headers["content-disposition"]
    record = as_dict(answer.json())
    assert record["format"] == "king-record/1"
    assert record["deal_secret"]


def test_the_replay_renders_any_position(reader: Reader, played: PlayedLeague) -> None:
    """The server draws the trick at a position, lifts the legal cards, and every control is a link to a position."""
    match_id = public_match(reader, played.over)
    record = as_dict(reader.json(f"/matches/{match_id}/record.json"))
    page = reader.page(f"/matches/{match_id}?deal=2&play=6")
    on_table = {str(card["data-card"]) for card in page.select("#trick .slot .card")}
    assert on_table == {action["card"] for action in record["deals"][1]["actions"][4:6]}
    assert page.select(".hand [data-state=can]")
    steps = {str(step["data-step"]): step.get("href") for step in page.select("[data-step]")}
    assert steps["forward"] == f"/matches/{match_id}?deal=2&play=7&view=open"
    assert steps["trick_back"] == f"/matches/{match_id}?deal=2&play=4&view=open"
    assert len(page.select("[aria-label='View'] a")) == 5


def test_the_replay_of_one_seat_sends_no_other_hand(reader: Reader, played: PlayedLeague) -> None:
    """In a seat's view the other hands are backs, without a face in the markup."""
    match_id = public_match(reader, played.over)
    page = reader.page(f"/matches/{match_id}?deal=1&play=0&view=2")
    for hand in page.select("ul.hand"):
        cards = hand.select("[data-card]")
        assert len(cards) == (8 if hand["data-seat"] == "2" else 0)
        assert len(hand.select(".back")) == (0 if hand["data-seat"] == "2" else 8)


def test_a_forfeit_is_told_on_the_replay(reader: Reader, played: PlayedLeague) -> None:
    """The page of a forfeited match says who failed, where, and that the stand-in played on."""
    rows = reader.json(f"/matches.json?season={played.over}")["rows"]
    flawed = next(row for row in rows if any(result["forfeited"] for result in row["results"]))
    page = reader.page(f"/matches/{flawed['match_id']}?deal=4&play=3")
    assert "random/1" in text_of(page.select_one(".notice"))
    assert page.select(".plate .tag")
    assert page.select(".plays .stood-in")


def test_the_sheet_highlights_the_deal(reader: Reader, played: PlayedLeague) -> None:
    """The current deal's row is marked, later rows too, and a chosen deal marks its chooser."""
    page = reader.page(f"/matches/{public_match(reader, played.chosen)}?deal=5&play=0")
    rows = page.select("#sheet table:first-of-type tbody tr")
    assert [row["data-until"] for row in rows if "now" in row["class"]] == ["5"]
    assert all("later" in row["class"] for row in rows[5:])
    assert all(len(row.select("td[data-chose]")) == 1 for row in rows[:20])


def test_the_other_rotations_are_compared(reader: Reader, played: PlayedLeague) -> None:
    """The replay shows these cards in other hands, and the board page all hands in all rotations."""
    match_id = public_match(reader, played.over)
    page = reader.page(f"/matches/{match_id}?deal=3&play=0")
    assert len(page.select("table.others tbody tr")) == 4
    assert len(page.select("table.others td[data-this]")) == 4
    board = page.select_one(".crumbs li:nth-of-type(2) a")
    assert board is not None
    compared = reader.page(html.unescape(str(board["href"])))
    assert len(compared.select("table.heat")) == 4
    assert all(text_of(cell) for cell in compared.select("table.heat tbody td"))
    asked = reader.page(f"{board['href']}?deal=4&hand=1")
    assert "Deal 4" in text_of(asked.select_one("#detail h2"))
    assert len(asked.select(".spread .card")) == 8


def test_the_bot_page_answers_where_it_loses(reader: Reader, played: PlayedLeague) -> None:
    """Contracts come worst first with intervals, rivals with verdicts, boards with their rotations."""
    page = reader.page(f"/bots/greedy?season={played.over}")
    assert len(page.select("table.contracts tbody tr")) == 14
    values = [
        float(text_of(cell).replace(MINUS, "-").replace("+", "")) for cell in page.select("table.contracts td.number b")
    ]
    assert values == sorted(values)
    verdicts = {text_of(row.select("td")[-1]) for row in page.select("table.rivals tbody tr")}
    assert verdicts <= {"above", "below", "not yet separable"}
    assert len(page.select("table.rivals tbody tr")) == len(NAMES) - 1
    assert all(len(row.select(".rotations a")) == 4 for row in page.select("table.boards tbody tr"))
    assert page.select("svg.history polyline")


def test_a_season_that_has_not_started_says_what_will_be_here(reader: Reader, played: PlayedLeague) -> None:
    """Empty pages say what will stand there, and the next act."""
    ladder = text_of(reader.page(f"/seasons/{played.planned}/ladder"))
    assert "This season has not started" in ladder
    assert f"king season start {played.planned}" in ladder
    assert "No match is stored yet" in text_of(reader.page(f"/matches?season={played.planned}"))
    assert "None of its boards is over yet" in text_of(reader.page(f"/bots/greedy?season={played.planned}"))


def test_matches_are_paged_and_filtered(reader: Reader, played: PlayedLeague) -> None:
    """The list of a bot has only its matches; paging on gives the older ones."""
    rows = reader.json(f"/matches.json?season={played.over}&bot=greedy")["rows"]
    assert rows
    assert all("greedy" in {result["label"] for result in row["results"]} for row in rows)
    everything = reader.json(f"/matches.json?season={played.over}")["rows"]
    older = reader.json(f"/matches.json?season={played.over}&before={everything[3]['key']}")["rows"]
    assert older == everything[4:]


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("/seasons/99", "Winter 2026"),
        ("/seasons/99/ladder", "Winter 2026"),
        ("/seasons/99/crosstable", "Winter 2026"),
        ("/seasons/99/contracts", "Winter 2026"),
        ("/seasons/99/deals", "Winter 2026"),
        ("/seasons/99/duel", "Winter 2026"),
        ("/seasons/1/crosstable?first=x", "not a whole number"),
        ("/seasons/1/duel?a=nobody", "its bots are"),
        ("/seasons/1/duel?a=greedy&b=greedy", "two different bots"),
        ("/seasons/1/boards/999", "it has boards 1 to"),
        ("/seasons/1/boards/x", "not a whole number"),
        ("/seasons/1/ladder?order=wins", "elo, points, boards"),
        ("/ladders?variant=bridge", "seasons are of"),
        ("/matches/nope", "16 hex digits"),
        ("/matches?season=1&before=x", "not a whole number"),
        ("/bots/nobody", "greedy"),
        ("/bots/nobody?season=1", "its bots are"),
        ("/rules/bridge", "russian-14"),
        ("/nowhere", "There is no page at /nowhere"),
    ],
)
def test_errors_say_what_would_be_right(reader: Reader, path: str, right: str) -> None:
    """What is not there is answered with a page that names what is, and ways out; the twin with problem details."""
    page = reader.page(path, 404)
    assert right in text_of(page.select_one("main"))
    assert page.select("main a[href]")
    bare, _, query = path.partition("?")
    problem = as_dict(reader.json(f"{bare}.json?{query}", 404))
    assert problem["status"] == 404
    assert problem["detail"]


def test_wrong_positions_are_answered_with_the_right_range(reader: Reader, played: PlayedLeague) -> None:
    """A deal, play or view that the match has not is a page that says which it has."""
    match_id = public_match(reader, played.over)
    page = reader.page(f"/matches/{match_id}?deal=15", 404)
    assert "from 1 to 14" in text_of(page)
    assert page.select("main a[href]")


def test_the_display_page_keeps_the_readers_choice(reader: Reader) -> None:
    """A chosen theme is set as a cookie and on the page's root; an address of another site is not gone back to."""
    answer = reader.answer("/rules", cookie="theme=dark; suits=four")
    root = BeautifulSoup(answer.text, "html.parser").html
    assert root is not None
    assert (root["data-theme"], root["data-suits"]) == ("dark", "four")
    assert reader.answer("/display/set?theme=dark&back=//elsewhere.example").url.path == "/"
    strange = BeautifulSoup(reader.answer("/rules", cookie="theme=<x>").text, "html.parser").html
    assert strange is not None
    assert "data-theme" not in strange.attrs


def test_static_files_are_kept_by_browsers(reader: Reader) -> None:
    """A static file is asked for with a mark of its content and may be kept for long."""
    page = reader.page("/rules")
    sheet = page.select_one("link[rel=stylesheet]")
    assert sheet is not None
    assert "immutable" in reader.answer(str(sheet["href"])).headers["cache-control"]
    assert reader.answer("/health").text == "ok\n"
