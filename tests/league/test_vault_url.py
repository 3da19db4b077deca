"""KING_VAULT_URL: workers on several machines have one vault, wherever their data folders are."""

from __future__ import annotations

from pathlib import Path

import pytest

from king_cli.errors import UsageError
from king_cli.places import open_league, vault_url
from king_cli.settings import Settings
from league.store import Vault


def test_machines_share_a_vault(tmp_path: Path) -> None:
    """What one machine has put into the vault, another with a data folder of its own finds there."""
    shared = f"sqlite:///{tmp_path}/secrets.sqlite3"
    one, other = (Settings(data_dir=tmp_path / name, vault_url=shared) for name in ("one", "other"))
    commitment = Vault.open(vault_url(one)).draw()
    open_league(other, secrets=True).close()
    assert Vault.open(vault_url(other)).secret(commitment)
    assert not list((tmp_path / "other").glob("*vault*"))


def test_a_wrong_address_is_told(tmp_path: Path) -> None:
    """The error names the variable, and what would be right."""
    with pytest.raises(UsageError, match=r"KING_VAULT_URL: 'nonsense' is no database URL: write sqlite:////"):
        vault_url(Settings(data_dir=tmp_path, vault_url="nonsense"))
    same = f"sqlite:///{tmp_path}/league.sqlite3"
    with pytest.raises(UsageError, match="KING_VAULT_URL is the same as KING_DATABASE_URL"):
        vault_url(Settings(data_dir=tmp_path, vault_url=same))
