"""Reads the manifests of bots, and checks them; finds and starts nothing.

A manifest is a file `bot.toml` or `NAME.bot.toml` in the bot's folder, so that one folder can hold several bots. It
has `name`, `version`, `language`, `build` (a command as a list that makes the bot's program; empty or left out if there
is nothing to make), `run` (a command as a list) and `variants` (base ids, or "*" for all). Both run in the folder. A
table `settings` is the bot's own. Any other key is refused: it is most likely one of these, misspelt.
"""

from __future__ import annotations

import difflib
import json
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from league.model import BotSource, SourceKind
from league.names import label_fault
from referee.rules import VARIANTS, printable

MANIFEST = "bot.toml"
SEARCH_PATH = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
"""The PATH on which a bot's program is looked for; programs of this Python's environment come first."""

_MOST_BYTES: Final = 64 << 10
_QUOTED_LETTERS: Final = 200
_EXAMPLES: Final[Mapping[str, str]] = {
    "name": '"owl"',
    "version": '"1"',
    "language": '"python"',
    "build": '["make"], or [] if there is nothing to make',
    "run": '["python", "bot.py"]',
    "variants": '["*"] for all, or ["russian-14"]',
    "settings": "a table, [settings], for the bot's own use",
}
"""Every key of a manifest, with what would be right."""


class BotError(ValueError):
    """A bot cannot be found, built or run, or its manifest is wrong; the message names what would be right."""


@dataclass(frozen=True, kw_only=True)
class BotProgram:
    """How a bot is run.

    Attributes:
        name: as ladders show it.
        version: the author's name for it.
        build: the command that makes its program, and its arguments; empty if there is nothing to make.
        run: the command and its arguments.
        folder: where both run.
        variants: base ids of the variants it plays; "*" stands for all.
        language: what it is written in; empty if unknown.
        source: what the store keeps of it; `workers.bots.from_source` makes the same program of it.
    """

    name: str
    version: str
    build: tuple[str, ...] = ()
    run: tuple[str, ...]
    folder: Path
    variants: tuple[str, ...]
    language: str
    source: BotSource

    def plays(self, base_id: str) -> bool:
        """Whether it plays the variant with this base id."""
        return "*" in self.variants or base_id in self.variants


def is_manifest_name(name: str) -> bool:
    """Whether a file of this name is a manifest."""
    return name == MANIFEST or (name.endswith(f".{MANIFEST}") and not name.startswith("."))


def manifests_in(folder: Path) -> tuple[Path, ...]:
    """The manifests in a folder, by name; `bot.toml` first."""
    files = [path for path in folder.glob(f"*{MANIFEST}") if is_manifest_name(path.name) and path.is_file()]
    return tuple(sorted(files, key=lambda path: (path.name != MANIFEST, path.name)))


def read_manifest(place: Path) -> BotProgram:
    """The bot of a manifest; of a folder, that of its `bot.toml`.

    That the program is there is checked unless it has to be built first: `workers.building` does it then.

    Raises:
        BotError: the manifest cannot be read, a field is missing or wrong, or the program is not there.
    """
    path = place / MANIFEST if place.is_dir() else place
    text = _contents(path)
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BotError(f"{path}: {error}") from None
    except ValueError:
        raise BotError(f"{path}: a number in it has thousands of digits") from None
    except RecursionError:
        raise BotError(f"{path}: its values are too deep within each other") from None
    _check_keys(path, fields)
    bot = BotProgram(
        name=_label(path, fields, "name"),
        version=_label(path, fields, "version"),
        build=_texts(path, fields, "build") if fields.get("build", []) != [] else (),
        run=_texts(path, fields, "run"),
        folder=path.parent.resolve(),
        variants=_variants(path, fields),
        language=_text(path, fields, "language"),
        source=_source(path),
    )
    if not bot.build:
        check_program(bot)
    return bot


def _contents(path: Path) -> str:
    """What is written in a manifest; BotError when it cannot be read, or is more than anybody writes by hand."""
    try:
        with path.open("rb") as file:
            written = file.read(_MOST_BYTES + 1)
        text = written.decode("utf-8") if len(written) <= _MOST_BYTES else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{path}: {error}") from None
    if len(written) > _MOST_BYTES:
        raise BotError(f"{path}: it is larger than {_MOST_BYTES >> 10} KiB; write data into files of their own")
    return text


def has_program(bot: BotProgram) -> bool:
    """Whether the program that `run` starts with is there, looked for as the system will when the bot is started."""
    program = bot.run[0]
    place = str(bot.folder / program) if "/" in program else program
    return bool(program) and shutil.which(place, path=SEARCH_PATH) is not None


def check_program(bot: BotProgram) -> None:
    """Check that the program is there, of a bot with a manifest.

    Raises:
        BotError: it is not.
    """
    if has_program(bot):
        return
    program = bot.run[0]
    if "/" not in program:
        reason = f'is no program on the PATH of bots ({SEARCH_PATH}); one in the bot\'s folder is written "./program"'
    elif (bot.folder / program).exists():
        reason = "is no program: a file that is one must be executable (chmod +x)"
    elif bot.build:
        reason = f"is not there, though build ({shlex.join(bot.build)}), which is to make it, has ended well"
    else:
        reason = "is not there, and nothing builds it, since the manifest has no build"
    raise BotError(f"{manifest_of(bot)}: run starts with {program!r}, which {reason}")


def manifest_of(bot: BotProgram) -> Path:
    """The manifest of a bot that has one."""
    place = Path(bot.source.location)
    return place if is_manifest_name(place.name) and place.is_file() else place / MANIFEST


def _source(path: Path) -> BotSource:
    # A folder stands for its bot.toml, as in every store written before a folder could have several manifests.
    absolute = path.parent.resolve() / path.name
    location = absolute.parent if path.name == MANIFEST else absolute
    return BotSource(kind=SourceKind.FOLDER, location=str(location))


def _check_keys(path: Path, fields: Mapping[str, object]) -> None:
    for key in fields:
        if key not in _EXAMPLES:
            near = difflib.get_close_matches(key.lower(), _EXAMPLES, n=1)
            meant = f"did you mean {near[0]}?" if near else f"a manifest has {', '.join(_EXAMPLES)}"
            raise BotError(f"{path}: unknown key {_quoted(repr(key))}: {meant}")
    if not isinstance(fields.get("settings", {}), dict):
        raise _wrong(path, fields, "settings", "must be a table")


def _quoted(text: str) -> str:
    """The start of what a manifest has, fit for a sentence: without a control that a terminal would obey."""
    return printable(text if len(text) <= _QUOTED_LETTERS else f"{text[:_QUOTED_LETTERS]}…")


def _wrong(path: Path, fields: Mapping[str, object], name: str, must: str) -> BotError:
    """What is wrong with a field, or that it is missing, with what would be right."""
    example = f"{name} = {_EXAMPLES[name]}" if name != "settings" else _EXAMPLES[name]
    if name not in fields:
        return BotError(f"{path}: {name} is missing; write {example}")
    found = _quoted(json.dumps(fields[name], ensure_ascii=False, default=str))
    return BotError(f"{path}: {name} {must}, not {found}; write {example}")


def _text(path: Path, fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(path, fields, name, "must be a text that is not empty")
    return value


def _label(path: Path, fields: Mapping[str, object], name: str) -> str:
    """A text that can be part of a file's name and stand on a page."""
    value = _text(path, fields, name)
    fault = label_fault(value)
    if fault:
        raise BotError(f"{path}: {name} {fault}, not {_quoted(repr(value))}")
    return value


def _texts(path: Path, fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        raise _wrong(path, fields, name, "must be a list of texts")
    if any("\0" in word for word in value):
        raise _wrong(path, fields, name, "must be texts without a zero byte")
    return tuple(value)


def _variants(path: Path, fields: Mapping[str, object]) -> tuple[str, ...]:
    ids = _texts(path, fields, "variants")
    for base_id in ids:
        if base_id != "*" and base_id not in VARIANTS:
            raise BotError(
                f"{path}: variants has {_quoted(repr(base_id))}, which is no base id; write {_EXAMPLES['variants']}; "
                f"there are {', '.join(VARIANTS)}"
            )
    return ids
