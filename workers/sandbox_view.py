"""What a submitted bot sees of this machine's files: its runtime, read-only, and nothing that belongs to anybody.

Owns the list. Everything that is not named here does not exist in a sandbox.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SEAT_PROGRAM: Final = "/run/king/seat.py"
REFEREE_SOCKET: Final = "/run/king/referee.sock"

_SYSTEM: Final = Path("/usr")
_LINKS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""In the root folder: links into /usr, or, on older systems, folders."""

_SETTINGS: Final = (
    "alternatives",
    "ca-certificates",
    "gai.conf",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "maven/logging",
    "maven/m2.conf",
    "mime.types",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
)
"""Of /etc: what programs look for, and nothing that tells of this machine, its people or their passwords."""

_PACKAGES: Final = ("king.v1", "king_bot", "king_cli", "workers", "league", "referee")
"""Of ours: the SDK, the rules as a library, and `king bridge`."""

_OURS: Final = Path(__file__).resolve().parent / "sandbox_etc"


def system_arguments() -> list[str]:
    """Arguments of bubblewrap that show the system's programs and libraries, and settings of our own."""
    arguments = ["--ro-bind", str(_SYSTEM), str(_SYSTEM)]
    for name in _LINKS:
        path = Path("/", name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    java = sorted(path.name for path in Path("/etc").glob("java*"))
    for name in (*_SETTINGS, *java):
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for file in sorted(_OURS.iterdir()):
        arguments += ["--ro-bind", str(file), f"/etc/{file.name}"]
    return arguments


def python_arguments() -> list[str]:
    """Arguments that show this Python with what is installed in it, our packages wherever they are."""
    return show(_outermost(_python_folders()))


def show(paths: Iterable[Path]) -> list[str]:
    """Arguments that show files and folders where they are; what is below /usr is seen already."""
    hidden = [path for path in paths if not path.is_relative_to(_SYSTEM)]
    return [word for path in hidden for word in ("--ro-bind", str(path), str(path))]


def cover(paths: Iterable[Path]) -> list[str]:
    """Arguments that cover folders, which may lie in something shown, with empty ones."""
    shown = [_SYSTEM, *_python_folders()]
    covered = [path for path in paths if path.is_dir() and any(path.is_relative_to(place) for place in shown)]
    return [word for path in covered for word in ("--tmpfs", str(path), "--remount-ro", str(path))]


def with_folders(arguments: Sequence[str]) -> list[str]:
    """Arguments that have two operands each, after ones that make the folders in which they put things.

    Bubblewrap would make them by itself, but, where root starts it, so that nobody else can look into them.
    """
    made: dict[str, None] = {}
    for target in arguments[2::3]:
        made |= dict.fromkeys(map(str, reversed(Path(target).parents)))
    made.pop("/", None)
    return [*(word for folder in made for word in ("--perms", "0755", "--dir", folder)), *arguments]


def _python_folders() -> set[Path]:
    folders = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent}
    for name in _PACKAGES:
        spec = find_spec(name)
        places = [] if spec is None else spec.submodule_search_locations or []
        folders |= {Path(place) for place in places}
    return folders


def _outermost(folders: Iterable[Path]) -> list[Path]:
    """Without those that lie in another one."""
    kept: list[Path] = []
    for folder in sorted(folders):
        if not any(folder.is_relative_to(other) for other in kept):
            kept.append(folder)
    return kept
