"""A referee of a benchmark's own: a real `referee.server` in a process of its own, and what it says of its sittings.

Owns the process and the reading of its log. Knows nothing of what is measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from workers.launcher import SHIM
from workers.referee_client import FaultSeen

CONTROL_KEY = "benchmark"
_START_LIMIT_S = 60.0
_CPU_OF_PROCESS = 2
"""How Linux names the clock of another process's CPU time (see clock_getcpuclockid)."""
_ENDED = re.compile(r"sitting ends.*")
_FIELD = re.compile(r"(\w+)=('[^']*'|\S+)")


@dataclass(frozen=True, kw_only=True)
class RefereeProcess:
    """A referee that runs.

    Attributes:
        address: where it listens.
        pid: of its process.
        log: the file of what it says.
    """

    address: str
    pid: int
    log: Path

    def sittings_ended(self) -> list[Mapping[str, str]]:
        """What its log says of each sitting that has ended, by name."""
        text = self.log.read_text(encoding="utf-8")
        return [dict(_FIELD.findall(line)) for line in _ENDED.findall(text)]

    def cpu_s(self) -> float:
        """The CPU time that it has used until now."""
        return time.clock_gettime(~self.pid << 3 | _CPU_OF_PROCESS)

    def memory_bytes(self) -> int:
        """Its anonymous memory at this moment."""
        return memory_bytes(self.pid)


@asynccontextmanager
async def running_referee(folder: Path, *, compiled: Path | None = None) -> AsyncIterator[RefereeProcess]:
    """A referee that listens on a socket in `folder`, where its log is too; ended when the context is left.

    `compiled`: a folder with the compiled engine, which it then uses (see `compile_engine`).
    """
    address, log = f"unix:{folder}/referee.sock", folder / "referee.log"
    environment = {**os.environ, "KING_CONTROL_KEY": CONTROL_KEY, "NO_COLOR": "1"}
    if compiled is not None:
        environment |= {"PYTHONPATH": str(compiled), "PYTHONSAFEPATH": "1"}
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(*SHIM, "exec", str(os.getpid())),  # it dies with us, however we end
            *(sys.executable, "-m", "referee.server", "--address", address),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env=environment,
            start_new_session=True,
        )
    assert process.stdout is not None
    try:
        said = await asyncio.wait_for(process.stdout.readline(), _START_LIMIT_S)
        if not said:
            raise RuntimeError(f"the referee does not start: {log.read_text(encoding='utf-8')[-2000:]}")
        yield RefereeProcess(address=address, pid=process.pid, log=log)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await process.wait()


def memory_bytes(pid: int) -> int:
    """The anonymous memory of a process: what it holds by itself, whoever else has mapped the same libraries."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/{pid}/smaps_rollup has no line Anonymous")


@dataclass
class KeptFaults:
    """What a sitting hands over, of which the faults are kept; who wants results keeps them too."""

    faults: list[FaultSeen] = field(default_factory=list)

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """Keep a fault."""
        del number
        self.faults.append(fault)

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """Show what went wrong."""
        if exit_status > 0:
            sys.stderr.write(text)
