"""What the tests of sandboxes share: a sandbox, or a skip with the reason, and bots that were submitted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.store import Store
from tests.workers.stores import new_store
from workers.sandbox import Sandbox, SandboxError, detect_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """What there is for sandboxes on this machine."""
    try:
        return detect_sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    """A folder for a bot, into which every user can look, as those are that archives are unpacked to."""
    folder = tmp_path / "bot"
    folder.mkdir()
    folder.chmod(0o755)
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with new_store(tmp_path) as opened:
        yield opened
