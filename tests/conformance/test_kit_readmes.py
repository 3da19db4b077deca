"""What the READMEs of the kits show is true of the kits: no toolchain is needed to see that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from king_cli.kits import KITS
from workers.bots import SAMPLES

FOLDERS = sorted({SAMPLES / kit.folder for kit in KITS.values()})
COMPILED = {
    "cpp": "tests/idea_test.cpp",
    "go": "simple/idea_test.go",
    "java": "src/test/java/king/bots/IdeaTest.java",
    "kit": "test_bots.py",
    "node": "test/idea.test.ts",
    "rust": "tests/idea.rs",
}
"""By the name of a kit's folder, the test that has the README's idea in it."""

each_kit = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def readme(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


@each_kit
def test_first_lines_name_the_file_to_change(folder: Path) -> None:
    """A README begins with the file to change, by its path."""
    first = readme(folder).split("\n\n")[1]
    named = re.match(r"The file to change is \[`([^`]+)`\]\(([^)]+)\)", first)
    assert named is not None, first
    assert named[1] == named[2]
    assert (folder / named[1]).is_file()


@each_kit
def test_links_lead_somewhere(folder: Path) -> None:
    """Every file that a README links to is in its kit."""
    prose = "".join(readme(folder).split("```")[::2])
    targets = re.findall(r"\]\((?!https?://)([^)]+)\)", prose)
    assert [target for target in targets if not (folder / target).exists()] == []


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_idea_is_one_that_a_test_compiles(name: str) -> None:
    """The code of the idea stands in the kit's own tests, line by line."""
    (folder,) = (folder for folder in FOLDERS if folder.name == name)
    idea = readme(folder).split("## An idea", 1)[1].split("```")[1]
    lines = [line.strip() for line in idea.splitlines()[1:] if line.strip()]
    tested = [line.strip() for line in (folder / COMPILED[name]).read_text(encoding="utf-8").splitlines()]
    assert "\n".join(lines) in "\n".join(tested)
