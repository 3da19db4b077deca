"""A league moved from SQLite to PostgreSQL and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from king_cli.main import run
from league.audit_log import SHELL, Actor
from league.errors import LeagueError
from league.ladder import ladder_json
from league.store import Store, Vault, vault_url_beside
from league.store.copying import copy_league
from league.store.schema import matches
from league.submissions import LogKind
from tests.league.leagues import BOTS, Clock, claimed, planned, play_sitting, played_record, started
from tests.league.people import CHEAP, PASSWORD
from tests.postgresql import require_postgresql
from tests.stores import DATABASE, on_postgresql

pytestmark = pytest.mark.slow


def quiet(_table: str, _rows: int) -> None:
    """Hears of tables, and says nothing."""


def opened(url: str, folder: Path, clock: Clock) -> Store:
    folder.mkdir(exist_ok=True)
    store = Store.open(url, vault=Vault.open(vault_url_beside(url, folder)), clock=clock, passwords=CHEAP)
    store.migrate()
    return store


def close(*stores: Store) -> None:
    for store in stores:
        store._open_vault().close()
        store.close()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[tuple[Store, Clock]]:
    """A league in SQLite with a season in the middle, people, a submission and a remote bot."""
    clock = Clock()
    store = opened(f"sqlite:///{tmp_path / DATABASE}", tmp_path, clock)
    season = started(store, BOTS[:4], boards=2, set_count=2)
    planned(store, BOTS[:5], name="Winter")
    claim = claimed(store, store.sittings.due(season.id)[0])
    for table in claim.tables:
        store.results.commit(claim, played_record(claim, table))
    store.results.keep_log(claim, process=1, player=0, exit_status=0, text="no card is named")
    store.sittings.finish(claim)
    for _ in range(3):
        play_sitting(store, store.sittings.due(season.id)[0])
    store.histories.catch_up(season.id)
    anna = store.accounts.create("Анна", by=SHELL, password=PASSWORD)
    store.submissions.receive(owner=anna.name, file_name="owl.zip", content=bytes(range(256)) * 50, by=Actor.of(anna))
    work = store.submissions.claim(1, "worker")
    assert work is not None
    store.submissions.keep_log(work, LogKind.BUILD, "built")
    store.submissions.release(work, "our fault", failed=False)
    store.bots.register_remote(owner=anna.name, name="far", version="1")
    yield store, clock
    close(store)


def all_of(store: Store) -> dict[str, object]:
    """What pages show of a league."""
    shown: dict[str, object] = {
        "accounts": store.accounts.all(),
        "bots": store.bots.all(),
        "log": store.audit_log.entries(),
        "submissions": store.submissions.of_owner("Анна"),
        "archive": store.archives.read(store.submissions.of_owner("Анна")[0].sha256),
        "remotes": store.bots.remotes(),
    }
    for season in store.seasons.all():
        ladder = store.standings.ladder(season.id)
        rows = store.results.matches(season.id, limit=1000)
        records = [store.results.record(row.match_id) for row in rows if row.public]
        history = store.histories.of_entrant(season.id, 0)
        shown[season.name] = (season, ladder_json(ladder), rows, records, history, store.seasons.boards(season.id))
    return shown


def test_a_league_is_moved_and_played_on(league: tuple[Store, Clock], tmp_path: Path) -> None:
    """Pages show the same, records are the same; what is new gets new numbers; and it can be brought back."""
    require_postgresql()
    store, clock = league
    there, target = tmp_path / "there", on_postgresql(tmp_path / "there", migrated=False)
    source, vault = store._database.url, vault_url_beside(store._database.url, tmp_path)
    there.mkdir()
    sums = copy_league(
        source, target, source_vault=vault, target_vault=vault_url_beside(target, there), clock=clock, told=quiet
    )
    season = next(one.id for one in store.seasons.all() if one.name == "Autumn")
    assert sums["matches"].rows == store.results.count(season) == 4
    moved = opened(target, there, clock)
    assert all_of(moved) == all_of(store)
    new = moved.accounts.create("Boris", by=SHELL)
    assert new.id == 1 + max(account.id for account in store.accounts.all())
    play_sitting(moved, moved.sittings.due(season)[0])
    back = tmp_path / "back"
    back.mkdir()
    again = f"sqlite:///{back / DATABASE}"
    kept = vault_url_beside(target, there)
    copy_league(target, again, source_vault=kept, target_vault=vault_url_beside(again, back), clock=clock, told=quiet)
    returned = opened(again, back, clock)
    assert all_of(returned) == all_of(moved)
    play_sitting(returned, returned.sittings.due(season)[0])
    close(moved, returned)


def test_what_is_there_is_left_alone(league: tuple[Store, Clock], tmp_path: Path) -> None:
    """A database that has something, a league that is being played and one without its secrets are refused."""
    store, clock = league
    source, vault = store._database.url, vault_url_beside(store._database.url, tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    target = f"sqlite:///{other / DATABASE}"

    def copy(to: str = target, from_vault: str = vault) -> None:
        copy_league(
            source, to, source_vault=from_vault, target_vault=f"sqlite:///{other / 'v'}", clock=clock, told=quiet
        )

    with pytest.raises(LeagueError, match="is the league itself"):
        copy(source)
    with pytest.raises(LeagueError, match="has no secret"):
        copy(from_vault=f"sqlite:///{other / 'empty'}")
    claim = claimed(store, store.sittings.due()[0])
    with pytest.raises(LeagueError, match=r"is being played .sittings that are claimed: 1.: end"):
        copy()
    store.sittings.release(claim, "ended")
    copy()
    with pytest.raises(LeagueError, match="name an empty database"):
        copy()


def test_json_that_says_nothing_stays_as_it_is(league: tuple[Store, Clock], tmp_path: Path) -> None:
    """What is null, and what is JSON's null, are not taken for one another, and text is not laid out anew."""
    store, clock = league
    with store._database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == 1).values(forfeits=[{"é": "\u0000"}]))
        connection.exec_driver_sql('UPDATE submissions SET report = \'{"b":  1, "a": null}\'')
        before = connection.exec_driver_sql("SELECT report FROM submissions").scalar_one()
    other = tmp_path / "other"
    other.mkdir()
    target = f"sqlite:///{other / DATABASE}"
    vault = vault_url_beside(store._database.url, tmp_path)
    copy_league(store._database.url, target, source_vault=vault, target_vault=vault, clock=clock, told=quiet)
    copied = Store.open(target)
    with copied._database.reading() as connection:
        assert connection.scalar(select(matches.c.forfeits).where(matches.c.id == 1)) == [{"é": "\u0000"}]
        assert connection.exec_driver_sql("SELECT report FROM submissions").scalar_one() == before
    copied.close()


def test_in_the_shell(
    league: tuple[Store, Clock], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command says what came over and where it is now; nothing of a password."""
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    target = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    assert run(["store", "copy", target, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rows"]["matches"], told["rows"]["accounts"]) == (4, len(league[0].accounts.all()))
    assert told["vault"] == f"sqlite:///{tmp_path / 'new-vault.sqlite3'}"
    assert run(["store", "copy", target]) == 2
    assert "name an empty database" in capsys.readouterr().err
