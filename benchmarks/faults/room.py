"""A disk of a league's own that can be filled: memory that is mounted where this process and its children alone see it.

Root alone can do that; without it the league lies on the machine's disk, which nobody fills.
"""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
from pathlib import Path

_CLONE_NEWNS = 0x20000
_FILLER = "filler"


class Room:
    """A folder for a league; `limited`: it can be filled."""

    def __init__(self, folder: Path, *, limited: bool) -> None:
        """`folder` exists."""
        self.folder = folder
        self.limited = limited

    def fill(self) -> None:
        """Take all that is left."""
        with (self.folder / _FILLER).open("wb") as file:
            size = 1 << 24
            while size >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def free(self) -> None:
        """Give it back."""
        (self.folder / _FILLER).unlink(missing_ok=True)

    def close(self) -> None:
        """Give up what was mounted, if anything was."""
        if self.limited:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


def make_room(folder: Path, mebibytes: int) -> Room:
    """A room in `folder`; what is mounted there goes with the last process that sees it."""
    folder.mkdir()
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(_CLONE_NEWNS) != 0:
        return Room(folder, limited=False)
    own = subprocess.run(["mount", "--make-rprivate", "/"], check=False, capture_output=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=700", "tmpfs", str(folder)]
    mounted = own.returncode == 0 and subprocess.run(command, check=False, capture_output=True).returncode == 0
    return Room(folder, limited=mounted)
