"""Which languages bots can be built and run with on this machine, and in which versions.

Asks the programs themselves. What runs a bot must be where every bot can see it; what only builds one may lie in
somebody's home, and is shown to builds alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.manifests import SEARCH_PATH

_ASK_LIMIT_S: Final = 30.0


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """A program for bots.

    Attributes:
        name: the language or tool, for people.
        program: its name.
        path: where it is; None: it is not installed.
        version: the first line of what it says of itself; empty if it is not installed.
        runs: bots can be run with it, not only built.
    """

    name: str
    program: str
    path: Path | None = None
    version: str = ""
    runs: bool = False


@dataclass(frozen=True)
class _Tool:
    name: str
    program: str
    ask: tuple[str, ...]
    home: Callable[[str], Path | None] = lambda _program: None
    """The folder of all that belongs to it, where the program alone is not enough and may lie elsewhere."""


def _go_root(program: str) -> Path | None:
    return _folder(_ask([program, "env", "GOROOT"]))


def _rust_root(program: str) -> Path | None:
    rustc = Path(program).with_name("rustc")
    return _folder(_ask([str(rustc), "--print", "sysroot"]))


_TOOLS: Final = (
    _Tool("Python", "python", ("--version",)),
    _Tool("Go", "go", ("version",), _go_root),
    _Tool("Rust", "cargo", ("--version",), _rust_root),
    _Tool("Java", "java", ("--version",)),
    _Tool("JDK", "javac", ("--version",)),
    _Tool("Maven", "mvn", ("--version",)),
    _Tool("Node.js", "node", ("--version",)),
    _Tool("npm", "npm", ("--version",)),
    _Tool("C++", "c++", ("--version",)),
    _Tool("CMake", "cmake", ("--version",)),
    _Tool("protoc", "protoc", ("--version",)),
    _Tool("awk", "mawk", ("-W", "version")),
    _Tool("Perl", "perl", ("-e", "print $^V")),
)
_TCL: Final = _Tool("Tcl", "tclsh", ())


def find_toolchains() -> tuple[Toolchain, ...]:
    """All that is known, whether it is installed or not. Starts each program once."""
    return (*map(_find, _TOOLS), _find(_TCL))


def build_folders() -> tuple[Path, ...]:
    """Folders of toolchains outside the system's own, to be shown to builds; each has its programs in `bin`."""
    found = []
    for tool in _TOOLS:
        program = _program(tool)
        home = tool.home(program) if program else None
        if home is not None:
            found.append(home)
    return tuple(found)


def _find(tool: _Tool) -> Toolchain:
    program = _program(tool)
    if not program:
        return Toolchain(name=tool.name, program=tool.program)
    home = tool.home(program)
    path = home / "bin" / tool.program if home is not None else Path(program)
    version = _ask([str(path), *tool.ask]) if tool.ask else tool.program
    runs = shutil.which(tool.program, path=SEARCH_PATH) is not None
    return Toolchain(name=tool.name, program=tool.program, path=path, version=version, runs=runs)


def _program(tool: _Tool) -> str:
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath), SEARCH_PATH])
    return shutil.which(tool.program, path=places) or ""


def _ask(command: Sequence[str]) -> str:
    """The first line that a program says; empty if it fails."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = (asked.stdout or asked.stderr).strip().splitlines()
    return lines[0].strip() if lines and asked.returncode == 0 else ""


def _folder(text: str) -> Path | None:
    return Path(text) if text and Path(text).is_dir() else None
