"""The starter kit in Rust does what every kit must do."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.kits import KitSuite
from tests.conformance.referee_script import ScriptedReferee, run_program, serving
from tests.protocol.certificates import ArenaFiles
from workers.bots import BotProgram


class TestRust(KitSuite):
    """The suite, for Rust."""

    name = "rust"

    def test_referee_is_dialled_with_tls(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """TLS would double the time of a build: a bot of this kit that is sent to tls:// says that it has none."""
        files = ArenaFiles(tmp_path)
        with serving(ScriptedReferee(), tmp_path, pair=files.referee) as address:
            done = run_program(bots[0].run, bots[0].folder, address, roots=files.authority.path)
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert "this kit speaks no TLS" in line
