"""Starter kits: writes a copy of one that builds and plays outside this repository.

Owns which kits there are, what of one is copied, and where its names go. Builds and starts nothing.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from king_cli.errors import UsageError
from league.names import LABEL_LENGTH, label_fault
from league.versions import SKIPPED_NAMES
from workers.bots import MANIFEST, SAMPLES
from workers.manifests import is_manifest_name, manifests_in

PYTHON = "python"
LOCK_FILES = frozenset({"Cargo.lock", "package-lock.json"})
"""What builds write beside the sources, with the addresses of somebody's registry."""

_NAME_LINE = re.compile(r'^name = "[^"]*"', re.MULTILINE)
_WIRE = ("arena_pb2.py", "arena_pb2.pyi", "arena_pb2_grpc.py", "arena_pb2_grpc.pyi")
_MADE_FOR = (
    ("grpcio", "arena_pb2_grpc.py", re.compile(r"GRPC_GENERATED_VERSION = '([\d.]+)'")),
    ("protobuf", "arena_pb2.py", re.compile(r"Protobuf Python Version: ([\d.]+)")),
)


@dataclass(frozen=True, kw_only=True)
class Kit:
    """A kit: what its language is called, and its folder among the samples."""

    title: str
    folder: str


KITS: Mapping[str, Kit] = {
    PYTHON: Kit(title="Python", folder="python/kit"),
    "go": Kit(title="Go", folder="go"),
    "rust": Kit(title="Rust", folder="rust"),
    "java": Kit(title="Java", folder="java"),
    "node": Kit(title="TypeScript", folder="node"),
    "cpp": Kit(title="C++", folder="cpp"),
    "awk": Kit(title="awk", folder="stdio/awk"),
    "tcl": Kit(title="Tcl", folder="stdio/tcl"),
}
ALIASES: Mapping[str, str] = {
    "typescript": "node",
    "ts": "node",
    "javascript": "node",
    "js": "node",
    "c++": "cpp",
    "golang": "go",
    "py": PYTHON,
    "rs": "rust",
    "stdio": "awk",
}


def kit_named(text: str) -> str:
    """The key in `KITS` that a language or an alias of it stands for.

    Raises:
        UsageError: there is no such kit.
    """
    language = ALIASES.get(text.lower(), text.lower())
    if language not in KITS:
        raise UsageError(
            f"there is no kit for {text!r}: there are {', '.join(KITS)}; any other language can play by JSON lines, as "
            "the kits awk and tcl do (see `king bridge --help`)"
        )
    return language


def label_from(folder: Path) -> str:
    """A name for a bot from that of its folder, changed where it must be to be one.

    Raises:
        UsageError: nothing is left of it.
    """
    kept = "".join(letter for letter in folder.resolve().name if not label_fault(f"a{letter}a"))
    name = kept.lstrip("-.").strip()
    while label_fault(name) and name:
        name = name[: min(LABEL_LENGTH, len(name) - 1)].strip()
    if not name:
        raise UsageError(f"a bot cannot be called as the folder {folder}: give it a name with --name")
    return name


def check_label(name: str) -> None:
    """Check that a bot can have this name.

    Raises:
        UsageError: it cannot.
    """
    if fault := label_fault(name):
        raise UsageError(f"the name of a bot {fault}, not {name!r}")


def write_kit(language: str, folder: Path, name: str) -> None:
    """Write the kit of a language of `KITS` into `folder`, with `name` for its simple bot.

    Raises:
        UsageError: the folder is not empty, or is none.
        OSError: it cannot be written.
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty: give a folder that is new or empty")
    if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
        raise UsageError(f"{folder} is not a folder: give a folder that is new or empty")
    folder.mkdir(parents=True, exist_ok=True)
    template = SAMPLES / KITS[language].folder
    for file in _files(template):
        _copy(file, folder / file.relative_to(template))
    protocol = folder / "proto" / "king" / "v1" / "arena.proto"
    if not protocol.exists():
        _copy(_generated() / protocol.name, protocol)
    if language == PYTHON:
        _add_python_parts(folder)
    _rename(folder, name)


def _files(folder: Path) -> Iterator[Path]:
    """What is part of a kit: not what builds, tools and tests leave behind."""
    for entry in sorted(folder.iterdir()):
        if entry.name in SKIPPED_NAMES or entry.name in LOCK_FILES or entry.suffix == ".pyc":
            continue
        if entry.is_file():
            yield entry
        elif not entry.name.startswith("."):
            yield from _files(entry)


def _copy(file: Path, copy: Path) -> None:
    """Copy a file, or the one that a link stands for, with its permission to be run and no other."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    if file.stat().st_mode & 0o100:
        copy.chmod(copy.stat().st_mode | 0o111)


def _add_python_parts(folder: Path) -> None:
    """Add the SDK and the protocol, so that any Python with the packages of requirements.txt runs the bots."""
    sdk = SAMPLES / PYTHON / "king_bot"
    for file in _files(sdk):
        _copy(file, folder / "king_bot" / file.relative_to(sdk))
    generated = _generated()
    for file_name in _WIRE:
        _copy(generated / file_name, folder / "king" / "v1" / file_name)
    lines = []
    for package, file_name, pattern in _MADE_FOR:
        version = pattern.search((generated / file_name).read_text(encoding="utf-8"))
        assert version is not None, f"{file_name} does not say which {package} it was made for"
        lines.append(f"{package}>={version[1]}\n")
    (folder / "requirements.txt").write_text("".join(lines), encoding="utf-8")


def _generated() -> Path:
    """The folder of the protocol and of the code that was generated from it."""
    spec = find_spec("king.v1.arena_pb2")
    assert spec is not None, "this package is installed with its generated code"
    assert spec.origin is not None
    return Path(spec.origin).parent


def _rename(folder: Path, name: str) -> None:
    """Name the bots in the manifests, and wherever the code has their names: NAME, and NAME-greedy for another."""
    manifests = manifests_in(folder)
    renamed = {_name_in(path): _plain(_name_for(path, name)) for path in manifests}
    for path in manifests:
        _set_name(path, _name_for(path, name))
    for file in _files(folder):
        if not is_manifest_name(file.name):
            _replace(file, renamed)


def _plain(name: str) -> str:
    """The name without what could end a text in some language; code has it for logs only."""
    return "".join(letter for letter in name if letter.isalnum() or letter in " -_.")


def _set_name(manifest: Path, name: str) -> None:
    text = manifest.read_text(encoding="utf-8")
    line = f"name = {json.dumps(name, ensure_ascii=False)}"  # as TOML writes it, too
    manifest.write_text(_NAME_LINE.sub(lambda _: line, text, count=1), encoding="utf-8")


def _replace(file: Path, words: Mapping[str, str]) -> None:
    """Replace words in a file, if it is text and has any of them."""
    try:
        text = before = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for old, new in words.items():
        text = text.replace(old, new)
    if text != before:
        file.write_text(text, encoding="utf-8")


def _name_in(manifest: Path) -> str:
    return str(tomllib.loads(manifest.read_text(encoding="utf-8"))["name"])


def _name_for(manifest: Path, name: str) -> str:
    suffix = "" if manifest.name == MANIFEST else f"-{manifest.name.removesuffix(f'.{MANIFEST}')}"
    while label_fault(name + suffix):
        name = name[:-1].strip()
    return name + suffix
