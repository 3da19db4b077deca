"""Holds processes to a share of one core: with the kernel's control groups where they can be made, else by signals.

Owns both ways. Starts and measures nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from workers.bots import BotProgram
from workers.control_groups import ControlGroups, find_control_groups

PERIOD_US: Final = 20_000
"""So long is what a share is a share of: short, so that who is held does not answer late for it."""

_JOIN: Final = 'echo $$ > "$0" && exec "$@"'


class Holder(Protocol):
    """Makes places in each of which a process is held to the share."""

    def place(self) -> Path:
        """A file; the process whose pid is written to it is held from then on."""


def held(program: BotProgram, place: Path) -> BotProgram:
    """The program, held as soon as it starts."""
    return replace(program, run=("sh", "-c", _JOIN, str(place), *program.run))


@contextmanager
def holding(share: float) -> Iterator[Holder]:
    """A holder to a share of a core; when the context is left, all that it held has ended."""
    groups = find_control_groups()
    way = _grouped(groups, share) if groups.shares_cpu else _signalled(share)
    with way as holder:
        yield holder


class _Groups:
    def __init__(self, groups: ControlGroups, share: float) -> None:
        self._parent = groups.parents["cpu"]
        self._version = groups.version
        self._quota_us = round(share * PERIOD_US)
        self.folders: list[Path] = []

    def place(self) -> Path:
        folder = self._parent / f"king-held-{secrets.token_hex(8)}"
        folder.mkdir()
        self.folders.append(folder)
        if self._version == 1:
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US), encoding="ascii")
            (folder / "cpu.cfs_quota_us").write_text(str(self._quota_us), encoding="ascii")
        else:
            (folder / "cpu.max").write_text(f"{self._quota_us} {PERIOD_US}", encoding="ascii")
        return folder / "cgroup.procs"


@contextmanager
def _grouped(groups: ControlGroups, share: float) -> Iterator[_Groups]:
    holder = _Groups(groups, share)
    try:
        yield holder
    finally:
        for folder in holder.folders:
            _remove(folder)


def _remove(folder: Path) -> None:
    for _ in range(100):  # a process that was just reaped may still be counted
        with contextlib.suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.02)
    folder.rmdir()


class _Signals:
    """Lets processes run for their share of each period, and stops them for the rest."""

    def __init__(self, folder: Path, share: float) -> None:
        self._folder = folder
        self._runs_s, self._rests_s = share * PERIOD_US / 1e6, (1 - share) * PERIOD_US / 1e6
        self._places: list[Path] = []
        self._over = threading.Event()

    def place(self) -> Path:
        place = self._folder / str(len(self._places))
        self._places.append(place)
        return place

    def beat(self) -> None:
        while not self._over.is_set():
            pids = self._pids()
            _signal(pids, signal.SIGCONT)
            time.sleep(self._runs_s)
            _signal(pids, signal.SIGSTOP)
            time.sleep(self._rests_s)
        _signal(self._pids(), signal.SIGCONT)

    def end(self) -> None:
        self._over.set()

    def _pids(self) -> list[int]:
        return [int(text) for place in self._places if place.exists() and (text := place.read_text(encoding="ascii"))]


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


@contextmanager
def _signalled(share: float) -> Iterator[_Signals]:
    with tempfile.TemporaryDirectory(prefix="king-") as name:
        holder = _Signals(Path(name), share)
        beating = threading.Thread(target=holder.beat)
        beating.start()
        try:
            yield holder
        finally:
            holder.end()
            beating.join()
