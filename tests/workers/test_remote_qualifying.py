"""Remote bots that are registered on the web dial by themselves and qualify, or their page says how they failed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dashboard.app import create_app
from league.store import Store
from referee.verification import verify
from tests.dashboard.conftest import serving
from tests.dashboard.signing import Browser
from tests.workers.stores import LEASE, new_store
from tests.workers.test_claimed import play
from workers.bots import find_bot
from workers.challenging import play_challenge_from_store
from workers.finding import Referees
from workers.presence import note_presence
from workers.registering import register_bot
from workers.sitting import Stage
from workers.submitted import SubmittedBots

ROOT = Path(__file__).parents[2]
GOOD = find_bot("random").folder / "bot.py"
ILLEGAL = ROOT / "tests" / "conformance" / "broken_bots" / "illegal" / "bot.py"
VARIANT = "classic[seats=3]"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with new_store(tmp_path) as opened:
        for name in ("greedy", "lowest"):
            register_bot(opened, find_bot(name))
        yield opened


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
    referees = Referees(each=(stage.referee,), control_key=stage.control_key)
    while not (due := store.unrated.due()):
        await asyncio.to_thread(note_presence, store, referees)
        await asyncio.sleep(0.05)
    workshop = SubmittedBots(folder / "submitted", None, store.archives.read)
    assert await play_challenge_from_store(store, due[0], submitted=workshop, stage=stage, lease=LEASE)


def registered(ann: Browser, name: str) -> tuple[str, str]:
    """Registers a bot by the form. Returns its token, and the address of its page."""
    form = "/mine/remote/new"
    page = ann.send(ann.get(form), form, name=name, version="1", language="", variant=VARIANT).page
    token, link = page.select_one(".drawn input.secret"), page.select_one(".drawn a.button")
    assert token is not None
    assert link is not None
    return str(token["value"]), str(link["href"])


@pytest.mark.slow
def test_remote_bots_qualify_or_read_why_not(tmp_path: Path, store: Store) -> None:
    """A good bot passes over boards that it sees once each; one that chooses what is not there hears so."""
    with serving(create_app(store)) as site:
        ann = Browser(site)
        ann.sign_up("Ann")
        owl, bad = registered(ann, "owl"), registered(ann, "bad")

        async def scene(stage: Stage) -> None:
            for program, (token, _) in ((GOOD, owl), (ILLEGAL, bad)):
                with running(program, stage, token):
                    await qualify(store, stage, tmp_path)

        play(tmp_path, scene)
        assert "has qualified" in ann.get(owl[1]).heading
        failed = ann.get(bad[1])
        assert "has not qualified" in failed.heading
        assert failed.text(".why .said").startswith(f"it forfeited {VARIANT}: illegal: ")
        board = failed.page.select_one(".why a[href*=boards]")
        assert board is not None
        assert "illegal" in ann.get(str(board["href"])).text(".play-table .warn")
        ann.close()
    check_boards(store)


def check_boards(store: Store) -> None:
    """Each rotation has cards of its own, and its record holds."""
    owl = next(one for one in store.own_remotes.of_owner("Ann") if one.remote.bot.name == "owl")
    assert owl.board is not None
    records = [store.unrated.record(match.match_id, "Ann") for match in owl.board.matches]
    assert len({str(record["deals"][0]["hands"]) for record in records}) == 3
    for record in records:
        assert verify(record).problems == ()
