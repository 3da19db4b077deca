"""A real `king up` for a benchmark: free ports, an own data folder, and seasons of sample bots on it.

Owns the processes it starts, which die with it, and how bots get into the store as if they had been submitted.
Measures nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ratings_scale import open_store
from king_cli.packing import archive_of
from league.model import BotSource, BotVersion, NewBot, NewSeason, Season, SeasonState, SourceKind
from league.store import Store, utc_now
from league.store.archives import keep_archive
from workers.bots import find_bot
from workers.health import http_check
from workers.launcher import SHIM
from workers.sandbox import SandboxError, detect_sandbox

TRIVIAL_BOTS = ("random", "lowest", "highest", "greedy")
_STARTS_WITHIN_S = 120.0
_LOOK_EVERY_S = 0.02


@dataclass(frozen=True, kw_only=True)
class RunningPlatform:
    """A platform that runs: the pid of `king up`, and its store."""

    pid: int
    store: Store


def sandbox_obstacle() -> str:
    """Why there can be no sandbox on this machine; empty where there is one."""
    try:
        detect_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


@contextmanager
def running_platform(folder: Path, *, workers: int) -> Iterator[RunningPlatform]:
    """`king up` with a new data folder; ended when the context is left.

    Raises:
        RuntimeError: it does not start.
    """
    http, referee = _free_port(), _free_port()
    settings = {"KING_DATA_DIR": folder, "KING_HTTP": f"127.0.0.1:{http}", "KING_REFEREE": f"127.0.0.1:{referee}"}
    ours = {name: value for name, value in os.environ.items() if not name.upper().startswith("KING_")}
    with (folder / "up.log").open("wb") as log:
        process = subprocess.Popen(
            [*SHIM, "exec", str(os.getpid()), sys.executable, "-m", "king_cli", "up", "--workers", str(workers)],
            env={**ours, **{name: str(value) for name, value in settings.items()}},
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(http, process, folder / "up.log")
        store = open_store(folder)
        try:
            yield RunningPlatform(pid=process.pid, store=store)
        finally:
            store.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    check = http_check("127.0.0.1", port, "/health")

    async def answers() -> bool:
        return await check()

    until = time.monotonic() + _STARTS_WITHIN_S
    while process.poll() is None and time.monotonic() < until:
        if asyncio.run(answers()):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the platform does not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


def submitted_bots(store: Store, names: Sequence[str]) -> list[BotVersion]:
    """Sample bots as if somebody had submitted them: workers run them in sandboxes."""
    return [_submitted(store, name) for name in names]


def _submitted(store: Store, name: str) -> BotVersion:
    program = find_bot(name)
    with store._database.writing() as connection:
        sha256 = keep_archive(connection, archive_of(program.folder), utc_now())
    source = BotSource(kind=SourceKind.ARCHIVE, location=sha256)
    new = NewBot(
        name=f"guest-{program.name}",  # the names of samples are the house's
        version=program.version,
        source=source,
        version_hash=sha256,
        language=program.language,
        owner=f"author of {program.name}",
        house=False,
    )
    return store.bots.register(new)


def house_bots(store: Store, names: Sequence[str]) -> list[BotVersion]:
    """Sample bots that workers run as plain processes."""
    from workers.registering import register_bot

    return [register_bot(store, find_bot(name)) for name in names]


def planned_season(store: Store, bots: Sequence[BotVersion], *, name: str, boards: int) -> Season:
    """A season of bots that can be started."""
    season = store.seasons.create(NewSeason(name=name, variant="russian-14", boards=boards))
    for bot in bots:
        store.seasons.enter(season.id, bot.id)
    return season


def play_season(store: Store, season: Season, *, within_s: float) -> float:
    """Starts a season and waits for its end; returns the seconds between.

    Raises:
        RuntimeError: it does not end in time.
    """
    began = time.monotonic()
    store.seasons.start(season.id)
    while store.seasons.get(season.id).state is not SeasonState.ENDED:
        if time.monotonic() - began > within_s:
            raise RuntimeError(f"season {season.name} is not played within {within_s:g} s")
        time.sleep(_LOOK_EVERY_S)
    return time.monotonic() - began
