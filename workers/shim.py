"""Ties a process to its parent, so that nothing outlives what started it; Linux only.

Run as a script between a parent and the program it wants, because code between fork and exec is not safe where
gRPC has threads:

    python -I -S shim.py exec PARENT COMMAND…          becomes COMMAND, killed when PARENT (a pid) dies
    python -I -S shim.py keep PARENT STATUS GRACE SCRATCH COMMAND…
        runs COMMAND and ends its whole tree of processes when COMMAND ends, PARENT dies or SIGTERM comes (SIGKILL after
        GRACE seconds); then deletes the folder SCRATCH. To the pipe STATUS (a file descriptor) it writes BEGUN at once;
        then the pipe ends when COMMAND runs, and why not if it could not be made to

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

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

BEGUN = b"begun\n"
"""What a keeper writes first to its status pipe: if even that does not come, the keeper itself was not started."""

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


def block_signals() -> None:
    """Block the signals of a keeper until sigtimedwait takes them, so that none is lost between the steps."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD, signal.SIGINT, signal.SIGHUP])


def adopt_orphans() -> None:
    """Have processes below this one whose parents end become its children."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


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


def _keep(child: int, grace: float) -> int:
    """Wait for the child's end or for SIGTERM, then end the tree. Returns the child's wait status."""
    status: int | None = None
    deadline: float | None = None
    while status is None:
        left = 3600.0 if deadline is None else deadline - time.monotonic()
        if left <= 0:
            break
        came = signal.sigtimedwait([signal.SIGTERM, signal.SIGCHLD], left)
        if came is not None and came.si_signo == signal.SIGTERM and deadline is None:
            deadline = time.monotonic() + grace
            signal_all(descendants(os.getpid()), signal.SIGTERM)
        status, _ = reap(child, status)
    deserted = _left_running() if deadline is None else []
    if deserted:
        os.write(2, f"{LEFT_RUNNING}{', '.join(deserted)}\n".encode())
    return end_tree(child, status)


def _delete(folder: str) -> None:
    import shutil  # late: the start is what must be fast

    shutil.rmtree(folder, ignore_errors=True)


def end_as(status: int) -> None:
    """End as a process with this wait status did; does not return."""
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
    status_pipe, grace, scratch, *command = rest
    os.set_inheritable(int(status_pipe), False)
    os.write(int(status_pipe), BEGUN)
    try:
        child = _start_kept(int(parent), command, int(status_pipe))
    except OSError as error:
        os.write(int(status_pipe), _not_runnable(command, error))
        os._exit(NOT_RUNNABLE_STATUS)
    os.close(int(status_pipe))
    status = _keep(child, float(grace))
    _delete(scratch)
    end_as(status)


def _start_kept(parent: int, command: list[str], status_pipe: int) -> int:
    block_signals()
    die_with_parent(parent, signal.SIGTERM)
    adopt_orphans()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return _start(command, status_pipe)


if __name__ == "__main__":
    main(sys.argv[1:])
