"""Numbers as readers see them: sign, grouping, intervals.

Owns the typography of numbers (U+2212 for minus, a narrow no-break space between thousands and after ±, the decimal
point of a language). Must not know what a number means, nor any word of a language.
"""

from __future__ import annotations

import re

MINUS = "\u2212"
NARROW = "\u202f"
_DECIMAL_POINTS = {"ru": ","}
_MORE_THAN_ZERO = re.compile("[1-9]")
_HYPHEN_MINUS = re.compile(r"(?<![\w\]])-(?=\d)")


def decimal_point(language: str) -> str:
    """What stands before the decimals: 2.7 in English, 2,7 in Russian."""
    return _DECIMAL_POINTS.get(language, ".")


def number(value: float, decimals: int = 0, *, point: str = ".") -> str:
    """`value` rounded to `decimals` places, grouped in thousands: -1380 -> "−1 380"; never "−0"."""
    text = f"{abs(value):,.{decimals}f}".replace(",", NARROW).replace(".", point)
    return text if value >= 0 or _MORE_THAN_ZERO.search(text) is None else MINUS + text


def elo(value: float) -> str:
    """A rating, a whole number that is never grouped: 1583."""
    return f"{value:.0f}"


def signed(value: float, decimals: int = 0, *, point: str = ".") -> str:
    """Like `number`, with + before what is above zero, for gains and differences."""
    text = number(value, decimals, point=point)
    return "+" + text if value > 0 and _MORE_THAN_ZERO.search(text) is not None else text


def plus_minus(half_width: float, decimals: int = 0, *, point: str = ".") -> str:
    """The half width of an interval: 35.2 -> "± 35"."""
    return f"±{NARROW}{number(half_width, decimals, point=point)}"


def p_value(p: float, *, point: str = ".") -> str:
    """A p-value with as many decimals as it needs: 0.2, 0.034, 0.0004, and < 0.0001 below."""
    if p < 0.0001:
        return f"<{NARROW}{number(0.0001, 4, point=point)}"
    return number(p, 2 if p >= 0.1 else 3 if p >= 0.01 else 4, point=point)


def typeset(text: str) -> str:
    """A text of ours with a true minus before its numbers: "each trick -50" -> "each trick −50"."""
    return _HYPHEN_MINUS.sub(MINUS, text)


def percent(part: float, whole: float) -> str:
    """A share as whole percents: (1, 3) -> "33 %"; of nothing, "0 %"."""
    share = 100 * part / whole if whole else 0.0
    return f"{share:.0f}{NARROW}%"
