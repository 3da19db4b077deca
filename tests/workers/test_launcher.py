"""Bots run as trees of processes that end with their parent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from league.model import BotSource, SourceKind
from tests.workers.waiting import wait_until, wait_until_async
from workers.bots import BotProgram
from workers.kept import KeeperLostError
from workers.launcher import LaunchError, Limits, LocalLauncher, LocalProcess
from workers.shim import LEFT_RUNNING

pytestmark = pytest.mark.slow

SLEEPER = "import os, sys, time; print(os.getpid(), flush=True); time.sleep(600)"
PARENT_OF_SLEEPER = (
    "import os; open(os.environ['HOME'] + '/file', 'w').close()\n"
    "import subprocess, sys, time\n"
    f"subprocess.Popen([sys.executable, '-c', {SLEEPER!r}], start_new_session=True)\n"
    "time.sleep(600)"
)


def python_bot(code: str, folder: Path) -> BotProgram:
    return running((sys.executable, "-c", code), folder)


def running(run: tuple[str, ...], folder: Path) -> BotProgram:
    source = BotSource(kind=SourceKind.FOLDER, location=str(folder))
    return BotProgram(name="b", version="1", run=run, folder=folder, variants=("*",), language="", source=source)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def start(code: str, folder: Path, limits: Limits | None = None) -> LocalProcess:
    return await LocalLauncher("127.0.0.1:7700").start(python_bot(code, folder), "secret", limits or Limits())


async def reported_pid(process: LocalProcess) -> int:
    await wait_until_async(lambda: process.stderr().strip() != "")
    return int(process.stderr().split()[0])


def test_exit_status_and_last_words(tmp_path: Path) -> None:
    """A bot's exit status and the last thing it wrote come back."""

    async def scene() -> None:
        process = await start("import sys; print('no cards', file=sys.stderr); sys.exit(3)", tmp_path)
        assert await process.wait() == 3
        assert process.stderr() == "no cards\n"

    asyncio.run(scene())


def test_signal_is_reported_as_negative_status(tmp_path: Path) -> None:
    """A bot that a signal ended reports minus the signal's number."""

    async def scene() -> None:
        process = await start("import os; os.kill(os.getpid(), 11)", tmp_path)
        assert await process.wait() == -signal.SIGSEGV

    asyncio.run(scene())


def test_environment_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot sees its token and the referee, and nothing of our environment."""
    monkeypatch.setenv("KING_DATABASE_URL", "sqlite:///secret")

    async def scene() -> None:
        process = await start("import os; print(*sorted(os.environ), os.environ['KING_TOKEN'])", tmp_path)
        await process.wait()
        words = process.stderr().split()
        assert words[-1] == "secret"
        assert "KING_REFEREE" in words
        assert "KING_DATABASE_URL" not in words

    asyncio.run(scene())


def test_output_is_bounded_to_its_end(tmp_path: Path) -> None:
    """Of what a bot writes, only the last part is kept."""

    async def scene() -> None:
        limits = Limits(stderr_bytes=10)
        process = await start("print('x' * 1_000_000 + 'end')", tmp_path, limits)
        await process.wait()
        assert process.stderr() == "xxxxxxend\n"

    asyncio.run(scene())


def test_stop_ends_the_whole_tree(tmp_path: Path) -> None:
    """Stopping a bot ends its children too, even those in a session of their own."""

    async def scene() -> None:
        process = await start(PARENT_OF_SLEEPER, tmp_path)
        child = await reported_pid(process)
        assert await process.stop() == -signal.SIGTERM
        assert not alive(child)
        assert await process.stop() == -signal.SIGTERM

    asyncio.run(scene())


def test_stop_kills_a_bot_that_ignores_sigterm(tmp_path: Path) -> None:
    """A bot that does not end on SIGTERM is killed."""
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"

    async def scene() -> None:
        process = await start(code, tmp_path)
        await reported_pid(process)
        assert await process.stop() == -signal.SIGKILL

    asyncio.run(scene())


def test_children_end_with_the_bot(tmp_path: Path) -> None:
    """Children that a bot leaves behind are ended when it ends, and its standard error names them."""
    code = f"{PARENT_OF_SLEEPER.rpartition('time.sleep')[0]}sys.stdin.read(); time.sleep(0.5)"

    async def scene() -> None:
        process = await start(code, tmp_path)
        child = await reported_pid(process)
        assert await process.wait() == 0
        assert not alive(child)
        assert f"{LEFT_RUNNING}python" in process.stderr()
        assert f"({child})" in process.stderr()

    asyncio.run(scene())


def test_killed_bot_leaves_nothing(tmp_path: Path) -> None:
    """When a bot is killed, it and its keeper are gone and the status says so."""

    async def scene() -> None:
        process = await start(SLEEPER, tmp_path)
        bot = await reported_pid(process)
        os.kill(bot, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        await wait_until_async(lambda: not alive(bot) and not alive(process.pid))

    asyncio.run(scene())


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_killed_keeper_is_our_failure(tmp_path: Path, signum: int) -> None:
    """When somebody ends the keeper of a bot's tree, the bot goes too, and that is not told as an end of its own."""

    async def scene() -> None:
        process = await start(SLEEPER, tmp_path)
        bot = await reported_pid(process)
        os.kill(process.pid, signum)
        with pytest.raises(KeeperLostError, match=f"somebody ended the keeper .* status -{signum}$"):
            await process.wait()
        with pytest.raises(KeeperLostError):
            await process.stop()
        await wait_until_async(lambda: not alive(bot))

    asyncio.run(scene())


@pytest.mark.slow
def test_tree_dies_with_a_killed_parent(tmp_path: Path) -> None:
    """When the process that started a bot is killed, the bot and its children die."""
    code = (
        "import asyncio\n"
        "from pathlib import Path\n"
        "from tests.workers.test_launcher import PARENT_OF_SLEEPER, reported_pid, start\n"
        "async def scene():\n"
        f"    process = await start(PARENT_OF_SLEEPER, Path({str(tmp_path)!r}))\n"
        "    print(await reported_pid(process), process.pid, process.scratch, flush=True)\n"
        "    await process.wait()\n"
        "asyncio.run(scene())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        *pids, scratch = parent.stdout.readline().split()
        child, keeper = map(int, pids)
        assert Path(scratch, "file").exists()
        parent.kill()
        wait_until(lambda: not alive(child) and not alive(keeper))
        assert not Path(scratch).exists()


@pytest.mark.slow
def test_cpu_wait_never_falls_and_counts_threads(tmp_path: Path) -> None:
    """The CPU wait of a bot with more busy threads than CPUs grows, and stays when the bot has ended."""
    burn = "sum(i for i in range(3_000_000))"
    starts = f"subprocess.Popen([sys.executable, '-c', {burn!r}])"
    code = f"import os, subprocess, sys\nps = [{starts} for _ in range(4 * os.cpu_count())]\nfor p in ps: p.wait()"

    async def scene() -> None:
        process = await start(code, tmp_path)
        seen = [0]
        while process.usage().cpu_wait_us < 1000:
            seen.append(process.usage().cpu_wait_us)
            await asyncio.sleep(0.01)
        await process.wait()
        seen.append(process.usage().cpu_wait_us)
        assert seen == sorted(seen)
        assert seen[-1] >= 1000

    asyncio.run(scene())


def test_command_that_cannot_run(tmp_path: Path) -> None:
    """A program that the system cannot run is our failure, and the error says which one and why."""

    async def scene() -> None:
        bot = running(("no-such-program",), tmp_path)
        with pytest.raises(LaunchError, match="cannot run no-such-program: No such file or directory"):
            await LocalLauncher("127.0.0.1:7700").start(bot, "t", Limits())

    asyncio.run(scene())


def test_keeper_that_does_not_come_up_is_our_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keeper that ends before it has begun its work is ours too, with what it said."""
    monkeypatch.setattr("workers.launcher.SHIM", (sys.executable, "-c", "raise SystemExit('no memory')"))

    async def scene() -> None:
        with pytest.raises(LaunchError, match=r"could not start bot b .*: no memory"):
            await start("pass", tmp_path)

    asyncio.run(scene())


def test_status_127_of_a_bot_is_its_own(tmp_path: Path) -> None:
    """A bot that runs and ends as if it could not be run has ended by itself."""

    async def scene() -> None:
        process = await start("raise SystemExit(127)", tmp_path)
        assert await process.wait() == 127

    asyncio.run(scene())


def test_stop_ends_a_tree_whose_keeper_hangs(tmp_path: Path) -> None:
    """Stopping a bot whose keeper was stopped ends the keeper, the bot and what left its session."""

    async def scene() -> None:
        process = await start(PARENT_OF_SLEEPER, tmp_path)
        child = await reported_pid(process)
        os.kill(process.pid, signal.SIGSTOP)
        assert await process.stop() == -signal.SIGKILL
        await wait_until_async(lambda: not alive(child) and not alive(process.pid))
        assert not process.scratch.exists()

    asyncio.run(scene())


def test_missing_folder_is_our_failure(tmp_path: Path) -> None:
    """A folder that is gone is reported as ours, not as the bot's exit."""

    async def scene() -> None:
        with pytest.raises(LaunchError, match="could not start bot b"):
            await start("pass", tmp_path / "gone")

    asyncio.run(scene())


def test_scratch_is_deleted(tmp_path: Path) -> None:
    """Nothing that a bot wrote to its home survives it."""

    async def scene() -> None:
        process = await start("import os; open(os.environ['HOME'] + '/f', 'w'); print(os.environ['HOME'])", tmp_path)
        await process.wait()
        scratch.append(Path(process.stderr().strip()))

    scratch: list[Path] = []
    asyncio.run(scene())
    assert scratch[0].is_absolute()
    assert not scratch[0].exists()
