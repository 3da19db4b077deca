"""Errors of the dashboard's own, told in the reader's language.

Owns the wording's shape: a message of the catalogue and its values. Errors of league and rules are theirs, in English.
"""

from __future__ import annotations

from dashboard.words import Words


class SignInNeededError(Exception):
    """What is asked for is for people with an account, and nobody is signed in."""


class OrganisersOnlyError(Exception):
    """What is asked for is for organisers, and whoever is signed in is none."""


class AddressError(ValueError):
    """An address that asks for what is not there; the message, of the catalogue, says what would be right."""

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message % values)
        self._message = message
        self._values = values

    def told(self, words: Words) -> str:
        """The message in the reader's language."""
        return words.say(self._message, **self._values)
