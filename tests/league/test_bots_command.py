"""`king bots` on a real store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from king_cli.main import run
from tests.league.leagues import Clock, database_url, open_store
from tests.league.test_own_remotes import qualified, registered
from tests.league.test_unrated import house


def test_remote_bots_are_listed_with_how_they_qualified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has a qualifying board, with its fault if it has failed; those of the shell have none."""
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))
    store = open_store(tmp_path, Clock())
    house(store)
    qualified(store, registered(store, "owl"))
    qualified(store, registered(store, "fox"), "it forfeited russian-14: exit: gone")
    store.bots.register_remote(owner="Bob", name="far", version="1")
    store.close()
    assert run(["bots", "--json"]) == 0
    rows = {row["bot"]: row for row in json.loads(capsys.readouterr().out)["registered"]}
    assert {name: rows[name]["qualifying"] for name in ("owl", "fox", "far")} == {
        "owl": "passed",
        "fox": "failed",
        "far": None,
    }
    assert rows["fox"]["failure"] == "it forfeited russian-14: exit: gone"
    assert run(["bots"]) == 0
    assert "fox 1: remote, of Ann, qualifying: failed (it forfeited russian-14: exit: gone)" in capsys.readouterr().out
