"""KING_VAULT_URL: workers on several machines have one vault, wherever their data folders are."""

from __future__ import annotations

from pathlib import Path

import pytest

from king_cli.errors import UsageError
from king_cli.places import open_league, vault_url
from king_cli.settings import Settings
from league.errors import LeagueError
from league.model import NewSeason
from league.store import Vault
from league.store.database import shown_url
from tests.postgresql import require_postgresql
from tests.stores import on_postgresql


def test_machines_share_a_vault(tmp_path: Path) -> None:
    """What one machine has put into the vault, another with a data folder of its own finds there."""
    shared = f"sqlite:///{tmp_path}/secrets.sqlite3"
    one, other = (Settings(data_dir=tmp_path / name, vault_url=shared) for name in ("one", "other"))
    commitment = Vault.open(vault_url(one)).draw()
    open_league(other, secrets=True).close()
    assert Vault.open(vault_url(other)).secret(commitment)
    assert not list((tmp_path / "other").glob("*vault*"))


def test_a_vault_is_not_made_beside_another(tmp_path: Path) -> None:
    """On a machine that does not name the vault of a league of many none is made, once there are seasons."""
    require_postgresql()
    url = on_postgresql(tmp_path, migrated=False)
    first, other = (Settings(data_dir=tmp_path / name, database_url=url) for name in ("first", "other"))
    store = open_league(first, secrets=True)
    open_league(other, secrets=False).close()
    store.seasons.create(NewSeason(name="s", variant="russian-14", boards=1))
    with pytest.raises(UsageError, match=r"no vault with their secrets in .*/other: name theirs with KING_VAULT_URL"):
        open_league(other, secrets=True)
    assert not list((tmp_path / "other").glob("*vault*"))
    open_league(first, secrets=True).close()
    store.close()


def test_no_password_is_told(tmp_path: Path) -> None:
    """Of a vault that lacks a secret its place is told, and not what opens it."""
    require_postgresql()
    vault = Vault.open(f"{on_postgresql(tmp_path, migrated=False)}&password=s3cret")
    with pytest.raises(LeagueError, match="has no secret for the commitment 00: name the vault") as lacking:
        vault.secret("00")
    vault.close()
    assert "s3cret" not in str(lacking.value)
    assert shown_url("postgresql+psycopg://king:s3cret@host/vault?sslpassword=s3cret") == (
        "postgresql+psycopg://king:***@host/vault?sslpassword=hidden"
    )


def test_a_wrong_address_is_told(tmp_path: Path) -> None:
    """The error names the variable, and what would be right."""
    with pytest.raises(UsageError, match=r"KING_VAULT_URL: 'nonsense' is no database URL: write sqlite:////"):
        vault_url(Settings(data_dir=tmp_path, vault_url="nonsense"))
    same = f"sqlite:///{tmp_path}/league.sqlite3"
    with pytest.raises(UsageError, match="KING_VAULT_URL is the same as KING_DATABASE_URL"):
        vault_url(Settings(data_dir=tmp_path, vault_url=same))
