"""The house's bots are known to a store as soon as a platform runs over it."""

from __future__ import annotations

from pathlib import Path

from tests.league.leagues import open_store
from workers.bots import house_names
from workers.registering import register_house


def test_the_house_registers_once(tmp_path: Path) -> None:
    """Twice is harmless; all are house bots that can be challenged and entered."""
    store = open_store(tmp_path)
    first = register_house(store)
    assert register_house(store) == first
    assert {bot.name for bot in first} == set(house_names())
    assert {bot.name for bot in store.unrated.opponents()} == set(house_names())
    assert all(bot.house for bot in first)
    store.close()
