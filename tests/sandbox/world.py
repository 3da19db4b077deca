"""What there is around a sandbox for an attempt to get at: services, files, processes, shared memory of the host."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workers.launcher import Limits

_MEBIBYTE = 1 << 20

LIMITS = Limits(
    memory_bytes=128 * _MEBIBYTE,
    processes=30,
    open_files=64,
    file_bytes=8 * _MEBIBYTE,
    scratch_bytes=8 * _MEBIBYTE,
)
"""Narrow ones, so that going beyond them is harmless outside."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Addresses and names of what is around; each gives `secret` to whoever gets at it."""

    secret: str
    host: str
    port: int
    udp_port: int
    abstract: str
    socket: str
    secret_file: str
    folder: str
    victim: int
    sysv_key: int
    shared_memory: str

    def for_python(self, bot_folder: str) -> dict[str, Any]:
        """What an attempt in Python is told; `bot_folder` is its own."""
        return {
            **self.__dict__,
            "own_file": f"{bot_folder}/weights.txt",
            "mark": f"/tmp/{self.abstract}.mark",
            "outliving": f"{self.abstract}.outlives",
            "limits": {
                "processes": LIMITS.processes,
                "open_files": LIMITS.open_files,
                "file_mebibytes": LIMITS.file_bytes // _MEBIBYTE,
                "scratch_mebibytes": LIMITS.scratch_bytes // _MEBIBYTE,
            },
        }


@contextlib.contextmanager
def world(folder: Path) -> Iterator[World]:
    """A world around a sandbox; its files are in `folder`."""
    secret = f"secret-{secrets.token_hex(8)}"
    abstract = f"king-escape-{secrets.token_hex(8)}"
    secret_file = folder / "league.sqlite3"
    for file in (secret_file, folder / "bots/other/weights.txt", folder / ".ssh/id_ed25519"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(secret, encoding="ascii")
    with contextlib.ExitStack() as held:
        service = folder / "service.sock"
        tcp = held.enter_context(_serving(socket.AF_INET, ("127.0.0.1", 0), secret))
        held.enter_context(_serving(socket.AF_UNIX, f"\0{abstract}", secret))
        held.enter_context(_serving(socket.AF_UNIX, str(service), secret))
        service.chmod(0o666)
        yield World(
            secret=secret,
            host="127.0.0.1",
            port=tcp.getsockname()[1],
            udp_port=held.enter_context(_answering(secret)).getsockname()[1],
            abstract=abstract,
            socket=str(service),
            secret_file=str(secret_file),
            folder=str(folder),
            victim=held.enter_context(_victim(folder, secret, abstract)),
            sysv_key=held.enter_context(_memory_of_system_5(secret)),
            shared_memory=held.enter_context(_memory_of_posix(secret)),
        )


@contextlib.contextmanager
def _serving(family: int, place: Any, secret: str) -> Iterator[socket.socket]:
    """Says the secret to whoever connects."""
    with socket.socket(family) as listener:
        listener.bind(place)
        listener.listen()

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    link, _ = listener.accept()
                    with link:
                        link.sendall(secret.encode())

        with _thread(serve, lambda: listener.shutdown(socket.SHUT_RDWR)):
            yield listener


@contextlib.contextmanager
def _answering(secret: str) -> Iterator[socket.socket]:
    """Answers every datagram with the secret."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                words, sender = server.recvfrom(1000)
                if words == b"end":
                    return
                server.sendto(secret.encode(), sender)

        def end() -> None:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"end", server.getsockname())

        with _thread(serve, end):
            yield server


@contextlib.contextmanager
def _thread(work: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        end()
        thread.join()


@contextlib.contextmanager
def _victim(folder: Path, secret: str, name: str) -> Iterator[int]:
    """A process with the secret in its environment and in an open file, in the folder of the store."""
    with (
        (folder / "league.sqlite3").open("rb") as file,
        subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()", name],
            env={"KING_SECRET": secret},
            stdin=subprocess.PIPE,
            cwd=folder,
            pass_fds=(file.fileno(),),
        ) as victim,
    ):
        yield victim.pid
        victim.communicate()


@contextlib.contextmanager
def _memory_of_system_5(secret: str) -> Iterator[int]:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    key = secrets.randbelow(1 << 30) + 1
    shared = libc.shmget(key, 100, 0o1666)
    if shared < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    place = libc.shmat(shared, None, 0)
    ctypes.memmove(place, secret.encode() + b"\0", len(secret) + 1)
    try:
        yield key
    finally:
        libc.shmdt(ctypes.c_void_p(place))
        libc.shmctl(shared, 0, None)


@contextlib.contextmanager
def _memory_of_posix(secret: str) -> Iterator[str]:
    path = Path("/dev/shm") / f"king-{os.getpid()}-{secrets.token_hex(4)}"
    path.write_text(secret, encoding="ascii")
    path.chmod(0o666)
    try:
        yield f"/{path.name}"
    finally:
        path.unlink()
