"""Finds bots: by a sample's name, in a folder or by its manifest, or as a command; starts nothing."""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from league.model import BotSource, SourceKind
from league.names import LABEL_LENGTH, label_fault
from workers.manifests import (
    MANIFEST,
    SEARCH_PATH,
    BotError,
    BotProgram,
    is_manifest_name,
    manifests_in,
    read_manifest,
)

__all__ = [
    "COMMAND_PREFIX",
    "LABEL_LENGTH",
    "MANIFEST",
    "SAMPLES",
    "SEARCH_PATH",
    "BotError",
    "BotProgram",
    "distinct_names",
    "find_bot",
    "from_source",
    "house_names",
    "read_manifest",
    "sample_names",
]

COMMAND_PREFIX = "cmd:"
SAMPLES = Path(__file__).resolve().parent.parent / "sample_bots"

_PYTHON_KIT = "kit"


def from_source(source: BotSource, *, name: str, version: str) -> BotProgram:
    """The program of a registered bot version.

    Raises:
        BotError: its folder or program is gone, or its manifest is wrong.
    """
    if source.kind is SourceKind.COMMAND:
        return replace(_from_command(source.location), name=name, version=version)
    place = Path(source.location)
    manifest = place if is_manifest_name(place.name) and not place.is_dir() else place / MANIFEST
    if not manifest.is_file():
        raise BotError(f"the folder of bot {name} {version} is gone, or has no {manifest.name}: {manifest.parent}")
    return replace(read_manifest(manifest), name=name, version=version)


def sample_names() -> tuple[str, ...]:
    """The names of the sample bots, in alphabetical order."""
    return tuple(sorted(_samples()))


def house_names() -> tuple[str, ...]:
    """The samples for a first league, in alphabetical order: those that play without anything else installed.

    They are the ones in Python; the bots of its starter kit, weaker doubles of some, are left out.
    """
    folders = {name: path.parent for name, path in _samples().items()}
    mine = [name for name, folder in folders.items() if folder.parent == SAMPLES / "python"]
    return tuple(sorted(name for name in mine if folders[name].name != _PYTHON_KIT))


def find_bot(text: str) -> BotProgram:
    """The bot that `text` names: a sample's name, a folder with a bot.toml, a manifest, or `cmd:` and a command.

    Raises:
        BotError: there is no such bot, or its manifest is wrong.
    """
    if text.startswith(COMMAND_PREFIX):
        return _from_command(text.removeprefix(COMMAND_PREFIX))
    samples = _samples()
    if text in samples:
        return read_manifest(samples[text])
    place = Path(text)
    if place.is_dir():
        return _in_folder(text, place)
    if place.is_file():
        return _of_file(text, place)
    raise BotError(
        f"no bot {text!r}: give a sample's name ({', '.join(sorted(samples))}), a folder with a {MANIFEST}, "
        f"a manifest (NAME.{MANIFEST}), or cmd:COMMAND"
    )


def distinct_names(bots: Sequence[BotProgram]) -> list[str]:
    """The names to show, in the order given: a bot that comes again is `greedy#2`, then `greedy#3`."""
    seen: dict[str, int] = {}
    names = []
    for bot in bots:
        count = seen[bot.name] = seen.get(bot.name, 0) + 1
        names.append(bot.name if count == 1 else f"{bot.name}#{count}")
    return names


def _in_folder(text: str, folder: Path) -> BotProgram:
    manifests = manifests_in(folder)
    if manifests and manifests[0].name == MANIFEST:
        return read_manifest(folder)
    if manifests:
        raise BotError(f"the folder {text} has no {MANIFEST}; name one of: {', '.join(map(str, manifests))}")
    raise BotError(f"the folder {text} has no {MANIFEST}")


def _of_file(text: str, path: Path) -> BotProgram:
    if not is_manifest_name(path.name):
        raise BotError(
            f"{text} is no bot: a manifest is called {MANIFEST} or NAME.{MANIFEST}, and a program is cmd:{text}"
        )
    return read_manifest(path)


def _samples() -> dict[str, Path]:
    """The manifests of the samples by the names in them."""
    folders = sorted({path.parent for depth in ("*", "*/*") for path in SAMPLES.glob(f"{depth}/*{MANIFEST}")})
    return {_sample_name(path): path for folder in folders for path in manifests_in(folder)}


def _sample_name(path: Path) -> str:
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8"))["name"])
    except (OSError, ValueError, KeyError):
        return path.parent.name  # what is wrong is told when this one is asked for, and troubles no other


def _from_command(command: str) -> BotProgram:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"cmd:{command}: {error}") from None
    if "\0" in command:
        raise BotError(f"cmd:{command!r}: a command cannot have a zero byte in it")
    if not words:
        raise BotError("cmd: is followed by no command; for example cmd:./mybot --fast")
    program = shutil.which(words[0])
    if program is None:
        raise BotError(f"cmd:{command}: there is no program {words[0]!r} here or on the PATH")
    # Files are made absolute, so that the command means the same when another process runs it elsewhere.
    arguments = [str(Path(word).absolute()) if Path(word).is_file() else word for word in words[1:]]
    run = (str(Path(program).absolute()), *arguments)
    source = BotSource(kind=SourceKind.COMMAND, location=shlex.join(run))
    name = Path(words[0]).name
    fault = label_fault(name)
    if fault:
        raise BotError(f"cmd:{command}: the program's name, which is the bot's, {fault}, not {name!r}")
    return BotProgram(name=name, version="1", language="", run=run, folder=Path.cwd(), variants=("*",), source=source)
