"""Folders short enough for a Unix socket."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from workers.socket_folder import (
    SOCKET_PATH_BYTES,
    NoShortFolderError,
    short_temporary_folder,
    socket_folder,
)


def test_short_temporary_folder_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder that is short enough is the one that is used, and nothing is left in it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
        monkeypatch.setattr(tempfile, "tempdir", scratch)
        with socket_folder("king-match-") as place:
            assert place.parent == Path(scratch)
        assert not list(Path(scratch).iterdir())


def test_long_temporary_folder_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a temporary folder that is too deep a socket is put elsewhere, within what the kernel takes."""
    deep = tmp_path / ("d" * 80)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with socket_folder("king-match-") as place:
        assert len(str(place / "referee.sock")) <= SOCKET_PATH_BYTES
        assert not place.is_relative_to(deep)


def test_nowhere_to_put_a_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no folder will do, the error says which variable to set."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("d" * 80)))
    with pytest.raises(NoShortFolderError, match="set TMPDIR to a folder of at most 67 bytes"):
        short_temporary_folder(elsewhere=["/nowhere"])
