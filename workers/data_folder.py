"""The data folder of one machine: where things lie in it, and that only one supervisor uses it at a time."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from workers.socket_folder import short_temporary_folder

_SOCKET_PATH_LIMIT = 100  # the kernel's is 107 bytes


class FolderError(Exception):
    """The data folder cannot be used; the message says why."""


class DataFolder:
    """A data folder; made when first asked for a place in it."""

    def __init__(self, path: Path) -> None:
        """The folder at `path`, absolute."""
        self.path = path

    def subfolder(self, name: str) -> Path:
        """A folder in it, made if missing.

        Raises:
            FolderError: it cannot be made.
        """
        folder = self.path / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"cannot make the folder {folder}: {error.strerror}") from None
        return folder

    def socket(self, name: str) -> Path:
        """The path of a socket in it, or, if that is too long for the kernel, of one in the temporary folder."""
        path = self.subfolder("run") / f"{name}.sock"
        if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT:
            return path
        mark = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        short = short_temporary_folder() / f"king-{os.getuid()}-{mark}"
        short.mkdir(mode=0o700, exist_ok=True)
        if short.stat().st_uid != os.getuid():
            raise FolderError(f"{short} belongs to somebody else; choose a shorter KING_DATA_DIR")
        return short / f"{name}.sock"

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep every other supervisor off the folder; the kernel ends the lock with the process.

        Raises:
            FolderError: another process has it; the message names its pid.
        """
        path = self.subfolder(".") / "supervisor.pid"
        with path.open("a+", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise FolderError(
                    f"{self.path} is in use by process {file.read().strip() or '?'}: end it first, "
                    "or choose another folder with KING_DATA_DIR"
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield
