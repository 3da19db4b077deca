"""Golden playthroughs: a whole random match of every preset plays as it always has.

After a wanted change: `python -m tests.playthroughs.transcript`, and review the difference like code.
"""

import pytest

from referee.rules import PRESETS
from tests.playthroughs.transcript import FOLDER, golden_file, transcript

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", PRESETS)
def test_playthrough(preset: str) -> None:
    """The match of a preset is played, scored and told as in its golden file."""
    file = golden_file(preset)
    assert file.exists(), f"{preset} has no playthrough; write it: python -m tests.playthroughs.transcript"
    assert transcript(preset) == file.read_text(encoding="utf-8")


def test_no_playthrough_without_a_preset() -> None:
    """Every golden file belongs to a preset."""
    assert {file.name for file in FOLDER.glob("*.txt")} == {golden_file(preset).name for preset in PRESETS}
