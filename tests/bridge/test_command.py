"""The command behind the bridge: what is written to it while another thread ends it."""

from __future__ import annotations

import sys
import threading

import pytest

from king_cli.bridge.command import Command

DEAF = (sys.executable, "-c", "import time; time.sleep(60)")
SWALLOWING = ("sh", "-c", "cat > /dev/null")


def end(command: Command) -> None:
    """Stop it, and read its streams to their ends, which closes them."""
    command.stop()
    assert list(command.lines()) == []
    assert command.last_words() == ""


def test_a_line_for_an_ended_input_is_a_broken_pipe() -> None:
    """Who writes after another thread has ended the command learns that, as of a command that closed its input."""
    command = Command(SWALLOWING)
    end(command)
    with pytest.raises(BrokenPipeError):
        command.write(b"{}\n", is_wanted=lambda: True)


@pytest.mark.parametrize("words", [SWALLOWING, DEAF], ids=["reads", "deaf"])
def test_a_writer_learns_of_an_end_meanwhile(words: tuple[str, ...]) -> None:
    """An end by another thread breaks the pipe of the one that writes, also while it waits for room."""
    command = Command(words)
    begun, ends = threading.Event(), []

    def write_on() -> None:
        try:
            while True:
                command.write(bytes(1 << 15), is_wanted=lambda: True)
                begun.set()
        except BrokenPipeError as error:
            ends.append(error)

    writer = threading.Thread(target=write_on)
    writer.start()
    begun.wait()
    end(command)
    writer.join()
    assert len(ends) == 1
