"""The system calls that a submitted bot may make, as a filter for the kernel (seccomp, classic BPF).

Owns what is denied and why; installs nothing: bubblewrap does. Numbers are those of the kernel's tables for x86_64 and
aarch64. Calls older than Linux 5.1 are allowed unless named here, since languages need many; newer ones, whose numbers
are the same everywhere, are denied unless named here, so that what a later kernel adds is closed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_KILL: Final = 0x80000000

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06

_NUMBER_AT: Final = 0
_MACHINE_AT: Final = 4
_ARGUMENTS_AT: Final = 16

_FIRST_UNIFIED: Final = 424
_X32_BIT: Final = 0x40000000

_AF_UNIX: Final = 1
_NEW_NAMESPACES: Final = 0x7E020080  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET and NEWTIME
_TERMINAL_INPUT: Final = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX: type into the terminal of somebody else
_LOCKS: Final = (5, 6, 7, 36, 37, 38)  # F_GETLK, F_SETLK, F_SETLKW, and the same by open file
_LEASES: Final = (1024, 1025, 1026)  # F_SETLEASE, F_GETLEASE, F_NOTIFY
_PERSONALITIES: Final = (0, 0xFFFFFFFF)  # the plain one, and the question which it is


@dataclass(frozen=True)
class Machine:
    """A processor: its name for the kernel's audit, and the column of its numbers below."""

    audit: int
    column: int


MACHINES: Final[Mapping[str, Machine]] = {
    "x86_64": Machine(0xC000003E, 0),
    "aarch64": Machine(0xC00000B7, 1),
}

DENIED: Final[Mapping[str, tuple[int | None, int | None]]] = {
    # reading and writing other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # the kernel's keyring, which namespaces do not part
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # programs in the kernel, and what watches or steers it
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "lookup_dcookie": (212, 18),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "vmsplice": (278, 75),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "vhangup": (153, 58),
    # other views of the files
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # other namespaces
    "unshare": (272, 97),
    "setns": (308, 268),
    # the machine's name and time
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
}
"""Calls that fail with EPERM: numbers on x86_64 and aarch64."""

DENIED_AT_TABLES: Final[Mapping[str, tuple[int | None, int | None]]] = {
    "flock": (73, 32),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "shmget": (29, 194),
}
"""Calls that fail with ENOSYS for bots. They see the same read-only files, and could tell each other things by locking
them, or by watching each other open them; and shared memory that nobody has attached is memory that nobody counts where
there is no control group. Builds may make these calls."""

SOCKET: Final = (41, 198)
SOCKETPAIR: Final = (53, 199)
CLONE: Final = (56, 220)
IOCTL: Final = (16, 29)
PERSONALITY: Final = (135, 92)
FCNTL: Final = (72, 25)
"""Calls that are judged by their arguments."""

ALLOWED_NEW: Final[Mapping[str, int]] = {
    "pidfd_send_signal": 424,
    "pidfd_open": 434,
    "close_range": 436,
    "openat2": 437,
    "faccessat2": 439,
    "epoll_pwait2": 441,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "futex_waitv": 449,
    "fchmodat2": 452,
    "futex_wake": 454,
    "futex_wait": 455,
    "futex_requeue": 456,
}
"""Of the calls with unified numbers, those that are allowed. The others fail with ENOSYS, so that programs fall back
on older ones: io_uring, whose calls no filter sees; clone3, whose flags none can read; the new mount calls."""

Instruction = tuple[int, int, int, int]


class UnknownMachineError(LookupError):
    """There is no table of system calls for this processor."""


def filter_program(machine: str, *, at_tables: bool) -> bytes:
    """The filter as an array of `struct sock_filter`, as `bwrap --seccomp` reads it.

    Args:
        machine: as `os.uname().machine` says it.
        at_tables: for bots that play; otherwise for their builds.

    Raises:
        UnknownMachineError: only x86_64 and aarch64 are known.
    """
    if machine not in MACHINES:
        raise UnknownMachineError(f"no filter of system calls for {machine}: there is one for {', '.join(MACHINES)}")
    return b"".join(struct.pack("=HBBI", *each) for each in _instructions(MACHINES[machine], at_tables=at_tables))


def _instructions(machine: Machine, *, at_tables: bool) -> Iterator[Instruction]:
    column = machine.column
    yield _LOAD, 0, 0, _MACHINE_AT
    yield _EQUAL, 1, 0, machine.audit
    yield _RETURN, 0, 0, _KILL  # calls of another processor, such as 32-bit ones, have other numbers
    yield _LOAD, 0, 0, _NUMBER_AT
    yield from _when_at_least(_X32_BIT, errno.ENOSYS)
    yield from _judge_new()
    yield from _deny(DENIED, column, errno.EPERM)
    if at_tables:
        yield from _deny(DENIED_AT_TABLES, column, errno.ENOSYS)
        yield from _when(FCNTL[column], _if_equal((*_LOCKS, *_LEASES), argument=1, error=errno.ENOLCK))
    for numbers in (SOCKET, SOCKETPAIR):
        yield from _when(numbers[column], _unless_equal((_AF_UNIX,), argument=0, error=errno.EAFNOSUPPORT))
    yield from _when(CLONE[column], _unless_clear(_NEW_NAMESPACES, argument=0))
    yield from _when(IOCTL[column], _if_equal(_TERMINAL_INPUT, argument=1, error=errno.EPERM))
    yield from _when(PERSONALITY[column], _unless_equal(_PERSONALITIES, argument=0, error=errno.EPERM))
    yield _RETURN, 0, 0, ALLOW


def _deny(calls: Mapping[str, tuple[int | None, int | None]], column: int, error: int) -> Iterator[Instruction]:
    for numbers in calls.values():
        number = numbers[column]
        if number is not None:
            yield from _when(number, [(_RETURN, 0, 0, _ERRNO | error)])


def _judge_new() -> Iterator[Instruction]:
    rest: list[Instruction] = []
    for number in ALLOWED_NEW.values():
        rest += _when(number, [(_RETURN, 0, 0, ALLOW)])
    rest.append((_RETURN, 0, 0, _ERRNO | errno.ENOSYS))
    yield _AT_LEAST, 0, len(rest), _FIRST_UNIFIED
    yield from rest


def _when(number: int, then: list[Instruction]) -> Iterator[Instruction]:
    yield _EQUAL, 0, len(then), number
    yield from then


def _when_at_least(number: int, error: int) -> Iterator[Instruction]:
    yield _AT_LEAST, 0, 1, number
    yield _RETURN, 0, 0, _ERRNO | error


def _argument(number: int) -> Instruction:
    """Load the lower half, which is all that the kernel looks at in these calls."""
    return _LOAD, 0, 0, _ARGUMENTS_AT + 8 * number


def _unless_equal(values: tuple[int, ...], *, argument: int, error: int) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(argument), *tests, (_RETURN, 0, 0, _ERRNO | error), (_RETURN, 0, 0, ALLOW)]


def _if_equal(values: tuple[int, ...], *, argument: int, error: int) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(argument), *tests, (_RETURN, 0, 0, ALLOW), (_RETURN, 0, 0, _ERRNO | error)]


def _unless_clear(bits: int, *, argument: int) -> list[Instruction]:
    denied = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    return [_argument(argument), (_ANY_BIT, 0, 1, bits), denied, (_RETURN, 0, 0, ALLOW)]
