"""Bots and their versions in the store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from league.errors import LeagueError
from league.model import BotSource, NewBot, SourceKind
from league.store import Store
from tests.league.leagues import new_bot


def test_registering_twice_gives_the_same_version_with_its_newest_source(store: Store) -> None:
    """A bot that has moved is still the same version."""
    first = store.bots.register(new_bot("owl"))
    moved = replace(new_bot("owl"), source=BotSource(kind=SourceKind.FOLDER, location="/elsewhere"))
    again = store.bots.register(moved)
    assert again.id == first.id
    assert store.bots.get(first.id).source.location == "/elsewhere"
    assert len(store.bots.all()) == 1


def test_other_contents_are_another_version(store: Store) -> None:
    """Even under the same version text: it is a new entrant with its own rating."""
    first = store.bots.register(new_bot("owl"))
    other = store.bots.register(replace(new_bot("owl"), version_hash="ab" * 32))
    assert other.id != first.id
    assert store.bots.latest("owl") == other


def test_an_unknown_bot_is_an_error_that_names_those_there_are(store: Store) -> None:
    """The message helps with a misspelt name."""
    with pytest.raises(LeagueError, match="no bot 'oul': none is registered yet"):
        store.bots.latest("oul")
    store.bots.register(new_bot("owl"))
    with pytest.raises(LeagueError, match="no bot 'oul': registered are owl"):
        store.bots.latest("oul")
    with pytest.raises(LeagueError, match="no bot version 77"):
        store.bots.get(77)


def test_a_name_belongs_to_one_owner(store: Store) -> None:
    """Another owner is told to choose another name."""
    store.bots.register(new_bot("owl", owner="ann"))
    with pytest.raises(LeagueError, match="belongs to ann: choose another name"):
        store.bots.register(new_bot("owl", owner="bob"))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (replace(new_bot("owl"), name=""), "1 to 64 printable characters"),
        (replace(new_bot("owl"), name="x" * 65), "1 to 64 printable characters"),
        (replace(new_bot("owl"), version="1\n2"), "1 to 64 printable characters"),
        (replace(new_bot("owl"), version_hash="xyz"), "64 hex digits in lower case"),
        (replace(new_bot("owl"), house=False), "needs an owner"),
    ],
)
def test_what_does_not_fit_is_refused(store: Store, bad: NewBot, words: str) -> None:
    """Names, versions and hashes are checked before they are stored."""
    with pytest.raises(LeagueError, match=words):
        store.bots.register(bad)
