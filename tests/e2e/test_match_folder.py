"""The folder that `king match` writes to: what it removes there, and what it refuses to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from king_cli.errors import UsageError
from king_cli.match_folder import clear_records


def record(season: int | None) -> str:
    return json.dumps({"context": {"season": season}})


def test_only_records_of_a_match_are_removed(tmp_path: Path) -> None:
    """Old records go, one that was cut off while it was written too; files with other names stay."""
    (tmp_path / "board-0001-rotation-0.json").write_text(record(None))
    (tmp_path / "board-0012-rotation-3.json").write_text("{")
    for name in ("board-0001-rotation-0.json.bak", "record.json", "board-1-rotation-0.json"):
        (tmp_path / name).write_text(record(None))
    assert clear_records(tmp_path) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "board-0001-rotation-0.json.bak",
        "board-1-rotation-0.json",
        "record.json",
    ]


def test_records_of_a_season_are_left_alone(tmp_path: Path) -> None:
    """A folder with an exported season is refused as it is."""
    (tmp_path / "board-0001-rotation-0.json").write_text(record(None))
    (tmp_path / "board-0001-rotation-1.json").write_text(record(7))
    with pytest.raises(UsageError, match=r"rotation-1\.json is a record of a season: choose another folder"):
        clear_records(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    """The folder need not be there."""
    assert clear_records(tmp_path / "build" / "match") == 0
    assert (tmp_path / "build" / "match").is_dir()
