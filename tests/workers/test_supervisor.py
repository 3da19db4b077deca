"""The supervisor keeps its parts running and ends them with itself."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from king_cli.reporting import report_line
from tests.workers.test_launcher import alive
from tests.workers.waiting import wait_until, wait_until_async
from workers.supervisor import Pace, Part, PartError, Supervisor

pytestmark = pytest.mark.slow

SLEEP = "import time; time.sleep(600)"
FAST = Pace(
    first_pause=timedelta(milliseconds=10),
    longest_pause=timedelta(milliseconds=100),
    check_every=timedelta(milliseconds=20),
    stop_grace=timedelta(milliseconds=300),
)


def part(code: str, name: str = "p", check: Callable[[], Awaitable[bool]] | None = None) -> Part:
    return Part(name=name, command=(sys.executable, "-c", code), environment=dict(os.environ), check=check)


def run(folder: Path, scene: Callable[[Supervisor, list[str]], Awaitable[None]]) -> None:
    async def with_supervisor() -> None:
        lines: list[str] = []
        supervisor = Supervisor(folder, lines.append, FAST)
        try:
            await scene(supervisor, lines)
        finally:
            await supervisor.close()

    asyncio.run(with_supervisor())


async def replaced(supervisor: Supervisor) -> None:
    """Kills its part, and waits for the next one."""
    pid = supervisor.pids()["p"]
    os.kill(pid, signal.SIGKILL)
    await wait_until_async(lambda: supervisor.pids().get("p", pid) != pid)


def test_killed_part_runs_again(tmp_path: Path) -> None:
    """A part that was killed is started again, and a line says so."""

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP)])
        first = supervisor.pids()["p"]
        os.kill(first, signal.SIGKILL)
        await wait_until_async(lambda: supervisor.pids().get("p", first) != first)
        await wait_until_async(lambda: len(lines) == 2)
        assert lines[0].startswith("p ended by SIGKILL; starting it again")
        assert lines[1].startswith("p runs again (pid ")

    run(tmp_path, scene)


def test_part_is_kept_on_when_looking_after_it_fails(tmp_path: Path) -> None:
    """When a look at a part raises what nobody foresaw, a line says so, and the part is started again when it ends."""
    broken = False

    async def check() -> bool:
        if broken:
            raise ValueError("no such\nanswer")
        return True

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        nonlocal broken
        await supervisor.start([part(SLEEP, check=check)])
        broken = True
        await wait_until_async(lambda: bool(lines))
        assert lines[0] == "p could not be looked after, and is again: ValueError: no such answer"
        broken = False
        await replaced(supervisor)

    run(tmp_path, scene)


def test_parts_are_kept_where_nothing_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is started again each time it ends, though no line about it can be written, as on a full disk."""

    async def scene() -> None:
        supervisor = Supervisor(tmp_path, report_line, FAST)
        try:
            await supervisor.start([part(SLEEP)])
            for _ in range(2):
                await replaced(supervisor)
        finally:
            await supervisor.close()

    with Path("/dev/full").open("wb", buffering=0) as full:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(full, write_through=True))
        asyncio.run(scene())
        monkeypatch.undo()


def test_part_that_cannot_be_started_for_a_while(tmp_path: Path) -> None:
    """When the system refuses to start a part again, a line says why, and it is tried until it works."""
    log = tmp_path / "p.log"

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP)])
        log.unlink()
        log.mkdir()
        os.kill(supervisor.pids()["p"], signal.SIGKILL)
        await wait_until_async(lambda: len(lines) >= 3)
        assert lines[1].startswith("p could not be started: [Errno 21] Is a directory")
        log.rmdir()
        await wait_until_async(lambda: lines[-1].startswith("p runs again (pid "))

    run(tmp_path, scene)


def test_unwell_part_is_replaced(tmp_path: Path) -> None:
    """A part that runs but fails its health checks again and again is killed and started again."""
    answers = [True, False, False, False]

    async def check() -> bool:
        return answers.pop(0) if answers else True

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP, check=check)])
        first = supervisor.pids()["p"]
        await wait_until_async(lambda: supervisor.pids().get("p", first) != first)
        assert "failed 3 health checks in a row" in lines[0]
        assert not alive(first)

    run(tmp_path, scene)


def test_part_that_stands_still_is_replaced(tmp_path: Path) -> None:
    """A part that a signal has stopped, and nobody lets go on, is killed and started again, checked or not."""

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP)])
        first = supervisor.pids()["p"]
        os.kill(first, signal.SIGSTOP)
        await wait_until_async(lambda: supervisor.pids().get("p", first) != first)
        assert lines[0].startswith("p stands still; starting it again")
        assert not alive(first)

    run(tmp_path, scene)


def test_close_ends_even_what_ignores_sigterm(tmp_path: Path) -> None:
    """Closing ends every part, with SIGKILL if need be."""
    stubborn = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); {SLEEP}"
    pids: list[int] = []

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP, "polite"), part(stubborn, "stubborn")])
        await wait_until_async(lambda: (tmp_path / "stubborn.log").read_text() == "deaf\n")
        pids.extend(supervisor.pids().values())

    run(tmp_path, scene)
    assert len(pids) == 2
    assert not any(alive(pid) for pid in pids)


def test_close_ends_a_part_whose_check_lets_a_cancellation_pass(tmp_path: Path) -> None:
    """Closing ends a part although a health check under way swallows that it is cancelled, as Redis' client may."""
    begun = asyncio.Event()

    async def check() -> bool:
        if not lines_before:
            lines_before.append("well")
            return True
        begun.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(600)
        return True

    lines_before: list[str] = []
    pids: list[int] = []

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        await supervisor.start([part(SLEEP, check=check)])
        pids.extend(supervisor.pids().values())
        await begun.wait()

    run(tmp_path, scene)
    assert len(pids) == 1
    assert not alive(pids[0])


def test_part_that_never_starts(tmp_path: Path) -> None:
    """A part that ends at its first start is an error that says what it wrote last."""

    async def well_never() -> bool:
        return False

    async def scene(supervisor: Supervisor, lines: list[str]) -> None:
        with pytest.raises(PartError, match="p does not start: no cards"):
            await supervisor.start([part("raise SystemExit('no cards')", check=well_never)])

    run(tmp_path, scene)


@pytest.mark.slow
def test_parts_die_with_a_killed_supervisor(tmp_path: Path) -> None:
    """When the supervisor is killed, its parts are too."""
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tests.workers.test_supervisor import SLEEP, part\n"
        "from workers.supervisor import Supervisor\n"
        "async def main():\n"
        "    supervisor = Supervisor(Path(sys.argv[1]), print)\n"
        "    await supervisor.start([part(SLEEP, 'a'), part(SLEEP, 'b')])\n"
        "    print(*supervisor.pids().values(), flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        pids = [int(word) for word in supervisor.stdout.readline().split()]
        supervisor.kill()
        assert len(pids) == 2
        wait_until(lambda: not any(alive(pid) for pid in pids), what="the end of the parts")
