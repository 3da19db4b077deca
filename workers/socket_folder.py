"""Folders short enough for a Unix socket: the kernel takes a path of 107 bytes, whatever the temporary folder is.

Owns the choice of the folder. Makes no socket.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SOCKET_PATH_BYTES = 107
"""The longest path of a Unix socket."""

_NAME_BYTES = 40  # for the folder's and the socket's own names
_ELSEWHERE = ("/tmp", "/var/tmp")


class NoShortFolderError(Exception):
    """There is no folder short enough for a socket; the message says which variable to set."""


@contextmanager
def socket_folder(prefix: str) -> Iterator[Path]:
    """A new folder for sockets with names of at most 16 bytes, removed at the end.

    Its name begins with `prefix`, of at most 16 bytes.

    Raises:
        NoShortFolderError: neither the temporary folder nor the usual ones are short enough and can be written to.
    """
    with tempfile.TemporaryDirectory(prefix=prefix, dir=short_temporary_folder()) as place:
        yield Path(place)


def short_temporary_folder(elsewhere: Sequence[str] = _ELSEWHERE) -> Path:
    """The temporary folder, or, if a socket in it would have too long a path, the first of `elsewhere` that will do.

    Raises:
        NoShortFolderError: none does.
    """
    wanted = tempfile.gettempdir()
    for place in (wanted, *elsewhere):
        if len(os.fsencode(place)) <= SOCKET_PATH_BYTES - _NAME_BYTES and os.access(place, os.W_OK | os.X_OK):
            return Path(place)
    raise NoShortFolderError(
        f"the temporary folder {wanted} is too long for a Unix socket, and {' and '.join(elsewhere)} cannot be "
        f"written to: set TMPDIR to a folder of at most {SOCKET_PATH_BYTES - _NAME_BYTES} bytes"
    )
