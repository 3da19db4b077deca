"""The measurements of what a table costs and of referees that are held, on the smallest scale."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from benchmarks.held import held, holding
from benchmarks.table_cost import main as table_cost
from workers.bots import find_bot

pytestmark = pytest.mark.slow


def test_cost_of_a_table_is_measured_at_once_and_one_after_another() -> None:
    """Each number of tables has its CPU time for a decision, and so have the first and the last of a long sitting."""
    found = table_cost(["--sittings", "1,2", "--tables", "25"])
    assert {"at_10_tables_cpu_us", "at_20_tables_cpu_us", "most_tables_ratio", "last_fifth_ratio"} <= found.keys()
    assert all(value > 0 for value in found.values())


def test_held_program_joins_its_place_and_runs(tmp_path: Path) -> None:
    """What is held runs as it would by itself, and leaves nothing behind."""
    program = find_bot("random")
    said = tmp_path / "said"

    async def run() -> Path:
        with holding(0.5) as holder:
            place = holder.place()
            command = held(program, place).run[: -len(program.run)]
            code = f"open({str(said)!r}, 'w').write('ran')"
            process = await asyncio.create_subprocess_exec(*command, sys.executable, "-c", code)
            assert await process.wait() == 0
        return place

    place = asyncio.run(run())
    assert said.read_text(encoding="utf-8") == "ran"
    assert not place.exists()
