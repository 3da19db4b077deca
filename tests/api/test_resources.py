"""What each resource of the API tells, beside what the store and the pages say of the same."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from league.ladder import ladder_json
from referee.rules import PRESETS, check_record, variants_json
from tests.api.conftest import Caller, public_match
from tests.dashboard.conftest import NAMES, PlayedLeague
from tests.dashboard.seasons import CYRILLIC_NAME, MARKUP_NAME

pytestmark = pytest.mark.slow


def test_seasons_are_listed_and_filtered(api: Caller, played: PlayedLeague) -> None:
    """All seasons come, the newest first; a state or a variant keeps those of it."""
    assert [one["id"] for one in api.items("seasons")] == [one.id for one in played.store.seasons.all()]
    assert [one["id"] for one in api.items("seasons?state=planned")] == [played.planned]
    assert [one["id"] for one in api.items("seasons?variant=turkish-20")] == [played.chosen]


def test_a_season_tells_how_far_it_is_and_keeps_its_secret(api: Caller, played: PlayedLeague) -> None:
    """The secret is there after the end alone, and progress says what is stored."""
    over, running = api.json(f"seasons/{played.over}"), api.json(f"seasons/{played.running}")
    assert over["secret"]
    assert over["progress"]["matches_stored"] == over["progress"]["matches_planned"]
    assert running["secret"] is None
    assert running["progress"]["boards_over"] == 0


def test_entrants_hide_their_hashes_until_entries_close(api: Caller, played: PlayedLeague) -> None:
    """While a season is planned nobody can compute what its salt would be."""
    assert {one["label"] for one in api.items(f"seasons/{played.over}/entrants")} == set(NAMES)
    assert all(one["version_hash"] for one in api.items(f"seasons/{played.over}/entrants"))
    planned = api.items(f"seasons/{played.planned}/entrants")
    assert planned
    assert all(one["version_hash"] is None for one in planned)


def test_boards_and_sets_have_what_checks_their_deals(api: Caller, played: PlayedLeague) -> None:
    """Each board has its commitment, its secret once its set is over, and a set with the salt."""
    boards = api.items(f"seasons/{played.over}/boards")
    sets = {one["number"]: one for one in api.items(f"seasons/{played.over}/sets")}
    assert all(board["deal_secret"] for board in boards)
    assert {board["set_number"] for board in boards} == set(sets)
    assert all(one["over_at"] for one in sets.values())
    assert api.json(f"seasons/{played.over}/boards/1") == boards[0]
    matches = api.items(f"seasons/{played.over}/boards/1/matches")
    assert [one["rotation"] for one in matches] == [0, 1, 2, 3]


def test_the_ladder_is_that_of_the_command_line(api: Caller, played: PlayedLeague) -> None:
    """Names and numbers are those of `king ladder --json`, in each order."""
    for order in ("elo", "points", "boards"):
        told = api.json(f"seasons/{played.over}/ladder?order={order}")
        twin = api.json(f"/seasons/{played.over}/ladder.json?order={order}")
        assert [one["bot"] for one in told["bots"]] == [one["bot"] for one in twin["bots"]]
    told = api.json(f"seasons/{played.over}/ladder")
    expected = ladder_json(played.store.standings.ladder(played.over))
    assert told["bots"] == expected["bots"]
    assert told["differences"] == expected["differences"]
    assert set(told) == set(expected)


def test_the_crosstable_agrees_with_the_ladder(api: Caller, played: PlayedLeague) -> None:
    """Every pair is there twice, turned, with the ladder's difference."""
    rows = api.items(f"seasons/{played.over}/crosstable?limit=2")
    ladder = api.json(f"seasons/{played.over}/ladder")
    assert [row["bot"] for row in rows] == [one["bot"] for one in ladder["bots"]]
    cells = {(row["bot"], cell["against"]): cell for row in rows for cell in row["cells"]}
    assert len(cells) == len(NAMES) * (len(NAMES) - 1)
    for one in ladder["differences"]:
        here, there = cells[one["a"], one["b"]]["difference"], cells[one["b"], one["a"]]["difference"]
        assert here["points_per_deal"]["value"] == one["points_per_deal"] == -there["points_per_deal"]["value"]


def test_contracts_duel_audit_and_history_are_those_of_the_pages(api: Caller, played: PlayedLeague) -> None:
    """The numbers are the same that the pages show."""
    page = api.json(f"/seasons/{played.over}/contracts.json")
    rows = {row["bot"]: {one["contract"]: one for one in row["contracts"]} for row in contracts_of(api, played)}
    for line in page["lines"]:
        for bot, cell in zip(page["bots"], line["cells"], strict=True):
            assert rows[bot["name"]][line["contract"]]["points_per_deal"]["value"] == cell["points"]
    a, b = (quote(name) for name in NAMES[:2])
    duel, shown = (api.json(f"{path}?a={a}&b={b}") for path in duels(played.over))
    assert duel["difference"]["points_per_deal"]["value"] == shown["difference"]["value"]
    assert duel["difference"]["verdict"] == shown["verdict"]
    audit = api.json(f"seasons/{played.over}/audit")
    assert audit["pairs"] == len(NAMES) * (len(NAMES) - 1)
    history = api.json(f"seasons/{played.over}/entrants/{a}/history")
    assert history["official"][-1]["boards"] > 0
    assert len(history["live"]) == played.store.results.count(played.over, bot=0)


def contracts_of(api: Caller, played: PlayedLeague) -> list[Any]:
    return api.items(f"seasons/{played.over}/contracts?limit=3")


def duels(season: int) -> tuple[str, str]:
    return f"seasons/{season}/duel", f"/seasons/{season}/duel.json"


def test_bots_are_found_by_any_name(api: Caller, played: PlayedLeague) -> None:
    """Names with markup, letters of other scripts or a slash lead to their bots, by their encoding."""
    names = [one["name"] for one in api.items("bots?limit=2")]
    assert names == sorted(set(NAMES))
    for name in (MARKUP_NAME, CYRILLIC_NAME):
        bot = api.json(f"bots/{quote(name, safe='')}")
        assert bot["name"] == name
        (version,) = api.items(f"bots/{quote(name, safe='')}/versions")
        assert api.json(f"versions/{version['id']}") == version == bot["newest"]
        seasons = {entry["season"] for entry in api.items(f"bots/{quote(name, safe='')}/entries")}
        assert seasons == {season.id for season, _entrant in played.store.seasons.of_bot(name)}


def test_matches_are_filtered(api: Caller, played: PlayedLeague) -> None:
    """Each filter keeps exactly the matches it says."""
    every = api.items(f"matches?season={played.over}&limit=7")
    assert len(every) == played.store.results.count(played.over)
    assert len({one["id"] for one in every}) == len(every)
    of_bot = api.items(f"matches?season={played.over}&bot={quote(MARKUP_NAME)}")
    assert of_bot == [one for one in every if MARKUP_NAME in {seat["bot"] for seat in one["seats"]}]
    both = api.items(f"matches?season={played.over}&bot={quote(MARKUP_NAME)}&opponent={quote(CYRILLIC_NAME)}")
    assert both == [one for one in of_bot if CYRILLIC_NAME in {seat["bot"] for seat in one["seats"]}]
    (failed,) = api.items(f"matches?season={played.over}&fault=exit")
    assert [seat["forfeit"]["kind"] for seat in failed["seats"] if seat["forfeit"]] == ["exit"]
    assert api.items(f"matches?season={played.over}&fault=illegal") == []
    late = sorted(one["ended_at"] for one in every)[5]
    assert api.items(f"matches?season={played.over}&since={late}") == [one for one in every if one["ended_at"] >= late]
    assert api.items(f"matches?season={played.over}&until={late}") == [one for one in every if one["ended_at"] < late]
    assert api.items(f"matches?season={played.running}&public=true") == []


def test_things_are_found_by_what_one_remembers(api: Caller, played: PlayedLeague) -> None:
    """A part of a name finds bots and seasons, the beginning of an id a match, a number boards; of each a few."""
    assert [one["name"] for one in api.json(f"search?q={quote('ЛИСИЙ')}")["bots"]] == [CYRILLIC_NAME]
    assert played.over in [one["id"] for one in api.json("search?q=autumn")["seasons"]]
    match = public_match(api, played.over)
    assert [one["id"] for one in api.json(f"search?q={match[:8]}")["matches"]] == [match]
    boards = api.json("search?q=1&limit=2")["boards"]
    assert [one["board"]["number"] for one in boards] == [1, 1]
    assert api.problem("search", 422, "invalid-request")["errors"][0]["parameter"] == "q"


def test_a_forfeit_is_told_with_its_match(api: Caller, played: PlayedLeague) -> None:
    """The seat whose bot failed says where and how."""
    forfeits = [
        (seat["seat"], seat["forfeit"]["kind"], seat["forfeit"]["deal"])
        for one in api.items(f"matches?season={played.over}")
        for seat in one["seats"]
        if seat["forfeit"]
    ]
    assert forfeits == [(1, "exit", 2)]


def test_a_record_is_whole_and_right(api: Caller, played: PlayedLeague) -> None:
    """The record passes the check of `king verify`, secrets included."""
    record = api.json(f"matches/{public_match(api, played.over)}/record")
    assert not check_record(record)
    assert record["deal_secret"]


def test_positions_are_those_of_the_record(api: Caller, played: PlayedLeague) -> None:
    """One position after each action; the action taken was legal before it, and hands shrink by what is played."""
    match = public_match(api, played.over)
    record = api.json(f"matches/{match}/record")
    told = api.json(f"matches/{match}/deals/3/positions")
    actions = record["deals"][2]["actions"]
    assert len(told["positions"]) == len(actions) + 1
    for before, after, action in zip(told["positions"], told["positions"][1:], actions, strict=False):
        taken = {name: value for name, value in action.items() if name not in {"by", "ms", "asked_with", "seat"}}
        assert taken in [{key: one[key] for key in taken} for one in before["legal"]]
        assert before["seat_to_act"] == action["seat"]
        cards = [sum(len(hand["cards"]) for hand in one["hands"]) for one in (before, after)]
        assert cards[0] - cards[1] == 1
    assert sorted(told["positions"][0]["hands"][1]["cards"]) == sorted(record["deals"][2]["hands"][1])


def test_positions_in_a_seats_view_have_its_hand_alone(api: Caller, played: PlayedLeague) -> None:
    """Of other hands only the number of cards is told, and no other seat's legal actions."""
    match = public_match(api, played.over)
    told = api.json(f"matches/{match}/deals/1/positions?view=2")
    for position in told["positions"]:
        for seat, hand in enumerate(position["hands"]):
            assert hand["hidden"] == 0 if seat == 2 else hand["cards"] == []
        assert (position["legal"] is None) == (position["seat_to_act"] != 2)


def test_variants_are_those_of_the_command_line(api: Caller) -> None:
    """Presets and options are as `king variants --json` has them, and each preset has its rules."""
    told = api.json("variants")
    expected = variants_json()
    assert told["presets"] == expected["presets"]
    for one, there in zip(told["variants"], expected["variants"], strict=True):
        assert one["id"] == there["id"]
        assert [option["default"] for option in one["options"]] == [option["default"] for option in there["options"]]
    for preset in PRESETS:
        rules = api.json(f"variants/{quote(preset, safe='')}")
        assert rules["variant"]["id"] == preset
        assert rules["sections"]
