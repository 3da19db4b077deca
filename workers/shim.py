"""Ties a process to its parent, so that nothing outlives what started it; Linux only.

Run as a script between a parent and the program it wants, because code between fork and exec is not safe where
gRPC has threads:

    python -I -S shim.py exec PARENT COMMAND…          becomes COMMAND, killed when PARENT (a pid) dies
    python -I -S shim.py keep PARENT STATUS ENDED GRACE SCRATCH COMMAND…
        runs COMMAND and ends its whole tree of processes when COMMAND ends, PARENT dies or SIGTERM comes (SIGKILL after
        GRACE seconds); then deletes the folder SCRATCH. To the pipe STATUS (a file descriptor) it writes BEGUN at once;
        then the pipe ends when COMMAND runs, and why not if it could not be made to. To the pipe ENDED ("-": none) it
        writes OVER before it ends as COMMAND did, or TOLD if SIGTERM had come; if it writes neither, it was killed
        itself, and COMMAND with it

It imports nothing of ours and, to start fast, little of anything else. The kernel binds the death signal to the
*thread* that forked, so parents start their children from a thread that lives as long as they do.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

BEGUN = b"begun\n"
"""What a keeper writes first to its status pipe: if even that does not come, the keeper itself was not started."""

OVER = b"over\n"
"""What a keeper writes last to the pipe for its end: how it ends then is how its command ended by itself."""

TOLD = b"told\n"
"""What it writes instead if it was told to end: whoever told it knows, and else somebody ended all there is."""

NOT_RUNNABLE_STATUS = 127
"""Exit status when the command cannot be run, as in shells."""


def die_with_parent(parent: int, signum: int) -> None:
    """Have the kernel send `signum` to this process when its parent dies; exit now if that has happened already.

    Args:
        parent: the pid that this process was started by.
        signum: the signal to get.

    Raises:
        OSError: the kernel refused.
    """
    _prctl(PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:  # it died before the call: no signal will come
        os._exit(1)


def become_keeper(parent: int) -> None:
    """Have this process hear of all that happens below it, and of the end of its parent (a pid), as SIGTERM.

    Signals are blocked until sigtimedwait takes them, so that none is lost between the steps.

    Raises:
        OSError: the kernel refused.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD, signal.SIGINT, signal.SIGHUP])
    die_with_parent(parent, signal.SIGTERM)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)  # what is below it and loses its parents becomes its child
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def descendants(pid: int) -> list[int]:
    """The pids of all children of `pid`, their children and so on, those that are gone left out."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children(waiting.pop())
        found += below
        waiting += below
    return found


LEFT_RUNNING = "king: ended with the bot, which had left them running: "
"""How the line begins that a bot's standard error gets when it ends by itself and something of its tree does not."""

_LOOKS = 25
_LOOK_EVERY_S = 0.2


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value})")


def children(pid: int) -> list[int]:
    """The pids of the children of `pid`; none if it is gone."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (pathlib costs start-up time)
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:  # noqa: PTH123
                found += [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        pass  # it ended while we looked
    return found


def _run(command: list[str]) -> None:
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, _not_runnable(command, error))
        os._exit(NOT_RUNNABLE_STATUS)


def _not_runnable(command: list[str], error: OSError) -> bytes:
    return f"cannot run {command[0]}: {error.strerror}\n".encode()


def _start(command: list[str], status_pipe: int) -> int:
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, keeper, status_pipe)
    return child


def _become(command: list[str], keeper: int, status_pipe: int) -> None:
    """In the child: become `command`, which closes the status pipe; or say there why not, and end."""
    try:
        die_with_parent(keeper, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execvp(command[0], command)
    except OSError as error:
        os.write(status_pipe, _not_runnable(command, error))
    finally:
        os._exit(NOT_RUNNABLE_STATUS)


def signal_all(pids: list[int], signum: int) -> None:
    """Send a signal to processes, but for those that are gone."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signum)


def reap(child: int, status: int | None) -> tuple[int | None, bool]:
    """Collect what has ended. Returns the child's wait status, if known, and whether any process is left."""
    try:
        while True:
            pid, ended = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return status, True
            if pid == child:
                status = ended
    except ChildProcessError:
        return status, False


def end_tree(child: int, status: int | None) -> int:
    """Kill everything below this process until nothing is left. Returns the wait status of `child`."""
    while True:
        status, left = reap(child, status)
        if not left:
            return 0 if status is None else status
        signal_all(descendants(os.getpid()), signal.SIGKILL)
        time.sleep(0.002)


def _left_running() -> list[str]:
    """What the child left when it ended, as `name (pid)`; what is just ending is given a moment to do so."""
    for _ in range(_LOOKS):
        reap(0, None)
        left = descendants(os.getpid())
        if not left:
            return []
        time.sleep(0.002)
    return [f"{_name(pid)} ({pid})" for pid in left]


def _name(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().strip()
    except (FileNotFoundError, ProcessLookupError):
        return "ended meanwhile"


def wait_for_end(
    child: int, grace: float, seated: Callable[[], list[int]], is_enough: Callable[[], bool] | None = None
) -> tuple[int | None, bool]:
    """Wait until the child ends, its time after SIGTERM is up, or `is_enough` says so.

    Args:
        child: the pid.
        grace: seconds from SIGTERM, which is passed on to those who are `seated`.
        seated: the pids of the program.
        is_enough: whether to wait no longer; asked five times a second.

    Returns:
        The child's wait status if it has ended, and whether SIGTERM has come.
    """
    look_every = 3600.0 if is_enough is None else _LOOK_EVERY_S
    status: int | None = None
    deadline: float | None = None
    while status is None:
        left = look_every if deadline is None else min(look_every, deadline - time.monotonic())
        if left <= 0:
            break
        came = signal.sigtimedwait([signal.SIGTERM, signal.SIGCHLD], left)
        if came is not None and came.si_signo == signal.SIGTERM and deadline is None:
            deadline = time.monotonic() + grace
            signal_all(seated(), signal.SIGTERM)
        status, _ = reap(child, status)
        if status is None and is_enough is not None and is_enough():
            break
    return status, deadline is not None


def _keep(child: int, grace: float) -> tuple[int, bool]:
    """Wait for the child's end or for SIGTERM, then end the tree. Returns its wait status, and whether SIGTERM came."""
    status, told_to_end = wait_for_end(child, grace, lambda: descendants(os.getpid()))
    deserted = [] if told_to_end else _left_running()
    if deserted:
        os.write(2, f"{LEFT_RUNNING}{', '.join(deserted)}\n".encode())
    return end_tree(child, status), told_to_end


def _delete(folder: str) -> None:
    import shutil  # late: the start is what must be fast

    shutil.rmtree(folder, ignore_errors=True)


def end_as(status: int, ended: int | None, *, told: bool) -> None:
    """End as a process with this wait status did; say on the pipe `ended`, if there is one, whether it was told to."""
    if ended is not None:
        with contextlib.suppress(BrokenPipeError):
            os.write(ended, TOLD if told or signal.SIGTERM in signal.sigpending() else OVER)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


def main(arguments: list[str]) -> None:
    """Do what the module's text says of `arguments`; does not return."""
    verb, parent, *rest = arguments
    if verb == "exec":
        die_with_parent(int(parent), signal.SIGKILL)
        _run(rest)
    status_pipe, ended, grace, scratch, *command = rest
    ended_pipe = None if ended == "-" else int(ended)
    for pipe in (int(status_pipe), ended_pipe):
        if pipe is not None:
            os.set_inheritable(pipe, False)
    os.write(int(status_pipe), BEGUN)
    try:
        become_keeper(int(parent))
        child = _start(command, int(status_pipe))
    except OSError as error:
        os.write(int(status_pipe), _not_runnable(command, error))
        os._exit(NOT_RUNNABLE_STATUS)
    os.close(int(status_pipe))
    status, told = _keep(child, float(grace))
    _delete(scratch)
    end_as(status, ended_pipe, told=told)


if __name__ == "__main__":
    main(sys.argv[1:])
