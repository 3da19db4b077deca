"""The kits of every language as a stranger would submit them: sources, with whatever their builds would fetch."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.bots import SAMPLES, find_bot
from workers.building import build_bots


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A kit as an archive.

    Attributes:
        folder: of the kit, among the samples.
        vendored: what its build has fetched or made before, and the archive takes along.
        manifest: stands for its bot.toml, if that is not taken as it is.
    """

    folder: str
    vendored: tuple[str, ...] = ()
    manifest: str = ""


def _manifest(name: str, language: str, run: str, *, build: str = "") -> str:
    commands = f"build = {json.dumps(build.split())}\nrun = {json.dumps(run.split())}\n"
    return f'name = "{name}"\nversion = "1"\nlanguage = "{language}"\nvariants = ["*"]\n{commands}'


GUESTS: Final[Mapping[str, Guest]] = {
    "python": Guest(folder="python/kit"),
    "java": Guest(folder="java", vendored=("build/lib", "build/protocol")),
    "node": Guest(
        folder="node",
        vendored=("node_modules", "build/types", "build/arena.proto"),
        manifest=_manifest(
            "node-simple", "typescript", "node build/src/simple.js", build="node node_modules/typescript/bin/tsc"
        ),
    ),
    "cpp": Guest(folder="cpp", vendored=("build/simple",), manifest=_manifest("cpp-simple", "c++", "./build/simple")),
    "awk": Guest(folder="stdio/awk"),
    "go": Guest(folder="go", vendored=("build/simple",), manifest=_manifest("go-simple", "go", "./build/simple")),
    "rust": Guest(
        folder="rust",
        vendored=("target/release/simple",),
        manifest=_manifest("rust-simple", "rust", "./target/release/simple"),
    ),
}
"""By language. Go, Rust and C++ come as binaries: to compile their libraries anew would take minutes. An archive has no
links, so what lies in `node_modules/.bin` is called by its own name."""

_SKIPPED: Final = frozenset({"build", "target", "node_modules", "tests", "test", "__pycache__"})


def archive_of(guest: Guest) -> bytes:
    """The archive of a kit, which is built first where it lies, if it takes something of that along."""
    folder = SAMPLES / guest.folder
    if guest.vendored:
        build_bots([find_bot(str(folder))], print)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in _files(folder, guest.vendored):
            name = file.relative_to(folder).as_posix()
            if guest.manifest and name == "bot.toml":
                archive.writestr(name, guest.manifest)
            else:
                archive.write(file, name)
    return packed.getvalue()


def _files(folder: Path, vendored: Iterable[str]) -> list[Path]:
    found = [path for path in folder.rglob("*") if not _SKIPPED & set(path.relative_to(folder).parts)]
    for name in vendored:
        place = folder / name
        found += [place] if place.is_file() else place.rglob("*")
    return [path for path in found if path.is_file()]
