"""The schema and its migrations."""

from __future__ import annotations

import json
from multiprocessing import get_context
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect, select, text

from league.errors import LeagueError, StoreUnusableError
from league.model import FaultKind, NewFault
from league.qualifying import Qualifying
from league.store import Store
from league.store.database import Database
from league.store.migration import _config, is_current, migrate
from league.store.revisions import newest_revision, oldest_code
from league.store.schema import entrants, faults, metadata, set_sums
from league.store.submission_schema import unrated_boards, unrated_logs, unrated_records
from tests.league.leagues import (
    BOTS,
    DATABASE,
    Clock,
    claimed,
    database_url,
    open_store,
    planned,
    play_season,
    played_record,
    short_record,
    started,
)
from tests.league.test_own_remotes import qualified, registered
from tests.league.test_submissions import ANN
from tests.league.test_unrated import house
from tests.stores import migrated_url


@pytest.mark.slow
def test_the_migrations_make_the_schema_that_the_code_expects(tmp_path: Path) -> None:
    """Every table, column and index of the schema is there after migrating, and no other."""
    database = Database(database_url(tmp_path))
    migrate(database)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
    database.close()


def test_the_newest_revision_is_that_of_alembic() -> None:
    """What is read from the texts of the revisions is what Alembic finds when it runs them."""
    assert newest_revision() == ScriptDirectory.from_config(_config()).get_current_head()


@pytest.mark.slow
def test_a_new_database_is_not_current_until_it_is_migrated(tmp_path: Path) -> None:
    """Migrating twice is harmless."""
    database = Database(database_url(tmp_path))
    assert not is_current(database)
    migrate(database)
    migrate(database)
    assert is_current(database)
    database.close()


def _later_version(folder: Path, oldest_code: str) -> Store:
    """A store that a later version has raised; `oldest_code`: which code may work on it, as that one says."""
    store = Store.open(migrated_url(folder))
    with store._database.writing() as connection:
        connection.execute(
            text("UPDATE alembic_version SET version_num = '9999', oldest_code = :it"), {"it": oldest_code}
        )
    return store


@pytest.mark.slow
def test_a_schema_says_which_code_may_work_on_it(tmp_path: Path) -> None:
    """It is the oldest that no later revision has broken."""
    store = Store.open(migrated_url(tmp_path))
    with store._database.reading() as connection:
        assert connection.scalar(text("SELECT oldest_code FROM alembic_version")) == oldest_code()
    store.close()


@pytest.mark.slow
def test_a_schema_of_a_later_version_that_breaks_nothing_stays(tmp_path: Path) -> None:
    """Code of the version before works on it and leaves it as it is; but that is not the schema which it knows."""
    store = _later_version(tmp_path, newest_revision())
    store.check_schema()
    store.migrate()
    assert store.seasons.all() == ()
    assert not store.is_current()
    with store._database.reading() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
    store.close()


@pytest.mark.slow
def test_a_schema_of_a_later_version_that_breaks_this_one_is_refused(tmp_path: Path) -> None:
    """Neither who opens the store nor who has it open goes on."""
    store = _later_version(tmp_path, "9998")
    told = f"has the schema 9999 of a later King Arena, on which this one, of schema {newest_revision()}, cannot work"
    for step in (store.migrate, store.check_schema):
        with pytest.raises(StoreUnusableError, match=told):
            step()
    store.close()


@pytest.mark.slow
def test_a_database_with_faults_is_brought_up_to_date(tmp_path: Path) -> None:
    """Faults of an attempt that stored nothing of what they touched stop counting, the others go on counting."""
    store = open_store(tmp_path, Clock())
    season = started(store)
    for _ in range(2):
        claim = claimed(store, store.sittings.due()[0])
        ids = tuple(table.match_id for table in claim.tables[:1])
        fault = NewFault(number=1, player=0, process=1, kind=FaultKind.EXIT, detail="", forfeits=True, match_ids=ids)
        store.results.record_fault(claim, fault)
        store.sittings.release(claim, "our fault")
    claim = claimed(store, claim.sitting)
    store.results.record_fault(claim, fault)
    store.results.commit(claim, short_record(claim, claim.tables[0]))
    listed = store.results.faults(season.id)
    with store._database.writing() as connection:
        command.downgrade(_config(connection), "0001")
        assert connection.scalar(select(entrants.c.faults).where(entrants.c.number == listed[0].entrant)) == 3
    store.migrate()
    assert store.results.faults(season.id) == listed
    assert [row.entry.faults for row in store.standings.ladder(season.id).rows if row.entry.faults] == [1]
    store.close()


@pytest.mark.slow
def test_sums_of_an_older_layout_are_made_anew(tmp_path: Path) -> None:
    """The ladder of a season that an older version played is there, digit by digit, after migrating; so is its past."""
    store = open_store(tmp_path, Clock())
    season = started(store, boards=1)
    play_season(store, season)
    store.histories.catch_up(season.id)
    before, past = store.standings.sums(season.id), store.histories.of_entrant(season.id, 2)
    assert past
    with store._database.writing() as connection:
        command.downgrade(_config(connection), "0003")
        assert connection.scalar(select(func.count()).select_from(set_sums)) == 0
    store.migrate()
    assert store.standings.sums(season.id) == before
    assert store.histories.of_entrant(season.id, 2) == past
    store.close()


@pytest.mark.slow
def test_a_database_with_sittings_is_brought_up_to_date(tmp_path: Path) -> None:
    """Sets get their season's salt, entrants the sittings behind them and those they overran, faults their time."""
    store = open_store(tmp_path, Clock())
    season = started(store, BOTS[:5], boards=1, set_count=5)
    planned(store)
    for number in range(3):
        claim = claimed(store, store.sittings.due()[0])
        ids = tuple(table.match_id for table in claim.tables[:1])
        for fault in range(2 * (number == 1)):
            told = NewFault(
                number=fault + 1, player=0, process=1, kind=FaultKind.TIMEOUT, detail="", forfeits=False, match_ids=ids
            )
            store.results.record_fault(claim, told)
        for table in claim.tables:
            store.results.commit(claim, short_record(claim, table))
        store.sittings.finish(claim)
    sets = store.seasons.sets(season.id)
    before = _counted(store)
    assert {row[1] for row in before} == {2, 3}
    assert sum(row[2] for row in before) == 1
    with store._database.writing() as connection:
        command.downgrade(_config(connection), "0002")
        assert "suspensions" not in inspect(connection).get_table_names()
    store.migrate()
    assert store.seasons.sets(season.id) == sets
    assert _counted(store) == before
    with store._database.reading() as connection:
        assert list(connection.scalars(select(faults.c.counted_after))) == [store.results.count(season.id) - 1] * 2
    store.close()


def _counted(store: Store) -> list[tuple[int, int, int]]:
    with store._database.reading() as connection:
        counts = select(entrants.c.number, entrants.c.sittings, entrants.c.overrun_sittings)
        return [(*row,) for row in connection.execute(counts.where(entrants.c.season_id == 1))]


def _migrate(url: str) -> None:
    store = Store.open(url)
    store.migrate()
    store.close()


@pytest.mark.slow
def test_several_processes_may_migrate_at_once(tmp_path: Path) -> None:
    """One does it, the others wait for it."""
    url = database_url(tmp_path)
    context = get_context("spawn")
    workers = [context.Process(target=_migrate, args=(url,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    database = Database(url)
    assert is_current(database)
    database.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "is no database URL: write sqlite:////absolute/path"),
        ("sqlite://", "names no file"),
        ("sqlite:////proc/none/x.sqlite3", "cannot be made"),
    ],
)
def test_a_database_that_cannot_be_is_an_error_that_says_why(url: str, words: str) -> None:
    """Before anything is tried with it."""
    with pytest.raises(LeagueError, match=words):
        Store.open(url)


@pytest.mark.sqlite("it is about the file")
def test_a_file_that_is_no_database_is_an_error_that_says_so(tmp_path: Path) -> None:
    """One line with the file and the reason, whatever is asked of it."""
    (tmp_path / DATABASE).write_text("this is not a database, it is a text of some length\n" * 50)
    store = Store.open(database_url(tmp_path))
    for call in (store.migrate, store.seasons.all):
        with pytest.raises(LeagueError, match=r"league\.sqlite3 cannot be used: file is not a database"):
            call()
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("revision", [None, "0001"])
def test_a_database_that_is_not_migrated_is_an_error_that_names_the_remedy(
    tmp_path: Path, revision: str | None
) -> None:
    """Missing tables and missing columns: no raw SQL error, and `king up` is named."""
    store = Store.open(database_url(tmp_path))
    if revision is not None:
        with store._database.writing() as connection:
            command.upgrade(_config(connection), revision)
    for call in (store.seasons.all, store.sittings.sweep) if revision is None else (lambda: _read_faults(store),):
        with pytest.raises(LeagueError, match=r"the database .* has not been set up, or not for this.*run `king up`"):
            call()
    store.close()


def _read_faults(store: Store) -> None:
    with store._database.reading() as connection:
        connection.execute(select(faults)).all()


@pytest.mark.slow
def test_submissions_can_be_taken_back_and_come_again(tmp_path: Path) -> None:
    """Down to the revision before them and up again: nothing of the schema is left behind or missing."""
    database = Database(database_url(tmp_path))
    migrate(database)
    with database.writing() as connection:
        command.downgrade(_config(connection), "0005")
        assert not {"submissions", "archives", "unrated_boards"} & set(inspect(connection).get_table_names())
    migrate(database)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


@pytest.mark.slow
def test_boards_of_remote_bots_can_be_taken_back(tmp_path: Path) -> None:
    """With their records and logs; the bots stay, and the schema comes again whole."""
    store = open_store(tmp_path, Clock())
    house(store)
    qualified(store, registered(store))
    with store._database.writing() as connection:
        command.downgrade(_config(connection), "0010")
        for table in (unrated_boards, unrated_records, unrated_logs):
            assert connection.scalar(select(func.count()).select_from(table)) == 0
    store.migrate()
    with store._database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    (owl,) = store.own_remotes.of_owner(ANN)
    assert owl.qualifying is Qualifying.NONE
    store.close()


@pytest.mark.slow
def test_small_matches_can_be_written_out_again(tmp_path: Path) -> None:
    """Down to where records are JSON, and up: each is what it was; while one is sealed, nothing is changed."""
    store = open_store(tmp_path, Clock())
    season = started(store, BOTS[:4], boards=1, set_count=1)
    for sitting in range(4):
        claim = claimed(store, store.sittings.due()[0])
        store.results.commit(claim, played_record(claim, claim.tables[0]))
        if sitting == 0:
            with pytest.raises(RuntimeError, match="wait until its set is"), store._database.writing() as connection:
                command.downgrade(_config(connection), "0012")
            assert store.is_current()
        store.sittings.finish(claim)
    matches = store.results.matches(season.id)
    before = [(store.results.record(match.match_id), match) for match in matches]
    results = store.results.public_results(season.id, [1])
    with store._database.writing() as connection:
        command.downgrade(_config(connection), "0012")
        kept = connection.execute(
            text("SELECT deal_points, sealed FROM matches JOIN match_records r ON r.match_id = id")
        )
        points, sealed = kept.first() or ("", b"")
        read = json.loads(points) if isinstance(points, str) else points  # as the driver gives it
        assert read[0][0] == "no_tricks"
        assert len(sealed) > 3000
    store.migrate()
    assert [(store.results.record(match.match_id), match) for match in store.results.matches(season.id)] == before
    assert store.results.public_results(season.id, [1]) == results
    store.close()
