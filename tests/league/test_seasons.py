"""Seasons in the store: states, entries, secrets and plans."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from league.errors import LeagueError
from league.model import NewSeason, SeasonState
from league.pairing import SeasonPlan, plan_season
from league.store import Store, Vault
from tests.league.leagues import (
    BOTS,
    VARIANT,
    Clock,
    claimed,
    database_url,
    new_bot,
    open_store,
    planned,
    play_season,
    play_sitting,
    short_record,
    started,
)


def sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_a_season_publishes_its_commitment_before_the_first_entry(store: Store) -> None:
    """The commitment is there at once, secret and salt are not."""
    season = store.seasons.create(NewSeason(name="Autumn", variant=VARIANT, boards=2))
    assert season.state is SeasonState.PLANNED
    assert len(season.commitment) == 64
    assert season.secret is None
    assert season.deal_salt is None
    assert store.seasons.entrants(season.id) == ()


@pytest.mark.slow
def test_secrets_salt_and_commitments_follow_the_recipe(store: Store) -> None:
    """Salt from the sorted version hashes, board secrets from the season's, each with its published commitment."""
    season = started(store, BOTS[:4], boards=3)
    hashes = sorted(bytes.fromhex(one.bot.version_hash) for one in store.seasons.entrants(season.id))
    assert season.deal_salt == sha256(*hashes)
    before = store.seasons.boards(season.id)
    assert all(board.deal_secret is None for board in before)
    play_season(store, season)
    ended = store.seasons.get(season.id)
    assert ended.secret is not None
    assert sha256(bytes.fromhex(ended.secret)) == season.commitment
    for board in store.seasons.boards(season.id):
        secret = sha256(bytes.fromhex(ended.secret), board.number.to_bytes(4, "big"))
        assert board.deal_secret == secret
        assert board.commitment == before[board.number - 1].commitment == sha256(bytes.fromhex(secret))


@pytest.mark.slow
def test_the_plan_is_stored_as_planned(store: Store) -> None:
    """Boards, sets and sittings of the store are those of the pure planner; the balance is told."""
    season = started(store, boards=2)
    plan = plan_season([""] * 6, seats=4, boards=2)
    stored = store.seasons.boards(season.id)
    assert [(b.number, b.set_number, b.players) for b in stored] == [
        (b.number, b.set_number, b.players) for b in plan.boards
    ]
    sittings = store.sittings.of_season(season.id)
    assert [(s.set_number, s.rotation, s.match_count) for s in sittings] == [
        (number, rotation, 15) for rotation in range(4) for number in (1, 2)
    ]
    assert season.balance == str(plan.balance)
    assert [
        (one.number, one.first_board, one.last_board, one.board_count) for one in store.seasons.sets(season.id)
    ] == [
        (1, 1, 29, 15),
        (2, 2, 30, 15),
    ]


@pytest.mark.slow
def test_the_plan_does_not_hang_on_the_order_of_entry(tmp_path: Path) -> None:
    """Who enters first gets no other seat for it."""
    boards = []
    for folder, bots in (("a", BOTS), ("b", tuple(reversed(BOTS)))):
        store = open_store(tmp_path / folder)
        season = started(store, bots)
        labels = [one.label for one in store.seasons.entrants(season.id)]
        boards.append([[labels[player] for player in board.players] for board in store.seasons.boards(season.id)])
        store.close()
    assert boards[0] == boards[1]


def test_starting_twice_is_one_start(store: Store) -> None:
    """A second start changes nothing."""
    season = started(store)
    assert store.seasons.start(season.id) == season
    assert len(store.sittings.of_season(season.id)) == 8


def test_a_version_enters_a_season_once(store: Store) -> None:
    """Entering again gives the entrant that is there; another version of the same bot is another entrant."""
    season = planned(store, ("owl",))
    owl = store.bots.latest("owl")
    assert store.seasons.enter(season.id, owl.id).number == 0
    newer = store.bots.register(new_bot("owl", version="2"))
    assert store.seasons.enter(season.id, newer.id).number == 1
    for name in ("a", "b"):
        store.seasons.enter(season.id, store.bots.register(new_bot(name)).id)
    store.seasons.start(season.id)
    assert [one.label for one in store.seasons.entrants(season.id)] == ["a", "b", "owl@1", "owl@2"]


def test_entries_close_with_the_start(store: Store) -> None:
    """Nobody can choose the cards by entering late."""
    season = started(store)
    late = store.bots.register(new_bot("late"))
    with pytest.raises(LeagueError, match=r"season 1 \(Autumn\) is running and cannot take entries: .* planned"):
        store.seasons.enter(season.id, late.id)


def test_nothing_is_locked_while_a_plan_is_searched_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever enters meanwhile, from elsewhere, need not wait, and is in the plan."""
    store, elsewhere = open_store(tmp_path), open_store(tmp_path)
    season = planned(store, BOTS[:4])
    planned_for: list[int] = []

    def search(owners: Sequence[str], **sizes: Any) -> SeasonPlan:
        if not planned_for:
            elsewhere.seasons.enter(season.id, elsewhere.bots.register(new_bot("late")).id)
        planned_for.append(len(owners))
        return plan_season(owners, **sizes)

    monkeypatch.setattr("league.store.plans.plan_season", search)
    store.seasons.start(season.id)
    assert planned_for == [4, 5]
    assert {number for board in store.seasons.boards(season.id) for number in board.players} == set(range(5))
    elsewhere.close()
    store.close()


def test_too_few_entrants_cannot_start(store: Store) -> None:
    """The season stays planned, and more bots can enter."""
    season = planned(store, BOTS[:3])
    with pytest.raises(LeagueError, match="a table of this variant needs 4"):
        store.seasons.start(season.id)
    assert store.seasons.get(season.id).state is SeasonState.PLANNED
    store.seasons.enter(season.id, store.bots.register(new_bot("greedy2")).id)
    assert store.seasons.start(season.id).state is SeasonState.RUNNING


def test_a_paused_season_gives_out_nothing_and_lets_sittings_finish(store: Store) -> None:
    """Pause and resume may each be said twice."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    store.seasons.pause(season.id)
    assert store.seasons.pause(season.id).state is SeasonState.PAUSED
    assert store.sittings.due() == ()
    other = store.sittings.of_season(season.id)[1]
    assert store.sittings.claim(other.id, "w") is None
    store.sittings.renew(claim)
    assert store.seasons.resume(season.id).state is SeasonState.RUNNING
    store.seasons.resume(season.id)
    assert store.sittings.due() == (other.id,)


def test_states_that_do_not_follow_are_refused_by_name(store: Store) -> None:
    """A planned season cannot be paused, an ended one not be started."""
    season = planned(store)
    with pytest.raises(LeagueError, match="is planned and cannot be paused: it would have to be running"):
        store.seasons.pause(season.id)
    store.seasons.end(season.id)
    with pytest.raises(LeagueError, match="is ended and cannot be started: it would have to be planned"):
        store.seasons.start(season.id)
    assert store.seasons.end(season.id).state is SeasonState.ENDED


def test_a_season_that_is_not_there_is_an_error_that_names_those_there_are(store: Store) -> None:
    """By id and by name."""
    with pytest.raises(LeagueError, match="no season 5: there is none yet, make one with `king season create`"):
        store.seasons.get(5)
    planned(store)
    with pytest.raises(LeagueError, match=r"no season 'Autum': there are 1 \(Autumn\)"):
        store.seasons.find("Autum")
    for call in (store.seasons.progress, store.seasons.boards, store.standings.ladder, store.results.matches):
        with pytest.raises(LeagueError, match=r"no season 7: there are 1 \(Autumn\)"):
            call(7)


def test_a_season_is_found_by_id_and_by_name(store: Store) -> None:
    """Of several with one name the newest is meant."""
    first = planned(store)
    second = planned(store)
    assert store.seasons.find("Autumn") == second
    assert store.seasons.find(str(first.id)) == first
    assert [season.id for season in store.seasons.all()] == [second.id, first.id]
    assert [(season.id, entrant.label) for season, entrant in store.seasons.of_bot("greedy")] == [
        (second.id, "greedy"),
        (first.id, "greedy"),
    ]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"variant": "russian-15"}, "russian-15"),
        ({"variant": "turkish-20[limits=9+9]"}, "limits"),
        ({"boards": 0}, "boards is 0: it must be 1 or more"),
        ({"set_count": 0}, "set_count is 0"),
        ({"boards": 1001, "rolling": True}, "boards is 1001: a rolling season grows by at most 1000 at a time"),
        ({"name": ""}, "1 to 128 characters"),
        ({"name": "Au\u202etumn"}, "cannot be seen"),
        ({"name": "Autumn\r\nX-Header: 1"}, "cannot be seen"),
        ({"boards": 250_001}, "at most 250000"),
    ],
)
def test_wrong_settings_are_refused_by_name(store: Store, settings: dict[str, Any], words: str) -> None:
    """Before anything is stored."""
    with pytest.raises(LeagueError, match=words):
        planned(store, **settings)
    assert store.seasons.all() == ()


@pytest.mark.slow
def test_the_season_ends_with_its_last_sitting(store: Store, clock: Clock) -> None:
    """Then, and only then, its secret is published and it has an end."""
    season = started(store, BOTS[:4], boards=2)
    sittings = [sitting.id for sitting in store.sittings.of_season(season.id)]
    for sitting in sittings[:-1]:
        play_sitting(store, sitting)
        assert store.seasons.get(season.id).state is SeasonState.RUNNING
        assert store.seasons.get(season.id).secret is None
    clock.move(60)
    play_sitting(store, sittings[-1])
    ended = store.seasons.get(season.id)
    assert ended.state is SeasonState.ENDED
    assert ended.secret is not None
    assert ended.ended_at == clock.now


def test_a_season_ended_early_publishes_and_takes_claims_away(store: Store) -> None:
    """What was stored can be seen, what runs is lost."""
    season = started(store, BOTS[:4], boards=2)
    first, second = (store.sittings.of_season(season.id)[at].id for at in (0, 1))
    claim = play_sitting(store, first)
    running = claimed(store, second)
    ended = store.seasons.end(season.id)
    assert ended.secret is not None
    assert store.results.record(claim.tables[0].match_id)["deal_secret"] is not None
    with pytest.raises(LeagueError, match="attempt 1 of sitting"):
        store.sittings.renew(running)
    assert store.sittings.due() == ()


def test_progress_tells_counts_and_an_expected_end(store: Store, clock: Clock) -> None:
    """From the speed so far: a result every ten seconds leaves ten seconds for each that is missing."""
    season = started(store, BOTS[:4], boards=4)
    assert store.seasons.progress(season.id).expected_end is None
    claim = claimed(store, store.sittings.due()[0])
    for table in claim.tables:
        clock.move(10)
        store.results.commit(claim, short_record(claim, table))
    progress = store.seasons.progress(season.id)
    assert (progress.matches_stored, progress.matches_planned) == (2, 16)
    assert (progress.boards_over, progress.boards_planned) == (0, 4)
    assert (progress.sittings_done, progress.sittings_claimed, progress.sittings_planned) == (0, 1, 8)
    assert progress.expected_end is not None
    assert (progress.expected_end - clock.now).total_seconds() == pytest.approx(140)
    assert progress.expected_end_error_seconds is not None


def test_without_its_vault_a_store_cannot_reach_a_secret(tmp_path: Path) -> None:
    """The dashboard reads everything public and can neither make, start nor claim anything."""
    full = open_store(tmp_path)
    season = started(full, BOTS[:4])
    bare = Store.open(database_url(tmp_path))
    assert bare.seasons.get(season.id) == season
    for call in (
        lambda: bare.seasons.create(NewSeason(name="x", variant=VARIANT, boards=1)),
        lambda: bare.sittings.claim(bare.sittings.due()[0], "w"),
    ):
        with pytest.raises(LeagueError, match="opened without its vault"):
            call()
    bare.close()
    full.close()


def test_the_wrong_vault_is_an_error_that_says_so(tmp_path: Path) -> None:
    """A season cannot be started with the secrets of another store."""
    full = open_store(tmp_path)
    season = planned(full, BOTS[:4])
    other = Store.open(database_url(tmp_path), vault=Vault.open(f"sqlite:///{tmp_path / 'other.sqlite3'}"))
    with pytest.raises(LeagueError, match="name the vault with which the season was created, with KING_VAULT_URL"):
        other.seasons.start(season.id)
    other.close()
    full.close()
