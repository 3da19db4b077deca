"""Reads the files of records that a command is given; must not look into them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from king_cli.errors import UsageError

SIZE_LIMIT_MIB = 64


def check_record_file(path: Path) -> None:
    """Check that `read_record_file` can read a file.

    Raises:
        UsageError: it is no regular file, or too large.
        OSError: it cannot be opened.
    """
    os.close(_opened(path))


def read_record_file(path: Path) -> bytes:
    """What is in a file.

    Raises:
        UsageError: it is no regular file, or too large.
        OSError: it cannot be opened or read.
    """
    with open(_opened(path), "rb") as file:
        return file.read()


def _opened(path: Path) -> int:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a FIFO that nobody writes must not block
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is no regular file: give a match record, a JSON file")
        if status.st_size > SIZE_LIMIT_MIB << 20:
            raise UsageError(
                f"{path} has {status.st_size} bytes: give a match record, which has at most {SIZE_LIMIT_MIB} MiB"
            )
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
