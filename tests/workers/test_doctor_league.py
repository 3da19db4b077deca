"""What is wrong with a league that cannot be played, and what to do: each check with what it finds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import text

from league.store import Store, vault_url_beside
from league.store.database import Database
from tests.league.leagues import claimed, started
from tests.stores import database_url
from workers.doctor import Finding, State
from workers.doctor_league import LeagueAt, examine_league
from workers.finding import Referees
from workers.queueing import Piece, Work, mark_failed, note_sweep, queue_work, work_queue

pytestmark = pytest.mark.slow

GONE, NOBODY = "referee.invalid:7700", "127.0.0.1:1"


@pytest.fixture
def league(store: Store, valkey_url: str, tmp_path: Path) -> LeagueAt:
    """A league whose store and queue are there; referees are another matter."""
    del store
    url = database_url(tmp_path)
    return LeagueAt(
        database_url=url,
        vault_url=vault_url_beside(url, tmp_path),
        has_store=True,
        has_vault=True,
        redis_url=valkey_url,
        own_redis=False,
        referees=Referees(each=()),
        data_dir=tmp_path,
    )


def found(league: LeagueAt) -> Mapping[str, Finding]:
    """What the checks find, by name."""
    return {finding.name: finding for finding in examine_league(league)}


def amiss(league: LeagueAt) -> dict[str, State]:
    """What is not well, by name."""
    return {name: finding.state for name, finding in found(league).items() if finding.state is not State.OK}


def test_a_league_that_is_well(league: LeagueAt, store: Store, valkey: Redis) -> None:
    """With store, secrets, queue and a sweep there is nothing to do."""
    started(store)
    note_sweep(valkey)
    assert amiss(league) == {}
    assert found(league)["vault"].detail == "it has the secrets of all seasons that are not over: 1"


def test_nothing_is_made_by_looking(league: LeagueAt, tmp_path: Path) -> None:
    """Where there is no league yet, that is said, and neither store nor vault nor folder is made."""
    away = tmp_path / "away"
    nowhere = replace(
        league, has_store=False, has_vault=False, data_dir=away, database_url=f"sqlite:///{away}/l.sqlite3",
        redis_url="", own_redis=True,
    )  # fmt: skip
    assert found(nowhere)["store"].detail == f"there is no league in {away} yet"
    assert amiss(nowhere) == {"queue": State.WARNING}
    assert not away.exists()


def test_a_store_that_is_not_there(league: LeagueAt) -> None:
    """A database that nobody answers for is missing, with its URL, but not with its password."""
    gone = replace(league, database_url="postgresql+psycopg://king:hidden@127.0.0.1:1/league")
    finding = found(gone)["store"]
    assert finding.state is State.MISSING
    assert "127.0.0.1:1" in finding.detail and "hidden" not in finding.detail


def test_a_schema_of_another_version(league: LeagueAt, tmp_path: Path) -> None:
    """A schema of an earlier version is to be raised; a later version's that we do not know is not for us."""
    database = Database(database_url(tmp_path))
    for revision, state in (("0001", State.WARNING), ("9999", State.MISSING)):
        with database.writing() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
            connection.execute(text("UPDATE alembic_version SET oldest_code = :it"), {"it": revision})
        assert amiss(league)["store"] is state
    database.close()


def test_an_empty_database(league: LeagueAt, tmp_path: Path) -> None:
    """A database in which nothing has been made is no league of an earlier version."""
    finding = found(replace(league, database_url=f"sqlite:///{tmp_path}/empty.sqlite3"))["store"]
    assert (finding.state, finding.detail.partition(":")[0]) == (State.OK, "its database is empty")


def test_secrets_that_are_lost(league: LeagueAt, store: Store, tmp_path: Path) -> None:
    """A vault without the secret of a season that is to be played is missing; none at all may be elsewhere."""
    started(store)
    other = tmp_path / "other.sqlite3"
    finding = found(replace(league, vault_url=f"sqlite:///{other}"))["vault"]
    assert (finding.state, "KING_VAULT_URL" in finding.advice) == (State.MISSING, True)
    assert amiss(replace(league, has_vault=False))["vault"] is State.WARNING


def test_a_vault_that_cannot_be_reached(league: LeagueAt) -> None:
    """That is missing before any season needs it too, and is said without its password."""
    assert found(league)["vault"].state is State.OK
    gone = replace(league, vault_url="postgresql+psycopg://king:hidden@127.0.0.1:1/vault")
    finding = found(gone)["vault"]
    assert finding.state is State.MISSING
    assert "127.0.0.1:1" in finding.detail and "hidden" not in finding.detail


def test_claims_that_nobody_takes_back(league: LeagueAt, store: Store, tmp_path: Path) -> None:
    """A claim that has run out says that nobody sweeps."""
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    database = Database(database_url(tmp_path))
    with database.writing() as connection:
        connection.execute(text("UPDATE sittings SET lease_until = 1 WHERE id = :it"), {"it": claim.sitting})
    database.close()
    assert amiss(league)["claims"] is State.WARNING


def test_a_queue_that_is_amiss(league: LeagueAt, valkey: Redis) -> None:
    """Work without workers, work that fails, a stale sweep, and a server that drops keys: each is said."""
    queue_work(work_queue(valkey), Work.SITTING, [1])
    for _ in range(5):
        mark_failed(valkey, Piece(Work.SITTING, 2))
    valkey.set("king:swept", (datetime.now(UTC) - timedelta(minutes=9)).isoformat())
    valkey.config_set("maxmemory-policy", "allkeys-lru")
    assert amiss(league) == dict.fromkeys(("queue", "workers", "tries", "sweep"), State.WARNING)
    assert found(league)["sweep"].detail.startswith("the last was 9 min ago")
    valkey.flushall()
    assert found(league)["sweep"].detail == "nobody has swept since the queue was emptied"


def test_a_queue_that_does_not_answer(league: LeagueAt) -> None:
    """The queue of the settings must be there; that of `king up` is there while it runs."""
    gone = replace(league, redis_url="unix:///nonexistent/v.sock")
    assert amiss(gone)["queue"] is State.MISSING
    assert amiss(replace(gone, own_redis=True))["queue"] is State.WARNING


def test_referees_tell_how_they_are(league: LeagueAt) -> None:
    """One that is well, one that is not told the key, one that is told a wrong one, one that is gone, a wrong name.

    While one answers, another that is gone is a warning: the league is played.
    """
    command = (sys.executable, "-m", "referee.server", "--address", "127.0.0.1:0")
    environment = {**os.environ, "KING_CONTROL_KEY": "right"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as referee:
        assert referee.stdout is not None
        address = referee.stdout.readline().decode().split()[-1]
        told = {
            key: found(replace(league, referees=Referees(each=(address,), control_key=key)))["referee"]
            for key in ("right", "", "wrong")
        }
        one_away = replace(league, referees=Referees(each=(NOBODY, address, GONE), control_key="right"))
        of_three = [finding for finding in examine_league(one_away) if finding.name == "referee"]
        referee.terminate()
        referee.wait(30)
    assert {key: finding.state for key, finding in told.items()} == {
        "right": State.OK,
        "": State.OK,
        "wrong": State.MISSING,
    }
    assert told["right"].detail == f"{address}: 0 of 64 sittings, 0 tables"
    assert [finding.state for finding in of_three] == [State.OK, State.WARNING, State.WARNING]
    assert all(finding.detail.startswith("1 of 3 answers; of another: ") for finding in of_three[1:])
    for gone in (address, GONE):
        finding = found(replace(league, referees=Referees(each=(gone,))))["referee"]
        assert (finding.state, "certificate" in finding.advice) == (State.MISSING, False)


def test_referees_come_as_they_are_set(league: LeagueAt, tmp_path: Path) -> None:
    """Whoever answers first: what is said of several is in the order of the setting."""
    each = tuple(f"unix:{tmp_path}/{number}.sock" for number in range(9))
    findings = [one for one in examine_league(replace(league, referees=Referees(each=each))) if one.name == "referee"]
    for finding, address in zip(findings, each, strict=True):
        assert f"no referee answers at {address}:" in finding.detail
