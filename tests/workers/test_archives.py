"""Archives of strangers are unpacked whole and safely, or refused with a reason."""

from __future__ import annotations

import io
import os
import random
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from workers.archives import ArchiveError, ArchiveLimits, receive_folder, unpack

MANIFEST = ("bot.toml", b'name = "x"')
SMALL = ArchiveLimits(archive_bytes=100_000, unpacked_bytes=50_000, file_bytes=20_000, files=10, path_bytes=60, depth=4)


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, contents in files:
            archive.writestr(name, contents)
    return packed.getvalue()


def entry(name: str, mode: int, system: int = 3) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = system
    info.external_attr = mode << 16
    return info


@pytest.mark.parametrize("name", ["a" * 3000, "\U0010ffff" * 3000, "\u0301" * 400 + "/x", "../" + "é" * 300])
def test_a_refused_name_is_shown_in_a_line(name: str, tmp_path: Path) -> None:
    """However long a name is and whatever letters it has, the reason stays a sentence, of builds' files too."""
    with pytest.raises(ArchiveError) as error:
        unpack(zipped(MANIFEST, (name, b"")), tmp_path / "bot")
    assert len(str(error.value)) < 1200
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(f"nowhere/{name}"))
    with pytest.raises(ArchiveError) as error:
        receive_folder(io.BytesIO(packed.getvalue()), tmp_path / "built", most_bytes=1000, most_files=10)
    assert len(str(error.value)) < 1200


def test_a_name_of_letters_that_nobody_has_is_told_with_escapes(tmp_path: Path) -> None:
    """Letters that no script has are taken in names; in a reason they are shown by their numbers."""
    archive = zipped(MANIFEST, ("\U0010ffff", b""), method=zipfile.ZIP_LZMA)
    with pytest.raises(ArchiveError) as error:
        unpack(zipped(MANIFEST, (entry("\U0010ffff", stat.S_IFLNK), b"x")), tmp_path / "bot")
    assert str(error.value).startswith("\\U0010ffff is a link")
    with pytest.raises(ArchiveError, match="is packed by a method"):
        unpack(archive, tmp_path / "bot")


def test_files_come_out_as_they_went_in(tmp_path: Path) -> None:
    """Files, folders and the right to execute come out; no other right does."""
    archive = zipped(MANIFEST, (entry("run.sh", 0o104777), b"#!/bin/sh"), ("lib/a/b.txt", b"b"), ("empty/", b""))
    unpack(archive, tmp_path / "bot")
    assert (tmp_path / "bot/lib/a/b.txt").read_bytes() == b"b"
    assert (tmp_path / "bot/empty").is_dir()
    assert stat.S_IMODE((tmp_path / "bot/run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "bot/lib/a/b.txt").stat().st_mode) == 0o644


def test_a_folder_packed_as_a_whole_is_looked_into(tmp_path: Path) -> None:
    """Where all is in one folder, its contents are the bot; what a Mac adds is left out."""
    archive = zipped(("owl/bot.toml", b"1"), ("owl/a", b"2"), ("__MACOSX/owl/._a", b"3"), ("owl/.DS_Store", b"4"))
    unpack(archive, tmp_path / "bot")
    assert sorted(path.name for path in (tmp_path / "bot").iterdir()) == ["a", "bot.toml"]


def test_programs_of_systems_without_rights_can_be_run(tmp_path: Path) -> None:
    """Where the packing system knows no right to execute, what looks like a program has it."""
    files = ((entry("a.sh", 0, system=0), b"#!/bin/sh"), (entry("b.txt", 0, system=0), b"text"))
    unpack(zipped(MANIFEST, *files), tmp_path / "bot")
    assert os.access(tmp_path / "bot/a.sh", os.X_OK)
    assert not (tmp_path / "bot/b.txt").stat().st_mode & 0o111


def bomb_of_overlaps() -> bytes:
    """Many entries that are all the same compressed bytes."""
    archive = bytearray(zipped(MANIFEST, ("a", b"\0" * 19_000)))
    end = archive.rfind(b"PK\5\6")
    start = int.from_bytes(archive[end + 16 : end + 20], "little")
    directory = bytes(archive[start:end])
    second = directory[directory.find(b"PK\1\2", 4) :]
    copies = b"".join(second.replace(b"a", bytes([letter])) for letter in b"bcde")
    count = (6).to_bytes(2, "little")
    size = (len(directory) + len(copies)).to_bytes(4, "little")
    return bytes(archive[:end] + copies + b"PK\5\6" + b"\0" * 4 + count * 2 + size + archive[end + 16 :])


def lying_size() -> bytes:
    """An entry that says it is smaller than it is."""
    archive = zipped(MANIFEST, ("big", b"x" * 30_000))
    return archive.replace((30_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))


REFUSED = {
    "no zip": (b"hello", "is no zip archive"),
    "cut short": (zipped(MANIFEST)[:-30], "is no zip archive"),
    "damaged": (zipped(MANIFEST, method=zipfile.ZIP_STORED).replace(b'"x"', b'"y"', 1), "damaged"),
    "too large": (os.urandom(100_001), "the archive has"),
    "a bomb": (zipped(MANIFEST, ("big", b"\0" * 20_001)), "a file may have"),
    "many small ones": (
        zipped(MANIFEST, *((f"f{n}", b"\0" * 19_000) for n in range(3))),
        "at most 50000 bytes are taken",
    ),
    "overlaps": (bomb_of_overlaps(), "unpacked, the archive has|damaged"),
    "a lie about size": (lying_size(), "damaged|larger than"),
    "too many": (zipped(MANIFEST, *((f"f{n}", b"") for n in range(10))), "11 files and folders; at most 10"),
    "very many": (zipped(MANIFEST, *((f"f{n}", b"") for n in range(400))), "more than 10 files"),
    "above the folder": (zipped(MANIFEST, ("../evil", b"")), "leads somewhere else"),
    "above inside": (zipped(MANIFEST, ("a/../../evil", b"")), "leads somewhere else"),
    "absolute": (zipped(MANIFEST, ("/etc/evil", b"")), "leads somewhere else"),
    "backslashes": (zipped(MANIFEST, ("..\\evil", b"")), "leads somewhere else"),
    "a dot": (zipped(MANIFEST, ("./a", b"")), "leads somewhere else"),
    "a line break": (zipped(MANIFEST, ("a\nb", b"")), "cannot be seen"),
    "right to left": (zipped(MANIFEST, ("a\u202egpj.exe", b"")), "cannot be seen"),
    "a link": (zipped(MANIFEST, (entry("link", 0o120777), b"/etc/passwd")), "is a link"),
    "a pipe": (zipped(MANIFEST, (entry("pipe", 0o010644), b"")), "special file"),
    "a device": (zipped(MANIFEST, (entry("device", 0o020644), b"")), "special file"),
    "the same in capitals": (zipped(MANIFEST, ("Bot.toml", b"")), "the same name"),
    "a file and a folder": (zipped(MANIFEST, ("a", b""), ("a/b", b"")), "a folder of other files"),
    "too long a name": (zipped(MANIFEST, ("a" * 61, b"")), "too long"),
    "too deep": (zipped(MANIFEST, ("a/b/c/d/e", b"")), "too long"),
    "another method": (zipped(MANIFEST, ("a", b"a"), method=zipfile.ZIP_LZMA), "method"),
    "no manifest": (zipped(("a", b""), ("b/bot.toml", b"")), "no bot.toml at its top"),
    "empty": (zipped(), "no bot.toml at its top"),
}


@pytest.mark.parametrize(("archive", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused(archive: bytes, reason: str, tmp_path: Path) -> None:
    """An archive that could do harm, or makes no sense, is refused with the reason, and leaves nothing."""
    with pytest.raises(ArchiveError, match=reason):
        unpack(archive, tmp_path / "bot", SMALL)
    assert list(tmp_path.iterdir()) == []


def test_two_of_one_name(tmp_path: Path) -> None:
    """Two files of the same name are refused: which one counts would depend on who unpacks."""
    with pytest.warns(UserWarning, match="Duplicate"):
        archive = zipped(MANIFEST, MANIFEST)
    with pytest.raises(ArchiveError, match="the same name"):
        unpack(archive, tmp_path / "bot")


def test_encrypted(tmp_path: Path) -> None:
    """An encrypted file is refused."""
    archive = bytearray(zipped(MANIFEST))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        archive[archive.find(mark) + offset] |= 1
    with pytest.raises(ArchiveError, match="encrypted"):
        unpack(bytes(archive), tmp_path / "bot")


def tarred(*members: tuple[str, bytes, str, bytes]) -> io.BytesIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, kind, link, contents in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size, info.mode = kind, link, len(contents), 0o6777
            archive.addfile(info, io.BytesIO(contents))
    packed.seek(0)
    return packed


FILE, FOLDER, LINK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE


def test_what_a_build_left_is_taken(tmp_path: Path) -> None:
    """Files, folders and links of a build come out, without more rights than to execute."""
    pipe = tarred(
        ("a", FOLDER, "", b""), ("a/f", FILE, "", b"x"), ("a/l", LINK, "f", b""), ("p", tarfile.FIFOTYPE, "", b"")
    )
    receive_folder(pipe, tmp_path / "out", most_bytes=100, most_files=10)
    assert (tmp_path / "out/a/f").read_bytes() == b"x"
    assert stat.S_IMODE((tmp_path / "out/a/f").stat().st_mode) == 0o755
    assert (tmp_path / "out/a/l").is_symlink()
    assert not (tmp_path / "out/p").exists()


@pytest.mark.parametrize(
    "members",
    [
        [("l", LINK, "..", b""), ("l/evil", FILE, "", b"x")],
        [("l", LINK, "../evil", b""), ("l", FILE, "", b"x")],
        [("../evil", FILE, "", b"x")],
        [("a", FOLDER, "", b""), ("a/../../evil", FILE, "", b"x")],
        [("/evil", FILE, "", b"x")],
        [("big", FILE, "", b"x" * 101)],
        [(f"f{n}", FILE, "", b"") for n in range(11)],
        [("l", LINK, "", b"")],
        [("n" * 300, FILE, "", b"")],
    ],
    ids=[
        *("through a link", "over a link", "above", "above inside", "absolute", "too large", "too many"),
        *("to nowhere", "too long"),
    ],
)
def test_what_a_build_left_does_no_harm(members: list[tuple[str, bytes, str, bytes]], tmp_path: Path) -> None:
    """A tar that would write elsewhere, or too much, is refused, and nothing is written elsewhere."""
    with pytest.raises(ArchiveError, match="the build has left"):
        receive_folder(tarred(*members), tmp_path / "out", most_bytes=100, most_files=10)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "told", [{"GNU.sparse.map": "x,y"}, {"path": "a\0b"}, {"size": "-511"}], ids=lambda one: next(iter(one))
)
def test_what_a_build_tells_of_its_files_is_not_believed(told: dict[str, str], tmp_path: Path) -> None:
    """Headers that no tar writes are the build's fault, and give nobody more room."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("f")
        info.pax_headers = told
        archive.addfile(info)
    packed.seek(0)
    with pytest.raises(ArchiveError, match="has left"):
        receive_folder(packed, tmp_path / "out", most_bytes=100, most_files=10)


@pytest.mark.parametrize("seed", range(4))
def test_any_damage_to_an_archive_is_its_senders_fault(seed: int, tmp_path: Path) -> None:
    """However bytes are changed, an archive is unpacked or refused: nothing else is raised, and nothing is left."""
    chance = random.Random(seed)
    sound = zipped(MANIFEST, ("ü/é.txt", b"hello" * 20))
    for _ in range(150):
        damaged = bytearray(sound)
        for _change in range(chance.choice((1, 2, 4))):
            place = chance.randrange(len(damaged))
            if chance.random() < 0.8:
                damaged[place] = chance.choice((0, 255, 128, 8, chance.randrange(256)))
            else:
                del damaged[place : place + chance.randrange(1, 30)]
        try:
            unpack(bytes(damaged), tmp_path / "bot")
        except ArchiveError:
            assert list(tmp_path.iterdir()) == []
        else:
            shutil.rmtree(tmp_path / "bot")
