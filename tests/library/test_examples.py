"""The programs printed in the page on the engine as a library run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "engine-as-a-library.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_page_has_programs() -> None:
    """The page shows a match, a playout, a record and an environment."""
    assert len(PROGRAMS) == 4


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_program_runs(number: int) -> None:
    """A reader who copies a program has one that works."""
    exec(compile(PROGRAMS[number], f"{PAGE.name}[{number}]", "exec"), {})
