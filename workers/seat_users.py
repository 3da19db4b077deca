"""Users of the system for sandboxes: each seat gets one of its own while it is played, from a range that nobody has.

A user here is only a number: none is entered anywhere. A lock on a file says that one is taken; the kernel gives it up
with the last process that holds the file, so nothing has to be cleaned up after a crash.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FIRST: Final = 300_000
COUNT: Final = 4096
"""In a range that Linux distributions leave free: above what people and services get, below what containers get."""


class NoUserError(Exception):
    """All users are taken, or the locks cannot be kept."""


@dataclass(frozen=True)
class SeatUser:
    """A user that is taken as long as somebody holds `lock`, a file descriptor."""

    number: int
    lock: int


@contextlib.contextmanager
def take_user(folder: Path | None = None) -> Iterator[SeatUser]:
    """Take a user that nobody else has; whoever inherits the lock keeps it taken after the context.

    Raises:
        NoUserError: there is none.
    """
    locks = folder or Path(tempfile.gettempdir()) / f"king-seats-{os.getuid()}"
    locks.mkdir(mode=0o700, exist_ok=True)
    if locks.stat().st_uid != os.getuid():
        raise NoUserError(f"{locks} belongs to somebody else, who could take all users of sandboxes: remove it")
    user = _take(locks)
    try:
        yield user
    finally:
        os.close(user.lock)


def _take(locks: Path) -> SeatUser:
    start = random.randrange(COUNT)  # so that not all look at the same taken ones first
    for offset in range(COUNT):
        number = FIRST + (start + offset) % COUNT
        lock = os.open(locks / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return SeatUser(number, lock)
    raise NoUserError(f"all {COUNT} users of sandboxes are taken (locks in {locks})")
