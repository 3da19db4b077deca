"""Faults count when something they touched is valid, and once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from league.model import Claim, FaultKind, NewFault, Season, TablePlan
from league.store import Store
from tests.league.leagues import Clock, claimed, short_record, started


def fault_of(claim: Claim, label: str, tables: Sequence[TablePlan], number: int = 1) -> NewFault:
    place = next(at for at, player in enumerate(claim.players) if player.label == label)
    return NewFault(
        number=number,
        player=place,
        process=1,
        kind=FaultKind.EXIT,
        detail="ended by itself",
        forfeits=True,
        match_ids=tuple(table.match_id for table in tables),
    )


def faults_on_the_ladder(store: Store, season: Season) -> dict[str, int]:
    rows = store.standings.ladder(season.id).rows
    return {row.entry.label: row.entry.faults for row in rows if row.entry.faults}


@pytest.mark.slow
def test_a_fault_of_an_attempt_that_died_before_the_record_counts_once_after_the_replay(
    store: Store, clock: Clock
) -> None:
    """What was void is played again: the first telling is kept but neither counted nor listed."""
    season = started(store)
    first = claimed(store, store.sittings.due()[0])
    assert store.results.record_fault(first, fault_of(first, "greedy", first.tables[1:2]))
    store.results.commit(first, short_record(first, first.tables[0]))
    assert faults_on_the_ladder(store, season) == {}
    clock.move(11)
    store.sittings.sweep()
    second = claimed(store, first.sitting)
    assert store.results.record_fault(second, fault_of(second, "greedy", second.tables[:1]))
    for table in second.tables:
        store.results.commit(second, short_record(second, table))
    store.sittings.finish(second)
    assert faults_on_the_ladder(store, season) == {"greedy": 1}
    assert [fault.attempt for fault in store.results.faults(season.id)] == [second.attempt]


@pytest.mark.slow
def test_a_fault_counts_with_the_first_match_it_touched(store: Store, clock: Clock) -> None:
    """Stored before or after the fault, and once, also when the attempt dies later."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    store.results.record_fault(claim, fault_of(claim, "greedy", claim.tables[:3]))
    for table in claim.tables[:2]:
        store.results.commit(claim, short_record(claim, table))
    store.results.record_fault(claim, fault_of(claim, "random", claim.tables[1:4], number=2))
    clock.move(11)
    store.sittings.sweep()
    assert faults_on_the_ladder(store, season) == {"greedy": 1, "random": 1}


@pytest.mark.slow
@pytest.mark.parametrize("swept", [False, True])
def test_a_fault_that_touched_no_match_counts_when_its_sitting_is_over(
    store: Store, clock: Clock, *, swept: bool
) -> None:
    """Whether its worker or the sweep finishes it."""
    season = started(store)
    claim = claimed(store, store.sittings.due()[0])
    store.results.record_fault(claim, fault_of(claim, "greedy", ()))
    for table in claim.tables:
        store.results.commit(claim, short_record(claim, table))
    assert faults_on_the_ladder(store, season) == {}
    if swept:
        clock.move(11)
        store.sittings.sweep()
    else:
        store.sittings.finish(claim)
    assert faults_on_the_ladder(store, season) == {"greedy": 1}
