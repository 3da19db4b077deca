"""A league on ten hosts of this machine is none the worse for cut wires, lost power and crashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.faults.processes import with_words_in_environment
from tests.hosts.network import why_impossible
from tests.postgresql import is_installed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SEED = 1622
"""Of the eight it draws, two are of each way; database, queue, a referee, a worker and a dashboard are struck."""


@pytest.mark.timeout(600)
def test_league_on_many_hosts(tmp_path: Path) -> None:
    """Each planned match is stored once, nobody is blamed, both dashboards show one ladder, and nothing is left."""
    if not is_installed():
        pytest.skip("no PostgreSQL in /usr/lib/postgresql or on the PATH (Debian: apt install postgresql)")
    why_not = why_impossible()
    if why_not:
        pytest.skip(why_not)
    options = ("--strikes", "8", "--pause", "3", "--seed", str(SEED), "--boards", "12")
    done = subprocess.run(
        [sys.executable, "-m", "tests.hosts", *options],
        cwd=ROOT,
        env=os.environ | {"HOSTS_OF": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 faults: " in done.stdout
    assert "BREACH" not in done.stdout
    assert list(with_words_in_environment(str(tmp_path))) == []
