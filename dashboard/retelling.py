"""What the league has said in English, told again in the reader's language.

The store keeps what happened as English sentences, for owners' logs and for the API. This module finds the phrase
that a sentence was made from and says its translation, with the same figures. What it does not know, such as the words
of a bot's author or of a compiler, stays as it is and is marked as English. Must not decide what is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from markupsafe import Markup

from dashboard.phrases import PHRASES, STEPS
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.words import Words

LONGEST: Final = 600
"""In characters: a longer text is a log, and no sentence of ours."""

_KINDS: Final = "timeout|illegal|exit|protocol|flood|absent"
_FREE: Final = frozenset({"told", "name", "other", "third"})
_PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(_FREE, r".+?"),
    "step": "|".join(map(re.escape, STEPS)),
    "kind": _KINDS,
    "variant": r"[a-z]+(?:-[0-9]+)?",
}
_NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?"
_PLACE: Final = re.compile(r"%\((\w+)\)s")


def retell(text: str, words: Words) -> Markup:
    """A sentence in the reader's language, ready for a page; English that stays is marked as such."""
    if words.language == SOURCE_LANGUAGE:
        return Markup.escape(text)
    return _retold(text, words)


def _retold(text: str, words: Words) -> Markup:
    if len(text) <= LONGEST:
        for phrase, pattern in _sentences():
            if found := pattern.fullmatch(text):
                values = {name: _value(name, value, words) for name, value in found.groupdict().items()}
                return Markup.escape(words.translations.gettext(phrase)) % values
    return Markup('<span lang="en">{}</span>').format(text)


def _value(name: str, value: str, words: Words) -> str | Markup:
    if name == "told":
        return _retold(value, words)
    if name == "step":
        return words.translations.gettext(value)
    return words.fault(value) if name == "kind" else value


@cache
def _sentences() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((phrase, re.compile(_pattern(phrase), re.DOTALL)) for phrase in (*STEPS, *PHRASES))


def _pattern(phrase: str) -> str:
    """A phrase of the catalogue as a pattern of the sentences made from it."""
    parts = _PLACE.split(phrase)
    literal = [re.escape(part.replace("%%", "%")) for part in parts[::2]]
    places = [f"(?P<{name}>{_PATTERNS.get(name, _NUMBER)})" for name in parts[1::2]]
    return "".join(part for pair in zip(literal, [*places, ""], strict=True) for part in pair)
