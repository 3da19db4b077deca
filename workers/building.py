"""Builds bots: runs a manifest's `build` in the bot's folder if its sources have changed since it was last run.

Owns what is kept of that in the folder's `build/`: a stamp for each command, a lock, and the output in `build.log`. The
command has the environment of the user, with the programs of this Python's environment first on its PATH. It may take
minutes (it may download), so this is never called while a bot's clock runs. Starts no bot.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TextIO

from league.versions import source_files
from workers import shim
from workers.manifests import BotError, BotProgram, check_program, has_program, manifest_of

FOLDER = "build"
LOG = "build.log"
TAIL_LINES = 20
_TAIL_BYTES = 16384

_LOCK = "build.lock"
_POLL_S = 0.1
_GRACE_S = 2.0
_PATIENCE_S = 30.0
"""How often a sign of life comes of a build: a first one may download and compile for minutes."""


class BuildError(BotError):
    """A bot could not be built.

    Attributes:
        output: the last lines of what the build wrote; empty if it was not even started.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def build_bots(bots: Sequence[BotProgram], report: Callable[[str], None]) -> None:
    """Make the program of each bot that is not made yet, or not of its present sources, and check that it is there.

    Harmless when done already, and from several processes at once: one builds, the others wait. `report` takes texts
    for people: what is being built, and the end of its output when that fails. Ctrl-C ends a build with all it started.

    Raises:
        BuildError: the build fails, or needs a program that is not installed.
        BotError: the program is not there after the build.
    """
    if any(bot.build for bot in bots):
        asyncio.run(build_bots_async(bots, report))


async def build_bots_async(bots: Sequence[BotProgram], report: Callable[[str], None]) -> None:
    """As `build_bots`, where an event loop runs; cancelling it ends the build."""
    for bot in bots:
        if bot.build:
            await _make_ready(bot, report)
            check_program(bot)


def is_built(bot: BotProgram) -> bool:
    """Whether there is nothing to do: no build command, or it was run on the sources as they are now."""
    if not bot.build:
        return True
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return _stamp(bot).read_text(encoding="ascii", errors="replace") == _hash(_sources(bot)) and has_program(bot)
    return False


def missing_tool(bot: BotProgram) -> str:
    """The program that builds it, if that is not installed; else empty."""
    return bot.build[0] if bot.build and _found(bot) is None else ""


def build_log(bot: BotProgram) -> Path:
    """Where the output of the last build is."""
    return bot.folder / FOLDER / LOG


async def _make_ready(bot: BotProgram, report: Callable[[str], None]) -> None:
    if is_built(bot):
        return
    try:
        (bot.folder / FOLDER).mkdir(exist_ok=True)
        async with _locked(bot, report):
            if not is_built(bot):
                await _build(bot, report)
    except FileExistsError:
        raise BuildError(
            f"bot {bot.name} cannot be built: {bot.folder / FOLDER} is not a folder, and builds are kept there; "
            "give what is in its place another name"
        ) from None
    except PermissionError as error:
        raise BuildError(
            f"bot {bot.name} cannot be built in {bot.folder}: {error.filename}: {error.strerror}; copy the folder to "
            "a place of your own"
        ) from None


@contextlib.asynccontextmanager
async def _locked(bot: BotProgram, report: Callable[[str], None]) -> AsyncIterator[None]:
    """Keep every other process off the build; the kernel ends the lock with the process."""
    with (bot.folder / FOLDER / _LOCK).open("a") as file:
        if not _try_lock(file):
            report(f"waiting for another process that builds {bot.name}")
            while not _try_lock(file):  # noqa: ASYNC110 (the kernel tells nobody when a lock is free)
                await asyncio.sleep(_POLL_S)
        yield


def _try_lock(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _build(bot: BotProgram, report: Callable[[str], None]) -> None:
    program = _program(bot)
    report(f"building {bot.name} ({shlex.join(bot.build)})")
    _stamp(bot).unlink(missing_ok=True)
    before = _sources(bot)
    log = build_log(bot)
    signs = asyncio.create_task(_give_signs(bot, report))
    try:
        with log.open("wb") as output:
            status, obstacle = await _run((program, *bot.build[1:]), bot.folder, output.fileno())
    finally:
        signs.cancel()
    if status != 0:
        tail = _tail(log, TAIL_LINES) or obstacle
        report(f"building {bot.name} failed; its output ends with:\n{tail}")
        ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        raise BuildError(
            f"bot {bot.name} cannot be built: `{shlex.join(bot.build)}` in {bot.folder} {ended}; "
            f"all it wrote is in {log}",
            tail,
        )
    _keep_stamp(bot, before)


async def _give_signs(bot: BotProgram, report: Callable[[str], None]) -> None:
    while True:
        await asyncio.sleep(_PATIENCE_S)
        report(f"still building {bot.name}: {_tail(build_log(bot), 1).strip()}")


def _program(bot: BotProgram) -> str:
    """The path of the program that builds the bot."""
    found = _found(bot)
    if found is None:
        name = bot.build[0]
        raise BuildError(
            f"there is no program {name!r} here, which is needed to build bot {bot.name}: {manifest_of(bot)} builds it "
            f"with `{shlex.join(bot.build)}`; install {name}, or have it on the PATH"
        )
    return found


def _found(bot: BotProgram) -> str | None:
    name = bot.build[0]
    return shutil.which(str(bot.folder / name) if "/" in name else name, path=_search_path())


async def _run(command: Sequence[str], folder: Path, output: int) -> tuple[int, str]:
    """Run a command to its end; ends all it started, whatever happens. Returns its status, and why it did not run."""
    pipe, pipe_end = os.pipe()
    with os.fdopen(pipe, "rb") as obstacles, tempfile.TemporaryDirectory(prefix="king-build-") as scratch:
        keeper = ("-I", "-S", shim.__file__, "keep", str(os.getpid()), str(pipe_end), "-", str(_GRACE_S), scratch)
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *keeper,
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=folder,
                env={**os.environ, "PATH": _search_path()},
                start_new_session=True,
                pass_fds=(pipe_end,),
            )
        finally:
            os.close(pipe_end)
        try:
            status = await process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
            raise
        return status, obstacles.read().removeprefix(shim.BEGUN).decode("utf-8", "replace").strip()


def _search_path() -> str:
    """The user's PATH behind the programs of this Python's environment, which come first when the bot runs, too."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def _tail(log: Path, count: int) -> str:
    """The last lines of the output; none if the build has removed it."""
    try:
        with log.open("rb") as file:  # a build may write more than fits into memory
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-count:])


def _keep_stamp(bot: BotProgram, before: dict[str, str]) -> None:
    """Note what was built, unless a source was changed meanwhile: then nobody knows what went into it.

    What the build itself adds beside the sources, such as a lock file, counts as a source from now on.
    """
    after = _sources(bot)
    if before.items() <= after.items():
        stamp = _stamp(bot)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(_hash(after), encoding="ascii")


def _stamp(bot: BotProgram) -> Path:
    mark = hashlib.sha256("\0".join(bot.build).encode()).hexdigest()[:12]
    return bot.folder / FOLDER / f"{mark}.built"


def _sources(bot: BotProgram) -> dict[str, str]:
    """The sources by name, each with a hash of its contents and execute permission."""
    found = {}
    for file in source_files(bot.folder):
        mark = b"x" if os.access(file, os.X_OK) else b"-"
        found[file.relative_to(bot.folder).as_posix()] = hashlib.sha256(mark + file.read_bytes()).hexdigest()
    return found


def _hash(sources: dict[str, str]) -> str:
    lines = (f"{name}\0{digest}\n" for name, digest in sources.items())
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
