"""Archives at all that unpacks them: zips of strangers, and the tars that builds in a sandbox leave.

Owns what must hold: an archive is refused with a sentence and leaves nothing, or is unpacked within the folder, within
the limits, without links; what a build leaves may have links, and nothing is written through one.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.mutation import TEXTS, change_bytes
from tests.workers.zips import MANIFEST, bot_archive, zipped
from workers.archives import ArchiveError, ArchiveLimits, receive_folder, unpack
from workers.manifests import BotError, read_manifest

LIMITS = ArchiveLimits(archive_bytes=1 << 20, unpacked_bytes=1 << 20, file_bytes=1 << 19, files=60)
_NAMES = (
    *("bot.toml", "bot.py", "BOT.TOML", "bot.toml/", "bot.toml/x", "a/b/c", "a/", "./bot.py", "../x", "/etc/x", "a//b"),
    *(
        "a\\b",
        "C:x",
        "con",
        "nul.txt",
        "a" * 255,
        "a/" * 20 + "x",
        "é",
        "e\u0301",
        "ﬁ",
        "fi",
        "\u202eyp.tob",
        "__MACOSX/x",
    ),
    *(".git/hooks/x", "..", ".", "", " ", "bot.py ", "ß", "ss", "K", "\u212a", "x\u200d", "a/.DS_Store", *TEXTS[:20]),
)
_MARKS = (
    b"PK\3\4",
    b"PK\1\2",
    b"PK\5\6",
    b"PK\6\6",
    b"PK\6\7",
    b"PK\7\x08",
    b"\xff\xff\xff\xff",
    b"\xff\xff",
    b"../",
    b"\0",
)
_TAR_MARK = b"T"
_ZIP_MARK = b"Z"


class Uploads:
    """The surface: the first byte of an input says whether it is a tar or a zip."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._outside = folder / "outside"
        self._outside.mkdir()

    def seeds(self) -> Sequence[bytes]:
        """Good archives, bombs, names that lead elsewhere, directories that lie."""
        bomb = zipped({"bot.toml": MANIFEST.format(name="owl", version="1", build="[]"), "zeros": b"\0" * (5 << 20)})
        good = bot_archive()
        zips = [
            *(
                good,
                bot_archive(data_txt="x" * 1000),
                bomb,
                _overlapping(good),
                good[:-10],
                good[:-22],
                good + b"x" * 70_000,
            ),
            *(
                _lying(good, 24, b"\0\0\0\0"),
                _lying(good, 24, b"\xff\xff\xff\xff"),
                _lying(good, 20, b"\1\0\0\0"),
                b"",
                b"PK\5\6",
            ),
            *(_made_zip(Random(number)) for number in range(30)),
            zipped({f"{number}/": b"" for number in range(100)}),
            _zip64(),
        ]
        return [*(_ZIP_MARK + one for one in zips), *(_TAR_MARK + _made_tar(Random(number)) for number in range(20))]

    def change(self, source: bytes, chance: Random) -> bytes:
        """A new archive with odd members, or an old one with changed bytes."""
        if chance.random() < 0.3:
            return _TAR_MARK + _made_tar(chance) if chance.random() < 0.3 else _ZIP_MARK + _made_zip(chance)
        changed = change_bytes(source[1:], chance, _MARKS)
        if source[:1] == _TAR_MARK and chance.random() < 0.8:
            changed = _with_checksums(changed)
        return source[:1] + changed

    def attempt(self, given: bytes) -> str:
        """Unpack it, and look at what is there."""
        target = self._folder / "target"
        try:
            answer = self._receive(given[1:], target) if given[:1] == _TAR_MARK else self._unpack(given[1:], target)
            self._check_surroundings(target)
            return answer
        finally:
            if os.path.lexists(target):
                shutil.rmtree(target)

    def _unpack(self, archive: bytes, target: Path) -> str:
        try:
            unpack(archive, target, LIMITS)
        except ArchiveError as error:
            if os.path.lexists(target):
                raise WrongAnswerError("a refused archive has left its folder") from error
            return _shown(error)
        _check_unpacked(target)
        try:
            return f"unpacked, {read_manifest(target).version}"
        except BotError as error:
            return f"unpacked, {_shown(error)}".replace(str(target), "")

    def _receive(self, tar: bytes, target: Path) -> str:
        try:
            receive_folder(io.BytesIO(tar), target, most_bytes=LIMITS.unpacked_bytes, most_files=LIMITS.files)
        except ArchiveError as error:
            return _shown(error)
        return "received"

    def _check_surroundings(self, target: Path) -> None:
        there = {path.name for path in self._folder.iterdir()} - {target.name}
        if there != {"outside"} or any(self._outside.iterdir()):
            raise WrongAnswerError(f"something was written outside of the folder: {sorted(there)}")
        for place, _folders, files in os.walk(target):
            for name in files:
                kind = os.lstat(Path(place) / name).st_mode
                if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
                    raise WrongAnswerError(f"{name!a} is a special file")
                if stat.S_IMODE(kind) & (stat.S_ISUID | stat.S_ISGID):
                    raise WrongAnswerError(f"{name!a} may change who it runs as")


def _check_unpacked(target: Path) -> None:
    total = count = 0
    for place, folders, files in os.walk(target):
        for name in (*folders, *files):
            status = os.lstat(Path(place) / name)
            count += 1
            total += status.st_size if stat.S_ISREG(status.st_mode) else 0
            if stat.S_ISLNK(status.st_mode):
                raise WrongAnswerError(f"{name!a} is a link")
    if total > LIMITS.unpacked_bytes or count > LIMITS.files * LIMITS.depth:
        raise WrongAnswerError(f"{count} files with {total} bytes were unpacked")


def _shown(error: Exception) -> str:
    told = str(error)
    if not told.isprintable():
        raise WrongAnswerError(f"a sentence has what cannot be seen: {told[:300]!a}")
    if len(told) > 1500:
        raise WrongAnswerError(f"a sentence of {len(told)} letters")
    return told


def _made_zip(chance: Random) -> bytes:
    """A zip of a bot, with some odd members beside or instead."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        top = chance.choice(("", "", "", "owl/"))
        if chance.random() < 0.9:
            archive.writestr(f"{top}bot.toml", MANIFEST.format(name="owl", version="1", build="[]"))
            archive.writestr(f"{top}bot.py", "print()")
        for _ in range(chance.choice((0, 1, 1, 2, 5, 40))):
            info = zipfile.ZipInfo(top + chance.choice(_NAMES).encode("utf-8", "replace").decode())
            info.create_system = chance.choice((0, 3, 3, 3, 19))
            kind = chance.choice(
                (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_ISUID)
            )
            info.external_attr = (kind | chance.choice((0, 0o644, 0o755, 0o6777))) << 16 | chance.choice((0, 16))
            info.compress_type = chance.choice((0, 8, 8, 8, 12, 14))
            info.extra = chance.choice((b"", b"", b"\1\0\x10\0" + b"\xff" * 16, b"up\5\0\1abcd", chance.randbytes(9)))
            archive.writestr(info, chance.choice((b"", b"x", b"../outside", b"\0" * 600_000, chance.randbytes(3000))))
    made = packed.getvalue()
    return made + chance.randbytes(chance.choice((0, 0, 0, 5, 70_000)))


def _made_tar(chance: Random) -> bytes:
    """What a build might leave: folders, files, links, special files, names that lead elsewhere."""
    packed = io.BytesIO()
    form = chance.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
    with tarfile.open(fileobj=packed, mode="w", format=form) as archive:
        names = ["a", "a/b", "link", "link/x", "bot.py", *_NAMES]
        for _ in range(chance.choice((1, 2, 5, 9))):
            member = tarfile.TarInfo(chance.choice(names).encode("utf-8", "replace").decode().replace("\0", "")[:90])
            member.type = chance.choice(
                (b"0", b"0", b"0", b"5", b"5", b"2", b"2", b"1", b"3", b"4", b"6", b"7", b"S", b"V")
            )
            member.linkname = chance.choice(("../outside", "/etc", "a", "a/b", "../outside/x", ".", "", "x" * 90))
            member.mode = chance.choice((0o644, 0o755, 0o6777, 0))
            content = chance.choice((b"", b"x", chance.randbytes(2000)))
            member.size = len(content) if member.type == b"0" else chance.choice((0, 0, 5, 10**6))
            if form == tarfile.PAX_FORMAT and chance.random() < 0.3:
                key = chance.choice(
                    ("path", "size", "linkpath", "GNU.sparse.major", "GNU.sparse.map", "GNU.sparse.size", "uid")
                )
                member.pax_headers = {key: chance.choice(("../outside/y", "-1", "9" * 30, "x", "1", "0,1,2", "\u00e9"))}
            archive.addfile(member, io.BytesIO(content) if member.type == b"0" else None)
    return packed.getvalue()


def _with_checksums(tar: bytes) -> bytes:
    """A tar whose headers have the checksums that they should have, so that readers look at what they say."""
    blocks = [tar[at : at + 512] for at in range(0, len(tar), 512)]
    for at, block in enumerate(blocks):
        if len(block) == 512 and block[257:262] == b"ustar":
            blanked = block[:148] + b" " * 8 + block[156:]
            blocks[at] = block[:148] + b"%06o\0 " % sum(blanked) + block[156:]
    return b"".join(blocks)


def _lying(archive: bytes, at: int, value: bytes) -> bytes:
    """The archive with another value in the first entry of its directory."""
    place = archive.find(b"PK\1\2")
    return archive[: place + at] + value + archive[place + at + len(value) :]


def _overlapping(archive: bytes) -> bytes:
    """The archive with all entries of its directory at the first file: one content, many names."""
    changed = bytearray(archive)
    place = archive.find(b"PK\1\2")
    while place >= 0:
        changed[place + 42 : place + 46] = struct.pack("<L", 0)
        place = archive.find(b"PK\1\2", place + 1)
    return bytes(changed)


def _zip64() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive, archive.open("bot.toml", "w", force_zip64=True) as file:
        file.write(MANIFEST.format(name="owl", version="1", build="[]").encode())
    return packed.getvalue()


@contextmanager
def open_uploads(folder: Path) -> Iterator[Uploads]:
    """The surface unpacks into a folder of its own."""
    yield Uploads(folder)
