"""Reads JSON as RFC 8259 has it, and nothing beside: every reader of the same text then sees the same.

Python's own reader takes other encodings than UTF-8, NaN and Infinity, numbers that only become infinite, a name given
twice (the last counts; to others the first), and halves of surrogate pairs, which no page or file can show.
"""

import json
import math
import re
from collections import Counter
from typing import Any, Final, NoReturn

_SPACES: Final = " \t\n\r"
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str | bytes) -> Any:
    """Read one value.

    Raises:
        ValueError: it is not JSON in UTF-8, nested too deeply, or ambiguous; the text says which.
    """
    plain = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        value = _read_if_plain(plain)
        if value is None:
            value = json.loads(plain, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object)
        if "\\" in plain and _ESCAPED_SURROGATE.search(plain):
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"half of a surrogate pair, {half!a}, is no letter of Unicode") from None
    return value


class _Members:
    """How many members the objects have that were read so far."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, read: dict[str, Any]) -> dict[str, Any]:
        self.count += len(read)
        return read


def _read_if_plain(text: str) -> Any:
    """Read one value if it is surely JSON with no name twice; None if it may be not, and has to be looked at closely.

    Each member of an object has a quote and a colon, one after the other where nothing is set apart, and texts may
    have more of these: so if there are no more of them than members were read, none was read over another.
    """
    members = _Members()
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite, object_hook=members.add)
    except (ValueError, RecursionError):
        return None
    return value if text.count('":') == members.count and not _is_spaced(text) else None


def _is_spaced(text: str) -> bool:
    """Whether a colon stands apart from what it follows."""
    within = text.rstrip()
    return any(space in within for space in _SPACES) and any(f"{space}:" in text for space in _SPACES)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:30]} is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        twice = Counter([name for name, _ in pairs]).most_common(1)[0][0]
        raise ValueError(f"an object has two members {twice[:40]!a}; each name comes once")
    return read
