"""Open seasons, played by the real parts with remote bots: plain processes that dial the referee by themselves."""

from __future__ import annotations

import asyncio
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.arena import DEADLINE_S, Arena
from tests.e2e.cutting import CuttingProxy
from tests.workers.waiting import wait_until
from workers.bots import find_bot
from workers.data_folder import DataFolder

pytestmark = pytest.mark.slow

HOUSE = "lowest,highest,greedy"


def register(arena: Arena, name: str) -> str:
    """The token of a new remote bot, of an owner of its own."""
    return arena.king("bots", "register-remote", name, "--owner", f"owner of {name}", "--version", "1").strip()


@dataclass(frozen=True)
class OwnBot:
    """A bot that its owner has started, and the file with what it has written."""

    process: subprocess.Popen[bytes]
    file: Path

    def wrote(self) -> str:
        """What it has written to its standard error."""
        return self.file.read_text()


@contextmanager
def running(arena: Arena, token: str, *, sample: str = "random", address: str = "") -> Iterator[OwnBot]:
    """A sample bot as its owner would run it: one process with two variables in its environment."""
    own = {"KING_REFEREE": address or arena.environment["KING_REFEREE"], "KING_TOKEN": token}
    path = arena.folder / f"{sample}.txt"
    with path.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "bot.py"], cwd=find_bot(sample).folder, env=arena.environment | own, stderr=output
        )
    try:
        yield OwnBot(process, path)
    finally:
        process.kill()
        process.wait()


@contextmanager
def cut(target: Path, *, after_bytes: int) -> Iterator[str]:
    """The address of a proxy that cuts the first four connections through it."""
    addresses: queue.Queue[str] = queue.Queue()
    ended = threading.Event()

    async def serve() -> None:
        async with CuttingProxy(target, after_bytes=after_bytes) as proxy:
            addresses.put(proxy.address)
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield addresses.get(timeout=DEADLINE_S)
    finally:
        ended.set()
        thread.join()


def wait_for_end(arena: Arena) -> None:
    wait_until(lambda: bool((now := arena.progress()) and now.state == "ended"), seconds=DEADLINE_S, what="the end")


def test_a_season_with_remote_bots(arena: Arena) -> None:
    """Two remote bots, one behind a bad network, play sitting after sitting with managed ones; nobody has a fault.

    Then one of them is revoked.
    """
    owl, jay = register(arena, "owl"), register(arena, "jay")
    bots = f"{HOUSE},remote:owl,remote:jay"
    arena.king("season", "create", "open", "--open", "--variant", "russian-14", "--boards", "2", "--bots", bots)
    arena.king("season", "start", "open")
    socket = DataFolder(arena.folder / "king").socket("referee")
    with arena.running("up"), cut(socket, after_bytes=30_000) as bad, running(arena, owl) as steady:
        wait_until(socket.exists, seconds=DEADLINE_S, what="the referee")
        with running(arena, jay, sample="counter", address=bad) as shaken:
            wait_for_end(arena)
            assert steady.process.poll() is None
            assert shaken.process.poll() is None
            assert shaken.wrote().count("stream broken") >= 2
        check_revoking(arena, owl, steady)
    assert arena.faults() == ()
    ladder = arena.king_json("ladder", "open", "--json")
    assert ladder["kind"] == "open"
    assert {row["bot"]: (row["boards"], row["matches"]) for row in ladder["bots"]} == dict.fromkeys(
        ["lowest", "highest", "greedy", "owl", "jay"], (8, 8)
    )
    assert "each board is played once" in arena.king("ladder", "open")
    exported = arena.king_json("season", "export", "open", "--out", "records", "--json")["records"]
    assert len(exported) == 10
    assert arena.king("verify", *exported).count(": ok\n") == 10


def test_an_absent_bot_forfeits_and_nobody_else(arena: Arena) -> None:
    """Who has not come when the deadline is over forfeits its matches; the others play them to the end."""
    owl = register(arena, "owl")
    register(arena, "jay")
    create = ("season", "create", "open", "--open", "--absent-after", "3s", "--variant", "classic[seats=3]")
    arena.king(*create, "--boards", "1", "--bots", "lowest,highest,remote:owl,remote:jay")
    arena.king("season", "start", "open")
    with arena.running("up"), running(arena, owl):
        wait_for_end(arena)
    faults = arena.faults()
    assert {(fault.label, fault.kind.value) for fault in faults} == {("jay", "absent")}
    season = arena.the_season()
    assert season is not None
    with arena.store() as store:
        for match in store.results.matches(season.id):
            lost = [match.labels[forfeit.seat] for forfeit in match.forfeits]
            assert lost == ["jay"] * ("jay" in match.labels)


def check_revoking(arena: Arena, token: str, waiting: OwnBot) -> None:
    """When its token is revoked a bot that waits is sent away with words that say so, and so is who dials with it."""
    arena.king("bots", "revoke", "owl")
    assert waiting.process.wait(DEADLINE_S) == 1
    assert "the token was refused" in waiting.wrote()
    with running(arena, token) as again:
        assert again.process.wait(DEADLINE_S) == 1
        assert "no remote bot has this token" in again.wrote()
    assert "its token is revoked" in arena.king("bots")
