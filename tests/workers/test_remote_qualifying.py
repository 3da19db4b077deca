"""Remote bots qualify: they dial by themselves and play against the house, or it is said how they have failed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from league.audit_log import SHELL
from league.qualifying import OwnRemote, Qualifying
from league.store import Store
from referee.verification import verify
from tests.workers.test_claimed import LEASE, open_store, play
from workers.bots import find_bot
from workers.challenging import play_challenge_from_store
from workers.presence import RefereeDoor, note_presence
from workers.registering import register_bot
from workers.sitting import Stage
from workers.submitted import SubmittedBots

ROOT = Path(__file__).parents[2]
GOOD = find_bot("random").folder / "bot.py"
ILLEGAL = ROOT / "tests" / "conformance" / "broken_bots" / "illegal" / "bot.py"
VARIANT = "classic[seats=3]"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    opened.migrate()
    for name in ("greedy", "lowest"):
        register_bot(opened, find_bot(name))
    yield opened
    opened.close()


@contextmanager
def running(program: Path, stage: Stage, token: str) -> Iterator[None]:
    """A bot that its owner has started."""
    environment = os.environ | {"KING_REFEREE": stage.referee, "KING_TOKEN": token, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(program)], cwd=program.parent, env=environment) as process:
        try:
            yield
        finally:
            process.kill()


async def qualify(store: Store, stage: Stage, folder: Path) -> None:
    """What sweep and worker do, until a qualifying board is over."""
    door = RefereeDoor(address=stage.referee, control_key=stage.control_key)
    while not (due := store.unrated.due()):
        await asyncio.to_thread(note_presence, store, door)
        await asyncio.sleep(0.05)
    workshop = SubmittedBots(folder / "submitted", None, store.archives.read)
    assert await play_challenge_from_store(store, due[0], submitted=workshop, stage=stage, lease=LEASE)


@pytest.mark.slow
def test_remote_bots_qualify_or_fail_with_the_reason(tmp_path: Path, store: Store) -> None:
    """A good bot passes over boards that it sees once each; one that chooses what is not there hears so."""
    programs = {"owl": GOOD, "bad": ILLEGAL}
    tokens = {
        name: store.own_remotes.register(owner="Ann", name=name, version="1", variant=VARIANT, by=SHELL).token
        for name in programs
    }

    async def scene(stage: Stage) -> None:
        for name, program in programs.items():
            with running(program, stage, tokens[name]):
                await qualify(store, stage, tmp_path)

    play(tmp_path, scene)
    found = {one.remote.bot.name: one for one in store.own_remotes.of_owner("Ann")}
    assert found["owl"].qualifying is Qualifying.PASSED
    assert found["bad"].qualifying is Qualifying.FAILED
    assert found["bad"].board is not None
    assert "forfeited classic[seats=3]: illegal: " in found["bad"].board.outcome
    check_boards(store, found["owl"])


def check_boards(store: Store, owl: OwnRemote) -> None:
    """Each rotation has cards of its own, and its record holds."""
    assert owl.board is not None
    records = [store.unrated.record(match.match_id, "Ann") for match in owl.board.matches]
    assert len({str(record["deals"][0]["hands"]) for record in records}) == 3
    for record in records:
        assert verify(record).problems == ()
