"""Results in the store: once each, with everything that follows from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from league.elo import updated_ratings
from league.errors import LeagueError
from league.ladder import rate_matches
from league.model import FaultKind, NewFault, SittingState
from league.results import MatchResult
from league.store import Store
from league.sums import pair_points
from referee.rules import parse_variant
from tests.league.leagues import (
    BOTS,
    Clock,
    claimed,
    play_season,
    play_sitting,
    short_record,
    started,
)

pytestmark = pytest.mark.slow

FORFEIT = {"seat": 2, "kind": "exit", "deal": 2, "action": 5, "detail": "exit status 1"}


def stored_results(store: Store, season: int) -> list[MatchResult]:
    """The results of a season in the order in which they were stored."""
    rows = reversed(store.results.matches(season, limit=1000))
    return [
        MatchResult(
            board=row.board,
            rotation=row.rotation,
            players=row.players,
            scores=row.scores,
            places=row.places,
            forfeited=tuple(seat in {f.seat for f in row.forfeits} for seat in range(4)),
            deals=14,
        )
        for row in rows
    ]


def test_a_result_counts_once_however_often_it_comes(store: Store) -> None:
    """The second time it is not stored, nor are ratings moved again."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    record = short_record(claim, claim.tables[0])
    assert store.results.commit(claim, record)
    ladder = store.standings.ladder(season.id)
    assert not store.results.commit(claim, record)
    assert store.results.count(season.id) == 1
    assert store.standings.ladder(season.id) == ladder
    assert store.sittings.get(claim.sitting).stored_count == 1


def test_a_result_of_a_newer_attempt_makes_that_of_an_older_one_harmless(store: Store, clock: Clock) -> None:
    """A worker that comes back from the dead cannot count a match twice."""
    season = started(store)
    old = claimed(store, store.sittings.due()[0])
    clock.move(11)
    store.sittings.sweep()
    new = claimed(store, old.sitting)
    assert store.results.commit(new, short_record(new, new.tables[0]))
    assert not store.results.commit(old, short_record(old, old.tables[0]))
    assert store.results.count(season.id) == 1


def test_a_match_is_found_with_its_players_scores_and_places(store: Store) -> None:
    """By its id, in the list of matches, in that of a bot's matches and on its board."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    records = [short_record(claim, table) for table in claim.tables]
    for record in records:
        store.results.commit(claim, record)
    table = claim.tables[4]
    row = store.results.match(table.match_id)
    assert row.labels == tuple(claim.players[place].label for place in table.players)
    assert list(row.scores) == list(row.totals) == records[4]["totals"]
    assert list(row.places) == records[4]["places"]
    assert (row.board, row.rotation, row.number, row.attempt) == (table.board, table.rotation, 5, 1)
    assert store.results.board_matches(season.id, table.board) == (row,)
    listed = store.results.matches(season.id, limit=3)
    assert [one.number for one in listed] == [len(records), len(records) - 1, len(records) - 2]
    assert store.results.matches(season.id, limit=1, before=listed[-1].number)[0].number == len(records) - 3
    bot = row.players[0]
    mine = store.results.matches(season.id, bot=bot, limit=100)
    assert {one.match_id for one in mine} == {
        t.match_id for t in claim.tables if bot in [claim.players[place].entrant for place in t.players]
    }
    assert store.results.count(season.id, bot=bot) == len(mine)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"match_id": "0" * 16}, "is no table of attempt 1 of sitting 1"),
        (
            {"context": {"board": 1, "rotation": 2}},
            "is said to be board 1, rotation 2: the plan has board 1, rotation 0",
        ),
        ({"termination": {"kind": "aborted", "detail": ""}}, "only a match that is over has a result"),
        ({"variant": "turkish-20"}, "ladders never mix variants"),
        ({"deal_secret": "00" * 32}, "another secret than its board's"),
    ],
)
def test_records_that_do_not_belong_are_refused(store: Store, changed: dict[str, Any], words: str) -> None:
    """Nothing of them is stored."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    with pytest.raises(LeagueError, match=words):
        store.results.commit(claim, short_record(claim, claim.tables[0], **changed))
    assert store.results.count(season.id) == 0


def test_a_record_with_other_players_is_refused(store: Store) -> None:
    """Who sat where must be as planned."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    record = short_record(claim, claim.tables[0])
    record["players"] = [{**player, "bot": "greedy"} for player in record["players"]]
    with pytest.raises(LeagueError, match=r"was played by .*: the plan has"):
        store.results.commit(claim, record)


def test_live_elo_is_that_of_the_matches_in_their_order(store: Store) -> None:
    """Replaying the stored results gives the stored ratings, bit for bit, and the history of each bot."""
    season = started(store, boards=1)
    play_season(store, season)
    ratings, played = [1500.0] * 6, [0] * 6
    history: dict[int, list[float]] = {bot: [] for bot in range(6)}
    for result in stored_results(store, season.id):
        after = updated_ratings(
            [ratings[bot] for bot in result.players],
            [[half / 2 for half in line] for line in pair_points(result)],
            [32.0 if played[bot] < 30 else 16.0 for bot in result.players],
        )
        for bot, rating in zip(result.players, after, strict=True):
            ratings[bot] = rating
            played[bot] += 1
            history[bot].append(rating)
    rows = {row.entry.entrant: row.entry for row in store.standings.ladder(season.id).rows}
    assert [rows[bot].live_elo for bot in range(6)] == ratings
    assert [rows[bot].matches for bot in range(6)] == played == [40] * 6
    assert [point.live_elo for point in store.standings.live_history(season.id, 3)] == history[3]
    assert len(store.standings.live_history(season.id, 3, limit=5)) == 5


def test_the_ladder_is_that_of_the_results(store: Store) -> None:
    """Sums kept result by result give the very numbers that the results give at once."""
    season = started(store, boards=1)
    play_season(store, season)
    ladder = store.standings.ladder(season.id)
    entries = [(one.label, one.bot.version) for one in store.seasons.entrants(season.id)]
    direct = rate_matches(entries, stored_results(store, season.id), variant=parse_variant("russian-14"))
    assert [row.rating for row in ladder.rows] == [row.rating for row in direct.rows]
    assert ladder.differences == direct.differences
    assert ladder.results_version == 60
    assert ladder.updated_at == store.results.matches(season.id, limit=1)[0].ended_at
    assert ladder.rows[0].entry.label == "random"


def test_rebuilding_from_results_changes_no_bit(store: Store) -> None:
    """Sums, contracts and ladder are the same after they were thrown away and made anew."""
    season = started(store, boards=1)
    claim = claimed(store, store.sittings.due()[0])
    for table in claim.tables:
        store.results.commit(claim, short_record(claim, table, forfeits=[FORFEIT]))
    store.sittings.finish(claim)
    play_season(store, season)
    before = (store.standings.sums(season.id), store.standings.ladder(season.id))
    assert before[0].flagged
    assert before[0].clean
    assert store.results.rebuild(season.id) == 15
    assert (store.standings.sums(season.id), store.standings.ladder(season.id)) == before


def test_boards_count_when_all_their_rotations_are_stored(store: Store) -> None:
    """After three of four rotations the ladder has no board yet, though every match has moved the live Elo."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    for sitting in store.sittings.of_season(season.id)[:3]:
        play_sitting(store, sitting.id)
    ladder = store.standings.ladder(season.id)
    assert [row.rating.boards for row in ladder.rows] == [0] * 4
    assert [row.entry.matches for row in ladder.rows] == [3] * 4
    assert store.seasons.progress(season.id).boards_over == 0
    play_sitting(store, store.sittings.due()[0])
    assert [row.rating.boards for row in store.standings.ladder(season.id).rows] == [1] * 4
    assert store.seasons.progress(season.id).boards_over == 1


def test_forfeits_are_flagged_and_cost_the_forfeiter(store: Store) -> None:
    """The match says who, when and how; the ladder counts matches forfeited."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    claim = claimed(store, store.sittings.due()[0])
    (table,) = claim.tables
    store.results.commit(claim, short_record(claim, table, forfeits=[FORFEIT]))
    store.sittings.finish(claim)
    play_season(store, season)
    row = store.results.match(table.match_id)
    assert [(f.seat, f.kind, f.deal, f.action) for f in row.forfeits] == [(2, FaultKind.EXIT, 2, 5)]
    ladder = store.standings.ladder(season.id)
    assert ladder.flagged_boards == 1
    assert {r.entry.entrant: r.rating.forfeits for r in ladder.rows} == {
        bot: int(bot == row.players[2]) for bot in range(4)
    }


def test_a_fault_is_one_event_however_often_it_is_told(store: Store) -> None:
    """Faults are counted in events, whatever the number of tables they touch."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    place = next(at for at, player in enumerate(claim.players) if player.label == "greedy")
    fault = NewFault(
        number=1,
        player=place,
        process=2,
        kind=FaultKind.TIMEOUT,
        detail="clock at −0.2 s",
        forfeits=False,
        match_ids=tuple(table.match_id for table in claim.tables[:5]),
    )
    assert store.results.record_fault(claim, fault)
    assert not store.results.record_fault(claim, fault)
    assert store.results.record_fault(claim, replace(fault, number=2, kind=FaultKind.EXIT, forfeits=True))
    store.results.commit(claim, short_record(claim, claim.tables[0]))
    seen = store.results.faults(season.id)
    assert [(one.kind, one.label, one.attempt, len(one.match_ids)) for one in seen] == [
        (FaultKind.EXIT, "greedy", 1, 5),
        (FaultKind.TIMEOUT, "greedy", 1, 5),
    ]
    assert store.results.faults(season.id, bot=claim.players[place].entrant) == seen
    assert store.results.faults(season.id, bot=0) == ()
    assert {row.entry.label: row.entry.faults for row in store.standings.ladder(season.id).rows}["greedy"] == 2
    with pytest.raises(LeagueError, match="player 6 is not in sitting 1: it has 0 to 5"):
        store.results.record_fault(claim, replace(fault, number=3, player=6))


def test_points_by_contract_are_kept_for_each_bot(store: Store) -> None:
    """In the variant's order, against the mean of the tables."""
    season = started(store, boards=1)
    play_season(store, season)
    for bot in range(6):
        told = store.standings.by_contract(season.id, bot)
        assert [(one.contract, one.boards, one.deals) for one in told] == [("no_tricks", 10, 40), ("no_hearts", 10, 40)]
    best, worst = (store.standings.by_contract(season.id, bot)[1].points.value for bot in (5, 0))
    assert best > 0 > worst
    with pytest.raises(LeagueError, match="no entrant 6 in season 1: it has 0 to 5"):
        store.standings.by_contract(season.id, 6)


def test_the_ladder_is_computed_once_for_every_state(store: Store) -> None:
    """The same object comes back until a result comes in."""
    season = started(store)
    first = store.standings.ladder(season.id)
    assert store.standings.ladder(season.id) is first
    claim = claimed(store, store.sittings.due()[0])
    store.results.commit(claim, short_record(claim, claim.tables[0]))
    assert store.standings.ladder(season.id) is not first


def test_an_unknown_match_is_an_error(store: Store) -> None:
    """The message says what ids look like."""
    with pytest.raises(LeagueError, match="no match 'x' is stored: ids of matches are 16 hex digits"):
        store.results.match("x")


def test_every_planned_match_is_stored_once(store: Store) -> None:
    """A whole season: each board has each rotation once, each bot every seat of its boards."""
    season = started(store, boards=1)
    play_season(store, season)
    rows = store.results.matches(season.id, limit=1000)
    assert len(rows) == len({(row.board, row.rotation) for row in rows}) == 60
    for board in store.seasons.boards(season.id):
        rotations = store.results.board_matches(season.id, board.number)
        assert [row.rotation for row in rotations] == [0, 1, 2, 3]
        assert all({row.players[seat] for row in rotations} == set(board.players) for seat in range(4))
    assert all(one.state is SittingState.DONE for one in store.sittings.of_season(season.id))
