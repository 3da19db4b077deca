"""Orders of organisers, asked for without the vault and carried out by a real sweep with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue

from league.accounts import Account
from league.audit_log import SHELL, Act, Actor
from league.errors import LeagueError
from league.model import NewSeason, SeasonState
from league.orders import (
    Arguments,
    CreateSeason,
    EndSeason,
    EnterBots,
    LiftSuspension,
    Order,
    OrderState,
    Outcome,
    PauseSeason,
    Requeue,
    ResumeSeason,
    StartSeason,
    SuspendBot,
    arguments_from,
    arguments_json,
    kind_of,
)
from league.store import Store
from league.store.orders import TRIES_AT_MOST
from tests.league.leagues import (
    BOTS,
    VARIANT,
    claimed,
    database_url,
    new_bot,
    open_store,
    planned,
    play_sitting,
    started,
)
from workers.queueing import Piece, Work, mark_handed_out, piece_of, work_queue
from workers.sweep import sweep

pytestmark = pytest.mark.slow

NEW = NewSeason(name="Autumn", variant=VARIANT, boards=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The sweep's store, with the vault."""
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def dashboard(store: Store, tmp_path: Path) -> Iterator[Store]:
    """The dashboard's store, without the vault."""
    opened = Store.open(database_url(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def olga(store: Store) -> Account:
    """An organiser."""
    return store.accounts.create("Olga", organiser=True, by=SHELL)


@pytest.fixture
def queue(valkey: Redis) -> Queue:
    """The queue of work."""
    return work_queue(valkey)


class Desk:
    """An organiser who asks for things on the web, and the sweep that comes round."""

    def __init__(self, store: Store, dashboard: Store, queue: Queue, olga: Account) -> None:
        self.store, self.dashboard, self.queue, self.olga = store, dashboard, queue, olga

    def done(self, arguments: Arguments) -> Order:
        """What becomes of an order."""
        order = self.dashboard.orders.ask(arguments, by=Actor.of(self.olga))
        assert order.state is OrderState.WAITING
        sweep(self.store, self.queue)
        return self.dashboard.orders.get(order.id)

    def log(self, act: Act) -> list[tuple[str, str]]:
        """Who did it to what, the newest first."""
        return [(entry.actor, entry.subject) for entry in self.dashboard.audit_log.entries() if entry.act == act]


@pytest.fixture
def desk(store: Store, dashboard: Store, queue: Queue, olga: Account) -> Desk:
    """The two of them."""
    return Desk(store, dashboard, queue, olga)


def versions(store: Store) -> tuple[int, ...]:
    """Six registered bots."""
    return tuple(store.bots.register(new_bot(name)).id for name in BOTS)


@pytest.mark.parametrize(
    "arguments",
    [
        CreateSeason(new=NEW, versions=(1, 2), start=True),
        EnterBots(season=1, versions=(3,)),
        StartSeason(season=1),
        PauseSeason(season=1),
        ResumeSeason(season=1),
        EndSeason(season=1, void=True),
        Requeue(season=1, set_number=2),
        SuspendBot(season=1, bot="Лисий хвост", reason="cheats"),
        LiftSuspension(season=1, bot="greedy"),
    ],
)
def test_arguments_are_kept_whole(dashboard: Store, arguments: Arguments) -> None:
    """What is read from the store is what was asked for."""
    assert arguments_from(kind_of(arguments), arguments_json(arguments)) == arguments


@pytest.mark.slow
def test_a_season_runs_its_course_by_orders(desk: Desk) -> None:
    """Created with its bots, started, paused, resumed, ended: each in the audit log by who asked for it."""
    created = desk.done(CreateSeason(new=NEW, versions=versions(desk.store)))
    assert (created.state, created.season) == (OrderState.DONE, 1)
    assert [one.label for one in desk.dashboard.seasons.entrants(1)] == list(BOTS)
    assert desk.done(StartSeason(season=1)).state is OrderState.DONE
    assert {piece_of(job).work for job in desk.queue.get_job_ids()} == {Work.SITTING}, "the same sweep hands out work"
    for arguments, state in (
        (PauseSeason(season=1), SeasonState.PAUSED),
        (ResumeSeason(season=1), SeasonState.RUNNING),
        (EndSeason(season=1), SeasonState.ENDED),
    ):
        assert desk.done(arguments).state is OrderState.DONE
        assert desk.dashboard.seasons.get(1).state is state
    for act in (
        Act.SEASON_CREATED,
        Act.SEASON_STARTED,
        Act.SEASON_PAUSED,
        Act.SEASON_RESUMED,
        Act.SEASON_ENDED,
    ):
        assert desk.log(act) == [("Olga", "season 1")]
    assert [order.id for order in desk.dashboard.orders.latest(season=1)] == [5, 4, 3, 2, 1]
    assert [order.id for order in desk.dashboard.orders.latest(before=3, limit=1)] == [2]


@pytest.mark.slow
def test_a_season_may_be_created_and_started_at_once(desk: Desk) -> None:
    """Or neither: too few bots to start it make no season."""
    refused = desk.done(CreateSeason(new=NEW, versions=versions(desk.store)[:2], start=True))
    assert refused.state is OrderState.REFUSED
    assert "4" in refused.told
    assert desk.dashboard.seasons.all() == ()
    assert desk.log(Act.SEASON_CREATED) == []
    assert desk.log(Act.ORDER_REFUSED) == [("Olga", "order 1")]
    done = desk.done(CreateSeason(new=NEW, versions=versions(desk.store), start=True))
    assert done.state is OrderState.DONE
    (season,) = desk.dashboard.seasons.all()
    assert (season.id, season.state) == (done.season, SeasonState.RUNNING)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (ResumeSeason(season=1), "is planned and cannot be resumed"),
        (EnterBots(season=1, versions=(99,)), "no bot version 99"),
        (Requeue(season=1), "nothing of it is being played"),
        (SuspendBot(season=1, bot="nobody", reason="x"), "no bot 'nobody' in season 1"),
        (SuspendBot(season=1, bot="greedy", reason=" "), "say why"),
        (LiftSuspension(season=1, bot="greedy"), "is not suspended"),
        (CreateSeason(new=NEW), "there is a season 'Autumn' already"),
        (CreateSeason(new=NewSeason(name="New", variant="bridge", boards=1)), "bridge"),
        (CreateSeason(new=NewSeason(name="New", variant=VARIANT, boards=0)), "boards is 0"),
        (CreateSeason(new=NewSeason(name="New", variant=VARIANT, boards=1, time_control="x")), "time control 'x'"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(desk: Desk, arguments: Arguments, told: str) -> None:
    """And changes nothing."""
    planned(desk.store)
    refused = desk.done(arguments)
    assert refused.state is OrderState.REFUSED
    assert told in refused.told
    assert len(desk.dashboard.seasons.all()) == 1
    assert desk.dashboard.seasons.get(1).state is SeasonState.PLANNED


def test_an_order_about_no_season_is_not_taken(desk: Desk) -> None:
    """It is refused when it is asked for."""
    with pytest.raises(LeagueError, match="no season 9"):
        desk.done(StartSeason(season=9))
    assert desk.dashboard.orders.latest() == ()


def test_bots_are_entered(desk: Desk) -> None:
    """Those that have entered already stay as they are, and only the others are logged."""
    planned(desk.store, BOTS[:4])
    assert desk.done(EnterBots(season=1, versions=versions(desk.store))).state is OrderState.DONE
    assert [one.label for one in desk.dashboard.seasons.entrants(1)] == [*BOTS]
    entry = next(each for each in desk.dashboard.audit_log.entries() if each.act == Act.SEASON_ENTERED)
    assert entry.details == {"name": "Autumn", "bots": list(BOTS[4:])}


@pytest.mark.slow
def test_a_sitting_that_hangs_is_queued_again(desk: Desk) -> None:
    """Whoever plays it loses its claim, and the marks that kept it from the queue are gone."""
    season = started(desk.store)
    sitting = desk.store.sittings.due()[0]
    claim = claimed(desk.store, sitting)
    mark_handed_out(desk.queue.connection, Piece(Work.SITTING, sitting))
    done = desk.done(Requeue(season=season.id, sitting=sitting))
    assert (done.state, done.requeued) == (OrderState.DONE, 1)
    sweep(desk.store, desk.queue)
    assert Piece(Work.SITTING, sitting) in {piece_of(job) for job in desk.queue.get_job_ids()}
    again = desk.store.sittings.get(sitting)
    assert (again.given_back, again.attempt) == ("queued again by Olga", claim.attempt + 1)
    with pytest.raises(LeagueError, match="is over"):
        desk.store.sittings.renew(claim)


@pytest.mark.slow
def test_a_set_and_a_season_are_queued_again_without_what_is_done(desk: Desk) -> None:
    """Sittings that are done stay done; with nothing left there is nothing to queue."""
    season = started(desk.store, set_count=2)
    first = desk.store.sittings.due()[0]
    play_sitting(desk.store, first)
    of_set = [one for one in desk.store.sittings.of_season(season.id) if one.set_number == 1]
    assert desk.done(Requeue(season=season.id, set_number=1)).requeued == len(of_set) - 1
    assert desk.done(Requeue(season=season.id)).requeued == len(desk.store.sittings.of_season(season.id)) - 1
    refused = desk.done(Requeue(season=season.id, sitting=first))
    assert refused.told == f"there is nothing in sitting {first} of season 1 that is still to be played"


@pytest.mark.slow
def test_a_bot_is_suspended_and_let_play_again(desk: Desk) -> None:
    """Its owner reads why; twice is refused; lifted, it plays on."""
    season = started(desk.store)
    assert desk.done(SuspendBot(season=season.id, bot="greedy", reason="plays  for\ntwo")).state is OrderState.DONE
    found = desk.dashboard.seasons.suspensions(season.id)
    assert [(one.label, one.detail, one.sitting) for one in found] == [
        ("greedy", "by an organiser: plays for two", None)
    ]
    assert "already" in desk.done(SuspendBot(season=season.id, bot="greedy", reason="again")).told
    claim = claimed(desk.store, desk.store.sittings.due()[0])
    assert [player.label for player in claim.players if player.suspended] == ["greedy"]
    assert desk.done(LiftSuspension(season=season.id, bot="greedy")).state is OrderState.DONE
    assert desk.dashboard.seasons.suspensions(season.id) == ()
    assert desk.log(Act.BOT_SUSPENDED) == desk.log(Act.SUSPENSION_LIFTED) == [("Olga", "greedy")]


def test_who_is_no_organiser_any_more_is_refused(desk: Desk) -> None:
    """Between asking and carrying out."""
    desk.store.accounts.create("Other", organiser=True, by=SHELL)
    planned(desk.store)
    desk.store.accounts.set_organiser(desk.olga.id, organiser=False, by=SHELL)
    refused = desk.done(StartSeason(season=1))
    assert refused.told == "Olga is no organiser any more: have an organiser ask for it"
    assert desk.dashboard.seasons.get(1).state is SeasonState.PLANNED


@pytest.mark.slow
def test_sweeps_side_by_side_carry_an_order_out_once(desk: Desk, tmp_path: Path) -> None:
    """Four at once make one season of each order."""
    for number in range(5):
        new = NewSeason(name=f"Season {number}", variant=VARIANT, boards=1)
        desk.dashboard.orders.ask(CreateSeason(new=new), by=Actor.of(desk.olga))
    stores = [open_store(tmp_path) for _ in range(4)]
    sweeping = [threading.Thread(target=sweep, args=(store, desk.queue)) for store in stores]
    for thread in sweeping:
        thread.start()
    for thread in sweeping:
        thread.join()
    for store in stores:
        store.close()
    assert sorted(season.name for season in desk.dashboard.seasons.all()) == [f"Season {number}" for number in range(5)]
    assert {order.state for order in desk.dashboard.orders.latest()} == {OrderState.DONE}


def test_a_sweep_that_dies_leaves_nothing_half_done(desk: Desk) -> None:
    """What was done is undone with it, and done once by the next sweep."""
    order = desk.dashboard.orders.ask(CreateSeason(new=NEW), by=Actor.of(desk.olga))

    def dies(asked: Order) -> Outcome:
        desk.store.organising.perform(asked.arguments, by=asked.by)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.store.orders.carry_out(order.id, dies)
    assert desk.dashboard.seasons.all() == ()
    assert desk.dashboard.orders.waiting() == (order.id,)
    sweep(desk.store, desk.queue)
    assert len(desk.dashboard.seasons.all()) == 1
    sweep(desk.store, desk.queue)
    assert len(desk.dashboard.seasons.all()) == 1


@pytest.mark.slow
def test_an_order_that_ends_whoever_carries_it_out_is_given_up_in_the_end(desk: Desk) -> None:
    """A try is counted before it is made: a sweep that dies of an order does not die of it for ever."""
    planned(desk.store)
    order = desk.dashboard.orders.ask(StartSeason(season=1), by=Actor.of(desk.olga))

    def dies(asked: Order) -> Outcome:
        raise KeyboardInterrupt

    for _ in range(TRIES_AT_MOST):
        with pytest.raises(KeyboardInterrupt):
            desk.store.orders.carry_out(order.id, dies)
    assert desk.store.orders.carry_out(order.id, dies) is None
    given_up = desk.dashboard.orders.get(order.id)
    assert (given_up.state, "ended before it was done" in given_up.told) == (OrderState.FAILED, True)
    assert desk.dashboard.orders.waiting() == ()


@pytest.mark.slow
def test_an_order_that_fails_through_our_fault_is_given_up_in_the_end(desk: Desk) -> None:
    """After some tries; it keeps no other from being carried out, and the sweep says so."""
    planned(desk.store)
    bad = desk.dashboard.orders.ask(StartSeason(season=1), by=Actor.of(desk.olga))
    good = desk.dashboard.orders.ask(CreateSeason(new=NewSeason(name="B", variant=VARIANT, boards=1)), by=SHELL)
    assert desk.store._vault is not None
    with desk.store._vault._database.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE season_secrets RENAME TO gone")
        connection.exec_driver_sql("CREATE TABLE season_secrets (commitment TEXT, secret INTEGER)")
        connection.exec_driver_sql("INSERT INTO season_secrets SELECT commitment, 7 FROM gone")
    for _ in range(TRIES_AT_MOST):
        assert desk.dashboard.orders.get(bad.id).state is OrderState.WAITING
        with pytest.raises(LeagueError, match=f"orders could not be carried out: order {bad.id}: "):
            sweep(desk.store, desk.queue)
    assert desk.dashboard.orders.get(bad.id).state is OrderState.FAILED
    assert desk.dashboard.orders.get(good.id).state is OrderState.DONE
    assert desk.dashboard.seasons.get(1).state is SeasonState.PLANNED
    sweep(desk.store, desk.queue)
