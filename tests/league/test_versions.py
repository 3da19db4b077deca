"""What identifies a bot version."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from league.errors import LeagueError
from league.versions import command_hash, folder_hash


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small bot."""
    bot = tmp_path / "bot"
    (bot / "parts").mkdir(parents=True)
    (bot / "bot.py").write_text("print()\n")
    (bot / "parts" / "x.py").write_text("x = 1\n")
    return bot


def test_the_hash_hangs_on_contents_and_names_alone(folder: Path, tmp_path: Path) -> None:
    """A copy has the same hash; what builds and editors leave behind changes nothing."""
    first = folder_hash(folder)
    copy = tmp_path / "elsewhere"
    folder.rename(copy)
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"\0")
    (copy / ".venv").mkdir()
    (copy / ".venv" / "big").write_text("x")
    (copy / "loop").symlink_to(copy)
    assert folder_hash(copy) == first
    assert len(first) == 64


@pytest.mark.parametrize("change", ["contents", "name", "mode", "more"])
def test_any_change_of_a_bot_changes_its_hash(folder: Path, change: str) -> None:
    """Contents, names, the execute permission and new files count."""
    before = folder_hash(folder)
    match change:
        case "contents":
            (folder / "bot.py").write_text("print(1)\n")
        case "name":
            (folder / "bot.py").rename(folder / "bot2.py")
        case "mode":
            (folder / "bot.py").chmod(0o755)
        case _:
            (folder / "more.txt").write_text("")
    assert folder_hash(folder) != before


def test_a_bot_without_an_archive_is_named() -> None:
    """Owner, name and version joined by newlines."""
    assert command_hash("ann", "owl", "2") == hashlib.sha256(b"ann\nowl\n2").hexdigest()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    """The error says what a bot is."""
    with pytest.raises(LeagueError, match=r"is not a folder: a bot is a folder with a bot\.toml"):
        folder_hash(tmp_path / "none")
