"""Rolling seasons in the store: how they grow, who may come late, what each set is dealt from, and how they end."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from sqlalchemy import select

from league.errors import LeagueError
from league.ladder import ladder_json
from league.model import Season, SeasonState, SittingState
from league.ratings import rate
from league.results import MatchResult
from league.rolling import Contender, error_of, next_boards
from league.store import Store
from league.store.commits import result_from
from league.store.schema import matches
from league.sums import board_sums, whole_boards
from referee.rules import parse_variant
from referee.verification import verify
from tests.league.leagues import (
    BOTS,
    Clock,
    claimed,
    database_url,
    new_bot,
    open_store,
    planned,
    play_sitting,
    played_record,
    started,
)


def play_sets(store: Store, season: Season, sets: int) -> None:
    """Plays on, growing before each sitting, until so many sets are over."""
    while sum(one.over_at is not None for one in store.seasons.sets(season.id)) < sets:
        store.rolling.grow_all()
        play_sitting(store, store.sittings.due(season.id)[0])


def enter_late(store: Store, season: Season, name: str = "late", version: str = "1") -> int:
    return store.seasons.enter(season.id, store.bots.register(new_bot(name, version)).id).number


def test_a_plan_grows_until_two_sittings_are_due_and_no_further(store: Store) -> None:
    """It starts with one set; asking again changes nothing until somebody takes a sitting up."""
    season = started(store, boards=3, rolling=True)
    assert [one.number for one in store.seasons.sets(season.id)] == [1]
    assert store.rolling.grow_all() == (season.id,)
    assert len(store.sittings.due(season.id)) == 2
    assert store.rolling.grow_all() == ()
    claimed(store, store.sittings.due(season.id)[0])
    assert store.rolling.grow_all() == (season.id,)
    sets = store.seasons.sets(season.id)
    assert [(one.first_board, one.last_board) for one in sets] == [(1, 3), (4, 6), (7, 9)]
    assert [board.number for board in store.seasons.boards(season.id)] == list(range(1, 10))


def test_a_plan_does_not_grow_while_its_season_rests(store: Store) -> None:
    """Nor does that of a closed season ever."""
    closed = started(store, BOTS[:4])
    season = started(store, boards=3, rolling=True)
    store.seasons.pause(season.id)
    assert store.rolling.grow_all() == ()
    assert not store.rolling.grow(closed.id)
    store.seasons.resume(season.id)
    assert store.rolling.grow_all() == (season.id,)


@pytest.mark.slow
def test_the_season_goes_on_when_all_that_is_planned_is_over(store: Store) -> None:
    """Its secret stays secret, that of the set is public."""
    season = started(store, BOTS[:4], boards=2, rolling=True)
    for sitting in [one.id for one in store.sittings.of_season(season.id)]:
        play_sitting(store, sitting)
    now = store.seasons.get(season.id)
    assert (now.state, now.secret) == (SeasonState.RUNNING, None)
    assert store.seasons.board(season.id, 2).deal_secret is not None
    assert store.seasons.progress(season.id).expected_end is None
    assert store.rolling.grow_all() == (season.id,)


@pytest.mark.slow
def test_who_comes_late_is_paired_from_the_next_set_on_and_replays_nothing(store: Store) -> None:
    """What was planned stays as it is; the newcomer is at every table of the next set."""
    season = started(store, boards=2, rolling=True)
    play_sets(store, season, 3)
    before = store.seasons.boards(season.id)
    played = store.results.count(season.id)
    late = enter_late(store, season)
    assert late == 6
    assert enter_late(store, season) == 6
    play_sets(store, season, 6)
    boards = store.seasons.boards(season.id)
    assert [board.players for board in boards[: len(before)]] == [board.players for board in before]
    assert all(late in board.players for board in boards[len(before) :])
    assert store.results.count(season.id, bot=late) == 4 * sum(
        late in board.players for board in boards if board.deal_secret is not None
    )
    assert store.results.count(season.id) > played
    assert len({(row.board, row.rotation) for row in store.results.matches(season.id, limit=10_000)}) == (
        store.results.count(season.id)
    )
    rows = {row.entry.label: row.rating.boards for row in store.standings.ladder(season.id).rows}
    assert rows["late"] > 0


def test_a_new_version_is_an_entrant_of_its_own(store: Store) -> None:
    """With a rating of its own, and a name that tells it from the first; labels that are in records stay."""
    season = started(store, boards=2, rolling=True)
    assert [enter_late(store, season, "greedy", version) for version in ("2", "3")] == [6, 7]
    again = new_bot("greedy", "2")
    other = store.bots.register(type(again)(**{**again.__dict__, "version_hash": "ab" * 32}))
    store.seasons.enter(season.id, other.id)
    labels = [one.label for one in store.seasons.entrants(season.id)]
    assert labels == [*BOTS, "greedy@2", "greedy@3", "greedy@2+abababab"]


@pytest.mark.slow
def test_each_set_is_dealt_from_the_salt_of_those_who_had_entered(store: Store) -> None:
    """The salt is fixed with the commitments of the set's boards; records have it, and pass every check."""
    season = started(store, BOTS[:4], boards=1, rolling=True)
    enter_late(store, season)
    store.rolling.grow_all()
    first, second = store.seasons.sets(season.id)
    hashes = [bytes.fromhex(one.bot.version_hash) for one in store.seasons.entrants(season.id)]
    for one, count in ((first, 4), (second, 5)):
        assert one.entrant_count == count
        assert one.deal_salt == hashlib.sha256(b"".join(sorted(hashes[:count]))).hexdigest()
    assert season.deal_salt == first.deal_salt
    ids = []
    for sitting in [one for one in store.sittings.of_season(season.id) if one.set_number == 2]:
        claim = claimed(store, sitting.id)
        assert {table.deal_salt for table in claim.tables} == {second.deal_salt}
        store.results.commit(claim, played_record(claim, claim.tables[0]))
        store.sittings.finish(claim)
        ids.append(claim.tables[0].match_id)
    for match_id in ids:
        record = store.results.record(match_id)
        assert record["deal_salt"] == second.deal_salt
        checked = verify(record)
        assert checked.problems == ()
        assert checked.unchecked == ()


@pytest.mark.slow
def test_secrets_of_later_boards_come_from_the_seasons(store: Store) -> None:
    """With the next unused numbers; commitments are published before a card is dealt."""
    season = started(store, BOTS[:4], boards=2, rolling=True)
    play_sets(store, season, 3)
    commitments = [board.commitment for board in store.seasons.boards(season.id)]
    ended = store.seasons.end(season.id, void=True)
    assert ended.secret is not None
    for board in store.seasons.boards(season.id):
        secret = hashlib.sha256(bytes.fromhex(ended.secret) + board.number.to_bytes(4, "big")).digest()
        assert board.deal_secret == secret.hex()
        assert commitments[board.number - 1] == hashlib.sha256(secret).hexdigest()


@pytest.mark.slow
def test_anyone_can_choose_the_boards_again_from_what_was_stored(store: Store) -> None:
    """Each set is the pure function of the boards before it and of the results that there were when it was chosen."""
    season = started(store, BOTS[:5], boards=2, rolling=True)
    play_sets(store, season, 4)
    enter_late(store, season)
    play_sets(store, season, 7)
    boards = store.seasons.boards(season.id)
    with store._database.reading() as connection:
        rows = connection.execute(select(matches).where(matches.c.season_id == season.id)).all()
    results = [(row.number, result_from(row, season.deal_count)) for row in rows]
    sets = store.seasons.sets(season.id)
    assert sets[-1].results_version > 0
    for one in sets:
        known = [result for number, result in results if number <= one.results_version]
        orders = [board.players for board in boards if board.set_number == one.number]
        before = [board.players for board in boards if board.set_number < one.number]
        assert next_boards(_contenders(season, one.entrant_count, known), before, seats=4, boards=2) == tuple(orders)


def _contenders(season: Season, count: int, known: list[MatchResult]) -> list[Contender]:
    sums = [board_sums(board, parse_variant(season.variant).forfeit_points) for board in whole_boards(known)]
    bots = rate(sums, bot_count=count, deals=season.deal_count).bots
    return [
        Contender(entrant=bot.entrant, owner="", boards_over=bot.boards, error=error_of(bot.points, bot.boards))
        for bot in bots
    ]


@pytest.mark.slow
def test_a_rebuild_leaves_every_official_number_as_it_was(store: Store) -> None:
    """Late entrants included, to the last bit."""
    season = started(store, boards=2, rolling=True)
    play_sets(store, season, 2)
    enter_late(store, season)
    play_sets(store, season, 4)
    sums, ladder = store.standings.sums(season.id), ladder_json(store.standings.ladder(season.id))
    assert store.results.rebuild(season.id) == store.seasons.progress(season.id).boards_over
    assert store.standings.sums(season.id) == sums
    store.standings._made.clear()
    assert ladder_json(store.standings.ladder(season.id)) == ladder


@pytest.mark.slow
def test_a_season_ends_after_what_has_begun(store: Store) -> None:
    """Sets that nobody took up are dropped and their secrets published; begun ones are played to their end."""
    season = started(store, BOTS[:4], boards=2, rolling=True)
    store.rolling.grow_all()
    play_sitting(store, store.sittings.due(season.id)[0])
    ending = store.seasons.end(season.id)
    assert store.seasons.end(season.id) == ending
    assert (ending.state, ending.ending, ending.secret) == (SeasonState.RUNNING, True, None)
    progress = store.seasons.progress(season.id)
    assert (progress.boards_planned, progress.matches_planned, progress.sittings_planned) == (2, 8, 4)
    assert store.rolling.grow_all() == ()
    assert [board.deal_secret is not None for board in store.seasons.boards(season.id)] == [False, False, True, True]
    assert ending.balance == "boards per bot 2, boards shared by a pair 2, a bot right after another 0 to 1"
    with pytest.raises(LeagueError, match=r"season 1 \(Autumn\) ends and takes no more entries"):
        enter_late(store, season)
    while due := store.sittings.due(season.id):
        play_sitting(store, due[0])
    ended = store.seasons.get(season.id)
    assert ended.state is SeasonState.ENDED
    assert ended.secret is not None
    progress = store.seasons.progress(season.id)
    assert progress.matches_stored == progress.matches_planned == 8
    with pytest.raises(LeagueError, match="no board 5 in season 1: it has boards 1 to 4"):
        store.seasons.board(season.id, 5)
    with pytest.raises(LeagueError, match="is ended and cannot take entries"):
        enter_late(store, season)


def test_a_season_in_which_nothing_has_begun_ends_at_once(store: Store) -> None:
    """There is nothing to wait for."""
    season = started(store, BOTS[:4], boards=2, rolling=True)
    assert store.seasons.end(season.id).state is SeasonState.ENDED
    assert store.seasons.progress(season.id).matches_planned == 0
    only_planned = planned(store, BOTS[:4], rolling=True)
    assert store.seasons.end(only_planned.id).state is SeasonState.ENDED


def test_a_season_ended_as_void_ends_at_once(store: Store) -> None:
    """Also when it was about to end after what had begun: running sittings lose their claims."""
    season = started(store, BOTS[:4], boards=2, rolling=True)
    claim = claimed(store, store.sittings.due(season.id)[0])
    assert store.seasons.end(season.id).state is SeasonState.RUNNING
    assert store.seasons.end(season.id, void=True).state is SeasonState.ENDED
    with pytest.raises(LeagueError, match="is over"):
        store.sittings.renew(claim)
    assert store.sittings.get(claim.sitting).state is SittingState.PLANNED
    assert store.sittings.due(season.id) == ()


@pytest.mark.slow
def test_a_season_that_cannot_grow_does_not_stop_the_others(tmp_path: Path, clock: Clock) -> None:
    """All others grow before the error, which names the season, is raised."""
    store = open_store(tmp_path, clock)
    broken = started(store, BOTS[:4], boards=1, rolling=True)
    other_vault = open_store(tmp_path / "other")
    elsewhere = Store.open(database_url(tmp_path), vault=other_vault._vault, clock=clock)
    sound = started(elsewhere, BOTS[:4], boards=1, rolling=True)
    with pytest.raises(LeagueError, match=f"season {broken.id}: "):
        elsewhere.rolling.grow_all()
    assert len(store.seasons.sets(sound.id)) == 2
    assert len(store.seasons.sets(broken.id)) == 1
    for one in (store, elsewhere, other_vault):
        one.close()


def test_a_rolling_season_needs_as_many_bots_as_a_table_has_seats(store: Store) -> None:
    """To start; the error is that of a closed one."""
    season = planned(store, BOTS[:3], rolling=True)
    with pytest.raises(LeagueError, match="3 bots that may meet: a table of this variant needs 4"):
        store.seasons.start(season.id)
