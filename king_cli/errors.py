"""Which errors are wrong use or known obstacles: they are told in one line; every other one is a defect of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UsageError(Exception):
    """Wrong use: the text is one clear line that says what would be right; the exit status is 2."""


def is_known(error: Exception) -> bool:
    """Whether the error's text is made for people; of a group, whether every one's in it is."""
    if isinstance(error, ExceptionGroup):
        return all(is_known(each) for each in error.exceptions)
    if isinstance(error, (UsageError, OSError)):
        return True
    return any(isinstance(error, kind) for kind in _kinds())


def one_line(error: Exception) -> str:
    """The error's text on one line, without controls; for errors of the system, the file first; of a group, the first
    error in it.
    """
    if isinstance(error, ExceptionGroup):
        return one_line(error.exceptions[0])
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """A text with escapes for what cannot be seen in it: what a terminal would obey is shown instead."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have errors of the system in the block name `path` if they name no file, as when there is no space left."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def _kinds() -> list[type[Exception]]:
    # Imported when needed: an error of a package cannot have come without it, but the import must not slow the rest.
    import sys

    names = (
        ("referee.rules", "RulesError"),
        ("league.errors", "LeagueError"),
        ("workers.bots", "BotError"),
        ("workers.data_folder", "FolderError"),
        ("workers.socket_folder", "NoShortFolderError"),
        ("workers.supervisor", "PartError"),
        ("workers.referee_client", "SittingError"),
        ("redis.exceptions", "RedisError"),
        ("sqlalchemy.exc", "OperationalError"),
    )
    modules = ((sys.modules.get(module), name) for module, name in names)
    return [getattr(module, name) for module, name in modules if module is not None]
