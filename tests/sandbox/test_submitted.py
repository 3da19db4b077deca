"""Archives become programs: unpacked, built in a sandbox, kept for the next sitting."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import time
from datetime import timedelta
from pathlib import Path

import pytest

from league.model import BotSource, SourceKind
from tests.sandbox.submitted_bots import run_to_end
from tests.workers.test_archives import entry, zipped
from workers.archives import ArchiveError
from workers.building import BuildError
from workers.manifests import BotError, BotProgram
from workers.sandbox import Sandbox
from workers.sandbox_building import BuildLimits
from workers.submitted import SubmittedBots

pytestmark = pytest.mark.slow

MANIFEST = """
name = "guest"
version = "1"
language = "sh"
build = {build}
run = ["./build/bot"]
variants = ["*"]
"""


class Shelf:
    """Archives by their hashes, and the bots made of them."""

    def __init__(self, folder: Path, sandbox: Sandbox, limits: BuildLimits | None = None) -> None:
        self.archives: dict[str, bytes] = {}
        self.said: list[str] = []
        self.folder = folder / "submitted"
        self.bots = SubmittedBots(self.folder, sandbox, self.archives.__getitem__, build_limits=limits)

    def add(self, script: str, *, build: str = '["sh", "build.sh"]') -> str:
        files = (("bot.toml", MANIFEST.format(build=build).encode()), (entry("build.sh", 0o755), script.encode()))
        archive = zipped(*files)
        sha256 = hashlib.sha256(archive).hexdigest()
        self.archives[sha256] = archive
        return sha256

    async def program(self, sha256: str) -> BotProgram:
        return await self.bots.program(sha256, self.said.append)

    def make(self, sha256: str) -> BotProgram:
        return asyncio.run(self.program(sha256))


GOOD = (
    "mkdir build; echo compiling; printf '#!/bin/sh\\ncat sources; pwd' >build/bot; chmod +x build/bot; echo 1 >sources"
)


def test_built_once_and_run(sandbox: Sandbox, tmp_path: Path) -> None:
    """An archive is built in a sandbox, its program runs in one, and a second call finds it made."""
    shelf = Shelf(tmp_path, sandbox)
    sha256 = shelf.add(GOOD)
    bot = shelf.make(sha256)
    assert bot.source == BotSource(kind=SourceKind.ARCHIVE, location=sha256)
    assert bot.build == ()
    assert asyncio.run(run_to_end(sandbox, bot.folder, *bot.run)) == (0, "1\n/bot\n")
    assert shelf.make(sha256) == bot
    assert len(shelf.said) == 1
    assert shelf.bots.build_log(sha256) == "compiling\n"
    assert asyncio.run(shelf.bots.manifest(sha256)).build == ("sh", "build.sh")


def test_built_once_however_many_ask(sandbox: Sandbox, tmp_path: Path) -> None:
    """Several who ask at once get the same program, and one of them builds it."""
    shelf = Shelf(tmp_path, sandbox)
    sha256 = shelf.add(GOOD)

    async def scene() -> None:
        assert (
            len({(await made).folder for made in [asyncio.create_task(shelf.program(sha256)) for _ in range(3)]}) == 1
        )

    asyncio.run(scene())
    assert len(shelf.said) == 1


def test_forgotten(sandbox: Sandbox, tmp_path: Path) -> None:
    """What is forgotten is gone from the disk, and is made again when it is asked for."""
    shelf = Shelf(tmp_path, sandbox)
    sha256 = shelf.add(GOOD)
    folder = shelf.make(sha256).folder
    shelf.bots.forget(sha256)
    assert not folder.exists()
    assert shelf.bots.build_log(sha256) == ""
    assert shelf.make(sha256).folder.exists()


def test_what_nobody_needs_is_deleted(sandbox: Sandbox, tmp_path: Path) -> None:
    """Bots and logs of archives that are deleted, and what a killed process was making; what is being made stays."""
    shelf = Shelf(tmp_path, sandbox)
    kept, deleted = shelf.add(GOOD), shelf.add(f"{GOOD}; echo more")
    for sha256 in (kept, deleted):
        shelf.make(sha256)
    failed = shelf.add("echo no; exit 1")
    with pytest.raises(BuildError):
        shelf.make(failed)
    abandoned, new = (shelf.folder / f".{kept}.{name}" for name in ("0000", "0001"))
    for workshop in (abandoned, new):
        (workshop / "source").mkdir(parents=True)
    days_ago = time.time() - 2 * 86_400
    os.utime(abandoned, (days_ago, days_ago))
    shelf.bots.forget_others(lambda hashes: frozenset(hashes) & {kept})
    assert {path.name for path in shelf.folder.iterdir() if path.suffix != ".lock"} == {
        kept,
        f"{kept}.build.log",
        new.name,
    }


def test_a_build_that_fails(sandbox: Sandbox, tmp_path: Path) -> None:
    """A build that fails is told with its status and the end of its output, and leaves nothing behind."""
    shelf = Shelf(tmp_path, sandbox)
    sha256 = shelf.add("echo no such header >&2; exit 3")
    with pytest.raises(BuildError, match=r"bot guest cannot be built: `sh build.sh` ended with status 3") as caught:
        shelf.make(sha256)
    assert caught.value.output == "no such header"
    assert shelf.bots.build_log(sha256) == "no such header\n"
    assert not [path for path in shelf.folder.iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("sleep 600", "took more than 2 s"),
        ("mkdir build; cat /dev/zero >build/bot", "ended with status"),
        ("mkdir build; head -c 30000000 /dev/urandom >build/bot; sleep 0.1", "the build has left more than"),
        ("mkdir build; cd build; for i in $(seq 300); do echo >$i; done", "the build has left more than"),
        ("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo $x | wc", "ended|signal"),
        ("mkdir build", "is not there"),
        ("(sleep 600) & mkdir build; exit 5", "ended with status 5"),
        ("no-such-compiler", "ended with status 127"),
    ],
    ids=["time", "disk", "large result", "many results", "memory", "no program", "left running", "no compiler"],
)
def test_builds_are_limited(script: str, reason: str, sandbox: Sandbox, tmp_path: Path) -> None:
    """A build that takes too much of anything, or makes no program, fails for that reason."""
    mebibyte = 1 << 20
    limits = BuildLimits(
        time=timedelta(seconds=2 if "took more" in reason else 60),
        memory_bytes=128 * mebibyte,
        disk_bytes=50 * mebibyte,
        result_bytes=20 * mebibyte,
        result_files=100,
    )
    shelf = Shelf(tmp_path, sandbox, limits)
    with pytest.raises(BotError, match=reason):
        shelf.make(shelf.add(script))


def test_builds_have_no_network_and_see_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    """A build finds no network, no referee and nothing of this machine beyond its runtime."""
    (tmp_path / "secret").write_text("s", encoding="ascii")
    shelf = Shelf(tmp_path, sandbox)
    looks = f"ls {tmp_path} /root/.ssh /home/* 2>/dev/null; ls /run/king; echo ${{KING_TOKEN-none}}; cat /proc/net/dev"
    script = f"{looks}; {GOOD.replace('echo compiling;', '')}"
    said = shelf.bots.build_log(shelf.make(shelf.add(script)).source.location)
    assert "secret" not in said
    assert "seat.py\nnone\n" in said
    assert [line.split(":")[0].strip() for line in said.splitlines() if ":" in line] == ["lo"]


def test_a_build_cannot_change_what_was_submitted_as(sandbox: Sandbox, tmp_path: Path) -> None:
    """The manifest that counts is the archive's, whatever the build makes of it."""
    shelf = Shelf(tmp_path, sandbox)
    bot = shelf.make(shelf.add(f"{GOOD}; rm bot.toml; ln -s /etc/passwd bot.toml"))
    assert bot.name == "guest"
    assert not (bot.folder / "bot.toml").is_symlink()


def test_a_bot_without_a_build(sandbox: Sandbox, tmp_path: Path) -> None:
    """A bot that needs no build is unpacked; one whose program is not there is refused."""
    shelf = Shelf(tmp_path, sandbox)
    with pytest.raises(BotError, match=r"\./build/bot.*is not there"):
        shelf.make(shelf.add("", build="[]"))


def test_an_archive_of_another_hash(sandbox: Sandbox, tmp_path: Path) -> None:
    """An archive that is not the one that was asked for is never unpacked."""
    shelf = Shelf(tmp_path, sandbox)
    sha256 = shelf.add(GOOD)
    shelf.archives[sha256] += b"x"
    with pytest.raises(ArchiveError, match="has another hash"):
        shelf.make(sha256)


def test_a_compiler_works_in_the_sandbox(sandbox: Sandbox, tmp_path: Path) -> None:
    """A build can compile and link with what is installed here, and the program runs."""
    if shutil.which("c++") is None:
        pytest.skip("there is no C++ compiler")
    program = '#include <cstdio>\nint main() { puts("compiled"); }'
    shelf = Shelf(tmp_path, sandbox)
    bot = shelf.make(shelf.add(f"mkdir build; echo '{program}' >bot.cpp; c++ -o build/bot bot.cpp"))
    assert asyncio.run(run_to_end(sandbox, bot.folder, *bot.run)) == (0, "compiled\n")


def test_two_launchers_one_program(sandbox: Sandbox, tmp_path: Path) -> None:
    """What is kept on the disk is left as it is by the bots that run from it."""
    shelf = Shelf(tmp_path, sandbox)
    bot = shelf.make(shelf.add(f"{GOOD}; printf '#!/bin/sh\\necho 2 >sources; touch new; cat sources' >build/bot"))
    for _ in range(2):
        status, said = asyncio.run(run_to_end(sandbox, bot.folder, *bot.run))
        assert (status, said.splitlines()[-1]) == (0, "1")
