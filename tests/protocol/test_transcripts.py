"""The transcripts in `docs/` are what the referee says today, and cover every kind of decision and message.

After a wanted change: `python -m tests.protocol.transcripts`, and review the difference like code.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from google.protobuf import json_format
from king.v1 import arena_pb2 as pb

from king_cli.bridge.reading import read_line
from tests.protocol.transcripts import DOCS, FOLDER, GUIDE, SCENES, Scene, pages

made_anew = cache(pages)
PAGES = [*(FOLDER / f"{scene.name}.md" for scene in SCENES), GUIDE]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_page_is_what_the_referee_says(page: Path) -> None:
    """Made anew, the page is as it stands."""
    assert page.read_text(encoding="utf-8") == made_anew()[page], "write it: python -m tests.protocol.transcripts"


def test_no_transcript_without_a_scene() -> None:
    """Every page of the folder is one that is made, and the guide leads to each."""
    assert {page.name for page in FOLDER.iterdir()} == {f"{scene.name}.md" for scene in SCENES}
    guide = GUIDE.read_text(encoding="utf-8")
    assert [scene.name for scene in SCENES if f"(transcripts/{scene.name}.md)" not in guide] == []


def lines(page: Path) -> list[tuple[str, str]]:
    """The lines of a transcript as the pipe has them, each with its direction."""
    text = page.read_text(encoding="utf-8").split("```\n")[1]
    return [(line[:3], line[4:]) for line in re.sub(r"\n +", "", text).splitlines()]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_lines_of_transcripts_are_frames(scene: Scene) -> None:
    """With its line breaks taken out, each line of a transcript is a frame of the protocol."""
    for direction, line in lines(FOLDER / f"{scene.name}.md"):
        if direction == "<--":
            assert json_format.Parse(line, pb.PlayResponse()).messages
        else:
            assert direction == "-->"
            assert read_line(line.encode()).messages


def test_every_kind_of_action_is_taken_in_some_transcript() -> None:
    """Over all transcripts our bot is seen to take every kind of action but passing, which others are seen to do."""
    assert {kind for scene in SCENES for kind in scene.ours} | {"PASS"} == {
        name.removeprefix("ACTION_KIND_") for name in pb.ActionKind.keys()[1:]
    }
    assert any('"action":{"kind":"ACTION_KIND_PASS"' in line for page in PAGES[:-1] for _, line in lines(page))
