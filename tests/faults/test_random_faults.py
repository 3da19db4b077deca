"""A few random faults in a small league, as `python -m benchmarks.faults` makes hundreds in a large one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SEED = 16275
"""Of the seven it draws, one is of each: a bot, its keeper, a horse, a worker, the referee, Valkey and the database."""


def test_a_few_faults_come_to_nothing(tmp_path: Path) -> None:
    """Seven parts of a league are struck while it plays: no match is lost or counts twice, nobody else is blamed."""
    league = ("--matches", "24", "--boards", "8", "--variant", "classic[seats=3]")
    options = ("--faults", "7", "--pause", "0.8", "--seed", str(SEED), *league)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.faults", *options, "--folder", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 faults are made" in done.stderr
    assert "BREACH" not in done.stdout
    assert list(tmp_path.iterdir()) == []
