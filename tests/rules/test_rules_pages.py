"""The pages of rules say what the rows say.

After a wanted change: `python -m tests.rules.rules_pages`.
"""

import pytest

from referee.rules import PRESETS, VARIANTS
from tests.rules.rules_pages import FOLDER, page, page_file


@pytest.mark.parametrize("base_id", VARIANTS)
def test_page_of_a_variant(base_id: str) -> None:
    """The page of a variant is written from its row as it is now, its presets included."""
    assert page_file(base_id).read_text(encoding="utf-8") == page(base_id)
    for preset in PRESETS:
        if preset.startswith(f"{base_id}["):
            assert f"`{preset}`" in page(base_id)


def test_index_names_every_preset() -> None:
    """The index names every preset, and there is no page without a variant."""
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    for preset in PRESETS:
        assert f"`{preset}`" in index
    assert {file.stem for file in FOLDER.glob("*.md")} == {*VARIANTS, "README"}
