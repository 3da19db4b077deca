"""Errors of the league: each message says what was wrong, where, and what would be right."""

from __future__ import annotations

from enum import StrEnum


def in_one_line(error: BaseException) -> str:
    """The kind of an error and what it says, as one line for a log."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


class LeagueError(ValueError):
    """A request that the league cannot carry out; its text is fit to be shown to a person as it is."""


class Thing(StrEnum):
    """What somebody can ask for by a name or number that there is not."""

    SEASON = "season"
    BOARD = "board"
    BOT = "bot"
    MATCH = "match"


class NotThereError(LeagueError):
    """There is no such thing; the text says what there is."""

    def __init__(self, thing: Thing, name: object, there: str) -> None:
        """`there` goes on in the sentence that says what is not there."""
        super().__init__(f"no {thing} {there}")
        self.thing = thing
        self.name = str(name)


class StoreUnusableError(LeagueError):
    """The database cannot be used now, through nobody's fault who asks; the text names it, so readers are not told."""


class StaleAttemptError(LeagueError):
    """The sitting has been taken up by a newer attempt: whoever sees this drops all its work and ends quietly."""


class NotPublicYetError(LeagueError):
    """The set of boards is still being played: its records, standard error and secrets are not public."""
