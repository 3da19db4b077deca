"""`king account …` on a real store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from king_cli.main import run
from league.accounts import Passwords
from league.store import Store
from tests.league.leagues import DATABASE, database_url, open_store

PASSWORD = "correct horse battery"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty store where the settings point."""
    open_store(tmp_path).close()
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))
    monkeypatch.setenv("KING_HTTP", "127.0.0.1:8123")
    return Store.open(database_url(tmp_path), passwords=Passwords(memory_kib=8, passes=1))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command prints as JSON."""
    assert run(["account", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_the_first_organiser_is_made_in_the_shell(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """With a link that sets the password, which is all that standard output has."""
    assert run(["account", "create", "Анна", "--organiser"]) == 0
    printed = capsys.readouterr()
    address, _, text = printed.out.strip().partition("?link=")
    assert address == "http://127.0.0.1:8123/set-password"
    assert "give this link to Анна" in printed.err
    assert store.passwords.set_by_link(text, PASSWORD).organiser
    assert [entry.actor for entry in store.audit_log.entries()] == ["Анна", "the shell", "the shell"]


@pytest.mark.slow
def test_a_reset_makes_a_new_link(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The earlier one is no longer good, the password stays until then."""
    first = told(capsys, "create", "Anna")
    second = told(capsys, "reset", "anna")
    assert first["link"] != second["link"]
    assert first["has_password"] is False
    assert store.passwords.set_by_link(second["link"].partition("?link=")[2], PASSWORD).name == "Anna"
    assert told(capsys, "list")["accounts"][0]["has_password"]


@pytest.mark.slow
def test_accounts_are_listed_and_changed(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Organisers are made, accounts disabled, and both undone."""
    for name in ("Anna", "Boris"):
        told(capsys, "create", name)
    assert told(capsys, "organiser", "Anna")["organiser"]
    assert told(capsys, "disable", "Boris")["disabled"]
    assert run(["account", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["1 Anna (organiser, no password yet)", "2 Boris (disabled, no password yet)"]
    assert not told(capsys, "disable", "Boris", "--undo")["disabled"]
    assert run(["account", "organiser", "Anna", "--undo"]) == 2
    assert "last organiser" in capsys.readouterr().err
    store.close()


@pytest.mark.slow
def test_a_password_may_be_asked_for(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is neither printed nor kept in the clear; a bad one is refused, and then nothing is made."""
    monkeypatch.setattr(typer, "prompt", lambda *_args, **_options: PASSWORD)
    assert told(capsys, "create", "Anna", "--prompt")["has_password"]
    assert store.sessions.sign_in("Anna", PASSWORD, address="").account.name == "Anna"
    monkeypatch.setattr(typer, "prompt", lambda *_args, **_options: "short")
    assert run(["account", "create", "Boris", "--prompt"]) == 2
    assert "at least 10 characters" in capsys.readouterr().err
    assert len(store.accounts.all()) == 1
    store.close()


@pytest.mark.sqlite("a database of PostgreSQL is taken to be there")
@pytest.mark.slow
def test_what_only_looks_makes_no_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Creating an account does."""
    folder = tmp_path / "new"
    monkeypatch.setenv("KING_DATA_DIR", str(folder))
    for arguments in (["list"], ["reset", "Anna"], ["disable", "Anna"]):
        assert run(["account", *arguments]) == 2
        assert "there is no league in" in capsys.readouterr().err
    assert not folder.exists()
    assert run(["account", "create", "Anna"]) == 0
    assert (folder / DATABASE).exists()
