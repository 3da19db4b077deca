"""Bots are built when their sources have changed, once, in the open, and never half."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workers.waiting import wait_until
from workers.bots import BotError, BotProgram, find_bot
from workers.building import BuildError, build_bots, build_bots_async, build_log, is_built
from workers.shim import descendants

pytestmark = pytest.mark.slow

COUNT_AND_COPY = "echo built >> build/count; cp source build/play; chmod +x build/play"


def bot_built_by(folder: Path, script: str = COUNT_AND_COPY, *, name: str = "bot.toml") -> BotProgram:
    """A bot that a shell script builds, with a source; made in `folder` or added there."""
    folder.mkdir(exist_ok=True)
    (folder / "source").write_text("#!/bin/sh\n")
    (folder / name).write_text(
        f'name = "mine"\nversion = "1"\nlanguage = "sh"\nbuild = ["sh", "-ec", {script!r}]\n'
        'run = ["./build/play"]\nvariants = ["*"]\n'
    )
    return find_bot(str(folder / name))


def build(bot: BotProgram) -> list[str]:
    """Build, and return what was reported."""
    said: list[str] = []
    build_bots([bot], said.append)
    return said


def building_command(bot: BotProgram) -> list[str]:
    """What builds it in another process, with its words on standard output."""
    imports = "from workers.bots import find_bot; from workers.building import build_bots"
    say = "lambda text: print(text, flush=True)"
    return [sys.executable, "-c", f"{imports}; build_bots([find_bot({str(bot.folder)!r})], {say})"]


def count(bot: BotProgram) -> int:
    """How often it was built."""
    return len((bot.folder / "build" / "count").read_text().split())


def test_built_once(tmp_path: Path) -> None:
    """The first call builds, with a word for people; the second finds nothing to do, in a copy of the folder too."""
    bot = bot_built_by(tmp_path / "b")
    assert not is_built(bot)
    assert build(bot) == [f"building mine (sh -ec {shlex.quote(COUNT_AND_COPY)})"]
    assert is_built(bot)
    assert build(bot) == []
    assert count(bot) == 1
    bot.folder.rename(tmp_path / "elsewhere")
    assert is_built(find_bot(str(tmp_path / "elsewhere")))


@pytest.mark.parametrize("change", ["source", "more", "mode", "program"])
def test_built_again_after_a_change(tmp_path: Path, change: str) -> None:
    """A changed or new source, its execute permission, and a program that is gone have the bot built again."""
    bot = bot_built_by(tmp_path / "b")
    build(bot)
    match change:
        case "source":
            (bot.folder / "source").write_text("#!/bin/sh\nexit\n")
        case "more":
            (bot.folder / "more").write_text("")
        case "mode":
            (bot.folder / "source").chmod(0o755)
        case _:
            (bot.folder / "build" / "play").unlink()
    build(bot)
    assert count(bot) == 2
    assert is_built(bot)


def test_another_command_is_another_build(tmp_path: Path) -> None:
    """Two bots of a folder with one command are built together; one with a command of its own is built for itself."""
    first = bot_built_by(tmp_path / "b")
    second = bot_built_by(tmp_path / "b", name="second.bot.toml")
    third = bot_built_by(tmp_path / "b", f"{COUNT_AND_COPY}; true", name="third.bot.toml")
    build_bots([first, second], lambda _: None)
    assert count(first) == 1
    build(third)
    assert count(first) == 2
    assert is_built(first)
    assert is_built(third)


def test_what_a_build_adds_beside_the_sources(tmp_path: Path) -> None:
    """A lock file that the first build writes does not have the bot built again."""
    bot = bot_built_by(tmp_path / "b", f"{COUNT_AND_COPY}; touch Some.lock")
    build(bot)
    assert is_built(bot)


def test_source_changed_while_it_is_built(tmp_path: Path) -> None:
    """When a source changes during the build, nobody knows what went into it, so the bot is built once more."""
    bot = bot_built_by(tmp_path / "b", f"{COUNT_AND_COPY}; echo exit >> source")
    build(bot)
    assert not is_built(bot)


def test_build_that_fails(tmp_path: Path) -> None:
    """The error has the status and the log's path, the report the end of the output; the next call tries again."""
    bot = bot_built_by(tmp_path / "b", "seq 100; echo oh no >&2; exit 3")
    said: list[str] = []
    with pytest.raises(BuildError, match=r"bot mine cannot be built: `sh -ec .*` in .* ended with status 3") as caught:
        build_bots([bot], said.append)
    assert str(build_log(bot)) in str(caught.value)
    assert caught.value.output.splitlines() == [*(str(number) for number in range(82, 101)), "oh no"]
    assert said[1] == f"building mine failed; its output ends with:\n{caught.value.output}"
    assert build_log(bot).read_text().splitlines()[0] == "1"
    assert not is_built(bot)


def test_failed_build_of_sources_that_were_built(tmp_path: Path) -> None:
    """After a build that failed, going back to the sources built before builds again: what lies there is mixed."""
    bot = bot_built_by(tmp_path / "b", f"test ! -e broken; {COUNT_AND_COPY}")
    build(bot)
    (bot.folder / "broken").touch()
    with pytest.raises(BuildError):
        build(bot)
    (bot.folder / "broken").unlink()
    assert not is_built(bot)


def test_toolchain_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A builder that is not installed is named, with what it is needed for."""
    bot = bot_built_by(tmp_path / "b")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        BuildError, match=r"there is no program 'sh' here, which is needed to build bot mine: .*bot\.toml"
    ):
        build(bot)


def test_build_that_cannot_be_run(tmp_path: Path) -> None:
    """Why the system does not run a builder is told."""
    bot = bot_built_by(tmp_path / "b")
    script = tmp_path / "b" / "make-it"
    script.write_text("#!/no/such/shell\n")
    script.chmod(0o755)
    manifest = tmp_path / "b" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"sh", "-ec"', '"./make-it"'))
    bot = find_bot(str(manifest))
    with pytest.raises(BuildError, match="ended with status 127") as caught:
        build(bot)
    assert "No such file or directory" in caught.value.output


def test_build_that_makes_no_program(tmp_path: Path) -> None:
    """A build that succeeds without making the program is told as such."""
    with pytest.raises(BotError, match=r"run starts with '\./build/play', which is not there, though build \("):
        build(bot_built_by(tmp_path / "b", "true"))


def test_environment_of_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build has the user's environment and runs in the bot's folder; its `python` is the one that bots get."""
    monkeypatch.setenv("MY_PROXY", "here")
    bot = bot_built_by(tmp_path / "b", f"{COUNT_AND_COPY}; pwd; echo $MY_PROXY; command -v python")
    build(bot)
    assert build_log(bot).read_text().splitlines() == [
        str(bot.folder),
        "here",
        str(Path(sys.executable).parent / "python"),
    ]


def test_long_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that takes long gives signs of life, with what it said last."""
    monkeypatch.setattr("workers.building._PATIENCE_S", 0.05)
    bot = bot_built_by(tmp_path / "b", f"echo step 1; until test -e build/go; do sleep 0.02; done; {COUNT_AND_COPY}")

    def let_go(text: str) -> None:
        if text == "still building mine: step 1":
            (bot.folder / "build" / "go").touch()

    build_bots([bot], let_go)
    assert is_built(bot)


@pytest.mark.slow
def test_processes_at_once(tmp_path: Path) -> None:
    """Of several processes that want the same bot, one builds it and the others wait for it."""
    bot = bot_built_by(tmp_path / "b", f"until test -e build/go; do sleep 0.02; done; {COUNT_AND_COPY}")
    words = tmp_path / "words"
    with words.open("a") as output:
        processes = [subprocess.Popen(building_command(bot), stdout=output) for _ in range(3)]
    wait_until(lambda: words.read_text().count("waiting for another process that builds mine") == 2)
    (bot.folder / "build" / "go").touch()
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert count(bot) == 1
    assert words.read_text().count("building mine") == 1


def test_build_given_up(tmp_path: Path) -> None:
    """A build that is cancelled, as by Ctrl-C, ends with all that it started, and counts as not done."""
    bot = bot_built_by(tmp_path / "b", "setsid sleep 1000 & echo $! > build/pid; wait")

    async def give_up() -> None:
        task = asyncio.create_task(build_bots_async([bot], lambda _: None))
        while not (bot.folder / "build" / "pid").exists():  # noqa: ASYNC110 (another process makes it)
            await asyncio.sleep(0.01)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    before = set(descendants(os.getpid()))  # what earlier tests keep for their process
    asyncio.run(give_up())
    assert set(descendants(os.getpid())) <= before
    assert not is_built(bot)


@pytest.mark.slow
def test_build_whose_king_is_killed(tmp_path: Path) -> None:
    """A build does not outlive the process that wanted it."""
    bot = bot_built_by(tmp_path / "b", "setsid sleep 1000 & echo $! > build/pid; wait")
    process = subprocess.Popen(building_command(bot), stdout=subprocess.DEVNULL)
    pid = bot.folder / "build" / "pid"
    wait_until(lambda: pid.exists() and pid.read_text().strip() != "")
    process.kill()
    process.wait()
    wait_until(lambda: not Path(f"/proc/{int(pid.read_text())}").exists())


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be written, the error says what to do."""
    bot = bot_built_by(tmp_path / "b")

    def refuse(self: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BuildError, match="Permission denied; copy the folder to a place of your own"):
        build(bot)


def test_output_without_end_is_shown_from_its_end(tmp_path: Path) -> None:
    """Of a failed build that wrote one endless line, no more is read than can be shown."""
    bot = bot_built_by(tmp_path / "b", "head -c 5000000 /dev/zero | tr '\\0' x; echo y; exit 1")
    with pytest.raises(BuildError) as raised:
        build(bot)
    assert raised.value.output.endswith("xy")
    assert len(raised.value.output) < 20_000


@pytest.mark.parametrize("is_link", [False, True])
def test_file_in_place_of_the_build_folder_is_named(tmp_path: Path, is_link: bool) -> None:
    """Where a file, or a link to nowhere, is called "build", the author is told what is in the way."""
    bot = bot_built_by(tmp_path / "b")
    place = bot.folder / "build"
    if is_link:
        place.symlink_to("nowhere")
    else:
        place.write_text("mine")
    with pytest.raises(BuildError, match="build is not a folder"):
        build(bot)
