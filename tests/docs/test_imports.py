"""The import contracts cover every module they should, and the command line loads little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_rules_are_kept_from_every_other_module_of_the_referee() -> None:
    """A new module of the referee is added to the contract that keeps the rules engine pure."""
    contract = (ROOT / ".importlinter").read_text(encoding="utf-8")
    for module in (ROOT / "referee").glob("*.py"):
        if module.stem != "__init__":
            assert f"\n    referee.{module.stem}\n" in contract, f".importlinter does not list referee.{module.stem}"


def test_the_command_line_loads_little() -> None:
    """`king --help` loads none of what only some commands need, for every process of a league begins by it."""
    code = "import sys; from king_cli.main import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "king_cli.match_commands" in loaded
    heavy = {"grpc", "google.protobuf", "asyncio", "numpy", "sqlalchemy", "pydantic", "structlog", "rich"}
    assert heavy.isdisjoint(loaded)
    assert {"referee.rules", "league.model", "league.store", "workers.referee_client"}.isdisjoint(loaded)
