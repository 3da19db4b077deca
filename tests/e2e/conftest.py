"""What the end-to-end tests share."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.e2e.arena import Arena


@pytest.fixture
def arena(tmp_path: Path) -> Generator[Arena]:
    """A platform of the test's own; nothing of it runs yet."""
    found = Arena(tmp_path)
    yield found
    found.close()
