"""What only a database with many writers can show, and one that can go away: on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from league.accounts import AccountError
from league.audit_log import SHELL
from league.errors import LeagueError, StoreUnusableError
from league.model import NewSeason, SeasonState
from league.store import Store, Vault, vault_url_beside
from league.store.migration import _config
from league.store.schema import metadata
from tests.league.leagues import BOTS, VARIANT, claimed, new_bot, play_season, play_sitting, short_record, started
from tests.league.people import CHEAP
from tests.league.test_remote_bots import ids, open_season
from tests.postgresql import PostgreSql, require_postgresql
from tests.stores import on_postgresql

pytestmark = pytest.mark.slow

Made = TypeVar("Made")


@pytest.fixture(scope="session")
def server() -> PostgreSql:
    return require_postgresql()


@pytest.fixture
def url(server: PostgreSql, tmp_path: Path) -> str:
    del server
    return on_postgresql(tmp_path, migrated=True)


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    vault = Vault.open(vault_url_beside(url, tmp_path))
    opened = Store.open(url, vault=vault, passwords=CHEAP)
    yield opened
    opened.close()
    vault.close()


def at_once(*acts: Callable[[], Made]) -> list[Made | LeagueError]:
    """What acts give, or refuse, that all begin at the same moment."""
    together = Barrier(len(acts))

    def run(act: Callable[[], Made]) -> Made | LeagueError:
        together.wait()
        try:
            return act()
        except LeagueError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_a_season_is_played(store: Store) -> None:
    """To its end, with a ladder that comes out the same when it is made anew."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    play_season(store, season)
    sums = store.standings.sums(season.id)
    assert store.results.rebuild(season.id) == store.seasons.progress(season.id).boards_over
    assert store.standings.sums(season.id) == sums
    assert len(store.standings.ladder(season.id).rows) == 4


def test_a_name_is_given_once(store: Store) -> None:
    """Of those who ask for names that look alike in the same moment, one gets it; the same bot is registered once."""
    names = ("Anna", "anna", "ANNA", "Аnna")
    made = at_once(*(lambda name=name: store.accounts.create(name, by=SHELL) for name in names))
    assert sum(isinstance(one, AccountError) for one in made) == 3
    versions = at_once(*[lambda: store.bots.register(new_bot("owl", owner="Anna")) for _ in range(4)])
    assert len({one.id for one in versions if not isinstance(one, LeagueError)}) == 1
    assert not [one for one in versions if isinstance(one, LeagueError)]
    alike = at_once(*(lambda name=name: store.bots.register(new_bot(name, owner="Anna")) for name in ("jay", "Jay")))
    assert sum(isinstance(one, LeagueError) for one in alike) == 1


def test_one_organiser_stays(store: Store) -> None:
    """Two who take each other's office away at the same moment do not both succeed."""
    people = [store.accounts.create(name, by=SHELL, organiser=True) for name in ("Anna", "Boris")]
    acts = [lambda one=one: store.accounts.set_organiser(one.id, organiser=False, by=SHELL) for one in people]
    assert sum(isinstance(one, AccountError) for one in at_once(*acts)) == 1


def test_a_season_is_named_and_moved_once(store: Store) -> None:
    """Of several who create a season under one name one does, and of several who start it one is in the log."""
    new = NewSeason(name="Autumn", variant=VARIANT, boards=1)
    versions = [store.bots.register(new_bot(name)).id for name in BOTS[:4]]
    made = at_once(*[lambda: store.organising.create(new, versions, by=SHELL) for _ in range(3)])
    (season,) = (one for one in made if not isinstance(one, LeagueError))
    at_once(*[lambda: store.organising.start(season.id, by=SHELL) for _ in range(3)])
    acts = [entry.act for entry in store.audit_log.entries()]
    assert acts.count("season.started") == 1


def test_many_sign_in_at_once(store: Store) -> None:
    """Tries are counted row by row, from one network and for one name, and nobody waits for ever."""
    for name in ("Anna", "Boris"):
        store.accounts.create(name, by=SHELL, password="correct horse battery")
    acts = [
        lambda name=name, host=host: store.sessions.sign_in(name, "correct horse battery", address=f"10.0.0.{host}")
        for name in ("Anna", "Boris")
        for host in (1, 2)
        for _ in range(2)
    ]
    assert not [one for one in at_once(*acts) if isinstance(one, LeagueError)]


def test_who_is_connected_is_noted_while_sittings_are_taken_up(store: Store) -> None:
    """Claims lock sittings and then their bots; who notes that bots come and go waits for no sitting holding a bot."""
    remote = ("owl", "fox", "jay", "elk")
    season = open_season(store, remote, BOTS[:4], boards=1, set_count=2, absent_after_ms=0)
    bots, sittings = ids(store, *remote), [one.id for one in store.sittings.of_season(season.id)]

    def come_and_go() -> int:
        for number in range(24):
            store.presence.note(bots if number % 2 else bots[: number % 3])
        return 1

    def take_up(worker: int) -> int:
        taken = 0
        for sitting in (sittings if worker % 2 else sittings[::-1]) * 3:
            claim = store.sittings.claim(sitting, f"worker {worker}")
            if claim is not None:
                store.sittings.release(claim, "tried", seen=False)
                taken += 1
        return taken

    found = at_once(come_and_go, come_and_go, lambda: take_up(0), lambda: take_up(1))
    assert not [one for one in found if isinstance(one, LeagueError)]
    store.presence.forget()
    assert not [one for one in store.sittings.of_season(season.id) if one.waiting_since is not None]


def test_vaults_are_opened_at_once(server: PostgreSql, tmp_path: Path) -> None:
    """Several workers that share a vault in PostgreSQL may make it at the same moment."""
    del server
    shared = on_postgresql(tmp_path / "vault", migrated=False)
    vaults = at_once(*[lambda: Vault.open(shared) for _ in range(4)])
    opened = [one for one in vaults if isinstance(one, Vault)]
    assert len(opened) == 4
    assert opened[1].secret(opened[0].draw())
    for vault in opened:
        vault.close()


def test_a_database_of_somebody_else(server: PostgreSql, tmp_path: Path) -> None:
    """Who may make no tables in a database is told so, and how it becomes his own."""
    url = on_postgresql(tmp_path, migrated=False).replace("//king@", "//stranger@")
    with server.connect("postgres") as connection:
        connection.execute("CREATE ROLE stranger LOGIN")
    his_own = (
        r"does not let its user make or use tables \(permission denied for .*\): it must be his own, as `createdb -O "
    )
    store = Store.open(url)
    with pytest.raises(StoreUnusableError, match=his_own + "stranger [a-z0-9_]+` makes it"):
        store.migrate()
    store.close()


def test_text_that_postgresql_cannot_keep_is_asked_for(store: Store) -> None:
    """A NUL or a number beyond any id, which anybody may write in an address, is of nothing that there is."""
    assert store.searching.find("\0owl\0", limit=3).count == 0
    with pytest.raises(LeagueError, match="no account"):
        store.accounts.find("an\0na")
    for number in (2**31, 2**63 - 1):
        with pytest.raises(LeagueError, match="no season"):
            store.seasons.get(number)


def test_cut_connections_are_made_anew(store: Store, server: PostgreSql) -> None:
    """An idle one that was cut is noticed before it is used; one in the middle is an error of the store."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    name = store._database.engine.url.database or ""
    server.disconnect(name)
    play_sitting(store, store.sittings.due(season.id)[0])
    with pytest.raises(StoreUnusableError, match="cannot be used"), store._database.writing() as connection:
        server.disconnect(name)
        connection.exec_driver_sql("SELECT 1")
    play_season(store, season)


def test_who_stands_still_gives_up_what_it_holds(store: Store, url: str) -> None:
    """A transaction that does nothing is ended by the server, and its lock goes to who waits for it."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    other = Store.open(url)
    with pytest.raises(StoreUnusableError, match="cannot be used"), other._database.writing() as connection:
        limit = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar_one()
        assert limit == "5min"
        connection.exec_driver_sql("SET idle_in_transaction_session_timeout = 100")
        connection.exec_driver_sql("SELECT id FROM seasons FOR UPDATE")
        assert store.seasons.pause(season.id).state is SeasonState.PAUSED
        connection.exec_driver_sql("SELECT 1")
    other.close()


def test_a_reader_changes_nothing(store: Store) -> None:
    """Whatever only reads could not write by mistake."""
    with pytest.raises(Exception, match="read-only"), store._database.reading() as connection:
        connection.exec_driver_sql("DELETE FROM bots")


def test_two_who_wait_for_each_other_are_told_that_it_passes(store: Store) -> None:
    """PostgreSQL ends one of them: an error of the store, not of who asked."""
    first, second = (started(store, BOTS[:4], name=name) for name in ("one", "two"))
    both = Barrier(2)

    def take(*ids: int) -> int:
        with store._database.writing() as connection:
            for id_ in ids:
                connection.exec_driver_sql(f"SELECT id FROM seasons WHERE id = {id_} FOR UPDATE")
                if id_ == ids[0]:
                    both.wait()
        return 1

    found = at_once(lambda: take(first.id, second.id), lambda: take(second.id, first.id))
    assert sum(isinstance(one, StoreUnusableError) for one in found) == 1


def test_the_server_may_be_started_anew(store: Store, server: PostgreSql) -> None:
    """What is asked while it is away is refused as our fault, and afterwards a claim goes on where it was."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    claim = claimed(store, store.sittings.due(season.id)[0])
    server.stop()
    with pytest.raises(StoreUnusableError, match="cannot be used"):
        store.sittings.renew(claim)
    server.start()
    for table in claim.tables:
        assert store.results.commit(claim, short_record(claim, table))
    store.sittings.finish(claim)
    play_season(store, season)
    assert store.seasons.get(season.id).state is SeasonState.ENDED


def test_the_schema_comes_and_goes(server: PostgreSql, tmp_path: Path) -> None:
    """Up by two at once, down to the first revision and up again: it is what the code expects."""
    del server
    url = on_postgresql(tmp_path, migrated=False)
    stores = [Store.open(url) for _ in range(2)]
    assert at_once(*(store.migrate for store in stores)) == [None, None]
    database = stores[0]._database
    with database.writing() as connection:
        command.downgrade(_config(connection), "0001")
    stores[1].migrate()
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    for store in stores:
        store.close()
