"""Builds submitted bots in a sandbox: no network, and limits of time, memory and disk.

The sandbox works on a copy in its own memory. What it has made comes out through a pipe, and is taken for what it is:
something that a stranger has written.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from workers import seat
from workers.archives import ArchiveError, receive_folder
from workers.building import BuildError
from workers.kept import KeptProcess, NotStartedError
from workers.launcher import Limits, bot_environment
from workers.manifests import SEARCH_PATH, BotProgram
from workers.sandbox import SCRATCH, Room, Sandbox, SandboxError
from workers.sandbox_view import show, with_folders
from workers.toolchains import build_folders

_MEBIBYTE: Final = 1 << 20
_TAIL_LINES: Final = 40

_OFFLINE: Final = {
    "CARGO_NET_OFFLINE": "true",
    "CARGO_TERM_COLOR": "never",
    "GOFLAGS": "-buildvcs=false",
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "MAVEN_ARGS": "--offline --batch-mode",
    "npm_config_offline": "true",
    "npm_config_update_notifier": "false",
    "PIP_NO_INDEX": "1",
}
"""What tells tools that there is no network, so that they say so at once and do not try."""


@dataclass(frozen=True, kw_only=True)
class BuildLimits:
    """What a build may use.

    Attributes:
        time: from start to end.
        memory_bytes: all processes and all files that it writes.
        disk_bytes: the bot's folder with what is built in it; as much again for temporary files.
        result_bytes: what may be left in the bot's folder at the end.
        result_files: how many files and folders that may be.
        processes: processes and threads at once.
        log_bytes: how much of what it wrote last is kept.
    """

    time: timedelta = timedelta(minutes=10)
    memory_bytes: int = 3072 * _MEBIBYTE
    disk_bytes: int = 1024 * _MEBIBYTE
    result_bytes: int = 512 * _MEBIBYTE
    result_files: int = 50_000
    processes: int = 512
    log_bytes: int = 256 << 10

    def of_sandbox(self) -> Limits:
        """The same for the sandbox."""
        return Limits(
            stderr_bytes=self.log_bytes,
            memory_bytes=self.memory_bytes,
            processes=self.processes,
            open_files=4096,
            file_bytes=self.disk_bytes,
            scratch_bytes=self.disk_bytes,
        )


async def build_in_sandbox(
    bot: BotProgram, target: Path, sandbox: Sandbox, *, keep_log: Callable[[str], None], limits: BuildLimits
) -> None:
    """Build `bot`, whose folder stays as it is, into the folder `target`, which is made.

    `keep_log` is given what the build wrote, however it ends. Cancelling ends the build.

    Raises:
        BuildError: the build fails, or takes or leaves too much.
        SandboxError: there was no sandbox; the bot is not to blame.
    """
    pipe, pipe_end = os.pipe()
    try:
        process = await sandbox.start(_room(bot, pipe_end, limits), limits.of_sandbox())
    except BaseException as error:
        os.close(pipe)
        if not isinstance(error, NotStartedError):
            raise
        raise SandboxError(f"the build of bot {bot.name} could not be started: {error}") from error
    finally:
        os.close(pipe_end)
    receiving = asyncio.create_task(asyncio.to_thread(_receive, pipe, target, limits))
    try:
        await _finish(bot, process, receiving, limits)
    finally:
        await process.stop()
        await asyncio.wait({receiving})
        receiving.exception()  # has been looked at, or matters no more
        keep_log(process.stderr())


def _receive(pipe: int, target: Path, limits: BuildLimits) -> None:
    """Take what the build has left. Whoever writes more than is taken is ended by a signal."""
    with os.fdopen(pipe, "rb") as results:
        receive_folder(results, target, most_bytes=limits.result_bytes, most_files=limits.result_files)


async def _finish(bot: BotProgram, process: KeptProcess, receiving: asyncio.Task[None], limits: BuildLimits) -> None:
    """Wait until the build has ended well and what it left is here."""
    try:
        async with asyncio.timeout(limits.time.total_seconds()):
            status = await process.wait()
    except TimeoutError:
        raise _failed(bot, process, f"took more than {limits.time.total_seconds():g} s") from None
    if status not in {0, -signal.SIGPIPE}:
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        raise _failed(bot, process, how)
    await asyncio.wait({receiving})
    try:
        receiving.result()
    except ArchiveError as error:
        raise _failed(bot, process, f"has ended, but {error}") from error


def _room(bot: BotProgram, pipe: int, limits: BuildLimits) -> Room:
    tools = build_folders()
    environment = bot_environment(referee="", token="", scratch=SCRATCH)
    path = os.pathsep.join([*(str(folder / "bin") for folder in tools), SEARCH_PATH])
    return Room(
        show=(
            *with_folders(show(tools)),
            *("--ro-bind", str(bot.folder), seat.SOURCE),
            *("--perms", "1777", "--size", str(limits.disk_bytes), "--tmpfs", seat.FOLDER),
        ),
        environment={
            **{name: value for name, value in environment.items() if not name.startswith("KING_")},
            **_OFFLINE,
            "PATH": path,
        },
        building=True,
        pipes=(pipe,),
        command=bot.build,
    )


def _failed(bot: BotProgram, process: KeptProcess, how: str) -> BuildError:
    lines = process.stderr().splitlines()[-_TAIL_LINES:]
    return BuildError(f"bot {bot.name} cannot be built: `{shlex.join(bot.build)}` {how}", "\n".join(lines))
