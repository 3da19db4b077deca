"""Languages: which there are, which one a reader wants, and the gettext catalogue of each.

Every string a reader sees goes through one of these catalogues; a language without a catalogue cannot be chosen.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

SOURCE_LANGUAGE = "en"
_FOLDER = Path(__file__).parent / "locale"
_DOMAIN = "dashboard"
_NAMES = {"en": "English", "ru": "Русский"}

Translations = gettext.NullTranslations


@cache
def languages() -> tuple[str, ...]:
    """The languages that can be chosen: English, and every one with a compiled catalogue."""
    found = sorted(path.parts[-3] for path in _FOLDER.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo"))
    return (SOURCE_LANGUAGE, *(name for name in found if name != SOURCE_LANGUAGE))


def language_name(language: str) -> str:
    """What a language calls itself."""
    return _NAMES.get(language, language)


@cache
def translations(language: str) -> Translations:
    """The catalogue of one of `languages()`; the source language needs none."""
    if language == SOURCE_LANGUAGE:
        return Translations()
    return gettext.translation(_DOMAIN, str(_FOLDER), languages=[language])


def known_language(text: str) -> str:
    """The language if it can be chosen, else nothing."""
    return text if text in languages() else ""


def pick_language(accept: str, *chosen: str) -> str:
    """The first of the reader's choices that can be had, else the first wish of an Accept-Language header that can."""
    wishes = sorted(map(_wish, accept.split(",")), key=lambda wish: -wish[1])
    named = [name for name, weight in wishes if weight > 0]
    return next((name for name in (*chosen, *named) if known_language(name)), SOURCE_LANGUAGE)


def _wish(part: str) -> tuple[str, float]:
    """One part of an Accept-Language header: "ru-RU;q=0.8" -> ("ru", 0.8); a weight that is none counts as 0."""
    name, _semicolon, parameter = part.partition(";")
    _q, equals, weight = parameter.partition("=")
    is_number = weight.strip().replace(".", "", 1).isdecimal()
    return name.strip().lower().split("-")[0], (float(weight) if is_number else 0.0) if equals else 1.0
