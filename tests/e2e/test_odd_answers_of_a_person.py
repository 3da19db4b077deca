"""What a person, or a file in place of one, may type at the table of `king match` without breaking it."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from king_bot import Action, ActionKind, card

from king_cli.human.player import chosen_action
from king_cli.human.terminal import Terminal
from tests.e2e.arena import DEADLINE_S, Arena

ACTIONS = [Action(ActionKind.PLAY, card=card(text)) for text in ("TH", "KS", "2D")]


def test_number_of_any_length_is_read() -> None:
    """A number that is too long for any action names none."""
    assert chosen_action("9" * 5000, ACTIONS) is None


def test_line_of_any_length_is_read(tmp_path: Path) -> None:
    """A line takes no more room and time as it grows; the one after it is read as ever."""
    with tempfile.TemporaryFile("w+") as source, (tmp_path / "out").open("w", encoding="utf-8") as sink:
        source.write("x" * (8 << 20) + "\n2\n")
        source.seek(0)
        terminal = Terminal(source, sink)
        assert len(terminal.ask("> ")) < 10_000
        assert terminal.ask("> ") == "2"
        terminal.close()


@pytest.mark.slow
def test_person_without_an_input_is_told(arena: Arena) -> None:
    """Where standard input is closed, nobody can play: wrong use, in one line."""
    command = shlex.join([sys.executable, "-m", "king_cli", "match", "human", "greedy", "greedy", "random"])
    done = subprocess.run(
        ["sh", "-c", f"exec {command} <&-"],
        cwd=arena.folder,
        env=arena.environment,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "king: a person needs a standard input to type on, and it is closed\n"
