"""What organisers do from the shell, and that the audit log has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from king_cli.main import run
from league.audit_log import Act
from league.store import Store
from tests.league.leagues import database_url, open_store, planned, started


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store where the settings point."""
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))
    return open_store(tmp_path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["season", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def acts(store: Store) -> list[tuple[str, str, str]]:
    """Who did what to what, in order."""
    return [(entry.actor, entry.act, entry.subject) for entry in reversed(store.audit_log.entries())]


@pytest.mark.slow
def test_acts_in_the_shell_are_logged(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """As the shell's; what changes nothing leaves no entry."""
    planned(store)
    for arguments in (["start"], ["start"], ["pause"], ["start"], ["end"], ["end"]):
        told(capsys, *arguments, "Autumn")
    moves = (Act.SEASON_STARTED, Act.SEASON_PAUSED, Act.SEASON_RESUMED, Act.SEASON_ENDED)
    assert acts(store) == [("the shell", act, "season 1") for act in moves]
    store.close()


@pytest.mark.slow
def test_a_season_is_mended_in_the_shell(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Queued again, a bot suspended, and let play again."""
    season = started(store)
    claim = store.sittings.claim(store.sittings.due()[0], "a worker that hangs")
    assert claim is not None
    done = told(capsys, "requeue", "Autumn", "--sitting", str(claim.sitting))
    assert done == {"season": season.id, "sittings": [claim.sitting]}
    assert store.sittings.get(claim.sitting).given_back == "queued again by the shell"
    assert len(told(capsys, "requeue", "Autumn", "--set", "1")["sittings"]) == 4
    assert told(capsys, "suspend", "Autumn", "greedy", "--reason", "plays for two")["state"] == "suspended"
    assert store.seasons.suspensions(season.id)[0].detail == "by an organiser: plays for two"
    assert run(["season", "lift", "Autumn", "greedy"]) == 0
    assert capsys.readouterr().out == "greedy is active in season 1 (Autumn)\n"
    assert [act for _actor, act, _subject in acts(store)][-2:] == [Act.BOT_SUSPENDED, Act.SUSPENSION_LIFTED]
    assert run(["season", "lift", "Autumn", "greedy"]) == 2
    assert "is not suspended" in capsys.readouterr().err
    store.close()
