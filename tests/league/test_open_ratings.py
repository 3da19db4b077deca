"""Ratings of results from anywhere against the official ones, and against slow ways of computing them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league import open_boards
from league.errors import LeagueError
from league.linking import steady_groups
from league.open_ladder import Asked, DuelQuestion, p_above, rated_json
from league.open_ratings import OpenRatings, Scale, rate_open
from league.open_results import NOT_GIVEN, Collector, Entry, OpenResults
from league.ratings import ELO_PER_UNIT
from tests.league import student
from tests.league.test_ratings import DEALS, HALF_POINTS, MAXIMUM_LIKELIHOOD, W, rated, season

Floats = npt.NDArray[np.float64]
Match = tuple[str, str, dict[str, float]]
"""A match: its name, its board or nothing, points by player."""


def fail(line: int, text: str) -> NoReturn:
    raise AssertionError(f"line {line}: {text}")


def collected(matches: Iterable[Match], *, places: bool = False) -> OpenResults:
    """Results with points, or with places alone."""
    collector = Collector(fail)
    for name, board, made in matches:
        match = collector.match(name, board, 0)
        for player, points in made.items():
            place = 1.0 + sum(other > points for other in made.values()) if places else NOT_GIVEN
            collector.add(match, player, place, NOT_GIVEN if places else points, 0)
    return collector.results()


def mixed(seed: int, boards: int, players: int = 7) -> list[Match]:
    """Boards of one to four matches, with two to five of some players each, luck shared by a board."""
    draw = random.Random(seed)
    matches: list[Match] = []
    for board in range(boards):
        luck = {player: draw.gauss(0, 20) for player in range(players)}
        for _ in range(draw.randint(1, 4)):
            seated = draw.sample(range(players), draw.randint(2, 5))
            made = {f"p{player}": float(round(8 * player + luck[player] + draw.gauss(0, 40))) for player in seated}
            matches.append((f"m{len(matches)}", f"b{board}" if board % 3 else "", made))
    return matches


def of_season(results: Sequence[object]) -> OpenResults:
    """A season's matches as if they came from anywhere."""
    collector = Collector(fail)
    for row in results:
        match = collector.match(f"{row.board}-{row.rotation}", f"{row.board:04}", 0)  # type: ignore[attr-defined]
        entries = [
            Entry(player=f"bot{bot}", place=place, points=score, forfeit_cost=W if gone else NOT_GIVEN)
            for bot, place, score, gone in zip(row.players, row.places, row.scores, row.forfeited, strict=True)  # type: ignore[attr-defined]
        ]
        collector.add_all(match, entries, 0)
    return collector.results()


@pytest.mark.parametrize(("forfeit_share", "prior"), [(0.0, 2.0), (0.05, 2.0), (0.05, 0.0)])
def test_results_of_a_season_have_its_official_numbers(forfeit_share: float, prior: float) -> None:
    """Elo, points, their intervals, differences and counts are those that the league's additive sums give."""
    results = season(2, 25, forfeit_share=forfeit_share)
    official = rated(results, prior=prior)
    free = rate_open(of_season(results), prior_draws=prior)
    assert free.points is not None and free.pairs_points is not None
    for bot in official.bots:
        at = bot.entrant
        assert bot.elo and bot.points
        points = free.points[at]
        assert points.low is not None and points.high is not None
        assert (free.elo[at].value, free.elo[at].low, free.elo[at].high) == pytest.approx(
            (bot.elo.value, bot.elo.low, bot.elo.high), abs=1e-6
        )
        assert (points.value / DEALS, points.low / DEALS, points.high / DEALS) == pytest.approx(
            (bot.points.value, bot.points.low, bot.points.high), abs=1e-9
        )
        assert (int(free.boards[at]), int(free.matches[at])) == (bot.boards, bot.matches)
        assert free.prior_pull[at] == pytest.approx(bot.prior_pull, abs=1e-9)
    for one in official.differences:
        p, p_holm = free.p_values()[one.a, one.b]
        assert (p, p_holm) == pytest.approx((one.p, one.p_holm), rel=1e-6)
        assert free.boards_together[one.a, one.b] == one.boards_together


def test_maximum_likelihood_is_that_of_two_other_solvers() -> None:
    """Eight bots with 200 games against each other, as games of two: to 0.001 Elo."""
    matches: list[Match] = []
    for a, b in combinations(range(8), 2):
        won, tied = divmod(HALF_POINTS[a][b], 2)
        for at in range(200):
            points = 1.0 if at < won else 0.5 if at < won + tied else 0.0
            matches.append((f"{a}-{b}-{at}", "", {f"bot{a}": points, f"bot{b}": 1.0 - points}))
    ratings = rate_open(collected(matches, places=True), prior_draws=0.0, scale=Scale(mean=0.0))
    assert [one.value for one in ratings.elo] == pytest.approx(MAXIMUM_LIKELIHOOD, abs=1e-3)
    assert ratings.points is None


def boards_by_name(matches: Sequence[Match]) -> dict[str, list[dict[int, float]]]:
    """Matches by board, one without a board on its own, points by number of the player."""
    boards: dict[str, list[dict[int, float]]] = {}
    for name, board, made in matches:
        numbered = {int(player[1:]): points for player, points in made.items()}
        boards.setdefault(f"board {board}" if board else name, []).append(numbered)
    return boards


def pair_scores(match: dict[int, float]) -> list[tuple[int, int, float]]:
    return [
        (a, b, 1.0 if match[a] > match[b] else 0.5 if match[a] == match[b] else 0.0) for a, b in combinations(match, 2)
    ]


def test_elo_intervals_are_the_jackknife_done_board_by_board() -> None:
    """Leaving out each board in turn with one Newton step, the slow way, whatever the shape of tables and boards."""
    matches = mixed(1, 40)
    boards = boards_by_name(matches)
    ratings = rate_open(collected(matches))
    theta = np.array([one.value - 1500 for one in ratings.elo]) / ELO_PER_UNIT
    phantom = 1 / (1 + np.exp(-theta))

    def board_says(board: Sequence[dict[int, float]]) -> tuple[Floats, Floats]:
        slope, information = np.zeros(7), np.zeros((7, 7))
        for match in board:
            for a, b, score in pair_scores(match):
                p = 1 / (1 + np.exp(theta[b] - theta[a]))
                direction = np.zeros(7)
                direction[[a, b]] = 1, -1
                slope += (score - p) * direction
                information += p * (1 - p) * np.outer(direction, direction)
        return slope, information

    said = [board_says(board) for board in boards.values()]
    whole = np.diag(2 * phantom * (1 - phantom)) + sum(information for _, information in said)
    moves = []
    for slope, information in said:
        bordered = np.block([[whole - information, np.ones((7, 1))], [np.ones((1, 7)), np.zeros((1, 1))]])
        moves.append(np.linalg.solve(bordered, np.append(-slope, 0.0))[:7])
    spread = np.sum([np.outer(move, move) for move in moves], axis=0) * (len(boards) - 1) / len(boards)
    for player, one in enumerate(ratings.elo):
        count = sum(any(player in match for match in board) for board in boards.values())
        assert ratings.boards[player] == count
        reach = student.reach(count - 1) * np.sqrt(spread[player, player]) * ELO_PER_UNIT
        assert one.high is not None
        assert one.high - one.value == pytest.approx(reach, rel=1e-6)


def test_points_are_least_squares_refitted_without_each_board() -> None:
    """An ordinary least-squares solver gives the same points and the same intervals of differences."""
    matches = mixed(2, 40)
    boards = list(boards_by_name(matches).values())

    def fit(kept: Sequence[Sequence[dict[int, float]]]) -> Floats:
        rows, seen = [], []
        for match in (match for board in kept for match in board):
            mean = sum(match.values()) / len(match)
            for player, points in match.items():
                row = np.zeros(7)
                row[list(match)] -= 1 / len(match)
                row[player] += 1
                rows.append(row)
                seen.append(points - mean)
        found = np.asarray(np.linalg.lstsq(np.array(rows), np.array(seen), rcond=None)[0], dtype=np.float64)
        return np.asarray(found - found.mean(), dtype=np.float64)

    ratings = rate_open(collected(matches))
    points = fit(boards)
    assert ratings.points is not None and ratings.pairs_points is not None
    assert [one.value for one in ratings.points] == pytest.approx(points, abs=1e-8)
    moves = np.array([fit([*boards[:at], *boards[at + 1 :]]) - points for at in range(len(boards))])
    for a, b in combinations(range(7), 2):
        error = np.sqrt(((moves[:, a] - moves[:, b]) ** 2).sum() * (len(boards) - 1) / len(boards))
        count = sum(any(a in match or b in match for match in board) for board in boards)
        between = ratings.pairs_points.difference(a, b)
        assert between.high is not None
        assert between.high - between.value == pytest.approx(student.reach(count - 1) * error, rel=1e-6)


def same(one: OpenRatings, other: OpenRatings) -> bool:
    """Whether two ratings have the same bits."""
    arrays = ("boards", "matches", "places", "boards_together", "prior_pull", "groups")
    return (
        one.elo == other.elo
        and one.points == other.points
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and np.array_equal(one.pairs_elo.covariance, other.pairs_elo.covariance)
    )


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(shuffle=st.integers(0, 10_000))
def test_the_order_of_results_changes_no_bit(shuffle: int) -> None:
    """Matches and the players in them in any order give the very same floating point numbers."""
    matches = mixed(3, 30)
    draw = random.Random(shuffle)
    shuffled = [
        (name, board, dict(draw.sample(sorted(made.items()), len(made))))
        for name, board, made in draw.sample(matches, len(matches))
    ]
    assert same(rate_open(collected(matches)), rate_open(collected(shuffled)))


def test_parts_of_any_size_give_the_same_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Working off the boards in small parts changes nothing but the last digits."""
    results = collected(mixed(4, 60))
    whole = rate_open(results)
    monkeypatch.setattr(open_boards, "AT_ONCE", 30)
    parts = rate_open(results)
    assert [one.value for one in parts.elo] == pytest.approx([one.value for one in whole.elo], abs=1e-9)
    assert [one.high for one in parts.elo] == pytest.approx([one.high for one in whole.elo], abs=1e-9)
    assert np.array_equal(parts.boards_together, whole.boards_together)


def two(matches: Sequence[tuple[str, str, float]]) -> list[Match]:
    """Games of two by the points of the first."""
    return [(str(at), "", {a: points, b: 1.0 - points}) for at, (a, b, points) in enumerate(matches)]


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([("a", "b", 1.0), ("b", "a", 1.0), ("top", "a", 1.0), ("top", "b", 1.0)], "'top' won every match"),
        ([("a", "b", 1.0), ("b", "a", 1.0), ("a", "last", 1.0)], "'last' lost every match"),
        ([("a", "b", 0.5), ("c", "d", 0.5), ("a", "c", 1.0)], "'a', 'b' won every match|'c', 'd' lost every match"),
        ([("a", "b", 0.5), ("c", "d", 0.5)], "'a', 'b' cannot be compared with 'c', 'd'"),
    ],
)
def test_without_a_prior_what_is_not_finite_is_an_error_that_names_players(
    games: Sequence[tuple[str, str, float]], told: str
) -> None:
    """Whoever has won or lost everything against the others, alone or as a group, is named; so are groups apart."""
    with pytest.raises(LeagueError, match=told):
        rate_open(collected(two(games), places=True), prior_draws=0.0)
    assert all(np.isfinite(one.value) for one in rate_open(collected(two(games), places=True)).elo)


def test_an_anchor_is_fixed_and_others_have_the_intervals_of_their_difference_to_it() -> None:
    """Moving the scale moves no difference."""
    results = collected(mixed(5, 40))
    free = rate_open(results)
    held = rate_open(results, scale=Scale(anchor=3, anchor_elo=2000.0))
    assert (held.elo[3].value, held.elo[3].low, held.elo[3].high) == (2000.0, 2000.0, 2000.0)
    between = free.pairs_elo.difference(5, 3)
    assert between.low is not None
    assert held.elo[5].value == pytest.approx(2000.0 + between.value)
    assert held.elo[5].low == pytest.approx(2000.0 + between.low)


def test_groups_that_one_board_links_are_not_compared() -> None:
    """Within a group there are intervals, across it none, and the ladder says so."""
    games = [("a", "b", 1.0), ("b", "a", 1.0), ("a", "b", 0.5), ("c", "d", 1.0), ("d", "c", 0.5), ("c", "d", 0.0)]
    answer = rated_json(collected(two([*games, ("a", "c", 0.5)]), places=True), Asked())
    intervals = {frozenset((one["a"], one["b"])): one["elo_low"] for one in answer["differences"]}
    assert intervals[frozenset("ab")] is not None
    assert intervals[frozenset("cd")] is not None
    assert intervals[frozenset("ac")] is None
    assert answer["notes"] == [
        "there are no intervals between 2 groups of players: 'a', 'b'; "
        "'c', 'd' (linked with the first by one board only)"
    ]


def test_groups_that_no_match_links_are_named_with_that_cause() -> None:
    """The players of the smaller groups are named, the largest group first, and of many groups and players some."""
    alone = [(f"{at}x", f"{at}y", 0.5) for at in range(6)] * 2
    many = [("p", f"q{at}", 0.5) for at in range(9)] * 2
    answer = rated_json(collected(two([*many, *alone]), places=True), Asked())
    (note,) = answer["notes"]
    assert note.startswith(
        "there are no intervals between 7 groups of players: 'p', 'q0', 'q1', 'q2', 'q3' and 5 more; "
    )
    assert "; '0x', '0y' (not linked with the first by any match); '1x', " in note
    assert note.endswith("; and 2 more")


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_steady_groups_are_those_that_no_single_board_parts(seed: int) -> None:
    """Leaving out every board in turn and looking who is still linked, the slow way, gives the same groups."""
    draw = random.Random(seed)
    size = draw.randint(2, 9)
    boards = [
        {tuple(sorted(draw.sample(range(size), 2))) for _ in range(draw.randint(1, 3))}
        for _ in range(draw.randint(1, 12))
    ]
    matches: list[Match] = []
    for at, board in enumerate(boards):
        for pair in board:
            matches.append((f"{at}-{pair}", str(at), {f"p{player}": draw.random() for player in pair}))
    results = collected(matches)
    names = [int(name[1:]) for name in results.players]

    def linked(kept: Sequence[set[tuple[int, ...]]]) -> list[frozenset[int]]:
        groups = [frozenset([player]) for player in names]
        for a, b in (pair for board in kept for pair in board):
            one, other = (next(group for group in groups if player in group) for player in (a, b))
            if one is not other:
                groups = [group for group in groups if group not in {one, other}] + [one | other]
        return groups

    left_out = [linked([*boards[:at], *boards[at + 1 :]]) for at in range(len(boards))]
    told = rate_open(results).groups
    for i, k in combinations(range(len(names)), 2):
        steady = all(any({names[i], names[k]} <= group for group in groups) for groups in left_out)
        assert bool(told[i] == told[k]) is steady


def test_groups_without_sole_links_are_components() -> None:
    """Two pairs that never met are two groups."""
    met = np.array([[0, 2, 0, 0], [2, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]])
    assert steady_groups(met, []).tolist() == [0, 0, 1, 1]


def test_many_players_on_one_board_are_no_sole_link_by_rounding() -> None:
    """Two boards on which sixty all met: without either one all are still linked, so there are intervals."""
    draw = random.Random(6)
    matches = [
        (f"{board}", f"{board}", {f"p{player:02}": player + draw.gauss(0, 30) for player in range(60)})
        for board in range(2)
    ]
    ratings = rate_open(collected(matches))
    assert not ratings.groups.any()
    assert ratings.points is not None
    assert all(one.low is not None for one in ratings.points)


def test_one_match_has_ratings_and_no_intervals() -> None:
    """What one board cannot tell is not told."""
    answer = rated_json(collected([("1", "", {"a": 3.0, "b": 1.0, "c": 1.0})]), Asked())
    assert [row["places"] for row in answer["ratings"]] == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert all(row["elo_low"] is None and row["points_low"] is None for row in answer["ratings"])
    assert all(one["p"] is None and one["p_holm"] is None for one in answer["differences"])


def verdicts(answer: Mapping[str, Any]) -> dict[str, float | None]:
    """The p-value of each pair, by their names."""
    return {"".join(sorted(one["a"] + one["b"])): one["p"] for one in answer["differences"]}


def alike(points: Mapping[str, float], matches: int) -> OpenResults:
    """So many matches with the very same points."""
    return collected([(str(at), "", dict(points)) for at in range(matches)])


def test_two_matches_alike_make_nobody_better_beyond_doubt() -> None:
    """That two matches do not differ says little of how matches differ: p is ½, and there is no interval of points."""
    answer = rated_json(alike({"a": 1.0, "b": 0.0}, 2), Asked())
    assert verdicts(answer) == {"ab": 0.5}
    assert [row["points_low"] for row in answer["ratings"]] == [None, None]
    assert verdicts(rated_json(alike({"a": 1.0, "b": 0.0}, 30), Asked())) == {"ab": 0.5**29}


@pytest.mark.parametrize("points", [{"a": 0.7, "b": 0.1, "c": 0.1}, {"a": 1 / 3, "b": 0.1, "c": 0.1, "d": 1e9}])
def test_those_who_always_tie_are_not_told_apart_by_rounding(points: dict[str, float]) -> None:
    """Their difference is nothing, however surely it is."""
    answer = rated_json(alike(points, 30), Asked())
    assert verdicts(answer)["bc"] == 1.0
    assert verdicts(answer)["ab"] == 0.5**29


def test_a_difference_that_never_varies_is_told_beside_those_that_do() -> None:
    """B is always 1 above c while a goes up and down: three boards of that prove nothing, thirty do."""
    draw = random.Random(3)
    for count, p in ((3, 0.25), (30, 0.5**29)):
        matches: list[Match] = [(str(at), "", {"a": draw.gauss(0, 30), "b": 0.3, "c": -0.7}) for at in range(count)]
        assert verdicts(rated_json(collected(matches), Asked()))["bc"] == p


@pytest.mark.slow
@pytest.mark.parametrize("prior", [2.0, 0.1, 0.001])
def test_a_long_chain_of_winners_has_finite_ratings_with_any_prior(prior: float) -> None:
    """Each of a hundred beats the next one always: ratings meet the condition of the maximum, far from each other."""
    size, often = 100, 50
    games = [(f"{at:03}", f"{at + 1:03}", 1.0) for at in range(size - 1) for _ in range(often)]
    ratings = rate_open(collected(two(games), places=True), prior_draws=prior)
    theta = [(one.value - 1500.0) / ELO_PER_UNIT for one in ratings.elo]
    assert theta[0] > 30 and sum(theta) == pytest.approx(0.0, abs=1e-6)
    behind = [0.0, *(1.0 / (1.0 + math.exp(theta[at] - theta[at + 1])) for at in range(size - 1)), 0.0]
    slope = [
        often * (behind[at + 1] - behind[at]) + prior * (0.5 - 1.0 / (1.0 + math.exp(-theta[at]))) for at in range(size)
    ]
    assert max(slope) - min(slope) < 1e-6 * prior + 1e-9


def test_a_prior_too_small_to_hold_anybody_is_refused() -> None:
    """What would be right is said: none, or one from 0.001."""
    for prior in (1e-9, -1.0, float("inf"), float("nan")):
        with pytest.raises(LeagueError, match=r"0 \(none\), or a number from 0.001, is expected"):
            rated_json(collected(two([("a", "b", 1.0)])), Asked(prior=prior))


BASEBALL = {
    "Milwaukee": {"Detroit": 7, "Toronto": 9, "New York": 7, "Boston": 7, "Cleveland": 9, "Baltimore": 11},
    "Detroit": {"Milwaukee": 6, "Toronto": 7, "New York": 5, "Boston": 11, "Cleveland": 9, "Baltimore": 9},
    "Toronto": {"Milwaukee": 4, "Detroit": 6, "New York": 7, "Boston": 7, "Cleveland": 8, "Baltimore": 12},
    "New York": {"Milwaukee": 6, "Detroit": 8, "Toronto": 6, "Boston": 6, "Cleveland": 7, "Baltimore": 10},
    "Boston": {"Milwaukee": 6, "Detroit": 2, "Toronto": 6, "New York": 7, "Cleveland": 7, "Baltimore": 12},
    "Cleveland": {"Milwaukee": 4, "Detroit": 4, "Toronto": 5, "New York": 6, "Boston": 6, "Baltimore": 6},
    "Baltimore": {"Milwaukee": 2, "Detroit": 4, "Toronto": 1, "New York": 3, "Boston": 1, "Cleveland": 7},
}
"""The American League East of 1987, wins by team and opponent (Agresti, Categorical Data Analysis)."""
ABILITIES = {
    "Milwaukee": 1.581,
    "Detroit": 1.436,
    "Toronto": 1.294,
    "New York": 1.248,
    "Boston": 1.108,
    "Cleveland": 0.684,
    "Baltimore": 0.0,
}
"""The abilities by maximum likelihood that Agresti gives, on the natural scale."""


def test_a_league_of_a_textbook_has_the_abilities_of_the_textbook() -> None:
    """Elo against Baltimore is the logarithm of odds that was published, to its three digits."""
    games = [(a, b, 1.0) for a, beaten in BASEBALL.items() for b, wins in beaten.items() for _ in range(wins)]
    results = collected(two(games), places=True)
    anchor = results.players.index("Baltimore")
    found = rate_open(results, prior_draws=0.0, scale=Scale(anchor=anchor, anchor_elo=0.0))
    for name, one in zip(results.players, found.elo, strict=True):
        assert one.value / ELO_PER_UNIT == pytest.approx(ABILITIES[name], abs=6e-4)


def test_the_chance_of_one_who_is_out_of_sight_is_a_number() -> None:
    """However many Elo are between two, the chances are within 0 and 1 and each other's rest."""
    for elo in (0.0, 400.0, 1e5, 1e9):
        assert 0.0 <= p_above(-elo) <= 0.5 <= p_above(elo) <= 1.0
        assert p_above(elo) + p_above(-elo) == pytest.approx(1.0)


def test_chance_to_be_above_is_that_of_the_difference_in_elo() -> None:
    """Of 400 Elo more: ten to eleven."""
    answer = rated_json(collected(mixed(7, 30)), Asked())
    for one in answer["differences"]:
        assert one["p_above"] == pytest.approx(1 / (1 + 10 ** (-one["elo"] / 400)))
        assert one["elo"] >= 0


def test_pairs_of_matches_on_a_board_are_counted_and_tested() -> None:
    """Two matches of a board are a pair; a board with one match is left out of pairs."""
    made = [(1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.5)]
    matches = [
        (f"{board}-{at}", str(board), {"a": points, "b": 1.0 - points})
        for board, pair in enumerate(made)
        for at, points in enumerate(pair)
    ]
    results = collected([*matches, ("alone", "99", {"a": 1.0, "b": 0.0})])
    duel = rated_json(results, Asked(question=DuelQuestion(elo0=0, elo1=10)))["duel"]
    assert duel["pairs"] == [1, 0, 2, 2, 1]
    assert (duel["won"], duel["tied"], duel["lost"], duel["left_out"]) == (6, 4, 3, 1)
    assert duel["score"] == pytest.approx((0 * 1 + 1 * 2 + 1.5 * 2 + 2) / 12)
    turned = rated_json(results, Asked(question=DuelQuestion(elo0=-10, elo1=0, of="b")))["duel"]
    assert turned["pairs"] == [1, 2, 2, 0, 1]
    assert turned["sprt"]["llr"] == pytest.approx(-duel["sprt"]["llr"])


def test_matches_without_boards_are_counted_one_by_one() -> None:
    """Won, tied and lost, when nothing says what belongs together."""
    answer = rated_json(collected(two([("a", "b", 1.0), ("a", "b", 0.5), ("b", "a", 1.0), ("a", "b", 1.0)])), Asked())
    assert answer["duel"]["pairs"] is None
    assert (answer["duel"]["won"], answer["duel"]["tied"], answer["duel"]["lost"]) == (2, 1, 1)
    assert answer["duel"]["sprt"] is None


def test_a_test_of_three_players_or_of_boards_with_more_matches_is_refused() -> None:
    """A sequential test is of two, with two matches a board or no boards."""
    asked = Asked(question=DuelQuestion(elo0=0, elo1=5))
    with pytest.raises(LeagueError, match="a duel is of two"):
        rated_json(collected([("1", "", {"a": 1.0, "b": 0.0, "c": 0.0})]), asked)
    three = [(str(at), "board", {"a": 1.0, "b": 0.0}) for at in range(3)]
    with pytest.raises(LeagueError, match="more than two matches"):
        rated_json(collected(three), asked)
