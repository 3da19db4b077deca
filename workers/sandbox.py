"""The sandbox of submitted bots: bubblewrap, a filter of system calls, limits, and a launcher that starts bots in it.

Owns how a sandbox is put together, and what must be there for one. What is seen in it: `sandbox_view`; which calls it
may make: `syscall_filter`; who starts, watches and ends it: `confine`; who sits in it: `seat`. docs/security.md says
what it promises.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers import confine, seat
from workers.control_groups import ControlGroups, Group, GroupError, find_control_groups
from workers.kept import KeptCommand, KeptProcess, NotStartedError, keeper_command, start_kept
from workers.launcher import Limits, LocalProcess, bot_environment, cannot_start
from workers.manifests import BotProgram
from workers.sandbox_view import REFEREE_SOCKET, SEAT_PROGRAM, cover, python_arguments, system_arguments, with_folders
from workers.seat_users import NoUserError, SeatUser, take_user
from workers.shim import BEGUN
from workers.syscall_filter import UnknownMachineError, filter_program

BWRAP: Final = "bwrap"
SCRATCH: Final = "/tmp"
SEAT_USER: Final = 1000
_GONE_WITHIN_S: Final = 10.0
_TRIAL_LIMIT_S: Final = 30.0
_MEBIBYTE: Final = 1 << 20

_NAMESPACES: Final = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try")
_UNSHARE_USER: Final = ("--unshare-user", "--uid", str(SEAT_USER), "--gid", str(SEAT_USER))


class SandboxError(Exception):
    """There can be no sandbox here: the text says why, and what would be right. No bot is to blame."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """What one sandbox has besides the runtime.

    Attributes:
        show: more arguments of bubblewrap: the bot's folder and the like.
        folder: where the seat's program starts.
        environment: all of it.
        building: the seat is to build a bot, not to be one.
        pipes: more file descriptors for the seat.
        command: what the seat runs.
    """

    show: Sequence[str]
    folder: str = seat.FOLDER
    environment: dict[str, str]
    building: bool = False
    pipes: tuple[int, ...] = ()
    command: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Sandbox:
    """What is there for making sandboxes on this machine; `detect_sandbox` finds it.

    Attributes:
        program: the path of bubblewrap.
        groups: where control groups can be made.
        bot_filter: the filter of system calls for bots that play.
        build_filter: the same for builds.
        own_users: each seat has a user of the system for itself, since we are root.
        user_namespaces: there are user namespaces.
        hidden: folders that no sandbox may see wherever they lie: the store, other bots.
    """

    program: str
    groups: ControlGroups
    bot_filter: bytes
    build_filter: bytes
    own_users: bool
    user_namespaces: bool
    hidden: tuple[Path, ...] = ()

    async def start(self, room: Room, limits: Limits) -> KeptProcess:
        """Start a sandbox and wait until its command runs.

        Raises:
            NotStartedError: it does not run; the text says why.
        """
        with contextlib.ExitStack() as held:
            try:
                user = held.enter_context(take_user()) if self.own_users else None
                group = self.groups.make(memory_bytes=limits.memory_bytes, processes=limits.processes)
            except (NoUserError, GroupError) as error:
                raise NotStartedError(str(error)) from error
            arguments = held.enter_context(_memory_file(b"\0".join(map(os.fsencode, self._arguments(room, limits)))))
            rules = held.enter_context(_memory_file(self.build_filter if room.building else self.bot_filter))

            def command(status: int, ended: int) -> Sequence[str]:
                plan = confine.plan_text(**self._plan(limits, group, user), status=status, ended=ended)
                return (
                    *keeper_command(confine.__file__),
                    *(str(os.getpid()), plan),
                    *(self.program, "--args", str(arguments), "--seccomp", str(rules), "--"),
                    *self._seat(room, status, limits, user),
                )

            kept = KeptCommand(
                arguments=command,
                folder=Path("/"),
                environment=room.environment,
                pipes=(arguments, rules, *room.pipes, *([user.lock] if user else [])),
                said=BEGUN + seat.SEATED,
                output_bytes=limits.stderr_bytes,
                stop_grace=limits.stop_grace,
            )
            return await start_kept(kept, lambda: end_group(group))

    def _arguments(self, room: Room, limits: Limits) -> list[str]:
        size = str(limits.scratch_bytes)
        return [
            *_NAMESPACES,
            *(() if self.own_users else _UNSHARE_USER),
            *("--hostname", "king", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if self.own_users else ()),
            *("--perms", "1777", "--size", size, "--tmpfs", SCRATCH),  # before what is shown, which may lie below it
            *with_folders([*system_arguments(), *python_arguments(), "--ro-bind", seat.__file__, SEAT_PROGRAM]),
            *cover(self.hidden),
            *("--proc", "/proc", "--dev", "/dev"),
            *("--perms", "1777", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
            *room.show,
            *("--remount-ro", "/", "--chdir", room.folder),
        ]

    def _seat(self, room: Room, status: int, limits: Limits, user: SeatUser | None) -> list[str]:
        inside = "-" if user is None else str(SEAT_USER if self.user_namespaces else user.number)
        most = (limits.processes, limits.open_files, limits.file_bytes)
        return [
            *keeper_command(SEAT_PROGRAM),
            *("build" if room.building else "run", str(status), *map(str, room.pipes), inside, *map(str, most)),
            *room.command,
        ]

    def _plan(self, limits: Limits, group: Group, user: SeatUser | None) -> dict[str, object]:
        memory = f"{limits.memory_bytes // _MEBIBYTE} MiB"
        told = {
            group.memory_events: f"{confine.TOO_MUCH_MEMORY} ({memory})",
            group.process_events: f"{confine.TOO_MANY_PROCESSES} ({limits.processes})",
        }
        return {
            "grace": limits.stop_grace.total_seconds(),
            "groups": list(map(str, group.folders)),
            "events": [
                word for event, text in told.items() if event is not None for word in (event[0], event[1], text)
            ],
            "user": user.number if user is not None and self.user_namespaces else None,
            "seat_user": SEAT_USER,
            "memory_bytes": 0 if self.groups.limits_memory else limits.memory_bytes,
            "memory_text": memory,
            "close": [] if user is None else [user.lock],
        }


class SandboxLauncher:
    """Starts bots in sandboxes of this machine."""

    def __init__(self, sandbox: Sandbox, referee_socket: Path) -> None:
        """Bots reach nothing but the referee, which listens on `referee_socket`."""
        self._sandbox = sandbox
        self._socket = referee_socket

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> LocalProcess:
        """As in `Launcher`."""
        environment = bot_environment(referee=f"unix:{REFEREE_SOCKET}", token=token, scratch=SCRATCH)
        room = Room(
            show=(*("--ro-bind", str(bot.folder), seat.FOLDER), *("--ro-bind", str(self._socket), REFEREE_SOCKET)),
            environment=environment | memory_hints(limits.memory_bytes),
            command=bot.run,
        )
        try:
            return LocalProcess(await self._sandbox.start(room, limits))
        except NotStartedError as error:
            raise cannot_start(bot, error) from error


def memory_hints(memory_bytes: int) -> dict[str, str]:
    """Variables that tell runtimes how much memory there is, which they would otherwise take to be the machine's."""
    mebibytes = memory_bytes // _MEBIBYTE
    return {
        "GOMEMLIMIT": f"{mebibytes * 9 // 10}MiB",
        "JDK_JAVA_OPTIONS": f"-XX:MaxRAM={mebibytes}m",
        "NODE_OPTIONS": f"--max-old-space-size={mebibytes * 3 // 4}",
    }


def detect_sandbox(hidden: Sequence[Path] = ()) -> Sandbox:
    """Find out what there is for sandboxes here, and try one.

    Args:
        hidden: folders that no sandbox may see, wherever they lie.

    Raises:
        SandboxError: there can be none.
    """
    program = shutil.which(BWRAP)
    if program is None:
        raise SandboxError("there is no bubblewrap (bwrap) here: install the package bubblewrap")
    try:
        bot_filter = filter_program(os.uname().machine, at_tables=True)
        build_filter = filter_program(os.uname().machine, at_tables=False)
    except UnknownMachineError as error:
        raise SandboxError(str(error)) from None
    as_root = os.geteuid() == 0
    found = Sandbox(
        program=program,
        groups=find_control_groups(),
        bot_filter=bot_filter,
        build_filter=build_filter,
        own_users=as_root,
        user_namespaces=not _try_namespaces(program, _UNSHARE_USER),
        hidden=tuple(hidden),
    )
    obstacle = _try_namespaces(program, () if as_root else _UNSHARE_USER)
    if obstacle:
        raise SandboxError(
            f"bubblewrap makes no sandbox here: {obstacle}; allow user namespaces (sysctl user.max_user_namespaces, "
            "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), or run as root"
        )
    return found


def _try_namespaces(program: str, more: Sequence[str]) -> str:
    """Make a sandbox with the system's files alone. Returns why that does not work, or an empty text."""
    arguments = (*_NAMESPACES, *more, *system_arguments(), "--proc", "/proc", "--dev", "/dev", "--", "true")
    command = [program, "--die-with-parent", *arguments]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=_TRIAL_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"a trial did not end within {_TRIAL_LIMIT_S:g} s"
    return tried.stderr.strip() or f"status {tried.returncode}" if tried.returncode else ""


def end_group(group: Group) -> None:
    """See to it that nobody is left in a group, whose keeper has ended, and remove it.

    Raises:
        SandboxError: processes cannot be ended.
    """
    deadline = time.monotonic() + _GONE_WITHIN_S
    while True:
        try:
            group.remove()
            return
        except OSError:
            left = _members(group)
            if time.monotonic() > deadline:
                raise SandboxError(f"processes of a sandbox cannot be ended: {left}") from None
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)


def _members(group: Group) -> set[int]:
    found: set[int] = set()
    for folder in group.folders:
        with contextlib.suppress(FileNotFoundError):
            found |= {int(pid) for pid in (folder / "cgroup.procs").read_text(encoding="ascii").split()}
    return found


@contextlib.contextmanager
def _memory_file(contents: bytes) -> Iterator[int]:
    """A file descriptor to read `contents` from, once."""
    file = os.memfd_create("king")
    try:
        os.write(file, contents)
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)
