"""The migrations that brought accounts and orders: up, down, and up again, with rows in the tables that they touch."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import inspect, select

from league.audit_log import SHELL
from league.store.migration import _config
from league.store.schema import suspensions
from tests.league.leagues import Clock, open_store, started


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0008", "0004"])
def test_a_database_is_taken_back_and_brought_up_again(tmp_path: Path, revision: str) -> None:
    """What the older version did not know is gone, seasons and suspensions by the rules stay."""
    store = open_store(tmp_path, Clock())
    season = started(store)
    store.accounts.create("Olga", by=SHELL)
    store.organising.suspend(season.id, "greedy", "plays for two", by=SHELL)
    with store._database.writing() as connection:
        by_rules = {"season_id": season.id, "cause": "exits", "detail": "x", "sitting_id": 1, "results_version": 0}
        connection.execute(suspensions.insert().values(**by_rules, entrant=0, at=Clock()()))
    with store._database.writing() as connection:
        command.downgrade(_config(connection), revision)
        tables = set(inspect(connection).get_table_names())
        assert "orders" not in tables
        assert ("accounts" in tables) is (revision == "0008")
        assert list(connection.scalars(select(suspensions.c.entrant))) == [0]
        sitting = next(one for one in inspect(connection).get_columns("suspensions") if one["name"] == "sitting_id")
        assert not sitting["nullable"]
    store.migrate()
    assert store.seasons.get(season.id).state == season.state
    assert [one.sitting for one in store.seasons.suspensions(season.id)] == [1]
    assert len(store.accounts.all()) == (revision == "0008")
    store.organising.suspend(season.id, "highest", "again", by=SHELL)
    store.close()
