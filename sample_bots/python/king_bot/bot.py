"""What a bot is: one method to write, and what it can read about its clock and its settings.

Owns the class that authors derive from. Knows nothing of the wire.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from king_bot.actions import Action
from king_bot.table import Table


class Clock:
    """The clock of this process. One balance serves all its tables; all times are in milliseconds."""

    def __init__(self) -> None:
        self.unanswered = 1  # requests of this frame still to be answered, the present one included
        self.taken_last_ms = 0  # how long the referee timed the frame before
        self._left_ms = float("inf")
        self._handed_at = time.monotonic()

    def on_frame(self, left_ms: float, taken_last_ms: int, requests: int) -> None:
        """A frame of requests came; called by the SDK."""
        self._left_ms = left_ms
        self._handed_at = time.monotonic()
        self.taken_last_ms = taken_last_ms
        self.unanswered = requests

    @property
    def left_ms(self) -> float:
        """What is left for all unanswered requests together; below zero is a fault."""
        return self._left_ms - (time.monotonic() - self._handed_at) * 1000

    @property
    def share_ms(self) -> float:
        """What is left for the present request, if the unanswered ones share alike."""
        return max(0.0, self.left_ms) / max(1, self.unanswered)


class Bot:
    """A player. Derive from it, write `choose`, and call `run(YourBot())`."""

    name: str = ""  # "" takes it from the manifest, or else from the class
    version: str = ""  # "" takes it from the manifest, or else "1"
    table_limit: int = 64  # tables at once, 1 to 256

    def __init__(self) -> None:
        self.clock = Clock()
        self.settings: Mapping[str, Any] = {}  # the table [settings] of the manifest

    def choose(self, table: Table, actions: Sequence[Action]) -> Action | int:
        """Takes a decision: one of `actions` (two or more, all legal), or its index from 0."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose(self, table, actions)")

    def warm_up(self) -> None:
        """Called once, before the bot says that it is ready: the place to load what takes long."""

    def table_started(self, table: Table) -> None:
        """A match began; after a broken stream, possibly one that was known before."""

    def deal_ended(self, table: Table) -> None:
        """A deal is over; `table.deal` still shows it, `table.finished[-1]` has its points."""

    def table_ended(self, table: Table) -> None:
        """A match is over: drop what you keep of it."""


def configure(bot: Bot) -> None:
    """Fills name, version and settings from the manifest of the bot's own file, where there is one.

    In its folder that is the `bot.toml` or `NAME.bot.toml` whose `run` has the file, or else `bot.toml`.

    Raises:
        ValueError: if a manifest is not TOML.
    """
    source = getattr(sys.modules.get(type(bot).__module__), "__file__", None)
    file = Path(source).absolute() if source else Path.cwd() / "bot.py"
    described = _manifest(file)
    bot.name = bot.name or str(described.get("name", type(bot).__name__))
    bot.version = bot.version or str(described.get("version", "1"))
    bot.settings = described.get("settings", {})


def _manifest(file: Path) -> dict[str, Any]:
    paths = [file.parent / "bot.toml", *sorted(file.parent.glob("?*.bot.toml"))]
    found = {path.name: _read(path) for path in paths if path.is_file()}
    own = (fields for fields in found.values() if file.name in fields.get("run", ()))
    return next(own, found.get("bot.toml", {}))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not TOML: {error}") from error
