"""What the end-to-end tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.arena import Arena


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A platform of the test's own; nothing of it runs yet."""
    return Arena(tmp_path)
