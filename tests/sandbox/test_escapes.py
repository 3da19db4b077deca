"""Attempts to get out of a sandbox: each gets through outside, where that is safe, and none inside.

The attempts themselves are `escapes.py` and `escapes.cpp`. An attempt says whether it got through; one that says
nothing was killed, which is the answer where limits are tried.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.sandbox import escapes
from tests.sandbox.submitted_bots import run_to_end, running
from tests.sandbox.world import LIMITS, World, world
from tests.workers.waiting import wait_until_async
from workers.launcher import Limits
from workers.sandbox import Sandbox

pytestmark = pytest.mark.slow

THROUGH = "ESCAPED"
HELD = "HELD"
HERE = Path(__file__).parent
SHARED_FILE = "/usr/bin/env"

PYTHON = sorted(
    name
    for name, value in vars(escapes).items()
    if callable(value) and getattr(value, "__module__", "") == escapes.__name__ and not name.startswith("_")
    if name not in {"main", "call", "World", "remain_in_a_temporary_folder", "outlive"}
)

CPP = {
    "tcp": ("{host}", "{port}", "{secret}"),
    "netlink": (),
    "vsock": (),
    "algorithms": (),
    "socket_of_32_bit": (),
    "io_uring": (),
    "read_memory": ("{victim}",),
    "read_memory_of_parent": (),
    "kill_victim": ("{victim}",),
    "handle_of_victim": ("{victim}",),
    "take_file_of_parent": (),
    "by_handle": (SHARED_FILE,),
    "clone_of_user": (),
    "clone3_of_user": (),
    "join_namespace": (),
    "pivot": (),
    "new_mounts": (),
    "programs_in_kernel": (),
    "watch_performance": (),
    "page_faults": (),
    "keyring": (),
    "read_keyring": (),
    "messages_of_kernel": (),
    "set_clock": (),
    "no_randomness": (),
    "watch_files": (SHARED_FILE,),
    "watch_all_files": (),
    "lock_shared_file": (SHARED_FILE,),
    "lock_range_of_shared_file": (SHARED_FILE,),
    "lock_by_open_file": (SHARED_FILE,),
    "memory_of_system_5": ("{sysv_key}", "{secret}"),
    "memory_of_posix": ("{shared_memory}", "{secret}"),
    "memory_bomb": ("200",),
    "bomb_of_files_in_memory": ("200",),
}
"""Attempts in C++ with what they are told."""

NOT_OUTSIDE = {
    "set_clock": "it would change the machine's time",
    "real_time_priority": "",
    "press_sysrq": "",
}
"""Attempts that are not made outside, and those that are harmless there all the same."""

BY_MACHINE = {
    "algorithms": "the kernel may have no algorithms for programs",
    "become_root": "only root gets through outside",
    "become_somebody_else": "only root gets through outside",
    "by_handle": "only root gets through outside",
    "change_root": "only root gets through outside",
    "clone3_of_user": "user namespaces may be off",
    "clone_of_user": "user namespaces may be off",
    "dump_core": "a limit may be set",
    "io_uring": "it may be off",
    "join_namespace": "only root gets through outside",
    "leave_the_control_group": "only root gets through outside",
    "make_a_device": "only root gets through outside",
    "messages_of_kernel": "only root gets through outside",
    "mount_something": "only root gets through outside",
    "mount_without_a_namespace": "only root gets through outside",
    "netlink": "",
    "network_namespace": "user namespaces may be off",
    "new_mounts": "only root gets through outside",
    "open_the_disk": "only root gets through outside",
    "packet_socket": "only root gets through outside",
    "page_faults": "it may be off",
    "pivot": "only root gets through outside",
    "press_sysrq": "only root gets through outside",
    "programs_in_kernel": "it may be off",
    "raise_a_limit": "a limit may be set",
    "raise_priority": "only root gets through outside",
    "raw_socket": "only root gets through outside",
    "read_shadow": "only root gets through outside",
    "read_through_the_root_of_others": "only root gets through outside",
    "real_time_priority": "only root gets through outside",
    "remount_its_own_folder": "only root gets through outside",
    "set_the_name": "only root gets through outside",
    "socket_of_32_bit": "32-bit programs may be off",
    "type_into_a_terminal": "only root gets through outside",
    "type_into_ours": "there may be no terminal",
    "user_namespace": "user namespaces may be off",
    "vsock": "the kernel may have none",
    "watch_all_files": "only root gets through outside",
    "watch_performance": "it may be off",
    "write_a_kernel_setting": "only root gets through outside",
    "write_devices": "only root gets through outside",
    "write_the_runtime": "only whom it belongs to gets through outside",
    "write_the_root": "only root gets through outside",
    "write_the_system": "only root gets through outside",
}
"""Attempts whose success outside depends on the machine or on who we are: it is reported, and not required."""


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    folder.chmod(0o755)
    with world(folder) as made:
        yield made


@pytest.fixture(scope="module")
def bot() -> Iterator[Path]:
    """A bot's folder with the attempts in it, into which every user can look."""
    with tempfile.TemporaryDirectory(prefix="king-escapes-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        _fill(folder)
        yield folder


def _fill(folder: Path) -> None:
    shutil.copy(HERE / "escapes.py", folder)
    (folder / "weights.txt").write_text("1", encoding="ascii")
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler for the attempts in C++")
    source = str(HERE / "escapes.cpp")
    subprocess.run([compiler, "-std=c++20", "-O1", "-static", "-o", str(folder / "escapes"), source], check=True)
    shutil.copy(folder / "escapes", folder / "setuid")
    (folder / "setuid").chmod(0o4755)


def told(name: str, around: World) -> list[str]:
    return [word.format(**around.__dict__) for word in CPP[name]]


def outside(command: Sequence[str], bot: Path) -> str:
    """What the attempt says as a plain process, which inherits an open file."""
    with (bot / "weights.txt").open() as file:
        ran = subprocess.run(
            command,
            cwd=bot,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            pass_fds=(file.fileno(),),
        )
    return ran.stdout.strip().rpartition("\n")[2] or f"{HELD}: killed {ran.returncode} {ran.stderr}"


def inside(sandbox: Sandbox, bot: Path, command: Sequence[str]) -> tuple[int, str]:
    status, said = asyncio.run(run_to_end(sandbox, bot, *command, limits=LIMITS))
    return status, said.strip()


def check(name: str, sandbox: Sandbox, bot: Path, command: Sequence[str], plain: Sequence[str]) -> None:
    """Check that an attempt gets through outside, and not inside, where it must have been made all the same."""
    if not NOT_OUTSIDE.get(name):
        said = outside(plain, bot)
        if name not in BY_MACHINE:
            assert said == THROUGH, f"outside, {name} should get through: {said}"
        print(f"outside: {said}")
    status, said = inside(sandbox, bot, command)
    print(f"inside: {status} {said}")
    assert THROUGH not in said
    if status == 0:
        assert any(line.startswith(HELD) for line in said.splitlines()), f"the attempt was not made: {said}"
    else:
        assert status < 0, f"the attempt was not made: {said}"


@pytest.mark.parametrize("name", PYTHON)
def test_attempt_in_python(name: str, sandbox: Sandbox, bot: Path, around: World) -> None:
    """An attempt in Python gets through outside, and is held inside."""
    inner = ("python", "escapes.py", name, json.dumps(around.for_python("/bot")))
    plain = (sys.executable, "escapes.py", name, json.dumps(around.for_python(str(bot))))
    check(name, sandbox, bot, inner, plain)


@pytest.mark.parametrize("name", CPP)
def test_attempt_in_cpp(name: str, sandbox: Sandbox, bot: Path, around: World) -> None:
    """An attempt in C++ gets through outside, and is held inside."""
    command = ("./escapes", name, *told(name, around))
    check(name, sandbox, bot, command, command)


def test_a_file_of_root_gives_no_rights(sandbox: Sandbox, bot: Path) -> None:
    """A program that makes whoever starts it root does so outside, and not inside."""
    if os.geteuid() == 0:
        somebody = ("setpriv", "--reuid=65534", "--clear-groups")
        assert outside((*somebody, "./setuid", "become_root_by_file"), bot) == THROUGH
    assert inside(sandbox, bot, ("./setuid", "become_root_by_file"))[1].startswith(HELD)


def test_nothing_remains_for_the_next_sitting(sandbox: Sandbox, bot: Path, around: World) -> None:
    """What a bot leaves in every folder that it can write is there for the next one outside, and not inside."""
    name = "remain_in_a_temporary_folder"
    plain = (sys.executable, "escapes.py", name, json.dumps(around.for_python(str(bot))))
    inner = ("python", "escapes.py", name, json.dumps(around.for_python("/bot")))
    assert [outside(plain, bot) for _ in range(2)] == [f"{HELD}: nothing was there", THROUGH]
    mark = around.for_python("")["mark"]
    for place in (mark, f"/dev/shm/{Path(mark).name}"):
        Path(place).unlink()
    assert [inside(sandbox, bot, inner)[1] for _ in range(2)] == [f"{HELD}: nothing was there"] * 2


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_nothing_outlives_a_sitting(language: str, sandbox: Sandbox, bot: Path, around: World) -> None:
    """A process that leaves its session by two forks lives on outside, and not inside."""
    mark = around.for_python("")["outliving"]
    plain: tuple[str, ...] = ("./escapes", "outlive", mark)
    inner: tuple[str, ...] = plain
    if language == "python":
        plain = (sys.executable, "escapes.py", "outlive", json.dumps(around.for_python(str(bot))))
        inner = ("python", *plain[1:])
    subprocess.run(plain, cwd=bot, check=True, stdout=subprocess.DEVNULL)
    survivors = named(mark)
    assert len(survivors) == 1
    os.kill(survivors[0], 9)
    while named(mark):
        time.sleep(0.01)
    status, said = inside(sandbox, bot, inner)
    assert (status, said) == (0, THROUGH)
    assert named(mark) == []


def named(mark: str) -> list[int]:
    """The processes with this word in their command lines."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if mark.encode() in words:
            found.append(int(place.parent.name))
    return found


TALKS = {
    "abstract socket": (
        "import socket, time; s = socket.socket(socket.AF_UNIX); s.bind('\\0king-talk'); s.listen()",
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0king-talk')",
    ),
    "temporary folder": ("open('/tmp/king-talk', 'w').write('x')", "open('/tmp/king-talk').read()"),
    "shared memory": ("open('/dev/shm/king-talk', 'w').write('x')", "open('/dev/shm/king-talk').read()"),
    "System V": (
        "import ctypes; assert ctypes.CDLL(None).shmget(77123, 100, 0o1666) >= 0",
        "import ctypes; assert ctypes.CDLL(None).shmget(77123, 0, 0) >= 0",
    ),
    "message queue": (
        "import ctypes; assert ctypes.CDLL(None).msgget(77123, 0o1666) >= 0",
        "import ctypes; assert ctypes.CDLL(None).msgget(77123, 0) >= 0",
    ),
    "semaphore": (
        "import ctypes; assert ctypes.CDLL(None).semget(77123, 1, 0o1666) >= 0",
        "import ctypes; assert ctypes.CDLL(None).semget(77123, 0, 0) >= 0",
    ),
    "host name": ("import socket; socket.sethostname('talk')", "import socket; assert socket.gethostname() == 'talk'"),
    "process list": (
        "import ctypes; ctypes.CDLL(None).prctl(15, b'king-talk')",
        "import glob; assert any('king-talk' in open(path).read() for path in glob.glob('/proc/[0-9]*/comm'))",
    ),
    "lock of a file": (
        f"import fcntl; f = open('{SHARED_FILE}'); fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        f"import fcntl\ntry: fcntl.flock(open('{SHARED_FILE}'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError: pass\nelse: raise SystemExit(1)",
    ),
}
"""Ways for two bots to talk: what one does, and how another sees that it did."""


@pytest.mark.parametrize("way", TALKS)
def test_two_bots_cannot_talk(way: str, sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two bots that run at once do not see each other by anything that programs share on one machine."""
    speaks, hears = TALKS[way]
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    tries = f"try:\n exec({speaks!r})\nexcept Exception as error: print(error)"
    speaker = f"{tries}\nprint('said', flush=True)\nimport time; time.sleep(60)"

    async def scene() -> int:
        async with running(sandbox, folders[0], "python", "-c", speaker) as first:
            await wait_until_async(lambda: "said" in first.stderr())
            return (await run_to_end(sandbox, folders[1], "python", "-c", hears))[0]

    for folder in folders:
        folder.chmod(0o755)
    assert asyncio.run(scene()) != 0


def test_a_flood_of_standard_error_is_cut(sandbox: Sandbox, bot: Path) -> None:
    """Of more than a bot may write, the end is kept, and nothing of ours grows with it."""
    limits = Limits(stderr_bytes=1000)
    status, said = asyncio.run(run_to_end(sandbox, bot, "./escapes", "flood", "20", limits=limits))
    assert status == 0
    assert len(said) <= 1000
    assert said.rstrip().endswith(THROUGH)


def test_there_are_enough_attempts() -> None:
    """There are at least 40 attempts, in two languages, each made by one of the tests here."""
    source = (HERE / "escapes.cpp").read_text(encoding="utf-8")
    in_cpp = {line.split('"')[1] for line in source.splitlines() if line.startswith('    {"')}
    assert set(CPP) | {"outlive", "sleep", "become_root_by_file", "flood"} == in_cpp
    assert len(PYTHON) + len(CPP) + len(TALKS) >= 40
    assert set(BY_MACHINE) | set(NOT_OUTSIDE) <= set(PYTHON) | set(CPP)
