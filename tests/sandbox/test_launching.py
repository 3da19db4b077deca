"""Submitted bots run in sandboxes, and are told apart from what went wrong with the sandbox itself."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sandbox.submitted_bots import listening_socket, run_to_end, running, submitted
from tests.workers.test_launcher import PARENT_OF_SLEEPER, SLEEPER, alive
from tests.workers.waiting import wait_until_async
from workers import shim
from workers.confine import TOO_MANY_PROCESSES, TOO_MUCH_MEMORY
from workers.control_groups import ControlGroups
from workers.kept import KeeperLostError
from workers.launcher import LaunchError, Limits, LocalLauncher
from workers.launchers import launcher_for
from workers.sandbox import Sandbox, SandboxLauncher

pytestmark = pytest.mark.slow


def python(sandbox: Sandbox, folder: Path, code: str, limits: Limits | None = None) -> tuple[int, str]:
    return asyncio.run(run_to_end(sandbox, folder, "python", "-c", code, limits=limits))


def groups_of(sandbox: Sandbox, pid: int) -> set[Path]:
    """The control groups that were made for the sandbox with this process in it."""
    names = set(re.findall("king-[0-9a-f]+", Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")))
    return {parent / name for parent in sandbox.groups.parents.values() for name in names}


def user_of(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_exit_status_and_last_words(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot's exit status and what it wrote come out of the sandbox."""
    assert python(sandbox, bot_folder, "import sys; print('no cards', file=sys.stderr); sys.exit(3)") == (
        3,
        "no cards\n",
    )


def test_runtime_below_the_scratch_folder_is_seen(
    sandbox: Sandbox, bot_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python that is installed in the folder for temporary files is there, though bots have that folder empty."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o755)
    (runtime / "marker").write_text("here\n", encoding="utf-8")
    monkeypatch.setattr(sys, "base_prefix", str(runtime))
    assert asyncio.run(run_to_end(sandbox, bot_folder, "cat", f"{runtime}/marker")) == (0, "here\n")


def test_signal_is_reported_as_negative_status(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot that a signal ended reports minus the signal's number."""
    assert python(sandbox, bot_folder, "import os; os.kill(os.getpid(), 11)")[0] == -signal.SIGSEGV


def test_environment(sandbox: Sandbox, bot_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot sees its token and the referee's socket, which it can dial, and nothing of our environment."""
    monkeypatch.setenv("KING_DATABASE_URL", "sqlite:///secret")
    code = (
        "import os, socket\n"
        "socket.socket(socket.AF_UNIX).connect(os.environ['KING_REFEREE'].removeprefix('unix:'))\n"
        "print(os.environ['KING_TOKEN'], *sorted(os.environ), os.getcwd())"
    )
    status, said = python(sandbox, bot_folder, code)
    assert status == 0, said
    assert said.split()[0] == "secret-token"
    assert "KING_DATABASE_URL" not in said
    assert said.split()[-1] == "/bot"


def test_descriptors_are_its_own(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot inherits standard input, output and error, and no other open file."""
    code = "import os; print(sorted(os.listdir('/proc/self/fd'))[:-1])"
    assert python(sandbox, bot_folder, code) == (0, "['0', '1', '2']\n")


@pytest.mark.slow
def test_its_own_files_and_the_sdk_are_there(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot finds its folder, numpy, the SDK and the rules, and can write its temporary folder."""
    (bot_folder / "weights.txt").write_text("42", encoding="ascii")
    code = "import numpy, king_bot, referee.rules; open('/tmp/x', 'w').write('x'); print(open('weights.txt').read())"
    assert python(sandbox, bot_folder, code) == (0, "42\n")


def test_program_that_cannot_be_run_is_our_failure(sandbox: Sandbox, bot_folder: Path) -> None:
    """A program that is not there in the sandbox is told apart from a bot that ends."""
    with pytest.raises(LaunchError, match="cannot run no-such-program: No such file or directory"):
        asyncio.run(run_to_end(sandbox, bot_folder, "no-such-program"))


def test_sandbox_that_cannot_be_made_is_our_failure(sandbox: Sandbox, bot_folder: Path) -> None:
    """What bubblewrap complains of is in the error, and no bot is blamed."""
    with pytest.raises(LaunchError, match="bwrap: Can't find source path"):
        asyncio.run(run_to_end(sandbox, bot_folder / "gone", "true"))


def test_stop_ends_the_whole_tree(sandbox: Sandbox, bot_folder: Path) -> None:
    """SIGTERM reaches the bot; what left its session is ended with it, and its groups are gone."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('asked to end', flush=True), sys.exit(0)))\n"
        f"{PARENT_OF_SLEEPER}"
    )

    async def scene() -> None:
        async with running(sandbox, bot_folder, "python", "-c", code) as process:
            await wait_until_async(lambda: process.stderr().strip() != "")
            pids = shim.descendants(process.pid)
            groups = groups_of(sandbox, pids[-1])
            assert await process.stop() == 0
            assert "asked to end" in process.stderr()
            assert not any(alive(pid) for pid in pids)
            assert len(groups) == len(set(sandbox.groups.parents.values()))
            assert not any(map(os.path.exists, groups))

    asyncio.run(scene())


def test_stop_kills_a_bot_that_ignores_sigterm(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot that does not end on SIGTERM is killed."""
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"

    async def scene() -> None:
        async with running(sandbox, bot_folder, "python", "-c", code) as process:
            await wait_until_async(lambda: process.stderr().strip() != "")
            assert await process.stop() == -signal.SIGKILL

    asyncio.run(scene())


def test_killed_keeper_leaves_nothing(sandbox: Sandbox, bot_folder: Path) -> None:
    """When the keeper of a sandbox is killed, everything in it dies and its groups go; it is our failure."""

    async def scene() -> None:
        async with running(sandbox, bot_folder, "python", "-c", PARENT_OF_SLEEPER) as process:
            await wait_until_async(lambda: process.stderr().strip() != "")
            pids = shim.descendants(process.pid)
            groups = groups_of(sandbox, pids[-1])
            os.kill(process.pid, signal.SIGKILL)
            await asyncio.wait({asyncio.ensure_future(process.wait())})
            assert not any(alive(pid) for pid in pids)
            assert not any(map(os.path.exists, groups))

    with pytest.raises(KeeperLostError):
        asyncio.run(scene())


@pytest.mark.slow
def test_too_much_memory_ends_the_bot_and_is_said(sandbox: Sandbox, bot_folder: Path) -> None:
    """A bot that takes more memory than it may is killed, and its standard error says why."""
    status, said = python(
        sandbox, bot_folder, "x = bytearray(200 << 20); import time; time.sleep(30)", Limits(memory_bytes=64 << 20)
    )
    assert status == -signal.SIGKILL
    assert f"{TOO_MUCH_MEMORY} (64 MiB)" in said


def test_watchdog_where_no_group_limits_memory(sandbox: Sandbox, bot_folder: Path) -> None:
    """Where no control group can be made, the keeper watches the memory that the bot's processes hold together."""
    code = (
        "import os, time\n"
        "x = bytearray(os.urandom(40 << 20))\n"
        "print('shared', flush=True); os.fork(); os.fork(); time.sleep(0.5)\n"  # shared pages count once
        "y = bytearray(os.urandom(40 << 20)); time.sleep(30)"
    )
    status, said = python(replace(sandbox, groups=ControlGroups()), bot_folder, code, Limits(memory_bytes=100 << 20))
    assert status == -signal.SIGKILL
    assert f"{TOO_MUCH_MEMORY} (100 MiB)" in said
    assert said.startswith("shared\n")


def test_watchdog_counts_files_in_memory(sandbox: Sandbox, bot_folder: Path) -> None:
    """Without a control group, memory in files without a name counts too, which belongs to no process."""
    code = (
        "import os, time\nfor n in range(4): f = os.memfd_create(f'{n}'); os.write(f, bytes(40 << 20))\ntime.sleep(30)"
    )
    status, said = python(replace(sandbox, groups=ControlGroups()), bot_folder, code, Limits(memory_bytes=100 << 20))
    assert status == -signal.SIGKILL
    assert TOO_MUCH_MEMORY in said


@pytest.mark.parametrize("grouped", [True, False], ids=["group", "no group"])
def test_processes_are_limited(sandbox: Sandbox, bot_folder: Path, *, grouped: bool) -> None:
    """A bot gets so many processes and threads and no more, with and without a control group."""
    code = (
        "import os, time\n"
        "for n in range(50):\n"
        "    try:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "    except BlockingIOError: break\n"
        "print(n)"
    )
    chosen = sandbox if grouped else replace(sandbox, groups=ControlGroups())
    status, said = python(chosen, bot_folder, code, Limits(processes=20))
    assert status == 0
    assert 10 <= int(said.split()[0]) <= 20
    if grouped and sandbox.groups.limits_processes:
        assert TOO_MANY_PROCESSES in said or said.strip().isdecimal()  # the user's own limit may come first


@pytest.mark.slow
def test_each_seat_has_a_user_of_its_own(sandbox: Sandbox, bot_folder: Path) -> None:
    """Two bots that run at once are two users of the system, and neither is root, where we can choose."""

    async def scene() -> None:
        async with (
            running(sandbox, bot_folder, "python", "-c", SLEEPER) as first,
            running(sandbox, bot_folder, "python", "-c", SLEEPER) as second,
        ):
            await wait_until_async(lambda: all(each.stderr().strip() for each in (first, second)))
            users = {user_of(shim.descendants(each.pid)[-1]) for each in (first, second)}
            assert len(users | {0}) == 3 if sandbox.own_users else users == {os.geteuid()}

    asyncio.run(scene())


@pytest.mark.slow
def test_cpu_wait_is_measured_from_outside(sandbox: Sandbox, bot_folder: Path) -> None:
    """How long a bot waited for a CPU, which another program kept busy, is read through the walls of its sandbox."""
    here = f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})"

    async def scene() -> None:
        rival = await asyncio.create_subprocess_exec(sys.executable, "-c", f"{here}\nwhile True: pass")
        try:
            code = f"{here}; sum(i for i in range(3_000_000))"
            async with running(sandbox, bot_folder, "python", "-c", code) as process:
                seen = [0]
                ended = asyncio.create_task(process.wait())
                while not ended.done():
                    seen.append(process.usage().cpu_wait_us)
                    await asyncio.sleep(0.01)
                assert seen == sorted(seen)
                assert seen[-1] >= 1000
        finally:
            rival.kill()
            await rival.wait()

    asyncio.run(scene())


def test_submitted_code_is_never_run_plainly(tmp_path: Path) -> None:
    """The plain launcher refuses a submitted bot."""
    with pytest.raises(LaunchError, match="never run outside a sandbox"):
        asyncio.run(LocalLauncher("127.0.0.1:1").start(submitted(tmp_path, "true"), "t", Limits()))


def test_without_bubblewrap_submitted_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no bubblewrap, a submitted bot does not start, and the error says what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    launcher = launcher_for(f"127.0.0.1:1,unix:{tmp_path}/r.sock")
    with pytest.raises(LaunchError, match=r"runs in a sandbox only: there is no bubblewrap .* install the package"):
        asyncio.run(launcher.start(submitted(tmp_path, "true"), "t", Limits()))


def test_without_a_way_for_bots_none_starts(tmp_path: Path) -> None:
    """Where the referee has but a door for workers, no bot starts, and the error says what to add."""
    with pytest.raises(LaunchError, match=r"mtls://host:1 is for workers alone: add where bots dial to KING_REFEREE"):
        asyncio.run(launcher_for("mtls://host:1").start(submitted(tmp_path, "true"), "t", Limits()))


def test_the_launcher_for_all_bots_starts_both_kinds(sandbox: Sandbox, bot_folder: Path) -> None:
    """Submitted bots go into a sandbox, the organiser's own run plainly."""

    async def scene() -> None:
        with listening_socket() as referee:
            launcher = launcher_for(f"127.0.0.1:1,unix:{referee}", sandbox)
            bot = submitted(bot_folder, "python", "-c", "import os; print(os.getcwd())")
            own = replace(bot, source=replace(bot.source, kind=type(bot.source.kind).FOLDER))
            said = []
            for each in (bot, own):
                process = await launcher.start(each, "t", Limits())
                await process.wait()
                said.append(process.stderr().strip())
            assert said == ["/bot", str(bot_folder)]

    asyncio.run(scene())


def test_a_folder_that_is_hidden_is_not_seen(sandbox: Sandbox, bot_folder: Path) -> None:
    """What must not be seen is covered even where it lies in a folder that is shown."""
    hidden = Path("/usr/share")
    launcher_sandbox = replace(sandbox, hidden=(hidden,))
    assert python(launcher_sandbox, bot_folder, f"import os; print(os.listdir('{hidden}'))") == (0, "[]\n")


def test_users_are_given_back(sandbox: Sandbox, bot_folder: Path) -> None:
    """The launcher holds no lock of a user once its bot has started; the keeper has it."""

    async def scene() -> None:
        with listening_socket() as referee:
            before = open_files()
            process = await SandboxLauncher(sandbox, referee).start(submitted(bot_folder, "true"), "t", Limits())
            await process.wait()
            assert open_files() == before

    asyncio.run(scene())
