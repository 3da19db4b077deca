"""Finds bots: by a sample's name, in a folder with a `bot.toml`, or as a command; starts nothing.

`bot.toml` has `name`, `version`, `language`, `build` (a command as a list, may be empty), `run` (a command as a list,
run in the bot's folder) and `variants` (base ids, or "*" for all).
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from league.model import BotSource, SourceKind

MANIFEST = "bot.toml"
COMMAND_PREFIX = "cmd:"
SAMPLES = Path(__file__).resolve().parent.parent / "sample_bots"
LABEL_LENGTH = 64
SEARCH_PATH = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
"""The PATH on which a bot's program is looked for; programs of this Python's environment come first."""

_LABEL_BYTES = 192
_NOT_IN_LABELS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # Unicode's controls, surrogates, line and paragraph separators


class BotError(ValueError):
    """A bot cannot be found or its manifest is wrong; the message names what would be right."""


@dataclass(frozen=True, kw_only=True)
class BotProgram:
    """How a bot is run.

    Attributes:
        name: as ladders show it.
        version: the author's name for it.
        run: the command and its arguments.
        folder: where it runs.
        variants: base ids of the variants it plays; "*" stands for all.
        language: what it is written in; empty if unknown.
        source: what the store keeps of it; `from_source` makes the same program of it.
    """

    name: str
    version: str
    run: tuple[str, ...]
    folder: Path
    variants: tuple[str, ...]
    language: str
    source: BotSource

    def plays(self, base_id: str) -> bool:
        """Whether it plays the variant with this base id."""
        return "*" in self.variants or base_id in self.variants


def from_source(source: BotSource, *, name: str, version: str) -> BotProgram:
    """The program of a registered bot version.

    Raises:
        BotError: its folder or program is gone, or its manifest is wrong.
    """
    if source.kind is SourceKind.COMMAND:
        return replace(_from_command(source.location), name=name, version=version)
    folder = Path(source.location)
    if not (folder / MANIFEST).is_file():
        raise BotError(f"the folder of bot {name} {version} is gone, or has no {MANIFEST}: {folder}")
    return replace(read_manifest(folder), name=name, version=version)


def sample_names() -> tuple[str, ...]:
    """The names of the sample bots, in alphabetical order."""
    return tuple(sorted(_sample_folders()))


def find_bot(text: str) -> BotProgram:
    """The bot that `text` names: a sample's name, a folder with a bot.toml, or `cmd:` and a command.

    Raises:
        BotError: there is no such bot, or its manifest is wrong.
    """
    if text.startswith(COMMAND_PREFIX):
        return _from_command(text.removeprefix(COMMAND_PREFIX))
    samples = _sample_folders()
    if text in samples:
        return read_manifest(samples[text])
    folder = Path(text)
    if (folder / MANIFEST).is_file():
        return read_manifest(folder)
    if folder.is_dir():
        raise BotError(f"the folder {text} has no {MANIFEST}")
    raise BotError(
        f"no bot {text!r}: give a sample's name ({', '.join(samples)}), a folder with a {MANIFEST}, or cmd:COMMAND"
    )


def read_manifest(folder: Path) -> BotProgram:
    """The bot whose `bot.toml` is in `folder`.

    Raises:
        BotError: the manifest cannot be read, a field is missing or wrong, or the program is not there.
    """
    path = folder / MANIFEST
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BotError(f"{path}: {error}") from None
    run = _texts(path, fields, "run")
    _check_program(path, run[0])
    return BotProgram(
        name=_label(path, fields, "name"),
        version=_label(path, fields, "version"),
        run=run,
        folder=folder.resolve(),
        variants=_texts(path, fields, "variants"),
        language=_text(path, fields, "language"),
        source=BotSource(kind=SourceKind.FOLDER, location=str(folder.resolve())),
    )


def distinct_names(bots: Sequence[BotProgram]) -> list[str]:
    """The names to show, in the order given: a bot that comes again is `greedy#2`, then `greedy#3`."""
    seen: dict[str, int] = {}
    names = []
    for bot in bots:
        count = seen[bot.name] = seen.get(bot.name, 0) + 1
        names.append(bot.name if count == 1 else f"{bot.name}#{count}")
    return names


def _sample_folders() -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted(SAMPLES.glob(f"*/*/{MANIFEST}"))}


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
    fault = _label_fault(name)
    if fault:
        raise BotError(f"cmd:{command}: the program's name, which is the bot's, {fault}, not {name!r}")
    return BotProgram(name=name, version="1", language="", run=run, folder=Path.cwd(), variants=("*",), source=source)


def _text(path: Path, fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise BotError(f"{path}: {name} must be a text that is not empty, not {value!r}")
    return value


def _label(path: Path, fields: Mapping[str, object], name: str) -> str:
    """A text that can be part of a file's name and stand on a page."""
    value = _text(path, fields, name)
    fault = _label_fault(value)
    if fault:
        raise BotError(f"{path}: {name} {fault}, not {value!r}")
    return value


def _label_fault(text: str) -> str:
    """What a name or version would have to be, if it is not; else empty."""
    if len(text) > LABEL_LENGTH or len(text.encode(errors="replace")) > _LABEL_BYTES:
        return f"must be at most {LABEL_LENGTH} characters ({_LABEL_BYTES} bytes in UTF-8)"
    if any(letter in "/\\" or unicodedata.category(letter) in _NOT_IN_LABELS for letter in text):
        return "must have no slash, backslash or control character"
    if text.startswith(("-", ".")):
        return 'must not start with "-" or "."'
    if text != text.strip() or not text:
        return "must not be empty, nor start or end with a space"
    return ""


def _check_program(path: Path, program: str) -> None:
    """Check that the program of a manifest is there, as the system will look for it when the bot is started."""
    place = str(path.parent.resolve() / program) if "/" in program else program
    if not program or shutil.which(place, path=SEARCH_PATH) is None:
        raise BotError(
            f"{path}: run starts with {program!r}, which is no program on the PATH of bots ({SEARCH_PATH}); "
            'one in the bot\'s folder is written "./program" and must be executable'
        )


def _texts(path: Path, fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        raise BotError(f'{path}: {name} must be a list of texts, such as ["python", "bot.py"], not {value!r}')
    if any("\0" in word for word in value):
        raise BotError(f"{path}: {name} must be texts without a zero byte, not {value!r}")
    return tuple(value)
