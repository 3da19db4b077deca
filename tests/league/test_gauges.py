"""How a league stands, in numbers: what waits, since when, and what has gone silent."""

from __future__ import annotations

from datetime import timedelta

from league.store import Store
from league.store.gauges import LeagueGauges
from tests.league.leagues import Clock, claimed, play_sitting, started


def test_an_empty_league_has_nothing_to_tell(store: Store) -> None:
    """Without seasons all numbers are none."""
    assert store.gauges.read() == LeagueGauges()


def test_what_waits_and_what_is_played_is_counted(store: Store, clock: Clock) -> None:
    """A sitting that is due, one that is claimed, and the time since the season began or had a result."""
    season = started(store)
    assert store.gauges.read() == LeagueGauges(seasons_running=1, sittings_due=2)
    clock.move(30)
    claimed(store, store.sittings.due()[0])
    gauges = store.gauges.read()
    assert (gauges.sittings_due, gauges.sittings_claimed) == (1, 1)
    assert gauges.standstill == timedelta(seconds=30)
    play_sitting(store, store.sittings.due()[0])
    clock.move(4)
    gauges = store.gauges.read()
    assert gauges.standstill == timedelta(seconds=4)
    assert gauges.matches_stored == store.seasons.progress(season.id).matches_stored > 0


def test_a_lease_that_ran_out_is_counted_until_it_is_swept(store: Store, clock: Clock) -> None:
    """A silent claim is a number until somebody sweeps."""
    started(store)
    claimed(store, store.sittings.due()[0])
    assert store.gauges.read().leases_expired == 0
    clock.move(11)
    assert store.gauges.read().leases_expired == 1
    store.sittings.sweep()
    assert store.gauges.read().leases_expired == 0


def test_ratings_that_are_due_have_an_age(store: Store, clock: Clock) -> None:
    """The age counts from the result that made them due, and ends when they are written."""
    season = started(store)
    for sitting in store.sittings.of_season(season.id, set_number=1):
        play_sitting(store, sitting.id)
    clock.move(25)
    gauges = store.gauges.read()
    assert gauges.ratings_age == timedelta(seconds=25)
    assert store.histories.catch_up(season.id) > 0
    assert store.gauges.read().ratings_age == timedelta()


def test_a_season_that_is_paused_stands_still_unseen(store: Store, clock: Clock) -> None:
    """What nobody may play is nobody's fault: no standstill, nothing due."""
    season = started(store)
    clock.move(100)
    store.seasons.pause(season.id)
    assert store.gauges.read() == LeagueGauges()
