"""Control groups of the kernel, version 1 or 2: finds where groups can be made here, and makes one for each sandbox.

Owns the names of the kernel's files. Starts and ends nothing: `workers.confine` enters the groups, and removes them.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PREFIX: Final = "king-"
_STALE_AFTER_S: Final = 3600.0
_OVERHEAD_TASKS: Final = 4
"""Processes of ours in each group: bubblewrap outside and inside, and what becomes the bot."""


class GroupError(Exception):
    """A group cannot be made, though it could when we looked; the text says why."""


@dataclass(frozen=True)
class Group:
    """The groups of one sandbox.

    Attributes:
        folders: one for each hierarchy; whoever writes its pid into their `cgroup.procs` is in the group.
        memory_events: file and counter of what was killed for want of memory; None where memory is not limited.
        process_events: file and counter of refused processes; None where processes are not limited.
    """

    folders: tuple[Path, ...] = ()
    memory_events: tuple[Path, str] | None = None
    process_events: tuple[Path, str] | None = None

    def remove(self) -> None:
        """Remove the groups; harmless if they are gone.

        Raises:
            OSError: somebody is left in them.
        """
        for folder in self.folders:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()


@dataclass(frozen=True, kw_only=True)
class ControlGroups:
    """Where groups can be made.

    Attributes:
        version: 1 or 2; 0 where none can be made.
        parents: by controller (memory, pids, cpu), the folder in which groups are made; missing: it cannot be limited.
        obstacle: why some or all cannot be made; empty if all can.
    """

    version: int = 0
    parents: Mapping[str, Path] = field(default_factory=dict)
    obstacle: str = ""

    @property
    def limits_memory(self) -> bool:
        """Whether groups here limit memory."""
        return "memory" in self.parents

    @property
    def limits_processes(self) -> bool:
        """Whether groups here limit processes."""
        return "pids" in self.parents

    @property
    def shares_cpu(self) -> bool:
        """Whether groups here get equal shares of the CPUs."""
        return "cpu" in self.parents

    def make(self, *, memory_bytes: int, processes: int) -> Group:
        """Make the groups of one sandbox; without any, nothing is made.

        Raises:
            GroupError: the kernel refused.
        """
        name = f"{PREFIX}{secrets.token_hex(8)}"
        folders = {parent / name for parent in self.parents.values()}
        group = Group(tuple(sorted(folders)), *self._events(name))
        try:
            for folder in group.folders:
                folder.mkdir()
            self._limit(name, memory_bytes, processes + _OVERHEAD_TASKS)
        except OSError as error:
            group.remove()
            raise GroupError(f"control group {error.filename}: {error.strerror}") from None
        return group

    def remove_stale(self) -> None:
        """Remove groups that a killed launcher and keeper have left behind; those in use stay."""
        for parent in set(self.parents.values()):
            for folder in parent.glob(f"{PREFIX}*"):
                with contextlib.suppress(OSError):  # in use, or removed meanwhile
                    if time.time() - folder.stat().st_mtime > _STALE_AFTER_S:
                        folder.rmdir()

    def _events(self, name: str) -> tuple[tuple[Path, str] | None, tuple[Path, str] | None]:
        memory, pids = self.parents.get("memory"), self.parents.get("pids")
        memory_file = "memory.events" if self.version == 2 else "memory.oom_control"
        return (
            (memory / name / memory_file, "oom_kill") if memory else None,
            (pids / name / "pids.events", "max") if pids else None,
        )

    def _limit(self, name: str, memory_bytes: int, tasks: int) -> None:
        if "memory" in self.parents:
            folder = self.parents["memory"] / name
            if self.version == 2:
                (folder / "memory.max").write_text(str(memory_bytes), encoding="ascii")
                _write_if_there(folder / "memory.swap.max", "0")
                _write_if_there(folder / "memory.oom.group", "1")
            else:
                (folder / "memory.limit_in_bytes").write_text(str(memory_bytes), encoding="ascii")
                _write_if_there(folder / "memory.memsw.limit_in_bytes", str(memory_bytes))
        if "pids" in self.parents:
            (self.parents["pids"] / name / "pids.max").write_text(str(tasks), encoding="ascii")


def find_control_groups(proc: Path = Path("/proc")) -> ControlGroups:
    """Where groups can be made here, found out by making one; `proc` is where the kernel tells of mounts and groups."""
    mounts = _mounts(proc)
    own = _own_groups(proc)
    first = _version_1(mounts, own)
    found = first if first.parents else _version_2(mounts, own)
    found.remove_stale()
    return found


def _mounts(proc: Path) -> dict[str, Path]:
    """Mount points by controller of version 1; that of version 2 under the empty name."""
    found: dict[str, Path] = {}
    for line in (proc / "self" / "mounts").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        _, place, kind, options, *_ = line.split(" ")
        if kind == "cgroup":
            found |= dict.fromkeys(options.split(","), Path(place))
        elif kind == "cgroup2":
            found[""] = Path(place)
    return found


def _own_groups(proc: Path) -> dict[str, str]:
    """The groups of this process by controller; that of version 2 under the empty name."""
    found: dict[str, str] = {}
    for line in (proc / "self" / "cgroup").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        _, controllers, place = line.split(":", 2)
        found |= dict.fromkeys(controllers.split(","), place)
    return found


def _version_1(mounts: Mapping[str, Path], own: Mapping[str, str]) -> ControlGroups:
    parents: dict[str, Path] = {}
    obstacles: list[str] = []
    for controller in ("memory", "pids", "cpu"):
        if controller not in mounts or controller not in own:
            obstacles.append(f"the kernel has no control groups for {controller} here")
            continue
        folder = mounts[controller] / own[controller].lstrip("/")
        obstacle = _try(folder if folder.is_dir() else mounts[controller])
        if obstacle:
            obstacles.append(obstacle)
        else:
            parents[controller] = folder if folder.is_dir() else mounts[controller]
    return ControlGroups(version=1 if parents else 0, parents=parents, obstacle="; ".join(obstacles))


def _version_2(mounts: Mapping[str, Path], own: Mapping[str, str]) -> ControlGroups:
    if "" not in mounts or "" not in own:
        return ControlGroups(obstacle="no control groups are mounted here")
    folder = mounts[""] / own[""].lstrip("/")
    # A group with processes in it cannot limit groups below it, so one beside our own is made where that is allowed.
    obstacles: list[str] = []
    for parent in _distinct((folder, folder.parent if folder != mounts[""] else folder, mounts[""])):
        controllers = _controllers(parent)
        obstacle = _try(parent) if {"memory", "pids"} <= controllers else f"{parent} limits no memory and processes"
        if not obstacle:
            parents = dict.fromkeys(sorted(controllers & {"memory", "pids", "cpu"}), parent)
            return ControlGroups(version=2, parents=parents, obstacle="" if "cpu" in parents else "no shares of CPU")
        obstacles.append(obstacle)
    return ControlGroups(obstacle="; ".join(obstacles))


def _distinct(folders: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(folders))


def _controllers(folder: Path) -> set[str]:
    """What the groups below a folder can limit."""
    try:
        return set((folder / "cgroup.subtree_control").read_text(encoding="ascii").split())
    except OSError:
        return set()


def _try(parent: Path) -> str:
    """Make a group and remove it. Returns why that does not work, or an empty text."""
    probe = parent / f"{PREFIX}{secrets.token_hex(8)}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        return f"no group can be made in {parent}: {error.strerror}"
    return ""


def _write_if_there(file: Path, text: str) -> None:
    """For limits that only some kernels have; without them the others still hold."""
    with contextlib.suppress(FileNotFoundError):
        file.write_text(text, encoding="ascii")
