"""The ladder and its JSON."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from league.by_contract import by_contract_json, points_by_contract
from league.ladder import LadderEntry, Order, Verdict, ladder_json, make_ladder, rate_matches
from league.results import MatchResult
from league.standings import crosstable, crosstable_json, shares_above
from league.sums import ContractSums, board_sums, contract_sums, whole_boards
from referee.rules import parse_variant
from tests.league import student
from tests.league.leagues import board_results

RUSSIAN = parse_variant("russian-14")
ENTRIES = [("weak", "1"), ("middle", "2"), ("middling", "1"), ("strong", "3")]
STRENGTH = {0: -90, 1: 0, 2: 0, 3: 90}


def season(boards: int = 24, seed: int = 1) -> list[MatchResult]:
    draw = random.Random(seed)
    results: list[MatchResult] = []
    for board in range(1, boards + 1):
        results += board_results(
            board, (0, 1, 2, 3), lambda rotation, seated: [STRENGTH[bot] + draw.randint(-40, 40) for bot in seated]
        )
    return results


def test_the_best_comes_first_and_verdicts_are_of_differences() -> None:
    """Clear gaps are told, a gap that cannot be told is not separable, in both directions."""
    ladder = rate_matches(ENTRIES, season(), variant=RUSSIAN)
    assert [row.entry.label for row in ladder.rows][0::3] == ["strong", "weak"]
    assert [row.rank for row in ladder.rows] == [1, 2, 3, 4]
    assert ladder.verdict(3, 0) is Verdict.ABOVE
    assert ladder.verdict(0, 3) is Verdict.BELOW
    assert ladder.verdict(1, 2) is Verdict.NOT_SEPARABLE
    assert ladder.verdict(1, 1) is Verdict.NOT_SEPARABLE
    assert ladder.deal_count == 14


def test_the_json_has_the_names_that_stay() -> None:
    """Rows and differences have the documented names, each pair once, the higher bot first."""
    ladder = rate_matches(ENTRIES, season(), variant=RUSSIAN, faults=[0, 2, 0, 0])
    shown = json.loads(json.dumps(ladder_json(ladder)))
    assert shown["variant"] == "russian-14"
    names = {"bot", "version", "boards", "matches", "elo", "elo_low", "elo_high", "points_per_deal", "points_low"}
    assert names | {"points_high", "faults"} <= set(shown["bots"][0])
    assert {bot["bot"]: bot["faults"] for bot in shown["bots"]}["middle"] == 2
    top = shown["bots"][0]
    assert (top["bot"], top["version"], top["boards"], top["matches"]) == ("strong", "3", 24, 96)
    assert top["elo_low"] < top["elo"] < top["elo_high"]
    assert len(shown["differences"]) == 6
    first = shown["differences"][0]
    assert set(first) >= {"a", "b", "points_per_deal", "low", "high", "p_holm"}
    assert first["a"] == "strong"
    assert {(one["a"], one["b"]) for one in shown["differences"]} >= {("strong", "weak")}
    assert all(one["low"] < one["points_per_deal"] < one["high"] for one in shown["differences"])


def test_fewer_than_twenty_boards_are_provisional() -> None:
    """The mark is lost with the twentieth board."""
    assert all(row.provisional for row in rate_matches(ENTRIES, season(19), variant=RUSSIAN).rows)
    assert not any(row.provisional for row in rate_matches(ENTRIES, season(20), variant=RUSSIAN).rows)


def test_flagged_boards_are_in_the_first_column_and_not_in_the_second() -> None:
    """A board with a forfeit counts, and the numbers without such boards are there too."""
    results = season()
    results[0] = replace(results[0], forfeited=(True, False, False, False))
    ladder = rate_matches(ENTRIES, results, variant=RUSSIAN)
    without = rate_matches(ENTRIES, results[4:], variant=RUSSIAN)
    assert (ladder.boards, ladder.flagged_boards) == (24, 1)
    plain = {row.entry.label: row.rating for row in without.rows}
    for row in ladder.rows:
        assert row.rating.boards == 24
        assert row.unflagged == plain[row.entry.label]
        assert row.unflagged != row.rating


def test_a_ladder_can_be_sorted_by_points_or_boards() -> None:
    """The best in points, or the one with most boards, comes first; equals are in the order of points."""
    entries = [LadderEntry(entrant=n, label=name, bot=name, version="1") for n, (name, _) in enumerate(ENTRIES)]
    sums = [board_sums(board, RUSSIAN.forfeit_points) for board in whole_boards(season())]
    by_points = make_ladder(entries, sums, [], variant=RUSSIAN, order=Order.POINTS)
    values = [row.rating.points.value for row in by_points.rows if row.rating.points]
    assert values == sorted(values, reverse=True)
    by_boards = make_ladder(entries, sums, [], variant=RUSSIAN, order=Order.BOARDS)
    assert {row.rating.boards for row in by_boards.rows} == {24}
    assert [row.entry.label for row in by_boards.rows][0::3] == ["strong", "weak"]


def test_a_ladder_without_results_lists_the_bots() -> None:
    """Nothing played yet is no error: all numbers are null."""
    shown = ladder_json(rate_matches(ENTRIES, [], variant=RUSSIAN))
    assert [bot["elo"] for bot in shown["bots"]] == [None] * 4
    assert all(one["p_holm"] is None for one in shown["differences"])


def test_shares_of_finishing_above_add_up_to_one() -> None:
    """P(A above B) and P(B above A) are each other's rest, ties halved, intervals within 0 and 1."""
    results = season()
    shares = {(one.a, one.b): one for one in shares_above([board_sums(b, 100) for b in whole_boards(results)])}
    won = sum(row.scores[row.players.index(3)] > row.scores[row.players.index(0)] for row in results)
    tied = sum(row.scores[row.players.index(3)] == row.scores[row.players.index(0)] for row in results)
    assert shares[3, 0].share.value == pytest.approx((won + tied / 2) / 96)
    assert (shares[3, 0].matches, shares[3, 0].boards) == (96, 24)
    for (a, b), one in shares.items():
        assert one.share.value + shares[b, a].share.value == pytest.approx(1)
        assert one.share.low is not None and one.share.high is not None
        assert 0 <= one.share.low <= one.share.value <= one.share.high <= 1


def test_the_interval_of_a_share_is_that_of_board_means() -> None:
    """It is Student's t on one share a board."""
    results = season(10)
    boards = whole_boards(results)
    per_board = [
        sum(
            (row.scores[row.players.index(1)] > row.scores[row.players.index(2)])
            + (row.scores[row.players.index(1)] == row.scores[row.players.index(2)]) / 2
            for row in board
        )
        / 4
        for board in boards
    ]
    mean = sum(per_board) / 10
    error = (sum((x - mean) ** 2 for x in per_board) / 9 / 10) ** 0.5
    told = {(one.a, one.b): one.share for one in shares_above([board_sums(b, 100) for b in boards])}[1, 2]
    assert told.high is not None
    assert told.high - told.value == pytest.approx(2.2621571628 * error)


def test_a_share_of_all_or_nothing_has_an_interval_with_room() -> None:
    """Always above on four boards: with a share of 0.025 ** (1/4) = 0.398 that still happens once in forty times."""
    results: list[MatchResult] = []
    for board in range(1, 5):
        results += board_results(
            board, (0, 1, 2, 3), lambda rotation, seated: [{0: 90}.get(bot, -30) for bot in seated]
        )
    found = shares_above([board_sums(board, 100) for board in whole_boards(results)])
    told = {(one.a, one.b): one.share for one in found}
    assert (told[0, 1].value, told[0, 1].high) == (1.0, 1.0)
    assert told[0, 1].low == pytest.approx(0.025 ** (1 / 4))
    assert (told[1, 0].value, told[1, 0].low) == (0.0, 0.0)
    assert told[1, 0].high == pytest.approx(1 - 0.025 ** (1 / 4))
    assert (told[1, 2].value, told[1, 2].low) == (0.5, None)


def test_the_crosstable_is_in_the_ladders_order() -> None:
    """Rows and columns go down the ladder, the diagonal is empty, opposite cells have opposite differences."""
    results = season()
    ladder = rate_matches(ENTRIES, results, variant=RUSSIAN)
    order = [row.entry.entrant for row in ladder.rows]
    table = crosstable(
        order,
        [row.entry.label for row in ladder.rows],
        [board_sums(board, RUSSIAN.forfeit_points) for board in whole_boards(results)],
        ladder.differences,
    )
    assert table.labels[0] == "strong"
    assert table.cell(1, 1).above is None
    assert table.cell(1, 1).difference is None
    one, other = table.cell(0, 3).difference, table.cell(3, 0).difference
    assert one and other and one.points and other.points
    assert one.points.value == -other.points.value > 0
    assert one.p_holm == other.p_holm


def test_the_json_of_the_crosstable_is_a_matrix_of_shares_and_gaps() -> None:
    """Opposite cells add up to one and to nothing; the diagonal is null."""
    results = season()
    ladder = rate_matches(ENTRIES, results, variant=RUSSIAN)
    sums = [board_sums(board, RUSSIAN.forfeit_points) for board in whole_boards(results)]
    order, labels = [row.entry.entrant for row in ladder.rows], [row.entry.label for row in ladder.rows]
    shown = json.loads(json.dumps(crosstable_json(crosstable(order, labels, sums, ladder.differences))))
    assert shown["bots"] == labels
    assert shown["above"][2][2] is None and shown["points_per_deal"][2][2] is None
    one, other = shown["above"][0][3], shown["above"][3][0]
    assert one["share"] + other["share"] == pytest.approx(1)
    assert (one["boards"], one["matches"]) == (24, 96)
    gap = shown["points_per_deal"][0][3]
    assert gap["low"] < gap["value"] < gap["high"]
    assert gap["value"] == -shown["points_per_deal"][3][0]["value"]


def test_the_json_of_contracts_names_them_with_their_interval() -> None:
    """One object a contract, in the order given; one board gives no interval."""
    sums, more = (contract_sums(board)[3, "no_tricks"] for board in whole_boards(season(2)))
    (shown,) = by_contract_json(points_by_contract({"no_tricks": sums}, 4))
    assert (shown["contract"], shown["boards"], shown["deals"]) == ("no_tricks", 1, 4)
    assert (shown["low"], shown["high"]) == (None, None)
    (both,) = by_contract_json(points_by_contract({"no_tricks": sums + more}, 4))
    assert (both["boards"], both["deals"]) == (2, 8)
    assert both["low"] < both["points_per_deal"] < both["high"]
    (twice,) = by_contract_json(points_by_contract({"no_tricks": sums + sums}, 4))
    assert twice["points_per_deal"] == shown["points_per_deal"]
    assert twice["low"] is None
    assert (shown["p"], both["p_holm"]) == (None, both["p"])


def test_points_by_contract_are_against_the_mean_of_the_table_with_intervals_by_board() -> None:
    """A ratio of sums; with equal numbers of deals its interval is Student's t on board means."""
    boards = whole_boards(season(12))
    sums = ContractSums()
    means = []
    for board in boards:
        part = contract_sums(board)[3, "no_tricks"]
        sums += part
        means.append(part.points / 4 / part.deals)
    (told,) = points_by_contract({"no_tricks": sums}, 4)
    mean = sum(means) / 12
    error = (sum((x - mean) ** 2 for x in means) / 11 / 12) ** 0.5
    assert (told.boards, told.deals) == (12, 48)
    assert told.points.value == pytest.approx(mean)
    assert told.points.high is not None
    assert told.points.high - told.points.value == pytest.approx(2.2009851601 * error)
    assert told.p == pytest.approx(student.two_sided(mean / error, 11))


def of_points(points: int) -> ContractSums:
    """A board on which a bot plays four deals of a contract and makes so many points above its table in sum."""
    return ContractSums(
        boards=1, deals=4, points=points, points_squared=points**2, points_by_deals=4 * points, deals_squared=16
    )


def test_clearly_above_or_below_its_tables_allows_for_all_contracts_of_the_bot() -> None:
    """One whose interval barely leaves 0 out is clear alone, and not among fourteen; a contract not told counts too."""
    barely = ContractSums()
    for value in (5, 9, 14, 2, 8, 3):
        barely += of_points(value)
    nothing = ContractSums()
    for value in (5, -5, 3, -3, 1, -1):
        nothing += of_points(value)
    (alone,) = points_by_contract({"king": barely}, 4)
    assert alone.p is not None
    assert 0.05 / 14 < alone.p < 0.05
    assert alone.is_clear
    among = points_by_contract({"king": barely, **{f"no {at}": nothing for at in range(12)}, "one": of_points(9)}, 4)
    assert among[0].points == alone.points
    assert among[0].p_holm == pytest.approx(14 * alone.p)
    assert [one.is_clear for one in among] == [False] * 14
    assert among[13].p_holm is None


def test_many_bots_have_the_differences_of_neighbours() -> None:
    """With more bots than asked for, JSON has the pairs that stand side by side, as among all; else all of them."""
    ladder = rate_matches(ENTRIES, season(), variant=RUSSIAN)
    whole = ladder_json(ladder)
    bots = [one["bot"] for one in whole["bots"]]
    assert ladder_json(ladder, all_pairs_up_to=len(bots)) == whole
    short = ladder_json(ladder, all_pairs_up_to=len(bots) - 1)
    assert [(one["a"], one["b"]) for one in short["differences"]] == list(pairwise(bots))
    assert all(one in whole["differences"] for one in short["differences"])
    assert {**short, "differences": 0} == {**whole, "differences": 0}
