"""The pages of rules under `docs/rules`, written from the rows.

Run as a module it writes every page anew: `python -m tests.rules.rules_pages`.
"""

from pathlib import Path

from referee.rules import PRESETS, VARIANTS, parse_variant
from referee.rules.describing.markdown import rules_page

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def page(base_id: str) -> str:
    """Return the text of a variant's page."""
    presets = [parse_variant(preset) for preset in PRESETS if preset.startswith(f"{base_id}[")]
    return rules_page(parse_variant(base_id), presets)


def page_file(base_id: str) -> Path:
    """Return the file of a variant's page."""
    return FOLDER / f"{base_id}.md"


if __name__ == "__main__":
    for base_id in VARIANTS:
        page_file(base_id).write_text(page(base_id), encoding="utf-8")
        print(page_file(base_id).name)
