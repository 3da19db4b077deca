"""Submitted bots on this machine's disk: unpacked, built in a sandbox, and kept for the next sitting.

A cache, and no more: the store has the archives, and what is missing here is made again. Safe for several processes at
once. What is kept is only ever run in a sandbox, which sees it read-only.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from league.model import BotSource, SourceKind
from workers.archives import ArchiveError, ArchiveLimits, unpack
from workers.manifests import MANIFEST, BotError, BotProgram, check_program, read_manifest
from workers.sandbox import Sandbox, detect_sandbox
from workers.sandbox_building import BuildLimits, build_in_sandbox

_BOT: Final = "bot"
_SOURCE: Final = "source"
_LOG: Final = "build.log"
_HASH_LENGTH: Final = 64
_FOLDER_WORDS: Final = "its folder"
_POLL_S: Final = 0.1
_ABANDONED_AFTER_S: Final = 86_400.0
"""Much longer than it takes to unpack and build a bot."""


class SubmittedBots:
    """Bots that were submitted, by the SHA-256 of their archives (64 hex digits)."""

    def __init__(
        self,
        folder: Path,
        sandbox: Sandbox | None,
        read: Callable[[str], bytes],
        *,
        hidden: Sequence[Path] = (),
        archive_limits: ArchiveLimits | None = None,
        build_limits: BuildLimits | None = None,
    ) -> None:
        """Keep them in `folder`; `read` gives the archive with a hash, and is called in a thread.

        Without `sandbox`, what there is for one is found out when something has to be built; `hidden` are folders that
        no build may see then.
        """
        self._folder = folder
        self._sandbox = sandbox
        self._read = read
        self._hidden = tuple(hidden)
        self._archive_limits = archive_limits or ArchiveLimits()
        self._build_limits = build_limits or BuildLimits()

    async def manifest(self, sha256: str) -> BotProgram:
        """What the manifest of an archive says; its folder is not there, and nothing is built.

        Raises:
            ArchiveError: the archive is refused.
            BotError: the manifest is wrong.
        """
        async with self._workshop(sha256) as workshop:
            return await self._unpack(sha256, workshop)

    async def program(self, sha256: str, report: Callable[[str], None]) -> BotProgram:
        """The program of an archive, ready to be started in a sandbox; it is unpacked and built unless it is here.

        Args:
            sha256: of the archive.
            report: takes texts for people: what is being built.

        Raises:
            ArchiveError: the archive is refused.
            BotError: the manifest is wrong, or the program is not there after the build.
            BuildError: it cannot be built.
            SandboxError: there was no sandbox to build it in; the bot is not to blame.
        """
        if not self._place(sha256).is_dir():
            async with self._locked(sha256):
                if not self._place(sha256).is_dir():
                    await self._make(sha256, report)
        bot = read_manifest(self._place(sha256) / _BOT)
        check_program(bot)
        return replace(_of_archive(bot, sha256), build=())

    def build_log(self, sha256: str) -> str:
        """The end of what the last build here of this archive wrote; empty if there was none."""
        with contextlib.suppress(FileNotFoundError):
            return self._log(sha256).read_text(encoding="utf-8", errors="replace")
        return ""

    def forget(self, sha256: str) -> None:
        """Delete what is kept of an archive here; harmless if nothing is."""
        shutil.rmtree(self._place(sha256), ignore_errors=True)
        self._log(sha256).unlink(missing_ok=True)

    def forget_others(self, kept: Callable[[Collection[str]], frozenset[str]]) -> None:
        """Delete what is kept here of archives that are deleted: of those it is given, `kept` leaves them out.

        Folders in which nobody works any more, since their processes were killed, go too.
        """
        bots, logs = self._folder.glob("[0-9a-f]*"), self._folder.glob(f"*.{_LOG}")
        here = {name for path in (*bots, *logs) if len(name := path.name.removesuffix(f".{_LOG}")) == _HASH_LENGTH}
        for sha256 in here - kept(here):
            self.forget(sha256)
        for workshop in self._folder.glob(".*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - workshop.stat().st_mtime > _ABANDONED_AFTER_S:
                    shutil.rmtree(workshop, ignore_errors=True)

    async def _make(self, sha256: str, report: Callable[[str], None]) -> None:
        async with self._workshop(sha256) as workshop:
            bot = await self._unpack(sha256, workshop)
            made = workshop / _SOURCE
            if bot.build:
                report(f"building {bot.name} {bot.version} in a sandbox")
                made = workshop / "made"
                await build_in_sandbox(
                    bot,
                    made,
                    await self._sandbox_here(),
                    keep_log=lambda text: self._keep_log(sha256, text),
                    limits=self._build_limits,
                )
                _replace_manifest(workshop / _SOURCE / MANIFEST, made / MANIFEST)
            made.rename(workshop / _BOT)
            check_program(replace(bot, folder=workshop / _BOT))
            shutil.rmtree(workshop / _SOURCE, ignore_errors=True)
            workshop.rename(self._place(sha256))

    async def _sandbox_here(self) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = await asyncio.to_thread(detect_sandbox, self._hidden)
        return self._sandbox

    async def _unpack(self, sha256: str, workshop: Path) -> BotProgram:
        archive = await asyncio.to_thread(self._read, sha256)
        if hashlib.sha256(archive).hexdigest() != sha256:
            raise ArchiveError(f"the archive that the store has for {sha256} has another hash: it was damaged")
        await asyncio.to_thread(unpack, archive, workshop / _SOURCE, self._archive_limits)
        return _of_archive(read_manifest(workshop / _SOURCE), sha256)

    @contextlib.asynccontextmanager
    async def _workshop(self, sha256: str) -> AsyncIterator[Path]:
        """A folder to make it in, which then has another name or is deleted."""
        workshop = self._folder / f".{sha256}.{secrets.token_hex(4)}"
        workshop.mkdir(mode=0o755, parents=True)
        try:
            yield workshop
        finally:
            await asyncio.to_thread(shutil.rmtree, workshop, ignore_errors=True)

    @contextlib.asynccontextmanager
    async def _locked(self, sha256: str) -> AsyncIterator[None]:
        """Keep every other process off; the kernel ends the lock with the process."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / f"{sha256}.lock").open("a") as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    await asyncio.sleep(_POLL_S)  # the kernel tells nobody when a lock is free
            yield

    def _keep_log(self, sha256: str, text: str) -> None:
        self._log(sha256).write_text(text, encoding="utf-8", errors="replace")

    def _place(self, sha256: str) -> Path:
        return self._folder / sha256

    def _log(self, sha256: str) -> Path:
        return self._folder / f"{sha256}.{_LOG}"


def unknown_program(source: BotSource, *, name: str, version: str) -> BotProgram:
    """What stands for a bot that will not be started."""
    nowhere = Path("/nonexistent")
    return BotProgram(name=name, version=version, run=(), folder=nowhere, variants=("*",), language="", source=source)


def _of_archive(bot: BotProgram, sha256: str) -> BotProgram:
    return replace(bot, source=BotSource(kind=SourceKind.ARCHIVE, location=sha256))


def _replace_manifest(source: Path, target: Path) -> None:
    """Put the manifest of the archive in place of whatever the build has left there, which decides nothing."""
    if target.is_dir() and not target.is_symlink():
        raise BotError(f"the build has put a folder in the place of {MANIFEST}")
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)


def without_place(text: str, sha256: str) -> str:
    """A text without the paths below which the arena keeps the bot: the owner knows the files by their names alone.

    Every folder that the arena makes for an archive has the SHA-256 in its name, and one folder below that.
    """
    place = rf"/[^\s\"']*{sha256}[^\s\"'/]*/[a-z]+"
    return re.sub(place, _FOLDER_WORDS, re.sub(rf"{place}/", "", text))
