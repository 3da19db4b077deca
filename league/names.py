"""Names that people choose, for accounts and for bots: what in them cannot be seen, and which look alike.

Pure. Owns these questions, and what a bot and its version may be called. Whose a name is, is decided where it is taken.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

LABEL_LENGTH = 64

_LABEL_BYTES = 192
_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing, whatever their category says."""
_JOINERS = frozenset("\u200c\u200d")
"""Some scripts need them within words, and signs are put together by them."""
_VARIATION = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""They choose how the letter before them is drawn."""
_ALIKE = str.maketrans(
    "авекмнорстухіјѕԁԛԝѵһӏёїαβεζηικμνορτυχıɡ",
    "abekmhopctyxijsdqwvhlëïabezhikmnoptyxig",
)
"""Small letters of Cyrillic, Greek and extended Latin that, small or capital, are drawn as these Latin ones are."""


def is_unseen(letter: str) -> bool:
    """Whether a character cannot be seen, or changes how those around it are shown: names do without such ones."""
    if letter in _JOINERS or letter in _VARIATION:
        return False
    odd_space = letter != " " and unicodedata.category(letter) == "Zs"
    return odd_space or letter in _BLANK or unicodedata.category(letter) in _CATEGORIES


def name_key(name: str) -> str:
    """What two names have in common that nobody can tell apart by case, width or joiners."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in folded if letter not in _JOINERS).split())


def look_of(name: str) -> str:
    """What two names have in common that are drawn alike: by case, by signs that cannot be seen, by other alphabets."""
    if name.isascii() and name.isprintable():
        return " ".join(name.lower().split())
    seen = "".join(letter for letter in name_key(name) if letter not in _VARIATION and not is_unseen(letter))
    # Letters are looked up without their marks: an accent on a Cyrillic e is drawn as one on a Latin e.
    latin = unicodedata.normalize("NFKD", seen).replace("i\u0307", "i").translate(_ALIKE)
    return " ".join(unicodedata.normalize("NFKC", latin).split())


def first_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that looks like this one."""
    look = look_of(name)
    return next((other for other in others if look_of(other) == look), None)


def label_fault(text: str) -> str:
    """What the name or version of a bot would have to be, if it is not; else empty."""
    if len(text) > LABEL_LENGTH or len(text.encode(errors="replace")) > _LABEL_BYTES:
        return f"must be at most {LABEL_LENGTH} characters ({_LABEL_BYTES} bytes in UTF-8)"
    if any(letter in "/\\" or unicodedata.category(letter) in _CONTROLS for letter in text):
        return "must have no slash, backslash or control character"
    if any(map(is_unseen, text)):
        return "must have no character that cannot be seen, and no other space than the usual one"
    if text.startswith(("-", ".")):
        return 'must not start with "-" or "."'
    if text != text.strip() or not text:
        return "must not be empty, nor start or end with a space"
    return ""


def seen_only(text: str) -> str:
    """A text without what cannot be seen in it."""
    return "".join(letter for letter in text if not is_unseen(letter))


def name_fault(text: str) -> str:
    """What the name of a bot of somebody else's than the house would have to be as well, if it is not; else empty."""
    if "@" in text or "#" in text:
        return "must have no @ and no #, which stand between a bot's name and its version or number"
    if text.startswith(("=", "+")):
        return "must not start with = or +, which a spreadsheet would compute"
    if text.casefold().endswith((".json", ".atom")):
        return "must not end with .json or .atom, as the addresses of a page's other forms do"
    return ""
