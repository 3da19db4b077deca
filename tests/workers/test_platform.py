"""What the parts of the platform are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from king_cli.platform import Platform
from king_cli.settings import Settings
from workers.data_folder import DataFolder


def test_parts_know_only_the_settings_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control key is known to the referee and the workers alone, the store to the dashboard and the workers."""
    monkeypatch.setenv("KING_CONTROL_KEY", "s3cret")
    platform = Platform(settings=Settings(data_dir=tmp_path), worker_count=1, report=print, warn=print)
    folder = DataFolder(tmp_path)
    parts = {part.name: part for group in platform._parts(folder, platform._resolved(folder)) for part in group}
    assert {name for name, part in parts.items() if "s3cret" in part.environment.values()} == {"referee", "worker-1"}
    knowing = {name for name, part in parts.items() if "KING_DATABASE_URL" in part.environment}
    assert knowing == {"dashboard", "worker-1"}
    assert "PATH" in parts["dashboard"].environment
