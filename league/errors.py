"""Errors of the league: each message says what was wrong, where, and what would be right."""

from __future__ import annotations


class LeagueError(ValueError):
    """A request that the league cannot carry out; its text is fit to be shown to a person as it is."""


class StoreUnusableError(LeagueError):
    """The database cannot be used now, through nobody's fault who asks; the text names it, so readers are not told."""


class StaleAttemptError(LeagueError):
    """The sitting has been taken up by a newer attempt: whoever sees this drops all its work and ends quietly."""


class NotPublicYetError(LeagueError):
    """The set of boards is still being played: its records, standard error and secrets are not public."""
