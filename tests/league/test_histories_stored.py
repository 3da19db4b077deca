"""The past of a season as the store keeps it: ratings as they stood, and pairs of bots board by board."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from league.collusion import audit, audit_summary
from league.histories import PastRating, moments
from league.model import FaultKind, Season
from league.pair_sums import board_pairs
from league.ratings import rate
from league.results import MatchResult
from league.store import Store, histories
from league.store.commits import result_from
from league.store.history_schema import moments as moment_table
from league.store.history_schema import past_ratings
from league.store.pairs import read_pair
from league.store.schema import boards, matches
from league.sums import board_sums
from league.verdicts import SprtVerdict, sprt
from referee.rules import parse_variant
from tests.league.leagues import BOTS, Clock, claimed, open_store, play_sitting, short_record, started

VARIANT = parse_variant("russian-14")
FIVE = BOTS[:5]


def play_in_pieces(store: Store, season: Season, *, order: random.Random) -> None:
    """Plays a season sitting by sitting in a drawn order, with forfeits, and keeps its past after some of them."""
    while due := list(store.sittings.due(season.id)):
        claim = claimed(store, order.choice(due))
        for table in order.sample(claim.tables, len(claim.tables)):
            forfeit = {"seat": 1, "kind": FaultKind.EXIT.value, "deal": 1, "action": 1, "detail": ""}
            fails = table.board % 5 == 0 and table.rotation == 1
            store.results.commit(claim, short_record(claim, table, forfeits=[forfeit] if fails else ()))
        store.sittings.finish(claim)
        if order.random() < 0.5:
            store.histories.catch_up(season.id)
    store.histories.catch_up(season.id)


def whole_boards_of(store: Store, season: Season) -> list[tuple[int, list[MatchResult]]]:
    """The boards in the order in which they became whole, by the numbers of their results alone."""
    by_board: dict[int, list[Any]] = {}
    with store._database.reading() as connection:
        for row in connection.execute(select(matches).where(matches.c.season_id == season.id)):
            by_board.setdefault(row.board, []).append(row)
    whole = [rows for rows in by_board.values() if len(rows) == season.seats]
    dated = sorted((max(row.number for row in rows), rows) for rows in whole)
    return [(at, [result_from(row, season.deal_count) for row in rows]) for at, rows in dated]


def all_of(store: Store, season: Season) -> dict[int, tuple[PastRating, ...]]:
    return {one.number: store.histories.of_entrant(season.id, one.number) for one in store.seasons.entrants(season.id)}


def test_moments_are_few_and_stay() -> None:
    """From 12 to 24 of a long season, each among those of a shorter one; the end is one more."""
    assert moments(0, ended=False) == ()
    assert moments(3, ended=False) == (1, 2, 3)
    for count in range(1, 400):
        kept = moments(count, ended=False)
        assert len(kept) <= 24
        assert count < 24 or len(kept) >= 12
        assert set(moments(count + 1, ended=False)) - {count + 1} <= set(kept)
        assert moments(count, ended=True)[-1] == count


@pytest.mark.slow
def test_ratings_are_kept_as_they_stood(tmp_path: Path) -> None:
    """Each is, bit for bit, what the ladder said of the boards that were whole then, with the audit of these."""
    store = open_store(tmp_path, Clock())
    season = started(store, FIVE, boards=6, set_count=3)
    play_in_pieces(store, season, order=random.Random(3))
    whole = whole_boards_of(store, season)
    wanted = moments(len(whole), ended=True)
    assert len(wanted) > 10
    kept = all_of(store, season)
    for number in wanted:
        sums = [board_sums(results, VARIANT.forfeit_points) for _at, results in whole[:number]]
        then = rate(sums, bot_count=len(FIVE), deals=VARIANT.deal_count)
        found = [one for past in kept.values() for one in past if one.season_boards == number]
        assert [(one.elo, one.points, one.boards) for one in found] == [
            (bot.elo, bot.points, bot.boards) for bot in then.bots if bot.elo is not None
        ]
        assert {one.at_result for one in found} == {whole[number - 1][0]}
    clean = [
        board_sums(results, VARIANT.forfeit_points)
        for _at, results in whole
        if not any(any(result.forfeited) for result in results)
    ]
    assert store.histories.audit(season.id) == audit_summary(audit(clean, deals=VARIANT.deal_count))
    store.close()


@pytest.mark.slow
def test_the_past_is_the_same_whenever_it_is_written(tmp_path: Path) -> None:
    """Kept now and then while it was played, or made anew from the matches at the end: the same bits."""
    store = open_store(tmp_path, Clock())
    season = started(store, FIVE, boards=4, set_count=2)
    play_in_pieces(store, season, order=random.Random(8))
    past, pairs = all_of(store, season), pairs_of(store, season)
    assert store.histories.catch_up(season.id) == 0
    store.results.rebuild(season.id)
    assert (all_of(store, season), pairs_of(store, season)) == (past, pairs)
    assert min(map(len, past.values())) > 5
    store.close()


def pairs_of(store: Store, season: Season) -> list[Any]:
    with store._database.reading() as connection:
        numbers = [one.number for one in store.seasons.entrants(season.id)]
        return [read_pair(connection, season.id, a, b) for a, b in combinations(numbers, 2)]


@pytest.mark.slow
def test_a_pair_has_what_its_boards_add_up_to(tmp_path: Path) -> None:
    """Counts, gaps, the widest boards and the path of the test are those of the boards of both, from either side."""
    store = open_store(tmp_path, Clock())
    season = started(store, FIVE, boards=6, set_count=2)
    play_in_pieces(store, season, order=random.Random(5))
    whole = whole_boards_of(store, season)
    for a, b in combinations(range(len(FIVE)), 2):
        shared = [results for _at, results in whole if {a, b} <= set(results[0].players)]
        own = [
            next(one for one in board_pairs(results, VARIANT.forfeit_points) if (one.a, one.b) == (a, b))
            for results in shared
        ]
        with store._database.reading() as connection:
            pair, turned = read_pair(connection, season.id, a, b), read_pair(connection, season.id, b, a)
        assert pair is not None
        assert turned is not None
        gaps = [one.path[0] for one in own]
        assert pair.boards == len(shared)
        assert pair.gaps == (sum(gaps), sum(gap * gap for gap in gaps))
        assert pair.path == tuple(gaps[: len(pair.path)])
        assert [abs(one.gap) for one in pair.widest] == sorted(map(abs, gaps), reverse=True)[:12]
        assert sum(map(sum, pair.places)) == pair.matches == 4 * len(shared)
        assert turned.wins[0] + pair.wins[0] == 2 * pair.matches
        assert turned.places == tuple(zip(*pair.places, strict=True))
        assert turned.turned() == pair
    store.close()


def test_the_path_ends_when_both_sides_have_their_verdict() -> None:
    """A test that is looked at after each board stops, from either side, at the board that the pair says."""
    dice = random.Random(2)
    pair = None
    gaps: list[int] = []
    for board in range(1, 400):
        scores = [60 + round(dice.gauss(0, 60)), *(round(dice.gauss(0, 60)) for _ in range(3))]
        results = _board(board, scores)
        one = board_pairs(results, VARIANT.forfeit_points)[0]
        pair = one if pair is None else pair.followed_by(one)
        gaps.append(one.path[0])
    assert pair is not None
    assert pair.is_decided
    for side, stop in zip((1, -1), pair.stops, strict=True):
        verdicts = [sprt([side * float(gap) for gap in gaps[:count]]).verdict for count in range(1, stop + 1)]
        assert verdicts[-1] is not SprtVerdict.GO_ON
        assert set(verdicts[:-1]) == {SprtVerdict.GO_ON}
    assert len(pair.path) == max(pair.stops)
    assert pair.boards == len(gaps)


def _board(number: int, scores: Sequence[int]) -> list[MatchResult]:
    """Four rotations in which every bot makes the same."""
    places = [1 + sum(other > own for other in scores) for own in scores]
    turned = [[(seat - rotation) % 4 for seat in range(4)] for rotation in range(4)]
    return [
        MatchResult(
            board=number,
            rotation=rotation,
            players=tuple(seated),
            scores=tuple(scores[player] for player in seated),
            places=tuple(places[player] for player in seated),
            forfeited=(False,) * 4,
            deals=VARIANT.deal_count,
        )
        for rotation, seated in enumerate(turned)
    ]


@pytest.mark.slow
def test_of_a_longer_season_the_finer_moments_go(tmp_path: Path) -> None:
    """Where the step doubles, moments in between are taken away with their ratings."""
    store = open_store(tmp_path, Clock())
    season = started(store, BOTS[:4], boards=26, set_count=1)
    sittings = store.sittings.of_season(season.id)
    for sitting in sittings[:3]:
        play_sitting(store, sitting.id)
    claim = claimed(store, sittings[3].id)
    for at, table in enumerate(claim.tables, start=1):
        store.results.commit(claim, short_record(claim, table))
        if at in {23, 26}:
            store.histories.catch_up(season.id)
            with store._database.reading() as connection:
                kept = list(connection.scalars(select(moment_table.c.boards).order_by(moment_table.c.boards)))
                rated = connection.scalar(select(func.count()).select_from(past_ratings))
                dated = connection.scalar(select(func.count()).where(boards.c.whole_at.is_not(None)))
            assert kept == list(moments(at, ended=False))
            assert rated == 4 * len(kept)
            assert dated == at
    store.close()


@pytest.mark.slow
def test_where_an_audit_takes_too_long_the_latest_there_is_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moments without one say nothing; before any there is none."""
    store = open_store(tmp_path, Clock())
    season = started(store, BOTS[:4], boards=4, set_count=2)
    assert store.histories.audit(season.id) is None
    sittings = store.sittings.of_season(season.id)
    for sitting in sittings[::2]:
        play_sitting(store, sitting.id)
    store.histories.catch_up(season.id)
    before = store.histories.audit(season.id)
    assert before is not None
    assert before["boards"] == 2
    monkeypatch.setattr(histories, "AUDIT_AT_MOST", 0)
    for sitting in sittings[1::2]:
        play_sitting(store, sitting.id)
    assert store.histories.catch_up(season.id) == 2
    assert store.histories.audit(season.id) == before
    store.close()
