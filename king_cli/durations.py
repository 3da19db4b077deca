"""Durations as people write them on the command line."""

from __future__ import annotations

import re
from fractions import Fraction

from king_cli.errors import UsageError

_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)(ms|s|m|h)")


def milliseconds(text: str, option: str) -> int:
    """The milliseconds of a text such as 60s, 1.5m or 24h; `option` names it in errors.

    Raises:
        UsageError: it is no duration, or not in whole milliseconds.
    """
    match = _DURATION.fullmatch(text.strip())
    value = Fraction(match[1]) * _UNITS_MS[match[2]] if match else Fraction(1, 2)
    if value.denominator != 1:
        raise UsageError(f"{option} {text!r} is no duration: write 500ms, 60s, 1.5m or 24h")
    return int(value)
