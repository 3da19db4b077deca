"""What the Python SDK does beyond what every kit must do (`kits.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from king.v1 import arena_pb2 as pb

from benchmarks.in_process import SAMPLES
from tests.conformance.kits import Heard, request, table_start
from tests.conformance.referee_script import Script, ScriptedReferee, Talk, run_bot, serving

LOWEST = SAMPLES / "lowest" / "bot.py"
CRASHING = Path(__file__).parent / "broken_bots" / "crashing" / "bot.py"


def asking(heard: Heard) -> Script:
    """A stream that asks once."""

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield pb.PlayResponse(messages=[*table_start(5, deal=3), request(5, 71)])
        heard.answers(talk, 1)

    return script


@pytest.mark.slow
def test_name_is_that_of_the_manifest(tmp_path: Path) -> None:
    """A bot says the name and the version that its bot.toml has."""
    heard = Heard()
    with serving(ScriptedReferee(asking(heard)), tmp_path) as address:
        done = run_bot(LOWEST, address)
    assert done.returncode == 0
    assert [(hello.name, hello.version) for hello in heard.hellos] == [("lowest", "1")]


@pytest.mark.slow
def test_exception_of_the_bot_ends_it_with_its_traceback(tmp_path: Path) -> None:
    """What `choose` raises goes to standard error as a traceback, and the status is 1."""
    with serving(ScriptedReferee(asking(Heard())), tmp_path) as address:
        done = run_bot(CRASHING, address)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "in choose" in done.stderr
