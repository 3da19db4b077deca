"""Unpacks what strangers have packed: archives of bots, and what a build in a sandbox has made.

Trusts nothing in them: sizes are counted, names are checked, and nothing is written outside of the folder that is made.
Builds and starts nothing.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from referee.rules import printable
from workers.manifests import MANIFEST

_MEBIBYTE: Final = 1 << 20
_CHUNK_BYTES: Final = 1 << 16
_END_RECORD: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\5\6"
_END_64_MARK: Final = b"PK\6\7"
_END_64_BYTES: Final = 20
_ENTRY_BYTES: Final = 1024
"""The most that one entry of an archive's directory may take, its name and extra fields included."""

_NAME_FAULTS: Final = frozenset(
    {errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EEXIST, errno.EINVAL, errno.EILSEQ}
)
"""How the system refuses a name, or what a link leads to."""

_SHOWN_LETTERS: Final = 80
_UNIX: Final = 3
_PROGRAMS: Final = (b"#!", b"\x7fELF")
_CONTROLS: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_MAC: Final = frozenset({"__MACOSX", ".DS_Store"})
"""What a Mac adds to every archive."""


class ArchiveError(ValueError):
    """An archive is refused; the text tells its owner what is wrong, where, and what would be right."""


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """How large an archive may be.

    Attributes:
        archive_bytes: the archive itself.
        unpacked_bytes: all files together.
        file_bytes: one file.
        files: how many files and folders.
        path_bytes: a name with its folders, in UTF-8.
        depth: how many folders within each other.
    """

    archive_bytes: int = 32 * _MEBIBYTE
    unpacked_bytes: int = 256 * _MEBIBYTE
    file_bytes: int = 128 * _MEBIBYTE
    files: int = 5000
    path_bytes: int = 240
    depth: int = 16


@dataclass(frozen=True)
class _Entry:
    """A file or folder of an archive: where it goes, and where it comes from."""

    path: PurePosixPath
    info: zipfile.ZipInfo

    @property
    def shown(self) -> str:
        """Its name, fit for a sentence."""
        return printable(str(self.path))


def unpack(archive: bytes, folder: Path, limits: ArchiveLimits | None = None) -> None:
    """Unpack the zip of a bot into `folder`, which is made. If all of it is in one folder, that one's contents count.

    Raises:
        ArchiveError: it is refused, and there is no `folder`.
    """
    limits = limits or ArchiveLimits()
    _check_size(archive, limits)
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            entries = _checked(packed, limits)
            folder.mkdir(mode=0o755)
            try:
                _write(packed, entries, folder, limits)
                _open_to_all(folder)
            except BaseException:
                shutil.rmtree(folder)
                raise
    except ArchiveError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, ValueError) as error:
        raise ArchiveError(f"the archive is damaged, or is no zip: {error}") from None


def _check_size(archive: bytes, limits: ArchiveLimits) -> None:
    if len(archive) > limits.archive_bytes:
        raise ArchiveError(f"the archive has {_size(len(archive))}; at most {_size(limits.archive_bytes)} are taken")
    # Looked at before the library reads the directory: it would hold millions of entries in memory.
    plain_end = archive[-_END_RECORD.size :]
    is_plain = plain_end.startswith(_END_MARK) and plain_end.endswith(b"\0\0")
    place = len(archive) - _END_RECORD.size if is_plain else archive.rfind(_END_MARK)
    if place < 0 or len(archive) - place < _END_RECORD.size:
        raise ArchiveError("the file is no zip archive: pack the bot's folder with `zip -r bot.zip .`")
    if archive[max(0, place - _END_64_BYTES) :].startswith(_END_64_MARK):
        raise ArchiveError("the archive is in the zip64 format, for more or larger files than are taken here")
    if _END_RECORD.unpack_from(archive, place)[5] > limits.files * _ENTRY_BYTES:
        raise ArchiveError(f"the archive has more than {limits.files} files and folders")


def _checked(packed: zipfile.ZipFile, limits: ArchiveLimits) -> list[_Entry]:
    infos = [info for info in packed.infolist() if not _MAC & set(info.filename.split("/"))]
    if len(infos) > limits.files:
        raise ArchiveError(f"the archive has {len(infos)} files and folders; at most {limits.files} are taken")
    entries = [_Entry(_path(info, limits), info) for info in infos]
    for entry in entries:
        _check_kind(entry)
    entries = _without_top_folder(entries)
    _check_distinct(entries)
    _check_sizes(entries, limits)
    if PurePosixPath(MANIFEST) not in {entry.path for entry in entries if not entry.info.is_dir()}:
        raise ArchiveError(f"the archive has no {MANIFEST} at its top, which says how the bot is built and run")
    return entries


def _path(info: zipfile.ZipInfo, limits: ArchiveLimits) -> PurePosixPath:
    name = info.orig_filename
    shown = _shown(name)
    parts = name.removesuffix("/").split("/")
    if len(name.encode("utf-8", "replace")) > limits.path_bytes or len(parts) > limits.depth:
        raise ArchiveError(
            f"the name {shown} is too long: at most {limits.path_bytes} bytes and {limits.depth} folders are taken"
        )
    if "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise ArchiveError(
            f"the name {shown} leads somewhere else: names are relative, with single slashes and without . and .."
        )
    if any(unicodedata.category(letter) in _CONTROLS for letter in name):
        raise ArchiveError(f"the name {shown} has a character that cannot be seen")
    return PurePosixPath(*parts)


def _shown(name: str) -> str:
    """The start of a name, fit to be printed."""
    return ascii(name if len(name) <= _SHOWN_LETTERS else f"{name[:_SHOWN_LETTERS]}…")


def _check_kind(entry: _Entry) -> None:
    info = entry.info
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == _UNIX else 0
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveError(f"{entry.shown} is a link or a special file; pack what it leads to (zip without --symlinks)")
    if info.flag_bits & 0x1:
        raise ArchiveError(f"{entry.shown} is encrypted")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ArchiveError(f"{entry.shown} is packed by a method that is not taken; use deflate, as zip does by itself")


def _without_top_folder(entries: list[_Entry]) -> list[_Entry]:
    tops = {entry.path.parts[0] for entry in entries}
    if len(tops) != 1 or any(len(entry.path.parts) == 1 and not entry.info.is_dir() for entry in entries):
        return entries
    return [_Entry(PurePosixPath(*entry.path.parts[1:]), entry.info) for entry in entries if len(entry.path.parts) > 1]


def _check_distinct(entries: list[_Entry]) -> None:
    """Check that no two are one to any file system, and that no file is a folder of another."""
    seen: dict[str, PurePosixPath] = {}
    for entry in entries:
        other = seen.setdefault(_fold(entry.path), entry.path)
        if other is not entry.path:
            raise ArchiveError(f"{printable(str(other))} and {entry.shown} have the same name, capital letters aside")
    folders = {_fold(parent) for entry in entries for parent in entry.path.parents}
    for entry in entries:
        if not entry.info.is_dir() and _fold(entry.path) in folders:
            raise ArchiveError(f"{entry.shown} is a file, and a folder of other files")


def _fold(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", str(path)).casefold()


def _check_sizes(entries: list[_Entry], limits: ArchiveLimits) -> None:
    total = 0
    for entry in entries:
        total += entry.info.file_size
        if entry.info.file_size > limits.file_bytes:
            raise ArchiveError(
                f"{entry.shown} has {_size(entry.info.file_size)}; a file may have {_size(limits.file_bytes)}"
            )
    if total > limits.unpacked_bytes:
        raise ArchiveError(
            f"unpacked, the archive has {_size(total)}; at most {_size(limits.unpacked_bytes)} are taken"
        )


def _write(packed: zipfile.ZipFile, entries: list[_Entry], folder: Path, limits: ArchiveLimits) -> None:
    left = limits.unpacked_bytes
    for entry in entries:
        target = folder / entry.path
        if entry.info.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(entry.info) as source, target.open("xb") as file:
            start = source.read(4)
            file.write(start)
            left -= len(start) + _copy(source, file, min(left, limits.file_bytes), entry.path)
        target.chmod(0o755 if _is_program(entry.info, start) else 0o644)


def _copy(source: IO[bytes], file: IO[bytes], most: int, path: PurePosixPath) -> int:
    """Copy what is left of a source, and count it: what its archive says of its size may be wrong."""
    copied = 0
    while chunk := source.read(_CHUNK_BYTES):
        copied += len(chunk)
        if copied > most:
            raise ArchiveError(f"{printable(str(path))} is larger than its archive says")
        file.write(chunk)
    return copied


def _is_program(info: zipfile.ZipInfo, start: bytes) -> bool:
    """Whether it may be executed; where the packing system does not tell, what it looks like decides."""
    if info.create_system == _UNIX and info.external_attr >> 16:
        return bool(info.external_attr >> 16 & stat.S_IXUSR)
    return start.startswith(_PROGRAMS)


def receive_folder(pipe: IO[bytes], folder: Path, *, most_bytes: int, most_files: int) -> None:
    """Make `folder` of the tar that a sandbox writes to a pipe.

    Links are kept as they are: what they lead to is looked up in a sandbox, by the bot. Nothing is written through one.

    Raises:
        ArchiveError: it is larger than allowed, or makes no sense; what has been written is left there.
    """
    folder.mkdir(mode=0o755)
    folders = {PurePosixPath()}
    seen = set[PurePosixPath]()
    left = most_bytes
    try:
        with tarfile.open(fileobj=pipe, mode="r|") as archive:
            for member in archive:
                path = PurePosixPath(member.name)
                if path == PurePosixPath():
                    continue
                if path.is_absolute() or ".." in path.parts or path in seen or path.parent not in folders:
                    raise ArchiveError(f"the build has left a name that makes no sense: {_shown(member.name)}")
                seen.add(path)
                left -= member.size
                if member.size < 0 or left < 0 or len(seen) > most_files:
                    raise ArchiveError(
                        f"the build has left more than {most_files} files and folders or {_size(most_bytes)}"
                    )
                if member.isdir():
                    folders.add(path)
                _receive(archive, member, folder / path)
    except ArchiveError:
        raise
    except (tarfile.TarError, ValueError) as error:
        raise ArchiveError(f"what the build has left cannot be read: {error}") from None
    except OSError as error:
        if error.errno not in _NAME_FAULTS:  # a full disk, say, is no fault of the build
            raise
        raise ArchiveError(f"the build has left a name that cannot be written: {error.strerror}") from None
    _open_to_all(folder)


def _receive(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    if member.isdir():
        target.mkdir(mode=0o755)
    elif member.issym():
        target.symlink_to(member.linkname)
    elif member.isreg():
        contents = archive.extractfile(member)
        assert contents is not None
        with target.open("xb") as file:
            for chunk in _chunks(contents):
                file.write(chunk)
        target.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)


def _open_to_all(folder: Path) -> None:
    """Let everybody look into the folders, whatever ours are like by default: a bot has a user of its own."""
    for place, _, _ in os.walk(folder):
        Path(place).chmod(0o755)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def _size(count: int) -> str:
    return f"{count / _MEBIBYTE:.0f} MiB" if count >= _MEBIBYTE else f"{count} bytes"
