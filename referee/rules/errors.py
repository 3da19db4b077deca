"""The errors of the rules engine. Owns no rule; nothing here knows where an error is shown."""

from typing import Final

_QUOTED_LENGTH: Final = 60


class RulesError(ValueError):
    """Something that the rules do not know: its text says what, where, and what would be right."""


class IllegalAction(RulesError):  # noqa: N818 - it names what was tried, as `Action` does
    """An action that the position does not allow; the position is unchanged."""


def printable(text: str) -> str:
    """A text with escapes for what cannot be seen in it: no control reaches a terminal, and a line stays one."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def quoted(text: str) -> str:
    """A text that somebody gave, in quotes and shortened, for a sentence about it."""
    return repr(text if len(text) <= _QUOTED_LENGTH else f"{text[:_QUOTED_LENGTH]}…")
