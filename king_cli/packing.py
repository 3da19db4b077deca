"""Packs a bot's folder as it is sent to an arena: the same folder gives the same archive.

Owns what is left out. Reads files, sends and starts nothing.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from king_cli.errors import UsageError
from league.versions import SKIPPED_NAMES
from workers.bots import MANIFEST

_NEVER = frozenset({".git", ".hg", ".svn", ".venv", "__pycache__", ".DS_Store"})
_SETTINGS = frozenset({".cargo", ".npmrc"})
_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The time that every file of an archive has: the format knows no earlier one."""


def archive_of(place: Path, *, whole: bool = False) -> bytes:
    """The archive of a folder, or a zip file as it is.

    Left out of a folder is what builds leave behind, and what begins with a dot (but for settings of toolchains);
    `whole` keeps both, but for what is never of use elsewhere.

    Raises:
        UsageError: it is neither, or there is no bot.toml at its top.
    """
    if place.is_file():
        return _checked(place, place.read_bytes())
    if not place.is_dir():
        raise UsageError(f"there is no folder and no zip file {place}")
    if not (place / MANIFEST).is_file():
        raise UsageError(f"the folder {place} has no {MANIFEST}, which says how the bot is built and run")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(_files(place, whole=whole)):
            info = zipfile.ZipInfo(file.relative_to(place).as_posix(), _BEGINNING)
            info.external_attr = (0o755 if os.access(file, os.X_OK) else 0o644) << 16
            info.create_system = 3  # Unix: the permissions above count
            archive.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _checked(place: Path, content: bytes) -> bytes:
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise UsageError(f"{place} is no zip archive: give the bot's folder, or a zip of it")
    return content


def _files(folder: Path, *, whole: bool) -> Iterator[Path]:
    for entry in folder.iterdir():
        if _is_left_out(entry.name, whole=whole):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _files(entry, whole=whole)
        elif entry.is_file():
            yield entry


def _is_left_out(name: str, *, whole: bool) -> bool:
    if whole:
        return name in _NEVER
    is_hidden = name.startswith(".") and name not in _SETTINGS
    return is_hidden or name in SKIPPED_NAMES or name.endswith(".pyc")
