"""The first program in the sandbox of a bot: gives up what rights are left, and becomes the bot. Linux only.

Run as a script, by bubblewrap, inside the sandbox:

    python -I -S seat.py run STATUS USER PROCESSES FILES BYTES COMMAND…
        becomes COMMAND, as user and group USER ("-": whoever it is), with at most so many processes and threads, open
        files, and bytes in one file
    python -I -S seat.py build STATUS EXPORT USER PROCESSES FILES BYTES COMMAND…
        the same, but copies SOURCE into FOLDER first, runs COMMAND there, ends all that it left running, and if it
        ended well, writes FOLDER to the pipe EXPORT as a tar; ends as COMMAND did

STATUS, EXPORT: file descriptors. Written to STATUS: SEATED just before COMMAND is run, then why it could not be, if so.
It imports nothing of ours, for nothing of ours need be in the sandbox.
"""

import os
import resource
import signal
import sys

SEATED = b"seated\n"
"""What it writes when the sandbox stands: whatever ends after it is the command's own doing."""

FOLDER = "/bot"
"""Where the bot's folder is in the sandbox."""

SOURCE = "/source"
"""Where a bot that is to be built is put, read-only."""

NOT_RUNNABLE_STATUS = 127


def _take_seat(user: str, processes: str, files: str, size: str) -> None:
    for kind, most in (
        (resource.RLIMIT_NPROC, int(processes)),
        (resource.RLIMIT_NOFILE, int(files)),
        (resource.RLIMIT_FSIZE, int(size)),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 1 << 20),
        (resource.RLIMIT_MSGQUEUE, 1 << 16),
        (resource.RLIMIT_SIGPENDING, 1024),
    ):
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
    if user != "-":
        os.setgroups([])
        os.setresgid(int(user), int(user), int(user))
        os.setresuid(int(user), int(user), int(user))


def _run(status: int, command: list[str]) -> None:
    os.write(status, SEATED)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(status, f"cannot run {command[0]}: {error.strerror}\n".encode())
    os._exit(NOT_RUNNABLE_STATUS)


def _build(status: int, export: int, command: list[str]) -> None:
    import contextlib  # late, all of them: only builds need them, and a start must be fast
    import shutil
    import subprocess

    for name in os.listdir(SOURCE):  # noqa: PTH208
        source, target = f"{SOURCE}/{name}", f"{FOLDER}/{name}"
        if os.path.isdir(source):  # noqa: PTH112
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    os.write(status, SEATED)
    os.close(status)
    try:
        ended = subprocess.run(command, cwd=FOLDER, check=False).returncode
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]}: {error.strerror}\n")
        ended = NOT_RUNNABLE_STATUS
    with contextlib.suppress(ProcessLookupError):  # all there are but this one: nothing changes the folder now
        os.kill(-1, signal.SIGKILL)
    if ended == 0:
        _export(export)
    os._exit(ended if ended >= 0 else 128 - ended)


def _export(pipe: int) -> None:
    import tarfile

    with os.fdopen(pipe, "wb") as file, tarfile.open(fileobj=file, mode="w|") as archive:
        for folder, folders, files in os.walk(FOLDER):
            for name in sorted(folders) + sorted(files):
                place = os.path.join(folder, name)  # noqa: PTH118
                info = archive.gettarinfo(place, place.removeprefix(FOLDER).lstrip("/"))
                archive.inodes.clear()  # type: ignore[attr-defined]  # so that a file with two names is two files
                if info is not None and info.isreg():
                    with open(place, "rb") as contents:  # noqa: PTH123
                        archive.addfile(info, contents)
                elif info is not None:
                    archive.addfile(info)


def main(arguments: list[str]) -> None:
    """Do what the module's text says of `arguments`; does not return."""
    verb, status, *rest = arguments
    os.set_inheritable(int(status), False)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores, and a program would go on ignoring
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    if verb == "run":
        user, processes, files, size, *command = rest
        _take_seat(user, processes, files, size)
        _run(int(status), command)
    export, user, processes, files, size, *command = rest
    os.set_inheritable(int(export), False)
    _take_seat(user, processes, files, size)
    _build(int(status), int(export), command)


if __name__ == "__main__":
    main(sys.argv[1:])
