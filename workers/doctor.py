"""Looks whether this machine can do what is asked of a worker: sandboxes with all their limits, clocks, languages.

Only looks and tries; changes nothing. What a finding means for players is in docs/security.md.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from league.model import BotSource, SourceKind
from referee.addresses import is_readable_on_the_way
from referee.rules.compiled import engine_text
from workers.addresses import addresses, bots_address, socket_of
from workers.launcher import LaunchError, Limits
from workers.manifests import BotProgram
from workers.sandbox import BWRAP, Sandbox, SandboxError, SandboxLauncher, detect_sandbox
from workers.toolchains import find_toolchains

_OLDEST_PYTHON = (3, 11)
_MEBIBYTE = 1 << 20
_SEATS = 4
_OPEN_FILES = 1024


class State(StrEnum):
    """How a check came out. Warning: it works, with less protection or comfort. Missing: it does not."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """What came of one check.

    Attributes:
        name: what was looked at.
        state: how it came out.
        detail: what is there.
        advice: what to do; empty if nothing is to be done.
        needed: without it, submitted bots cannot be played at all.
    """

    name: str
    state: State
    detail: str
    advice: str = ""
    needed: bool = False


def examine(referees: Sequence[str], data_dir: Path, *, listening: Sequence[str] = ()) -> Iterator[Finding]:
    """Make all checks, one after the other.

    Args:
        referees: the addresses of each referee that workers here dial, as in KING_REFEREE.
        data_dir: the data folder.
        listening: where parts here listen: the referee, and the dashboard if it speaks plain HTTP, "host:port".
    """
    yield _python()
    yield Finding("rules engine", State.OK, engine_text())
    yield _bubblewrap()
    try:
        sandbox = detect_sandbox((data_dir,))
    except SandboxError as error:
        reason = "the checks of its limits are left out"
        yield Finding("sandbox", State.MISSING, str(error), reason, needed=True)
    else:
        yield _trial(sandbox)
        yield from _walls(sandbox)
        yield from _limits(sandbox)
    yield from map(_way_to_referee, referees)
    yield _encryption((*listening, *(address for referee in referees for address in addresses(referee))))
    yield _cpu_wait()
    yield _memory()
    yield _open_files()
    yield from _languages()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= _OLDEST_PYTHON:
        return Finding("python", State.OK, version)
    return Finding("python", State.MISSING, version, "install Python 3.11 or later", needed=True)


def _bubblewrap() -> Finding:
    program = shutil.which(BWRAP)
    if program is None:
        return Finding("bubblewrap", State.MISSING, "not installed", "install the package bubblewrap", needed=True)
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return Finding("bubblewrap", State.OK, f"{said} ({program})")


def _trial(sandbox: Sandbox) -> Finding:
    """Whether a program runs in a sandbox, with the Python of bots."""
    try:
        with tempfile.TemporaryDirectory(prefix="king-doctor-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            (folder / "referee.sock").touch()
            status = asyncio.run(_run_in(sandbox, folder))
    except LaunchError as error:
        advice = (
            "see that every folder on the way to this Python and to the data folder belongs to root or is open to all"
        )
        return Finding("sandbox", State.MISSING, str(error), advice if sandbox.own_users else "", needed=True)
    if status == 0:
        return Finding("sandbox", State.OK, "a program runs in one, with this Python")
    return Finding("sandbox", State.MISSING, f"a program in one ended with {status}", needed=True)


async def _run_in(sandbox: Sandbox, folder: Path) -> int:
    source = BotSource(kind=SourceKind.ARCHIVE, location="")
    run = ("python", "-c", "import king_bot")
    bot = BotProgram(name="trial", version="1", run=run, folder=folder, variants=(), language="", source=source)
    process = await SandboxLauncher(sandbox, folder / "referee.sock").start(bot, "", Limits())
    return await process.wait()


def _walls(sandbox: Sandbox) -> Iterator[Finding]:
    yield Finding("system calls", State.OK, f"filtered, for {os.uname().machine}")
    if sandbox.own_users:
        yield Finding("users", State.OK, "each seat has a user of the system for itself")
    else:
        advice = "run workers as root to give each seat a user; namespaces part them all the same"
        yield Finding("users", State.WARNING, "all sandboxes run as one user, the worker's", advice)
    if sandbox.user_namespaces:
        yield Finding("user namespaces", State.OK, "each sandbox has one")
    else:
        detail = "off: sandboxes have none, and root makes them"
        yield Finding("user namespaces", State.WARNING, detail, "set user.max_user_namespaces above 0")


def _limits(sandbox: Sandbox) -> Iterator[Finding]:
    groups = sandbox.groups
    kind = f"by control group, version {groups.version}"
    advice = (
        f"{groups.obstacle}; let this user make groups: systemd-run --user --scope -p Delegate=yes king up, or root"
    )
    if groups.limits_memory:
        yield Finding("memory limit", State.OK, kind)
    else:
        detail = (
            "watched five times a second: a bot can go beyond for a moment, and what the kernel holds does not count"
        )
        yield Finding("memory limit", State.WARNING, detail, advice)
    if groups.limits_processes:
        yield Finding("process limit", State.OK, kind)
    else:
        yield Finding("process limit", State.WARNING, "by the limit of each user (RLIMIT_NPROC)", advice)
    if groups.shares_cpu:
        yield Finding("CPU shares", State.OK, f"{kind}, equal for all")
    else:
        detail = "none: a bot with many threads takes CPU from the others; what they wait is given back on their clocks"
        yield Finding("CPU shares", State.WARNING, detail, advice)


def _way_to_referee(referee: str) -> Finding:
    """How bots in sandboxes, which have no network, reach the referee."""
    socket, address = socket_of(referee), bots_address(referee)
    if socket is not None:
        return Finding("way to the referee", State.OK, f"sandboxes get its socket, {socket}")
    if address is not None:
        detail = f"sandboxes get relays to {address}; `king up` adds a socket by itself, which is faster"
        return Finding("way to the referee", State.OK, detail)
    advice = "add where bots dial, such as tls://host:7700"
    return Finding("way to the referee", State.MISSING, f"{referee} is for workers alone", advice, needed=True)


def _encryption(there: Iterable[str]) -> Finding:
    readable = [address for address in dict.fromkeys(there) if is_readable_on_the_way(address)]
    if not readable:
        detail = "what goes to the referee and the dashboard stays on this machine, or is encrypted"
        return Finding("encryption", State.OK, detail)
    advice = (
        "listen at tls:// and mtls://, and set KING_HTTP_CERT, unless something in front of it ends TLS or the network "
        "is your own"
    )
    return Finding("encryption", State.WARNING, f"none at {', '.join(readable)}", advice)


def _cpu_wait() -> Finding:
    if Path("/proc/self/schedstat").is_file():
        return Finding("waiting for a CPU", State.OK, "measured by the kernel, and given back on clocks")
    detail = "the kernel does not tell it: clocks of bots run while they wait for a CPU"
    return Finding("waiting for a CPU", State.WARNING, detail, "use a Linux kernel with CONFIG_SCHED_INFO")


def _memory() -> Finding:
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MEBIBYTE
    wanted = _SEATS * Limits().memory_bytes // _MEBIBYTE
    if there >= wanted:
        return Finding("memory", State.OK, f"{there} MiB")
    detail = f"{there} MiB; four bots may use {wanted} MiB"
    return Finding("memory", State.WARNING, detail, "run fewer workers (KING_WORKERS)")


def _open_files() -> Finding:
    """The referee raises its own limit to the hard one, and needs a file for each bot that is connected."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= _OPEN_FILES:
        return Finding("open files", State.OK, "no limit" if most == resource.RLIM_INFINITY else f"up to {most}")
    advice = f"raise the hard limit of open files to {_OPEN_FILES} or more (ulimit -Hn, LimitNOFILE of systemd)"
    return Finding("open files", State.WARNING, f"up to {most}: the referee needs one for each bot connected", advice)


def _languages() -> Sequence[Finding]:
    return [
        Finding(tool.name, State.OK, f"{tool.version} ({tool.path})")
        if tool.path is not None
        else Finding(tool.name, State.WARNING, f"no {tool.program}", f"install it for bots that need {tool.name}")
        for tool in find_toolchains()
    ]
