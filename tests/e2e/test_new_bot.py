"""`king new-bot` writes bots that build and play outside this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from king_cli.kits import KITS
from king_cli.main import run
from tests.e2e.arena import Arena

pytestmark = pytest.mark.slow

REGISTRIES = ("index.crates.io", "registry.npmjs.org", "proxy.golang.org", "repo.maven.apache.org", "https://pypi.org")
OWN_TESTS = {"python": [sys.executable, "-m", "unittest"], "go": ["go", "test", "./..."]}
"""The kits that are played here, one without a build and one with; how their own tests are run."""


def names_in(folder: Path) -> dict[str, str]:
    """The names in the manifests of a folder."""
    return {path.name: tomllib.loads(path.read_text())["name"] for path in folder.glob("*bot.toml")}


def new_bot(language: str, folder: Path, *more: str) -> int:
    return run(["new-bot", "--lang", language, str(folder), *more])


@pytest.mark.parametrize("language", KITS)
def test_kit(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kit is written whole: manifests with the new names, a README, no links, nothing that a build left behind."""
    folder = tmp_path / "owl"
    assert new_bot(language, folder) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:4] == [f"  cd {folder}", "  king match . greedy counter random", "  king check ."]
    names = names_in(folder)
    assert names["bot.toml"] == "owl"
    assert set(names.values()) <= {"owl", "owl-greedy"}
    assert (folder / "README.md").is_file()
    files = list(folder.rglob("*"))
    assert not any(path.is_symlink() for path in files)
    assert not {"build", "target", "node_modules", "__pycache__"} & {path.name for path in files}
    assert [path.name for path in files if path.name.endswith((".lock", "-lock.json"))] == []
    for path in files:
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not any(registry in text for registry in REGISTRIES), path
            assert f"{language}-simple" not in text, path


@pytest.mark.parametrize(
    "language", [language for language, kit in KITS.items() if not kit.folder.startswith("stdio/")]
)
def test_kit_brings_its_protocol(language: str, tmp_path: Path) -> None:
    """Each kit has the protocol as it is now, with its explanations."""
    new_bot(language, tmp_path / "owl")
    here = Path(__file__).parents[2] / "proto" / "king" / "v1" / "arena.proto"
    assert (tmp_path / "owl" / "proto" / "king" / "v1" / "arena.proto").read_bytes() == here.read_bytes()


@pytest.mark.slow
def test_python_kit_needs_nothing_of_ours(tmp_path: Path) -> None:
    """The SDK and the protocol's code that its bots import are those in their folder."""
    new_bot("python", tmp_path / "owl")
    code = "import greedy_bot, simple_bot, king_bot.connection as c; print(c.__file__, c.pb.__file__, sep='\\n')"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "owl", check=True, capture_output=True, text=True
    ).stdout
    assert told.splitlines() == [
        str(tmp_path / "owl" / "king_bot" / "connection.py"),
        str(tmp_path / "owl" / "king" / "v1" / "arena_pb2.py"),
    ]
    needed = (tmp_path / "owl" / "requirements.txt").read_text().split()
    assert [line.partition(">=")[0] for line in needed] == ["grpcio", "protobuf"]
    assert all(line.partition(">=")[2] for line in needed)


@pytest.mark.slow
@pytest.mark.parametrize("language", OWN_TESTS)
def test_kit_plays(language: str, arena: Arena) -> None:
    """What the command says to do next works: both bots of the kit play a board without a fault; its tests pass."""
    tests = OWN_TESTS[language]
    if shutil.which(tests[0]) is None:
        pytest.skip(f"{tests[0]} is not installed")
    folder = arena.folder / "owl"
    arena.king("new-bot", "--lang", language, str(folder))
    result = arena.king_json("match", str(folder), str(folder / "greedy.bot.toml"), "greedy", "random", "--json")
    assert {row["bot"]: row["faults"] for row in result["bots"]} == {
        "owl": 0,
        "owl-greedy": 0,
        "greedy": 0,
        "random": 0,
    }
    done = subprocess.run(tests, cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("owl", "owl"),
        ("my owl", "my owl"),
        ("-.owl", "owl"),
        ("ow\\l", "owl"),
        ("Сова", "Сова"),
        ("o" * 80, "o" * 64),
        ("王" * 64, "王" * 64),
    ],
)
def test_name_from_the_folder(folder: str, name: str, tmp_path: Path) -> None:
    """A bot is called as its folder, without what no name can have; a second one gets a name from that."""
    assert new_bot("python", tmp_path / folder) == 0
    names = names_in(tmp_path / folder)
    assert names == {"bot.toml": name, "greedy.bot.toml": name[:57] + "-greedy"}


def test_name_that_is_given(tmp_path: Path) -> None:
    """A name of one's own may hold quotation marks; code has it without them."""
    assert new_bot("go", tmp_path / "owl", "--name", 'the "owl"') == 0
    assert names_in(tmp_path / "owl")["bot.toml"] == 'the "owl"'
    assert 'Name: "the owl"' in (tmp_path / "owl" / "simple" / "main.go").read_text()


def test_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder may be there already, such as the one that the user is in, if it is empty."""
    (tmp_path / "owl").mkdir()
    monkeypatch.chdir(tmp_path / "owl")
    assert run(["new-bot", "--lang", "python", "."]) == 0
    assert names_in(tmp_path / "owl")["bot.toml"] == "owl"


@pytest.mark.parametrize("alias", ["TypeScript", "stdio", "c++"])
def test_other_names_of_a_language(alias: str, tmp_path: Path) -> None:
    """Languages go by the names that people give them."""
    assert new_bot(alias, tmp_path / "owl") == 0


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("cobol", "new"), ["'cobol'", "python", "cpp", "JSON lines", "king bridge"]),
        (("python", "full"), ["full is not empty", "new or empty"]),
        (("python", "full/file"), ["file is not a folder"]),
        (("python", "new", "--name", "a/b"), ["no slash", "'a/b'"]),
        (("python", "..."), ["--name"]),
    ],
)
def test_wrong_use(
    arguments: tuple[str, ...], parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong and what would be right is told in a line, and nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    language, folder, *more = arguments
    assert new_bot(language, tmp_path / folder, *more) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert all(part in line for part in parts), line
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]


def test_toolchain_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What has to be installed first is said."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert new_bot("go", tmp_path / "owl") == 0
    assert "before that: install go, with which it is built (`go build" in capsys.readouterr().err
