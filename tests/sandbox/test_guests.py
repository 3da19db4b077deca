"""Bots of every language kit play from within sandboxes."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from referee.server import RefereeServer
from tests.conformance.sittings import Outcome, plan_of
from tests.sandbox.guests import GUESTS, archive_of
from workers.launchers import launcher_for
from workers.manifests import BotProgram
from workers.sandbox import Sandbox
from workers.sitting import Stage, play_sitting
from workers.submitted import SubmittedBots

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

TOOLS: Mapping[str, tuple[str, ...]] = {
    "python": (),
    "java": ("java", "javac", "mvn"),
    "node": ("node", "npm"),
    "cpp": ("c++", "cmake", "grpc_cpp_plugin"),
    "awk": ("mawk",),
    "go": ("go",),
    "rust": ("cargo",),
}


def play(sandbox: Sandbox, programs: Sequence[BotProgram]) -> Outcome:
    """Play some tables among submitted bots, with the referee on a socket."""

    async def scene() -> Outcome:
        with tempfile.TemporaryDirectory(prefix="king-") as folder:
            address = f"unix:{folder}/r.sock"
            server = RefereeServer(address, control_key="key")
            await server.start()
            try:
                outcome = Outcome()
                stage = Stage(referee=address, control_key="key", launcher=launcher_for(address, sandbox))
                plan = plan_of(len(programs), "russian-14", tables=3)
                await play_sitting(plan, programs, stage=stage, sink=outcome)
                return outcome
            finally:
                await server.stop()

    return asyncio.run(scene())


@pytest.mark.parametrize("languages", [("python", "java", "node", "awk"), ("cpp", "go", "rust", "python")], ids=str)
def test_a_sitting_of_guests(languages: tuple[str, ...], sandbox: Sandbox, tmp_path: Path) -> None:
    """Kits of all languages, submitted as archives and built in sandboxes, play a sitting there without a fault."""
    for program in (program for language in languages for program in TOOLS[language]):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    archives = {
        hashlib.sha256(archive).hexdigest(): archive for archive in (archive_of(GUESTS[each]) for each in languages)
    }
    bots = SubmittedBots(tmp_path / "submitted", sandbox, archives.__getitem__)
    programs = [asyncio.run(bots.program(sha256, print)) for sha256 in archives]
    outcome = play(sandbox, programs)
    assert outcome.faults == [], [text for _, _, text in outcome.exits]
    assert len(outcome.records) == 3
    assert [status for _, status, _ in outcome.exits] == [0] * len(languages)
