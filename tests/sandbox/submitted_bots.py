"""Programs that are started as if a stranger had submitted them, and what they say."""

from __future__ import annotations

import hashlib
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from league.model import BotSource, NewBot, NewSeason, Season, SourceKind
from league.store import Store
from workers.bots import find_bot
from workers.launcher import Limits, LocalProcess
from workers.manifests import BotProgram
from workers.sandbox import Sandbox, SandboxLauncher


def submitted(folder: Path, *run: str, name: str = "guest") -> BotProgram:
    """A bot whose source is an archive; `folder` is where it lies unpacked."""
    source = BotSource(kind=SourceKind.ARCHIVE, location="0" * 64)
    return BotProgram(name=name, version="1", run=run, folder=folder, variants=("*",), language="", source=source)


def season_of(store: Store, sha256: str, *, house: str = "") -> Season:
    """A season of the bots a, b, c and d with this archive, which has started; those in `house` are samples."""
    archive = BotSource(kind=SourceKind.ARCHIVE, location=sha256)
    season = store.seasons.create(NewSeason(name="s", variant="russian-14", boards=1))
    for name in "abcd":
        source = find_bot("lowest").source if name in house else archive
        version_hash = hashlib.sha256(name.encode()).hexdigest()
        new = NewBot(name=name, version="1", source=source, version_hash=version_hash, owner=name, house=False)
        store.seasons.enter(season.id, store.bots.register(new).id)
    return store.seasons.start(season.id)


@contextmanager
def listening_socket() -> Iterator[Path]:
    """A socket that listens, where the referee would."""
    with tempfile.TemporaryDirectory(prefix="king-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = Path(folder) / "referee.sock"
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen()
        yield path


@asynccontextmanager
async def running(
    sandbox: Sandbox, folder: Path, *run: str, limits: Limits | None = None
) -> AsyncIterator[LocalProcess]:
    """A program that runs in a sandbox with `folder` as its own, and is ended at the end."""
    with listening_socket() as referee:
        launcher = SandboxLauncher(sandbox, referee)
        process = await launcher.start(submitted(folder, *run), "secret-token", limits or Limits())
        try:
            yield process
        finally:
            await process.stop()


async def run_to_end(sandbox: Sandbox, folder: Path, *run: str, limits: Limits | None = None) -> tuple[int, str]:
    """Run a program in a sandbox to its end. Returns its exit status and what it wrote."""
    async with running(sandbox, folder, *run, limits=limits) as process:
        return await process.wait(), process.stderr()
