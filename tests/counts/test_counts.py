"""Exact numbers of legal lines of every preset.

After a wanted change: `python -m tests.counts.counting`, and review the difference like code.
"""

import json

import pytest

from referee.rules import PRESETS, VARIANTS
from tests.counts.counting import FOLDER, count_file, counts

pytestmark = pytest.mark.slow

QUICK = frozenset(VARIANTS) - {"chooser-12", "classic"}
MARKED = [preset if preset in QUICK else pytest.param(preset, marks=pytest.mark.slow) for preset in PRESETS]


@pytest.mark.parametrize("preset", MARKED)
def test_counts(preset: str) -> None:
    """Every contract and opening of a preset has exactly the legal lines that its count file says."""
    file = count_file(preset)
    assert file.exists(), f"{preset} has no count file; write it: python -m tests.counts.counting"
    assert counts(preset) == json.loads(file.read_text(encoding="utf-8"))


def test_no_counts_without_a_preset() -> None:
    """Every count file belongs to a preset."""
    assert {file.name for file in FOLDER.glob("*.json")} == {count_file(preset).name for preset in PRESETS}
