"""What people are told of where a league is."""

from __future__ import annotations

from pathlib import Path

from king_cli.introducing import league_place
from king_cli.settings import Settings


def test_where_a_league_is(tmp_path: Path) -> None:
    """A folder if its store is a file; else the database, without its password, and not a folder that has nothing."""
    assert league_place(Settings(data_dir=tmp_path)) == str(tmp_path)
    elsewhere = Settings(
        data_dir=tmp_path, database_url="postgresql+psycopg://king:hidden@db:5432/league?sslmode=require"
    )
    assert league_place(elsewhere) == "postgresql+psycopg://db:5432/league"
