"""Sittings as work: claims, leases, attempts, and every call made twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from league.errors import LeagueError, StaleAttemptError
from league.model import SittingState
from league.pairing import players_by_seat
from league.store import Store
from league.store.sittings import SittingStore
from tests.league.leagues import BOTS, Clock, claimed, database_url, open_store, play_sitting, short_record, started


def test_due_are_the_first_rotations_of_each_set(store: Store) -> None:
    """One sitting of each set, the first rotation first."""
    season = started(store)
    due = [store.sittings.get(sitting) for sitting in store.sittings.due(season.id)]
    assert [(one.set_number, one.rotation) for one in due] == [(1, 0), (2, 0)]
    assert store.sittings.due(season.id, limit=1) == (due[0].id,)
    assert store.sittings.due(season.id + 1) == ()


def test_a_claim_has_all_that_a_worker_needs(store: Store) -> None:
    """Bots with their sources, tables with players by seat, secrets and match ids that nobody else can know."""
    season = started(store, set_count=3)
    claim = claimed(store, store.sittings.due()[1])
    assert (claim.attempt, claim.season_name, claim.variant) == (1, "Autumn", "russian-14")
    assert claim.time_control == "start=30s,inc=100ms,bank=10s"
    boards = {board.number: board for board in store.seasons.boards(season.id)}
    assert [table.board for table in claim.tables] == [n for n, b in boards.items() if b.set_number == 2]
    for table in claim.tables:
        entrants = [claim.players[place].entrant for place in table.players]
        assert tuple(entrants) == players_by_seat(boards[table.board].players, table.rotation)
        assert table.deal_salt == season.deal_salt
    assert all(player.bot.source.location == f"run {player.label}" for player in claim.players)
    assert len({table.match_id for table in claim.tables}) == len(claim.tables)
    assert len({table.deal_secret for table in claim.tables}) == len(claim.tables)


def test_a_sitting_is_claimed_once(store: Store) -> None:
    """The second to ask gets nothing, and neither does who asks for another rotation of the set."""
    season = started(store)
    first, _, other_rotation = (store.sittings.of_season(season.id)[at].id for at in (0, 1, 2))
    claimed(store, first)
    assert store.sittings.claim(first, "worker 2") is None
    assert store.sittings.claim(other_rotation, "worker 2") is None
    assert store.sittings.due() == (store.sittings.of_season(season.id)[1].id,)


def test_a_lease_that_is_renewed_is_not_swept(store: Store, clock: Clock) -> None:
    """Renewing every few seconds keeps a sitting for ever."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    for _ in range(5):
        clock.move(9)
        store.sittings.renew(claim)
        assert claim.sitting not in store.sittings.sweep()


def test_a_silent_sitting_is_queued_again_with_a_new_attempt(store: Store, clock: Clock) -> None:
    """Whoever held it is told at the next call, whatever that is; sweeping twice is harmless."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    clock.move(10)
    assert claim.sitting in store.sittings.sweep()
    once = store.sittings.get(claim.sitting)
    assert claim.sitting in store.sittings.sweep()
    assert store.sittings.get(claim.sitting) == once
    assert once.state is SittingState.PLANNED
    assert "worker 1 has not been heard of" in once.given_back
    again = claimed(store, claim.sitting, "worker 2")
    assert again.attempt > claim.attempt
    for call in (
        lambda: store.sittings.renew(claim),
        lambda: store.sittings.finish(claim),
        lambda: store.results.commit(claim, short_record(claim, claim.tables[0])),
    ):
        with pytest.raises(StaleAttemptError, match="attempt 1 of sitting 1 is over"):
            call()
    store.sittings.renew(again)


def test_a_clock_that_is_set_back_does_not_keep_the_sittings_of_the_dead(store: Store, clock: Clock) -> None:
    """A lease that ends much later than this clock could have given is taken back; one a little later is not."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    clock.move(-9)
    assert claim.sitting not in store.sittings.sweep()
    clock.move(-3600)
    assert claim.sitting in store.sittings.sweep()
    assert store.sittings.get(claim.sitting).attempt > claim.attempt


@pytest.mark.slow
def test_a_patient_sweep_lets_owners_renew_after_a_sleep_of_the_machine(store: Store, clock: Clock) -> None:
    """It takes back what stays silent a quarter of a lease longer, not what is renewed in that time."""
    season = started(store)
    steady = Clock()

    def steady_seconds() -> float:
        return steady.now.timestamp()

    sittings = SittingStore(store._database, store._open_vault, clock, store.sittings.lease, steady_seconds)
    alive, dead = (claimed(store, sitting) for sitting in store.sittings.due(season.id))
    clock.move(3600)
    assert sittings.sweep(patient=True) == ()
    steady.move(1)
    assert sittings.sweep(patient=True) == ()
    store.sittings.renew(alive)
    steady.move(1.5)
    assert sittings.sweep(patient=True) == (dead.sitting,)
    assert sittings.sweep(patient=True) == (dead.sitting,)
    assert sittings.get(alive.sitting).state is SittingState.CLAIMED
    clock.move(11)
    assert sittings.sweep(patient=True) == (dead.sitting,)
    steady.move(3)
    assert sittings.sweep(patient=True) == (alive.sitting, dead.sitting)


@pytest.mark.slow
def test_a_season_that_cannot_be_swept_does_not_stop_the_others(tmp_path: Path, store: Store, clock: Clock) -> None:
    """All that is silent is handled before the error, which names the sitting, is raised."""
    broken = started(store)
    play_sitting(store, store.sittings.due()[0], finish=False)
    other_vault = open_store(tmp_path / "other")
    elsewhere = Store.open(database_url(tmp_path), vault=other_vault._vault, clock=clock)
    sound = started(elsewhere)
    (first, *_) = elsewhere.sittings.due(sound.id)
    claimed(elsewhere, first)
    clock.move(11)
    with pytest.raises(LeagueError, match="sitting 1: "):
        elsewhere.sittings.sweep()
    assert elsewhere.sittings.get(first).state is SittingState.PLANNED
    assert elsewhere.sittings.of_season(broken.id)[0].state is SittingState.CLAIMED
    store.sittings.sweep()
    assert store.sittings.of_season(broken.id)[0].state is SittingState.DONE
    elsewhere.close()
    other_vault.close()


def test_an_expired_lease_that_nobody_took_can_be_renewed(store: Store, clock: Clock) -> None:
    """A worker that was slow, but whose sitting is still its own, goes on."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    clock.move(60)
    store.sittings.renew(claim)
    assert claim.sitting not in store.sittings.sweep()


@pytest.mark.slow
def test_a_sitting_taken_up_again_plays_only_what_is_not_stored(store: Store, clock: Clock) -> None:
    """Results of the attempt that died stay, each counted once."""
    season = started(store)
    first = claimed(store, store.sittings.due()[0])
    for table in first.tables[:3]:
        store.results.commit(first, short_record(first, table))
    clock.move(11)
    store.sittings.sweep()
    second = claimed(store, first.sitting)
    assert second.tables == first.tables[3:]
    for table in second.tables:
        assert store.results.commit(second, short_record(second, table))
    store.sittings.finish(second)
    assert store.seasons.progress(season.id).matches_stored == len(first.tables)


@pytest.mark.slow
def test_a_sitting_that_died_before_it_was_finished_is_finished_by_the_sweep(store: Store, clock: Clock) -> None:
    """All its results are stored: there is nothing to play again."""
    started(store)
    claim = play_sitting(store, store.sittings.due()[0], finish=False)
    clock.move(11)
    assert claim.sitting not in store.sittings.sweep()
    assert store.sittings.get(claim.sitting).state is SittingState.DONE
    store.sittings.finish(claim)


def test_a_sitting_is_not_finished_before_all_is_stored(store: Store) -> None:
    """The error says how many are missing."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    with pytest.raises(LeagueError, match=r"has 0 of \d+ results: store the rest"):
        store.sittings.finish(claim)


def test_finishing_twice_is_finishing_once(store: Store) -> None:
    """Set and season count it once."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    claim = play_sitting(store, store.sittings.due()[0])
    for _ in range(4):
        store.sittings.finish(claim)
    assert store.seasons.board(season.id, 1).deal_secret is None
    assert len(store.sittings.due()) == 1


def test_a_sitting_given_back_is_due_at_once(store: Store) -> None:
    """With the reason beside it; giving back twice, or after it was taken up again, changes nothing."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    store.sittings.release(claim, "the referee was restarted")
    assert claim.sitting in store.sittings.due()
    assert store.sittings.get(claim.sitting).given_back == "the referee was restarted"
    again = claimed(store, claim.sitting)
    store.sittings.release(claim, "late")
    assert store.sittings.get(claim.sitting).attempt == again.attempt == 2
    assert store.sittings.get(claim.sitting).state is SittingState.CLAIMED


def test_an_unknown_sitting_is_an_error(store: Store) -> None:
    """Claiming what was never planned is a mistake, not a sitting that is taken."""
    with pytest.raises(LeagueError, match="no sitting 99: sittings are made when a season starts"):
        store.sittings.claim(99, "w")
