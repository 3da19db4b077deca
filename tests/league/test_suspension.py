"""When a bot is suspended, and that it is so once."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from league.audit_log import SHELL
from league.model import Claim, FaultKind, NewFault, Season, Suspension, SuspensionCause
from league.store import Store
from league.suspension import Conduct, suspension_cause, suspension_detail
from tests.league.leagues import BOTS, Clock, claimed, new_bot, play_season, short_record, started


@pytest.mark.parametrize(
    ("exits", "sittings", "overrun", "cause"),
    [
        (3, 0, 0, None),
        (4, 0, 0, SuspensionCause.EXITS),
        (0, 19, 19, None),
        (0, 20, 2, None),
        (0, 20, 3, SuspensionCause.OVERRUNS),
        (0, 29, 3, SuspensionCause.OVERRUNS),
        (0, 30, 3, None),
        (0, 31, 4, SuspensionCause.OVERRUNS),
        (4, 20, 20, SuspensionCause.EXITS),
    ],
)
def test_what_is_allowed_is_allowed_and_one_more_is_not(
    exits: int, sittings: int, overrun: int, cause: SuspensionCause | None
) -> None:
    """Three exits in 1,000 matches, and overruns in a tenth of the sittings once there are 20."""
    assert suspension_cause(Conduct(matches=1000, exits=exits, sittings=sittings, overrun_sittings=overrun)) is cause


def test_the_owner_is_told_how_often_and_what_is_allowed() -> None:
    """In one sentence with figures."""
    conduct = Conduct(matches=5000, exits=4, sittings=40, overrun_sittings=5)
    assert suspension_detail(SuspensionCause.EXITS, conduct) == (
        "its processes ended by themselves 4 times in 1000 matches: at most 3 in 1000 are allowed"
    )
    assert suspension_detail(SuspensionCause.OVERRUNS, conduct) == (
        "it overran its time in 5 of 40 sittings: after 20, at most 10 % of them are allowed"
    )


def play_faulty(
    store: Store, sitting: int, kind: FaultKind, events: int, bots: Collection[str] = ("greedy",), matches: int = 0
) -> Claim:
    """Plays a sitting, or some matches of it, in which these bots have so many faults, told with the first match."""
    claim = claimed(store, sitting)
    first = claim.tables[0].match_id
    places = [at for at, player in enumerate(claim.players) if player.label in bots]
    for number in range(events * len(places)):
        fault = NewFault(
            number=number + 1,
            player=places[number % len(places)],
            process=1,
            kind=kind,
            detail="",
            forfeits=False,
            match_ids=(first,),
        )
        store.results.record_fault(claim, fault)
    for table in claim.tables[: matches or None]:
        store.results.commit(claim, short_record(claim, table))
    if not matches:
        store.sittings.finish(claim)
    return claim


def suspended(store: Store, season: Season) -> list[tuple[str, SuspensionCause, int | None]]:
    return [(one.label, one.cause, one.sitting) for one in store.seasons.suspensions(season.id)]


@pytest.mark.slow
def test_the_fourth_exit_suspends_when_its_sitting_is_over(store: Store, clock: Clock) -> None:
    """Not before, and with figures; the event has the time, the sitting and how many results there were."""
    season = started(store, BOTS[:4], boards=2, set_count=1)
    first, second, *_ = (sitting.id for sitting in store.sittings.of_season(season.id))
    play_faulty(store, first, FaultKind.EXIT, 3)
    assert suspended(store, season) == []
    claim = play_faulty(store, second, FaultKind.EXIT, 1, matches=1)
    store.results.commit(claim, short_record(claim, claim.tables[1]))
    assert suspended(store, season) == []
    clock.move(5)
    store.sittings.finish(claim)
    greedy = next(one for one in store.seasons.entrants(season.id) if one.label == "greedy")
    assert store.seasons.suspensions(season.id) == (
        Suspension(
            season=season.id,
            entrant=greedy.number,
            label="greedy",
            owner="",
            cause=SuspensionCause.EXITS,
            detail="its processes ended by themselves 4 times in 4 matches: at most 3 in 1000 are allowed",
            sitting=second,
            results_version=4,
            at=clock.now,
        ),
    )


def test_a_sitting_that_the_sweep_ends_is_judged_too_and_once(store: Store, clock: Clock) -> None:
    """Whoever finishes it; a second finish changes nothing."""
    season = started(store, BOTS[:4], boards=2, set_count=1)
    (first,) = store.sittings.due()
    claim = play_faulty(store, first, FaultKind.EXIT, 4, matches=2)
    clock.move(11)
    store.sittings.sweep()
    assert suspended(store, season) == [("greedy", SuspensionCause.EXITS, first)]
    told = store.seasons.suspensions(season.id)
    store.sittings.finish(claim)
    play_faulty(store, store.sittings.due()[0], FaultKind.EXIT, 4)
    assert store.seasons.suspensions(season.id) == told


@pytest.mark.slow
def test_exits_of_void_attempts_do_not_suspend(store: Store) -> None:
    """What is played again counts as played again."""
    season = started(store, BOTS[:4], boards=2, set_count=1)
    (first,) = store.sittings.due()
    claim = claimed(store, first)
    for number in range(1, 6):
        fault = NewFault(
            number=number, player=0, process=1, kind=FaultKind.EXIT, detail="", forfeits=True, match_ids=()
        )
        store.results.record_fault(claim, fault)
    store.sittings.release(claim, "our fault")
    play_season(store, season)
    assert suspended(store, season) == []


@pytest.mark.slow
def test_exits_long_ago_are_forgiven(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count within the latest matches of a bot; here, the latest ten instead of the latest 1,000."""
    monkeypatch.setattr("league.store.conduct.EXITS_WITHIN_MATCHES", 10)
    season = started(store, BOTS[:4], boards=2, set_count=4, rolling=True)
    played = 0
    for exits in (3, 0, 0, 0, 0, 1, 2, 1):
        store.rolling.grow_all()
        play_faulty(store, store.sittings.due()[0], FaultKind.EXIT, exits)
        played += 2
        assert [one.label for one in store.seasons.suspensions(season.id)] == ([] if played < 16 else ["greedy"])


@pytest.mark.slow
def test_overruns_in_more_than_a_tenth_of_twenty_sittings_suspend(store: Store) -> None:
    """Several in one sitting are one sitting."""
    season = started(store, BOTS[:4], boards=6, set_count=6)
    late = {2: 5, 9: 1, 15: 1}
    for count, sitting in enumerate([one.id for one in store.sittings.of_season(season.id)], start=1):
        play_faulty(store, sitting, FaultKind.TIMEOUT, late.get(count, 0))
        assert len(store.seasons.suspensions(season.id)) == (count >= 20)
    assert "in 3 of 20 sittings" in store.seasons.suspensions(season.id)[0].detail


@pytest.mark.slow
@pytest.mark.parametrize("within", [1000, 2])
def test_a_lifted_suspension_forgives_what_was_before(
    store: Store, monkeypatch: pytest.MonkeyPatch, within: int
) -> None:
    """The next sitting without a fault does not suspend again; as many new exits as the first time do."""
    monkeypatch.setattr("league.store.conduct.EXITS_WITHIN_MATCHES", within)
    season = started(store, BOTS[:4], boards=2, set_count=2)
    order = iter([one.id for one in store.sittings.of_season(season.id)])
    play_faulty(store, next(order), FaultKind.EXIT, 4)
    assert len(suspended(store, season)) == 1
    store.organising.lift(season.id, "greedy", by=SHELL)
    play_faulty(store, next(order), FaultKind.EXIT, 0)
    play_faulty(store, next(order), FaultKind.EXIT, 3)
    assert suspended(store, season) == []
    play_faulty(store, last := next(order), FaultKind.EXIT, 4)
    assert suspended(store, season) == [("greedy", SuspensionCause.EXITS, last)]


@pytest.mark.slow
def test_lifted_overruns_are_forgiven_too(store: Store) -> None:
    """Twenty more sittings have to be over before they are judged again."""
    season = started(store, BOTS[:4], boards=6, set_count=6)
    sittings = [one.id for one in store.sittings.of_season(season.id)]
    for count, sitting in enumerate(sittings, start=1):
        play_faulty(store, sitting, FaultKind.TIMEOUT, int(count in {2, 9, 15}))
        if count == 20:
            store.organising.lift(season.id, "greedy", by=SHELL)
    assert suspended(store, season) == []


def test_who_is_suspended_in_a_closed_season_forfeits_the_rest(store: Store) -> None:
    """Claims say why it is not to be started; the others play on."""
    season = started(store, BOTS[:4], boards=2, set_count=1)
    play_faulty(store, store.sittings.due()[0], FaultKind.EXIT, 4)
    claim = claimed(store, store.sittings.due()[0])
    told = {player.label: player.suspended for player in claim.players}
    assert told.pop("greedy") == store.seasons.suspensions(season.id)[0].detail
    assert set(told.values()) == {""}


@pytest.mark.slow
def test_who_is_suspended_in_a_rolling_season_is_not_paired_any_more(store: Store) -> None:
    """It plays what was planned before, and is in no board that is planned later."""
    season = started(store, BOTS[:6], boards=4, rolling=True)
    while not store.seasons.suspensions(season.id):
        store.rolling.grow_all()
        claim = play_faulty(store, store.sittings.due()[0], FaultKind.EXIT, 2)
        assert not any(player.suspended for player in claim.players)
    before = len(store.seasons.boards(season.id))
    _play_on(store, season, lambda: len(store.seasons.boards(season.id)) >= before + 12)
    (one,) = store.seasons.suspensions(season.id)
    later = store.seasons.boards(season.id)[before:]
    assert later
    assert not any(one.entrant in board.players for board in later)


@pytest.mark.slow
def test_a_rolling_season_without_enough_bots_rests_until_one_enters(store: Store) -> None:
    """Nobody to pair is no error: the sweep goes on, and a new version of the bot is paired with the rest."""
    season = started(store, BOTS[:4], boards=1, rolling=True)
    play_faulty(store, store.sittings.due()[0], FaultKind.EXIT, 4)
    _play_on(store, season, lambda: not store.sittings.due(season.id))
    assert store.rolling.grow_all() == ()
    mended = store.seasons.enter(season.id, store.bots.register(new_bot("greedy", "2")).id)
    assert mended.label == "greedy@2"
    assert store.rolling.grow_all() == (season.id,)
    assert mended.number in store.seasons.boards(season.id)[-1].players


def _play_on(store: Store, season: Season, enough: Callable[[], bool]) -> None:
    """Plays and grows until there is enough, or nothing is due."""
    while not enough():
        store.rolling.grow_all()
        for sitting in store.sittings.due(season.id):
            play_faulty(store, sitting, FaultKind.EXIT, 0)
