"""What identifies a bot version: the 32 bytes from which a season's salt is made.

Owns the canonical archive of a bot's folder. Reads files, starts nothing.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

from league.errors import LeagueError

SKIPPED_NAMES = frozenset({"__pycache__", "node_modules", "target", "build", "dist"})
"""Folders that hold what a build leaves behind: not part of the archive, nor is any name that begins with a dot."""


def folder_archive(folder: Path) -> bytes:
    """The folder as an uncompressed tar that depends on names, contents and execute permission alone.

    Raises LeagueError when it is not a folder.
    """
    if not folder.is_dir():
        raise LeagueError(f"{folder} is not a folder: a bot is a folder with a bot.toml")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in source_files(folder):
            member = tarfile.TarInfo(file.relative_to(folder).as_posix())
            contents = file.read_bytes()
            member.size = len(contents)
            member.mode = 0o755 if os.access(file, os.X_OK) else 0o644
            archive.addfile(member, io.BytesIO(contents))
    return packed.getvalue()


def folder_hash(folder: Path) -> str:
    """SHA-256 of the folder's canonical archive, 64 hex digits."""
    return hashlib.sha256(folder_archive(folder)).hexdigest()


def command_hash(owner: str, name: str, version: str) -> str:
    """The hash of a bot without an archive (a command, a remote bot): of owner, name and version joined by newlines."""
    return hashlib.sha256("\n".join((owner, name, version)).encode()).hexdigest()


def source_files(folder: Path) -> tuple[Path, ...]:
    """The files in a folder and below that make a bot what it is, in the order of its archive."""
    return tuple(sorted(_files(folder)))


def _files(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name in SKIPPED_NAMES or entry.suffix == ".pyc":
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _files(entry)
        elif entry.is_file():
            yield entry
