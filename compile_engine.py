"""Compiles the engine's busiest modules with mypyc, out of the way: the same sources, uncompiled, are the default.

Run as `python compile_engine.py [FOLDER]`, or by `make compiled`. The folder, `build/compiled` by default, becomes a
copy of the package `referee` with the compiled modules beside their sources; where it stands first on Python's path, as
in `PYTHONPATH=build/compiled python -P -m benchmarks.engine`, the compiled engine is what is imported. It is made anew
when a source, Python or mypyc has changed. `hatch_build.py` puts the same modules into a wheel.

Owns which modules are compiled and how. Must not be needed to run anything.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from contextlib import chdir
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent
FOLDER: Final = ROOT / "build/compiled"
REQUIREMENTS: Final = ("mypy", "setuptools")
"""What compiling needs beside a C compiler and the headers of Python."""

MODULES: Final = (
    "referee/rules/cards.py",
    "referee/rules/actions.py",
    "referee/rules/play_rules.py",
    "referee/rules/play.py",
    "referee/rules/deal.py",
    "referee/rules/scoring.py",
    "referee/rules/state.py",
    "referee/rules/steps/choosing.py",
    "referee/rules/strict_json.py",
    "referee/rules/checking/equality.py",
    "referee/rules/checking/faultless.py",
    "referee/rules/checking/written.py",
    "referee/dealing.py",
    "referee/rules/events.py",
    "referee/rules/record.py",
    "referee/clock.py",
    "referee/codec.py",
    "referee/decisions.py",
    "referee/faults.py",
    "referee/holding.py",
    "referee/players.py",
    "referee/processes.py",
    "referee/seats.py",
    "referee/sitting.py",
    "referee/table.py",
)
"""What is compiled: what works for each card, and for each decision. Rows of variants, words and texts gain nothing by
it."""

GROUP: Final = "king_engine"
"""The name of the library that all of them share, `king_engine__mypyc`, which lies beside the packages."""


def obstacle() -> str | None:
    """Say what is missing to compile here, or None."""
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler {compiler!r} (Debian: apt install gcc)"
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").is_file():
        return f"Python's headers are not in {headers} (Debian: apt install python3-dev)"
    try:
        for requirement in REQUIREMENTS:
            version(requirement)
    except ModuleNotFoundError as error:
        return f"the package {error.name} is not installed"
    return None


def build(target: Path) -> None:
    """Compile into a folder.

    Raises:
        SystemExit: mypyc has found an error in a source, or the C compiler failed; both have said what.
    """
    from mypyc.build import mypycify

    # by its name, for it has no types
    distribution: Any = import_module("setuptools").Distribution
    with tempfile.TemporaryDirectory() as temporary, chdir(ROOT):
        extensions = mypycify(
            [f"--cache-dir={temporary}/mypy", *MODULES],
            opt_level="1",  # by measurement as fast as 2, and sooner compiled
            debug_level="0",
            group_name=GROUP,
            target_dir=temporary,
        )
        command = distribution({"name": GROUP, "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(target), temporary
        command.ensure_finalized()
        command.run()


def key() -> str:
    """Return what tells whether a folder is still what would be built: the hash of all that goes into it."""
    parts = [sys.version, *(f"{name} {version(name)}" for name in REQUIREMENTS)]
    sources = [Path(__file__), ROOT / "pyproject.toml", *sorted((ROOT / "referee").rglob("*.py"))]
    digest = hashlib.sha256("\n".join(parts).encode())
    for source in sources:
        digest.update(f"\n{source.relative_to(ROOT)}\n".encode() + source.read_bytes())
    return digest.hexdigest()


def compiled(folder: Path = FOLDER, say: Callable[[str], object] = sys.stderr.write) -> Path:
    """Return a folder with the compiled engine, which is built unless it is there already.

    Raises:
        OSError: it cannot be built here; the text says what is missing.
    """
    lack = obstacle()
    if lack is not None:
        raise OSError(f"the engine cannot be compiled: {lack}")
    mark, wanted = folder / "key", key()
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return folder
    say(f"Compiling the engine into {folder} (half a minute)\n")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made = Path(temporary) / folder.name
        shutil.copytree(ROOT / "referee", made / "referee", ignore=shutil.ignore_patterns("__pycache__"))
        build(made)
        (made / mark.name).write_text(wanted, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    return folder


def libraries(folder: Path) -> list[Path]:
    """Return the compiled modules in a folder, and the library that they share."""
    return sorted(folder.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))


def main(arguments: Sequence[str]) -> None:
    """Compile into a folder unless it is there already, and say how it is used."""
    parser = argparse.ArgumentParser(description="Compile the engine with mypyc.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    try:
        folder = compiled(parser.parse_args(arguments).folder.absolute())
    except OSError as error:
        raise SystemExit(str(error)) from error
    sys.stdout.write(f"The compiled engine is in {folder}: set PYTHONPATH={folder} to use it\n")


if __name__ == "__main__":
    main(sys.argv[1:])
