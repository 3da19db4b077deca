"""Bots are found by name, folder or command, and what is wrong is said clearly."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from league.model import SourceKind
from workers.bots import BotError, distinct_names, find_bot, from_source, house_names, sample_names

MANIFEST = """
name = "mine"
version = "7"
language = "python"
build = []
run = ["python", "bot.py"]
variants = ["russian-14"]
"""


def write_bot(folder: Path, manifest: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(manifest)
    return folder


def test_every_sample_is_found() -> None:
    """Each sample bot is found by its name."""
    assert {"random", "lowest", "highest", "greedy", "counter", "montecarlo"} <= set(sample_names())
    assert [find_bot(name).name for name in sample_names()] == list(sample_names())


def test_bots_of_a_first_league() -> None:
    """A first league is played by the samples that need nothing but what the arena itself needs."""
    assert house_names() == ("counter", "greedy", "highest", "lowest", "montecarlo", "random")
    assert not any(find_bot(name).build for name in house_names())


def test_folder(tmp_path: Path) -> None:
    """A folder with a bot.toml is a bot, run in that folder, and comes back from what the store keeps."""
    bot = find_bot(str(write_bot(tmp_path / "b", MANIFEST)))
    assert (bot.name, bot.version, bot.run, bot.folder) == ("mine", "7", ("python", "bot.py"), tmp_path / "b")
    assert bot.plays("russian-14")
    assert not bot.plays("turkish-20")
    assert from_source(bot.source, name="mine", version="7") == bot


def test_second_bot_of_a_folder(tmp_path: Path) -> None:
    """A folder has as many bots as manifests; each is given by its path and comes back from the store."""
    folder = write_bot(tmp_path / "b", MANIFEST)
    other = folder / "bold.bot.toml"
    other.write_text(MANIFEST.replace("mine", "bold"))
    bot = find_bot(str(other))
    assert (bot.name, bot.folder) == ("bold", folder)
    assert bot.source != find_bot(str(folder)).source
    assert find_bot(str(folder / "bot.toml")) == find_bot(str(folder))
    assert from_source(bot.source, name="bold", version="7") == bot
    other.unlink()
    with pytest.raises(BotError, match=r"bot bold 7 is gone, or has no bold\.bot\.toml"):
        from_source(bot.source, name="bold", version="7")


def test_folder_with_named_manifests_alone(tmp_path: Path) -> None:
    """Where a folder has no bot.toml, the manifests that it has are told."""
    write_bot(tmp_path / "b", MANIFEST).joinpath("bot.toml").rename(tmp_path / "b" / "x.bot.toml")
    with pytest.raises(BotError, match=r"has no bot\.toml; name one of: .*x\.bot\.toml"):
        find_bot(str(tmp_path / "b"))


def test_file_that_is_no_manifest(tmp_path: Path) -> None:
    """A program is not taken for a manifest; how to give it is said."""
    (tmp_path / "bot.py").write_text("")
    with pytest.raises(BotError, match=r"a manifest is called bot\.toml or NAME\.bot\.toml, and a program is cmd:"):
        find_bot(str(tmp_path / "bot.py"))


def test_program_that_is_still_to_be_built(tmp_path: Path) -> None:
    """The program of a bot with a build command need not be there yet; without one it must."""
    manifest = MANIFEST.replace('"python", "bot.py"', '"./play"')
    bot = find_bot(str(write_bot(tmp_path / "b", manifest.replace("build = []", 'build = ["make", "all"]'))))
    assert bot.build == ("make", "all")
    with pytest.raises(BotError, match=r"run starts with '\./play'"):
        find_bot(str(write_bot(tmp_path / "c", manifest)))


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command is a bot whose program and files are known by absolute paths."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bot.py").write_text("pass")
    bot = find_bot(f"cmd:{sys.executable} 'my bot.py' --fast")
    assert bot.run == (sys.executable, str(tmp_path / "my bot.py"), "--fast")
    assert bot.source.kind is SourceKind.COMMAND
    assert from_source(bot.source, name=bot.name, version="1") == bot


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nobody",
            r"no bot 'nobody': give a sample's name \(.*counter, .*greedy, .*, a folder with a bot.toml, .*, or cmd:",
        ),
        ("cmd:", "cmd: is followed by no command"),
        ("cmd:no-such-program -x", "there is no program 'no-such-program'"),
        ("cmd:'open", "No closing quotation"),
    ],
)
def test_missing_bot(text: str, message: str) -> None:
    """A bot that does not exist is told together with what would be right."""
    with pytest.raises(BotError, match=message):
        find_bot(text)


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (MANIFEST.replace('"mine"', "7"), "name must be a text"),
        (MANIFEST.replace('["python", "bot.py"]', '"python bot.py"'), "run must be a list of texts"),
        (MANIFEST.replace('version = "7"', ""), r'version is missing; write version = "1"$'),
        (MANIFEST.replace('run = ["python", "bot.py"]', ""), r'run is missing; write run = \["python", "bot.py"\]$'),
        (
            MANIFEST.replace('variants = ["russian-14"]', ""),
            r'variants is missing; write variants = \["\*"\] for all, or',
        ),
        (
            MANIFEST.replace('["russian-14"]', '"*"'),
            r'variants must be a list of texts, not "\*"; write variants = \["\*"\]',
        ),
        (
            MANIFEST.replace("russian-14", "russian"),
            r"variants has 'russian', which is no base id; .*; there are russian-14, base-14,",
        ),
        (
            MANIFEST.replace("russian-14", "classic[pack=32]"),
            r"variants has 'classic\[pack=32\]', which is no base id",
        ),
        (MANIFEST.replace("build =", "biuld ="), r"unknown key 'biuld': did you mean build\?"),
        (MANIFEST.replace("variants", "Variant"), r"unknown key 'Variant': did you mean variants\?"),
        (MANIFEST + "[setings]\n", r"unknown key 'setings': did you mean settings\?"),
        (
            MANIFEST + "elo = 7\n",
            r"unknown key 'elo': a manifest has name, version, language, build, run, variants, sett",
        ),
        (MANIFEST + "settings = 7\n", r"settings must be a table, not 7; write a table, \[settings\]"),
        ("name = ", "bot.toml: "),
        (MANIFEST.replace("build = []", 'build = "make"'), "build must be a list of texts"),
        (MANIFEST.replace('["python", "bot.py"]', r'["python", "a\u0000b"]'), "run must be texts without a zero byte"),
        (MANIFEST.replace('"python", "bot.py"', '"no-such-program"'), "run starts with 'no-such-program', which is no"),
        (MANIFEST.replace('"python", "bot.py"', '"bot.py"'), r'no program on the PATH.* is written "\./program"'),
        (MANIFEST.replace('"python", "bot.py"', '"./bot.toml"'), "must be executable"),
        (
            MANIFEST.replace('"python", "bot.py"', '"./play"'),
            "is not there, and nothing builds it, since the manifest has",
        ),
        (MANIFEST.replace('"python", "bot.py"', '"/no/such"'), "run starts with '/no/such'"),
        (MANIFEST.replace('"python", "bot.py"', '""'), "run starts with ''"),
        (MANIFEST.replace('version = "7"', 'version = "1/2"'), "version must have no slash"),
        (MANIFEST + "[settings]\ndeep = " + "[" * 3000, "its values are too deep within each other$"),
        (MANIFEST + "[settings]\nlong = " + "7" * 5000, "a number in it has thousands of digits$"),
        (MANIFEST + "# " + "x" * 65536, "it is larger than 64 KiB; write data into files of their own$"),
    ],
)
def test_wrong_manifest(tmp_path: Path, manifest: str, message: str) -> None:
    """A wrong manifest is told with its path, the field and what would be right, in no words of Python."""
    with pytest.raises(BotError, match=message) as raised:
        find_bot(str(write_bot(tmp_path / "b", manifest)))
    assert str(raised.value).startswith(str(tmp_path / "b" / "bot.toml"))
    assert "None" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../../out", "no slash, backslash or control"),
        (r"a\\b", "no slash, backslash or control"),
        (r"a\u0007", "no slash, backslash or control"),
        (r"a\nb", "no slash, backslash or control"),
        (r"a\u2028b", "no slash, backslash or control"),
        ("..", 'must not start with "-" or "."'),
        ("-rf", 'must not start with "-" or "."'),
        (" a", "start or end with a space"),
        (r"owl\u200b", "no character that cannot be seen"),
        (r"\u202Eowl", "no character that cannot be seen"),
        ("x" * 65, "at most 64 characters"),
        ("\U00010437" * 64, "192 bytes"),
    ],
)
def test_name_that_no_file_can_have(tmp_path: Path, name: str, message: str) -> None:
    """A name that would be harmful in the name of a file is refused, and what would be right is said."""
    with pytest.raises(BotError, match=message):
        find_bot(str(write_bot(tmp_path / "b", MANIFEST.replace("mine", name))))


@pytest.mark.parametrize("name", ["Король 13", "王" * 64, "a.b-c_d#2", "x" * 64])
def test_name_in_any_script(tmp_path: Path, name: str) -> None:
    """A name of up to 64 characters may be in any script."""
    assert find_bot(str(write_bot(tmp_path / "b", MANIFEST.replace("mine", name)))).name == name


def test_settings_are_the_bot_s_own(tmp_path: Path) -> None:
    """A table `settings` may hold anything."""
    assert find_bot(str(write_bot(tmp_path / "b", MANIFEST + "[settings]\ndepth = 3\nany = { thing = [] }\n")))


def test_program_in_the_folder(tmp_path: Path) -> None:
    """A program in the bot's own folder is found there, wherever the command is given."""
    folder = write_bot(tmp_path / "b", MANIFEST.replace('"python", "bot.py"', '"./play"'))
    (folder / "play").write_text("#!/bin/sh\n")
    (folder / "play").chmod(0o755)
    assert find_bot(str(folder)).run == ("./play",)


def test_command_with_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    """The program of a command gives the bot its name, which must be fit for it."""
    program = tmp_path / ".hidden"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(BotError, match=r"the program's name, which is the bot's, must not start"):
        find_bot(f"cmd:{program}")


def test_folder_without_manifest(tmp_path: Path) -> None:
    """A folder without a bot.toml is told as such."""
    with pytest.raises(BotError, match=r"has no bot\.toml"):
        find_bot(str(tmp_path))


def test_bot_given_several_times() -> None:
    """Bots given more than once are told apart by number."""
    greedy, lowest = find_bot("greedy"), find_bot("lowest")
    assert distinct_names([greedy, lowest, greedy, greedy]) == ["greedy", "lowest", "greedy#2", "greedy#3"]
