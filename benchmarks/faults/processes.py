"""Who runs: the processes of a platform as /proc shows them, by what they do. Changes nothing.

What is a worker, a horse or a keeper is told by command lines and parents alone, as an operator would tell it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults.schedule import Part
from workers.shim import children, descendants

_WORKER = "-m king_cli worker"
_GONE = (FileNotFoundError, ProcessLookupError, PermissionError)


@dataclass(frozen=True)
class Process:
    """A process, told from later ones with its number by when it began, in ticks since the machine started."""

    pid: int
    began: int

    @property
    def runs(self) -> bool:
        """Whether it is there and not a zombie."""
        return look_up(self.pid) == self and state(self.pid) not in {"Z", "X", ""}


@dataclass(frozen=True)
class BotAtWork:
    """A bot that plays: its process, the keeper above it, and the horse above that."""

    process: Process
    keeper: Process
    horse: Process
    label: str
    """The name of its folder."""


def look_up(pid: int) -> Process | None:
    """The process that has the number now."""
    fields = _stat(pid)
    return Process(pid, int(fields[19])) if fields else None


def state(pid: int) -> str:
    """The letter of a process's state: T is stopped, Z a zombie; empty if it is gone."""
    fields = _stat(pid)
    return fields[0] if fields else ""


def family(top: int) -> list[Process]:
    """A process and all below it that run now."""
    found = (look_up(pid) for pid in (top, *descendants(top)))
    return [process for process in found if process is not None and process.runs]


def parts(top: int, part: Part) -> list[Process]:
    """The processes under `top`, a running `king up`, that are this part."""
    if part is Part.BOT:
        return [bot.process for bot in bots(top)]
    if part is Part.KEEPER:
        return [bot.keeper for bot in bots(top)]
    return [process for process in family(top) if _is(process.pid, part, top)]


def bots(top: int) -> list[BotAtWork]:
    """The bots that play under `top`."""
    found = []
    for horse in parts(top, Part.HORSE):
        for keeper in (look_up(pid) for pid in children(horse.pid) if "shim.py keep" in words(pid)):
            process = next(iter(family(keeper.pid)[1:]), None) if keeper else None
            label = _folder(process.pid) if process else ""
            if keeper and process and label and words(process.pid).endswith("bot.py"):
                found.append(BotAtWork(process, keeper, horse, label))
    return found


def words(pid: int) -> str:
    """The command line of a process; empty if it is gone."""
    with contextlib.suppress(*_GONE):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    return ""


def with_words_in_environment(text: str) -> Iterator[Process]:
    """All processes of the machine that have `text` in their environment."""
    for place in Path("/proc").iterdir():
        with contextlib.suppress(*_GONE):
            if place.name.isdecimal() and text.encode() in (place / "environ").read_bytes():
                process = look_up(int(place.name))
                if process is not None and process.runs:
                    yield process


def _is(pid: int, part: Part, top: int) -> bool:
    said = words(pid)
    match part:
        case Part.SWEEP:
            return pid == top
        case Part.VALKEY:
            return "valkey-server" in said.partition(" ")[0]
        case Part.HORSE:
            return _is_horse(pid)
        case _:
            return said.endswith(f"-m king_cli {part}") and not _is_horse(pid)


def _is_horse(pid: int) -> bool:
    """Whether a process is the fork of a worker, whose words it has, or was started by one at its beginning."""
    said, fields = words(pid), _stat(pid)
    forked = said.endswith(_WORKER) and bool(fields) and words(int(fields[1])).endswith(_WORKER)
    return forked or "main_work_horse" in said


def _folder(pid: int) -> str:
    with contextlib.suppress(*_GONE):
        return Path(f"/proc/{pid}/cwd").readlink().name
    return ""


def _stat(pid: int) -> list[str]:
    with contextlib.suppress(*_GONE):
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return []
