"""Reads JSON as RFC 8259 has it, and nothing beside: every reader of the same text then sees the same.

Python's own reader takes other encodings than UTF-8, NaN and Infinity, numbers that only become infinite, a name given
twice (the last counts; to others the first), and halves of surrogate pairs, which no page or file can show.
"""

import json
import math
import re
from collections import Counter
from typing import Any, Final, NoReturn

_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str | bytes) -> Any:
    """Read one value.

    Raises:
        ValueError: it is not JSON in UTF-8, nested too deeply, or ambiguous; the text says which.
    """
    plain = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        value = json.loads(plain, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object)
        if _ESCAPED_SURROGATE.search(plain):
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"half of a surrogate pair, {half!a}, is no letter of Unicode") from None
    return value


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
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has two members {twice[:40]!a}; each name comes once")
    return read
