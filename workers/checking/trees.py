"""Looks at the processes of a bot while it plays: which there are, and which files they hold open for writing.

It sees by looking every few milliseconds, so what is opened and closed in between is not seen.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from workers.shim import descendants

LOOK_EVERY_S: Final = 0.02

_PROC = Path("/proc")
_NOT_FILES: Final = ("/dev/", "/proc/", "/memfd:")
_DELETED: Final = " (deleted)"
_STATE_FIELD: Final = 0
_STARTED_FIELD: Final = 19
"""Places in /proc/PID/stat after the command's name; see proc(5)."""


class TreeWatch:
    """What was seen of the processes below one process."""

    def __init__(self, root: int, *, allowed: tuple[Path, ...] | None) -> None:
        """Look below `root` (a pid); files below the folders `allowed` may be written. None: do not look at files."""
        self.written: dict[str, int] = {}
        """Files outside of the allowed folders that were open for writing, and the pid that had them open."""
        self._root = root
        self._looks_at_files = allowed is not None
        self._allowed = tuple(str(folder.resolve()) for folder in allowed or ())
        self._started: dict[int, str] = {}

    def look(self) -> None:
        """Look once."""
        for pid in descendants(self._root):
            started = _stat(pid)[_STARTED_FIELD:][:1]
            if started:
                self._started[pid] = started[0]
                if self._looks_at_files:
                    self._look_at_files(pid)

    def survivors(self) -> list[int]:
        """The pids of processes that were seen and live still."""
        return [pid for pid, started in self._started.items() if _lives(pid, started)]

    def stopped(self) -> list[int]:
        """The pids of processes that a signal has stopped."""
        return [pid for pid in descendants(self._root) if _stat(pid)[:1] == ["T"]]

    def _look_at_files(self, pid: int) -> None:
        try:
            descriptors = list((_PROC / str(pid) / "fd").iterdir())
        except OSError:
            return  # it has ended, or lets nobody look
        for descriptor in descriptors:
            path = _file_open_for_writing(pid, descriptor)
            if path and not self._is_allowed(path):
                self.written.setdefault(path, pid)

    def _is_allowed(self, path: str) -> bool:
        return any(path.startswith(f"{folder}/") for folder in self._allowed)


def _file_open_for_writing(pid: int, descriptor: Path) -> str:
    """The path of a file, or an empty text for everything else."""
    try:
        target = str(descriptor.readlink())
        if not target.startswith("/") or target.startswith(_NOT_FILES) or target.endswith(_DELETED):
            return ""
        lines = (_PROC / str(pid) / "fdinfo" / descriptor.name).read_text(encoding="ascii").splitlines()
    except OSError:
        return ""  # it was closed while we looked
    flags = next((int(line.split()[1], 8) for line in lines if line.startswith("flags:")), os.O_RDONLY)
    is_writable = flags & os.O_ACCMODE != os.O_RDONLY
    return target if is_writable and Path(target).is_file() else ""


def _lives(pid: int, started: str) -> bool:
    fields = _stat(pid)
    return fields[_STARTED_FIELD:][:1] == [started] and fields[_STATE_FIELD] != "Z"


def _stat(pid: int) -> list[str]:
    """The fields after the command's name; none if the process is gone."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
