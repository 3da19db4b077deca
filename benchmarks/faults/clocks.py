"""Wall clocks of single processes that jump: a small library, made here with the machine's compiler and preloaded.

Owns the file of jumps. Nothing of the platform knows of it.
"""

from __future__ import annotations

import mmap
import os
import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

_SOURCE = Path(__file__).with_name("clock.c")
_WORD = struct.Struct("=q")


class Clocks:
    """How far the wall clock of each process is ahead, in seconds."""

    def __init__(self, folder: Path, compiler: str) -> None:
        """Make library and file in `folder`."""
        self._library, self._file = folder / "clock.so", folder / "clocks"
        command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(self._library), str(_SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
        pids = int(Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii"))
        with self._file.open("wb") as file:
            file.truncate(pids * _WORD.size)
        with self._file.open("r+b") as file:
            self._jumps = mmap.mmap(file.fileno(), 0)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process, and all that it starts, needs in its environment."""
        return {"LD_PRELOAD": str(self._library), "FAULTS_CLOCKS": str(self._file)}

    def jump(self, pid: int, seconds: int) -> None:
        """Put the clock of a process ahead of the machine's; 0: right again."""
        _WORD.pack_into(self._jumps, pid * _WORD.size, seconds)


def make_clocks(folder: Path) -> Clocks | None:
    """Clocks that can jump; None where there is no compiler for C."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    return Clocks(folder, compiler) if compiler else None
