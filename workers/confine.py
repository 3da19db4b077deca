"""The keeper of a sandbox: starts bubblewrap within its limits, and ends all that is in it; Linux only.

Run as a script by the launcher, as `workers.shim` is and for the same reasons:

    python -I -S confine.py PARENT PLAN COMMAND…

COMMAND is bubblewrap with a bot in it. PLAN is what `plan_text` writes. Like `shim keep` it ends the tree when COMMAND
ends, PARENT dies or SIGTERM comes, and writes to the plan's pipes. SIGTERM goes to the bot alone: bubblewrap would
end at once and take the bot with it. It ends as the bot did; bubblewrap's 128 + n becomes the signal n again.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

if __name__ == "__main__":  # nothing of ours is on the path of an isolated Python
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120

from workers import shim

TOO_MUCH_MEMORY = "king: ended for using more memory than it may"
"""How the line begins that a bot's standard error gets when it was ended for that."""

TOO_MANY_PROCESSES = "king: it was refused more processes and threads than it may have"
"""How the line begins that a bot's standard error gets when the kernel refused it some."""

_BETWEEN = "\t"
_CLONE_NEWUSER = 0x10000000
_EMPTY_WITHIN_S = 5.0


class Plan:
    """What a sandbox is given by its launcher.

    Attributes:
        status: the pipe to say how the start went, a file descriptor.
        ended: the pipe to say at the end that it is one.
        grace: seconds from SIGTERM to SIGKILL.
        groups: folders of control groups to enter, and to remove when they are empty.
        events: files with counters of these groups, the counter, and what a count above zero says to the bot's owner.
        user: of the system, whom the bot's user is to be; None: whoever starts it.
        seat_user: the bot's user as it is called inside.
        memory_bytes: the most memory, all processes together, to be watched where no group limits it; 0: do not watch.
        memory_text: the same for people.
        close: file descriptors that are the keeper's alone, and are held until it ends.
    """

    def __init__(self, text: str) -> None:
        fields = {name: words for name, *words in (line.split(_BETWEEN) for line in text.split("\n"))}
        self.status = int(fields["status"][0])
        self.ended = int(fields["ended"][0])
        self.grace = float(fields["grace"][0])
        self.groups = fields["groups"]
        self.events = list(zip(*(iter(fields["events"]),) * 3, strict=True))
        self.user = int(fields["user"][0]) if fields["user"] else None
        self.seat_user = int(fields["seat_user"][0])
        self.memory_bytes = int(fields["memory_bytes"][0])
        self.memory_text = fields["memory_text"][0]
        self.close = [int(file) for file in fields["close"]]


def plan_text(**fields: object) -> str:
    """A `Plan` as a text; lists are flat. JSON would cost start-up time."""
    lines = []
    for name, value in fields.items():
        words = value if isinstance(value, list) else [] if value is None else [value]
        lines.append(_BETWEEN.join([name, *map(str, words)]))
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Do what the module's text says of `arguments`; does not return."""
    parent, text, *command = arguments
    plan = Plan(text)
    for pipe in (plan.status, plan.ended, *plan.close):
        os.set_inheritable(pipe, False)
    os.write(plan.status, shim.BEGUN)
    try:
        shim.become_keeper(int(parent))
        child = _start(plan, command)
    except OSError as error:
        os.write(plan.status, f"cannot confine it: {error}\n".encode())
        os._exit(shim.NOT_RUNNABLE_STATUS)
    os.close(plan.status)
    status, told = _keep(plan, child)
    _tell_events(plan)
    _remove_groups(plan)
    shim.end_as(_undo_shell_code(status), plan.ended, told=told)


def _start(plan: Plan, command: list[str]) -> int:
    ready, ready_end = os.pipe()
    go, go_end = os.pipe()
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(go_end)
        _become(plan, command, keeper, ready_end, go)
    os.close(ready_end)
    if plan.user is not None and os.read(ready, 1):
        _map_users(child, plan.user, plan.seat_user)
    os.close(go_end)
    os.close(ready)
    os.close(go)
    return child


def _become(plan: Plan, command: list[str], keeper: int, ready: int, go: int) -> None:
    """In the child: become bubblewrap within the groups, and in a user namespace if users are ours to give."""
    try:
        for group in plan.groups:
            _write(f"{group}/cgroup.procs", "0")
        _write("/proc/self/oom_score_adj", "500")  # if the machine runs out of memory, bots go first
        if plan.user is not None:
            _unshare_users()
            os.write(ready, b".")
            os.read(go, 1)  # ends when the keeper has mapped the users
        shim.die_with_parent(keeper, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.set_inheritable(plan.status, True)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(plan.status, f"cannot confine it: {error}\n".encode())
    finally:
        os._exit(shim.NOT_RUNNABLE_STATUS)


def _unshare_users() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), f"no user namespace: {os.strerror(ctypes.get_errno())}")


def _map_users(child: int, user: int, seat_user: int) -> None:
    """Root, who makes the sandbox and then has no rights in it, and the one user of the seat; no others exist there."""
    for kind in ("uid_map", "gid_map"):
        _write(f"/proc/{child}/{kind}", f"0 0 1\n{seat_user} {user} 1\n")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 (pathlib costs start-up time)
        file.write(text)


def _keep(plan: Plan, child: int) -> tuple[int, bool]:
    """Wait for the child's end, for SIGTERM or for too much memory, then end the tree.

    Returns the wait status, and whether SIGTERM came.
    """

    def holds_too_much() -> bool:
        if _memory_bytes(child) <= plan.memory_bytes:
            return False
        _say(f"{TOO_MUCH_MEMORY} ({plan.memory_text})")
        return True

    watched = holds_too_much if plan.memory_bytes else None
    status, told = shim.wait_for_end(child, plan.grace, lambda: _seated(child), watched)
    return shim.end_tree(child, status), told


def _seated(child: int) -> list[int]:
    """The processes of the bot: those below bubblewrap and below its first process inside."""
    return [pid for first in shim.children(child) for pid in shim.descendants(first)]


def _memory_bytes(child: int) -> int:
    """What the bot's processes hold, shared pages divided by those who share them, and files that are only memory."""
    total = 0
    files: dict[int, int] = {}
    for pid in _seated(child):
        files.update(_memory_files(pid))
        with (
            contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError),
            open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file,  # noqa: PTH123
        ):
            total += sum(int(line.split()[1]) for line in file if line.startswith(("Pss:", "SwapPss:")))
    return total * 1024 + sum(files.values())


def _memory_files(pid: int) -> dict[int, int]:
    """The bytes by inode of files that a process has open and that have no name (memfd); mapped ones count twice."""
    found: dict[int, int] = {}
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
            path = f"/proc/{pid}/fd/{name}"
            with contextlib.suppress(FileNotFoundError):
                if os.readlink(path).startswith("/memfd:"):  # noqa: PTH115
                    status = os.stat(path)  # noqa: PTH116
                    found[status.st_ino] = status.st_blocks * 512
    return found


def _tell_events(plan: Plan) -> None:
    for path, name, text in plan.events:
        with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii") as file:  # noqa: PTH123
            counts = [line.split() for line in file]
            if any(words[0] == name and int(words[1]) > 0 for words in counts):
                _say(text)


def _say(text: str) -> None:
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        os.write(2, f"{text}\n".encode())


def _remove_groups(plan: Plan) -> None:
    """Remove the groups, which proves that nobody is left in them; the kernel takes a moment to see that."""
    deadline = time.monotonic() + _EMPTY_WITHIN_S
    for group in plan.groups:
        while not _removed(group) and time.monotonic() < deadline:
            time.sleep(0.002)


def _removed(group: str) -> bool:
    try:
        os.rmdir(group)  # noqa: PTH106
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _undo_shell_code(status: int) -> int:
    """The wait status of the bot itself, where bubblewrap said like a shell that a signal ended it."""
    if os.WIFEXITED(status) and 128 < os.WEXITSTATUS(status) <= 128 + signal.SIGRTMAX:
        return os.WEXITSTATUS(status) - 128
    return status


if __name__ == "__main__":
    main(sys.argv[1:])
