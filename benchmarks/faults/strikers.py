"""How each kind of fault is made, from outside, with the means of the system; and unmade.

Knows processes, sockets and files, not what a league is. A striker returns what ends the fault, or None if it is over.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from redis import Redis
from redis.exceptions import RedisError

from benchmarks.faults.processes import Process, family, state

Undo: TypeAlias = Callable[[], None]

_SYS_PIDFD_GETFD = 438
_STOPPED_S, _RUNNING_S = 0.04, 0.01
_BURNERS = 6
_SEIZE_WITHIN_S = 60.0


class GoneError(Exception):
    """The victim has ended meanwhile, or has nothing that could be struck."""


def kill(victim: Process) -> None:
    """SIGKILL."""
    _signal(victim, signal.SIGKILL)


def stop(victim: Process) -> Undo:
    """SIGSTOP, and wait until it has come."""
    _signal(victim, signal.SIGSTOP)
    while state(victim.pid) not in {"T", "t", "Z", "X", ""}:
        time.sleep(0.001)

    def go_on() -> None:
        with contextlib.suppress(GoneError):
            _signal(victim, signal.SIGCONT)

    return go_on


def slow(victim: Process) -> Undo:
    """Have it run a fifth of the time."""
    enough = threading.Event()

    def hold_up() -> None:
        with contextlib.suppress(GoneError):
            while not enough.is_set():
                _signal(victim, signal.SIGSTOP)
                enough.wait(_STOPPED_S)
                _signal(victim, signal.SIGCONT)
                enough.wait(_RUNNING_S)

    thread = threading.Thread(target=hold_up, name="slow")
    thread.start()

    def let_be() -> None:
        enough.set()
        thread.join()

    return let_be


def cut(victim: Process, lot: float, *, every: bool = False) -> None:
    """Shut one of its connections, or `every` one, in both directions; as both ends would see it from the network."""
    connections = _connections(victim)
    if not connections:
        raise GoneError(f"process {victim.pid} has no connection")
    for connection in connections if every else [connections[int(lot * len(connections))]]:
        with contextlib.suppress(OSError):  # it was closed meanwhile
            connection.shutdown(socket.SHUT_RDWR)
    for connection in connections:
        connection.close()


def refuse_writes(victim: Process) -> Undo:
    """Have all it writes to files fail; what it starts meanwhile inherits that."""
    try:
        old = resource.prlimit(victim.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(victim.pid, resource.RLIMIT_FSIZE, (0, old[1]))
    except ProcessLookupError:
        raise GoneError(f"process {victim.pid} has ended") from None

    def allow() -> None:
        for process in family(victim.pid) if victim.runs else ():
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, old)

    return allow


def lock(database: Path) -> Undo:
    """Begin to write to a database, and do not come to an end."""
    connection = sqlite3.connect(database, timeout=_SEIZE_WITHIN_S, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN IMMEDIATE")

    def let_go() -> None:
        connection.execute("ROLLBACK")
        connection.close()

    return let_go


def wipe(redis_url: str) -> None:
    """Have Valkey forget all."""
    with _redis(redis_url) as client:
        client.flushall()


def exhaust(redis_url: str) -> Undo:
    """Have Valkey refuse whatever would take memory."""
    with _redis(redis_url) as client:
        client.config_set("maxmemory", 1)

    def relieve() -> None:
        with contextlib.suppress(GoneError), _redis(redis_url) as client:
            client.config_set("maxmemory", 0)

    return relieve


def occupy() -> Undo:
    """Keep all CPUs busy with other programs."""
    burners = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(_BURNERS)]

    def end() -> None:
        for burner in burners:
            burner.kill()
            burner.wait()

    return end


@contextlib.contextmanager
def _redis(url: str) -> Iterator[Redis]:
    client = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    try:
        yield client
    except (RedisError, OSError) as error:
        raise GoneError(f"Valkey does not answer: {error}") from None
    finally:
        client.close()


def _signal(victim: Process, number: int) -> None:
    if not victim.runs:
        raise GoneError(f"process {victim.pid} has ended")
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim.pid, number)


def _connections(victim: Process) -> list[socket.socket]:
    """Copies of the sockets of a process that lead somewhere: no listeners, no pairs with which it wakes itself."""
    found = []
    try:
        pidfd = os.pidfd_open(victim.pid)
    except ProcessLookupError:
        raise GoneError(f"process {victim.pid} has ended") from None
    try:
        for number in _socket_numbers(victim.pid):
            copy = ctypes.CDLL(None, use_errno=True).syscall(_SYS_PIDFD_GETFD, pidfd, number, 0)
            if copy >= 0:
                connection = socket.socket(fileno=copy)
                if _leads_somewhere(connection):
                    found.append(connection)
                else:
                    connection.close()
    finally:
        os.close(pidfd)
    return found


def _socket_numbers(pid: int) -> list[int]:
    numbers = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for place in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if str(place.readlink()).startswith("socket:"):
                    numbers.append(int(place.name))
    return sorted(numbers)


def _leads_somewhere(connection: socket.socket) -> bool:
    try:
        peer = connection.getpeername()
    except OSError:
        return False
    return bool(peer or connection.getsockname())
