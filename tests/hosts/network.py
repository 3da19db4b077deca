"""Hosts in namespaces of one machine: each has an address, processes, a name and scratch folders of its own.

Owns the wires between them: how they are laid, cut, made lossy, and how a host loses its power. Knows nothing of what
hosts run. It works in a network that is its own (see `__main__`), so the machine's is never touched.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from workers.shim import children

NEEDED: Final = ("ip", "unshare", "nsenter", "hostname")
"""The programs without which there are no hosts."""
PREFIX: Final = "10.77.0."
OUTSIDE: Final = f"{PREFIX}1"
"""The address of who looks on from outside all hosts: the harness."""

_BRIDGE: Final = "hosts"
_NOWHERE: Final = "02:ff:ff:ff:ff:ff"
"""A hardware address that nobody has: frames to it are lost in silence."""
_NAMESPACES: Final = ("--net", "--uts", "--ipc", "--pid", "--mount")
_BOOT: Final = """
hostname "$1"
mount -t tmpfs tmpfs /dev/shm
ip link set lo up
echo booted
read wired
ip address add "$2/24" dev eth0
ip link set eth0 up
echo wired
exec env --ignore-signal=CHLD sleep infinity
"""
"""The first process of a host: it takes its address, then lives, and buries who dies, while there is power."""


class NoHostsError(Exception):
    """This machine lets nobody make hosts; the text says why."""


def why_impossible() -> str:
    """Why no hosts can be made here; empty if they can."""
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        return f"no {', '.join(missing)} here (Debian: apt install iproute2 util-linux hostname)"
    words = [*inside_command(), "sh", "-c", "ip link add name probe type bridge && ip link add one type veth peer two"]
    tried = subprocess.run(words, capture_output=True, text=True, check=False)
    return f"no network namespaces here: {tried.stderr.strip()}" if tried.returncode else ""


def inside_command() -> tuple[str, ...]:
    """The words before a command that give it a network and processes of its own; all end with it, however it ends."""
    own = ("--net", "--pid", "--mount", "--mount-proc", "--fork", "--kill-child")
    return ("unshare", *own) if os.geteuid() == 0 else ("unshare", "--user", "--map-current-user", "--keep-caps", *own)


@dataclass
class Host:
    """A machine of the network. It is off at first.

    Attributes:
        name: its host name.
        number: the last part of its address.
        folder: its disk, which outlasts its power.
    """

    name: str
    number: int
    folder: Path
    _boots: int = 0
    _power: subprocess.Popen[str] | None = None
    _first: int = 0

    @property
    def address(self) -> str:
        """Its address."""
        return f"{PREFIX}{self.number}"

    @property
    def runs(self) -> bool:
        """Whether it has power."""
        return self._power is not None

    def boot(self) -> None:
        """Give it power, and plug it in."""
        shutil.rmtree(self.folder / "tmp", ignore_errors=True)
        (self.folder / "tmp").mkdir(parents=True)
        self._boots += 1
        words = ["unshare", *_NAMESPACES, "--mount-proc", "--fork", "--kill-child", "sh", "-c", _BOOT, "sh"]
        with self._trouble.open("wb") as trouble:
            self._power = subprocess.Popen(
                [*words, self.name, self.address],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=trouble,
                text=True,
            )
        self._hear("booted")
        (self._first,) = children(self._power.pid)
        hardware = f"02:00:00:00:00:{self.number:02x}"  # the same after each boot, as a card's
        _ip(f"link add {self._wire} type veth peer name eth0 address {hardware} netns {self._first}")
        _ip(f"link set {self._wire} master {_BRIDGE} up")
        _pipe(self._power.stdin).write("wired\n")
        _pipe(self._power.stdin).flush()
        self._hear("wired")

    def lose_power(self) -> None:
        """End everything that runs on it at once; the others hear nothing more from it, not even that it is gone."""
        assert self._power is not None
        _ip(f"link set {self._wire} nomaster")
        os.kill(self._first, signal.SIGKILL)
        self._power.communicate()
        self._power = None
        _ip(f"link delete {self._wire}", may_fail=True)  # with its other end it goes by itself, sooner or later

    def crash(self) -> None:
        """Kill all its processes; the system stays, and tells the others that their connections are closed."""
        for pid in self.processes():
            _kill(pid)

    def unplug(self) -> None:
        """Cut its wire."""
        _ip(f"link set {self._wire} down")

    def plug_in(self) -> None:
        """Mend its wire."""
        _ip(f"link set {self._wire} up")

    def lose_what_goes_to(self, address: str) -> None:
        """Have all that it sends to an address be lost; what comes from there arrives."""
        self._run(f"ip neighbour replace {address} lladdr {_NOWHERE} dev eth0 nud permanent")

    def reach_again(self, address: str) -> None:
        """Have it reach an address again."""
        self._run(f"ip neighbour delete {address} dev eth0")

    def start(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
        """Start a command on it, in its folder; the process returned ends with the command, or with the host."""
        scratch = {"TMPDIR": str(self.folder / "tmp")}
        with log.open("ab") as output:
            return subprocess.Popen(
                [*self._enter(), _found("env"), f"--chdir={self.folder}", *words],
                env={**environment, **scratch},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def processes(self) -> list[int]:
        """The pids, as the harness sees them, of all that runs on it but its first process."""
        space = _space(self._first)
        found = (int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal())
        return [pid for pid in found if pid != self._first and space and _space(pid) == space]

    @property
    def _trouble(self) -> Path:
        return self.folder / "boot.txt"

    @property
    def _wire(self) -> str:
        return f"w{self.number}-{self._boots}"

    def _enter(self) -> tuple[str, ...]:
        return (_found("nsenter"), "--target", str(self._first), "--net", "--uts", "--ipc", "--pid", "--mount")

    def _run(self, command: str) -> None:
        subprocess.run([*self._enter(), *command.split()], check=True, capture_output=True)

    def _hear(self, word: str) -> None:
        assert self._power is not None
        said = _pipe(self._power.stdout).readline().strip()
        if said != word:
            trouble = self._trouble.read_text(encoding="utf-8").strip()
            raise NoHostsError(f"host {self.name} does not start: it said {said!r} instead of {word!r}; {trouble}")


@dataclass
class Network:
    """A switch, and the hosts that are plugged into it."""

    folder: Path
    hosts: dict[str, Host] = field(default_factory=dict)
    _there_before: frozenset[str] = field(default_factory=lambda: frozenset(_interfaces()))

    def __post_init__(self) -> None:
        """Lay the switch, to which the harness itself is plugged in at `OUTSIDE`."""
        for command in (
            "link set lo up",
            f"link add name {_BRIDGE} type bridge",
            f"address add {OUTSIDE}/24 dev {_BRIDGE}",
            f"link set {_BRIDGE} up",
        ):
            _ip(command)

    def add(self, name: str, number: int) -> Host:
        """Make a host, without power yet."""
        place = self.folder / name
        place.mkdir()
        self.hosts[name] = Host(name, number, place)
        return self.hosts[name]

    def remove(self) -> None:
        """Take all power away, and the switch."""
        for host in self.hosts.values():
            if host.runs:
                host.lose_power()
        _ip(f"link delete {_BRIDGE}")

    def left(self) -> list[str]:
        """The interfaces that are there now and were not before."""
        return sorted(_interfaces() - self._there_before)


def _ip(command: str, *, may_fail: bool = False) -> None:
    done = subprocess.run(["ip", *command.split()], capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise NoHostsError(f"ip {command}: {done.stderr.strip()}")


def _found(program: str) -> str:
    """Where a program is: who starts it may be given another PATH than ours."""
    return shutil.which(program) or program


def _interfaces() -> set[str]:
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
    return {line.partition(":")[0].strip() for line in lines}


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None
    return end


def _space(pid: int) -> str:
    """Which processes a process sees; empty if it is gone."""
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return ""


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
