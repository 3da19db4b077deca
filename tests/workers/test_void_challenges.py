"""Challenges whose bots are not to be had: void, and told to the challenger without places of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from league.store import Store
from league.unrated import UnratedState
from tests.league.leagues import open_store
from tests.league.test_submissions import ANN, active
from tests.league.test_unrated import asked
from tests.workers.zips import bot_archive, zipped
from workers.challenging import play_challenge_from_store
from workers.launcher import LocalLauncher
from workers.sitting import Stage
from workers.submitted import SubmittedBots

LEASE = timedelta(seconds=10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    opened = open_store(tmp_path, lease=LEASE)
    yield opened
    opened.close()


def outcome(store: Store, folder: Path, content: bytes) -> str:
    """What the challenger reads of a challenge with a bot of this archive."""
    active(store, content)
    board = asked(store)
    workshop = SubmittedBots(folder / "submitted", None, store.archives.read)
    address = f"unix:{folder}/none.sock"
    stage = Stage(referee=address, control_key="key", launcher=LocalLauncher(address))
    assert asyncio.run(play_challenge_from_store(store, board.id, submitted=workshop, stage=stage, lease=LEASE))
    void = store.unrated.mine(board.id, ANN)
    assert void.state is UnratedState.VOID
    return void.outcome


def test_own_archive_is_told_by_its_own_names(store: Store, tmp_path: Path) -> None:
    """Why one's own bot cannot be made is told whole, but for where the arena keeps it."""
    archive = zipped({"bot.toml": 'name = "owl"\n'})
    assert outcome(store, tmp_path, archive).startswith("bot.toml: version is missing")


def test_others_bots_are_named_alone(store: Store, tmp_path: Path) -> None:
    """Of another's bot that is not to be had, no place of this machine is told."""
    told = outcome(store, tmp_path, bot_archive(build="[]"))
    assert "is not to be had at present; choose another bot, or try later" in told
    assert str(tmp_path) not in told
