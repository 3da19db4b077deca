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

Translations = gettext.NullTranslations


@cache
def languages() -> tuple[str, ...]:
    """The languages that can be chosen: English, and every one with a compiled catalogue."""
    found = sorted(path.parts[-3] for path in _FOLDER.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo"))
    return (SOURCE_LANGUAGE, *(name for name in found if name != SOURCE_LANGUAGE))


@cache
def translations(language: str) -> Translations:
    """The catalogue of one of `languages()`; the source language needs none."""
    if language == SOURCE_LANGUAGE:
        return Translations()
    return gettext.translation(_DOMAIN, str(_FOLDER), languages=[language])


def pick_language(accept: str, chosen: str | None = None) -> str:
    """The reader's choice if it can be had, else the first language of an Accept-Language header that can."""
    known = languages()
    if chosen in known:
        return str(chosen)
    for part in accept.split(","):
        name = part.split(";")[0].strip().lower().split("-")[0]
        if name in known:
            return name
    return SOURCE_LANGUAGE
