"""Changes inputs: bytes, JSON, texts. Owns the values that strangers' input breaks programs with.

Every change is drawn from the generator that is given, so a seed tells the whole run. Knows no surface.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

NUMBERS: Final = (
    *(0, 1, -1, 2, 3, 4, 5, 13, 14, 16, 17, 63, 64, 65, 127, 128, 255, 256, 257, 1000),
    *(2**15, 2**16 - 1, 2**16, 2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, -(2**63), 2**64),
)
ODD_NUMBERS: Final = (10**400, -(10**400), float("nan"), float("inf"), -0.0, 1.5, 1e308, 5e-324)
TEXTS: Final = (
    *("", " ", "\0", "a\0b", "\n", "\r\n", "\t", "\x1b[2J", "\x7f", "\u2028", "\ufeff", "\u202e", "\ud800", "\udfff"),
    *("\U0010ffff", "İ", "ß", "ﬁ", "①", "٣", "½", "é", "e\u0301", "\u0301" * 200, "a" * 65, "я" * 200, "x" * 5000),
    *("..", ".", "/", "//", "../../etc/passwd", "/etc/passwd", "\\", "C:\\x", "~", "-", "--help", "-rf", "%2e%2e%2f"),
    *("%", "%s%n", "{}", "{0}", "${x}", "'", '"', "';--", "<script>", "&amp;", "=1+1", "@", "#", "null", "true", "NaN"),
    *("Infinity", "1e999", "9" * 5000, "-1", "0x10", "1_000", "+1", " 1", "1 ", "01", "1.0", "１", "-0", "a,b", "a=b"),
)
DEEP: Final = 100_000
"""How deep a nested value is: deeper than any parser that calls itself goes."""

JsonMaker = Callable[[Random], Any]


def change_bytes(source: bytes, chance: Random, words: Sequence[bytes] = ()) -> bytes:
    """A few changes somewhere in some bytes; `words` are put in where they may hurt."""
    changed = bytearray(source)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        chance.choice(_BYTE_CHANGES)(changed, chance)
        if words and chance.random() < 0.3:
            at = chance.randrange(len(changed) + 1)
            changed[at : at + chance.choice((0, 0, 1, 4))] = chance.choice(words)
    return bytes(changed)


def random_bytes(chance: Random, most: int = 200) -> bytes:
    """Some bytes."""
    return chance.randbytes(chance.randrange(most))


def _flip(changed: bytearray, chance: Random) -> None:
    if changed:
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)


def _set(changed: bytearray, chance: Random) -> None:
    if changed:
        changed[chance.randrange(len(changed))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _cut(changed: bytearray, chance: Random) -> None:
    start = chance.randrange(len(changed) + 1)
    del changed[start : start + chance.choice((1, 1, 2, 4, 16, 1 << 20))]


def _repeat(changed: bytearray, chance: Random) -> None:
    start = chance.randrange(len(changed) + 1)
    part = changed[start : start + chance.choice((1, 2, 8, 64, 512))]
    at = chance.randrange(len(changed) + 1)
    changed[at:at] = part * chance.choice((1, 1, 2, 50))


def _insert(changed: bytearray, chance: Random) -> None:
    at = chance.randrange(len(changed) + 1)
    changed[at:at] = random_bytes(chance, 8)


def _set_number(changed: bytearray, chance: Random) -> None:
    width = chance.choice((2, 4, 8))
    if len(changed) >= width:
        at = chance.randrange(len(changed) - width + 1)
        number = chance.choice(NUMBERS) % (1 << 8 * width)
        changed[at : at + width] = number.to_bytes(width, chance.choice(("little", "big")))


_BYTE_CHANGES: Final = (_flip, _flip, _set, _set, _cut, _repeat, _insert, _set_number)


def change_text(source: str, chance: Random, words: Sequence[str] = ()) -> str:
    """A change somewhere in a text."""
    at, end = sorted(chance.randrange(len(source) + 1) for _ in range(2))
    kind = chance.randrange(6)
    if kind == 0:
        return source[:at] + chance.choice(TEXTS) + source[at:]
    if kind == 1:
        return source[:at] + source[end:]
    if kind == 2:
        return source[:end] + source[at:]
    if kind == 3 and words:
        return source[:at] + chance.choice(words) + source[chance.choice((at, end)) :]
    if kind == 4:
        return source[:at] + chr(chance.choice((chance.randrange(128), chance.randrange(0x500)))) + source[at + 1 :]
    return source[:at] + source[at:end] * chance.choice((2, 3, 100)) + source[end:]


def odd_value(chance: Random) -> Any:
    """A value of any type that a careless reader stumbles over."""
    kind = chance.randrange(8)
    if kind <= 1:
        return chance.choice(NUMBERS)
    if kind == 2:
        return chance.choice(ODD_NUMBERS)
    if kind == 3:
        return chance.choice(TEXTS)
    return chance.choice((None, True, False, [], {}, [[]], {"": None}, [None], [0] * 1000, {"a": {"b": [1]}}))


def change_json(source: Any, chance: Random, made: JsonMaker = odd_value) -> Any:
    """The value with one change at a place of it; what is not on the way to that place is shared with the source.

    `made` makes values that are put in.
    """
    if isinstance(source, dict) and source and chance.random() < 0.93:
        name = chance.choice(list(source))
        return {**source, name: change_json(source[name], chance, made)}
    if isinstance(source, list) and source and chance.random() < 0.93:
        at = chance.randrange(len(source))
        return [*source[:at], change_json(source[at], chance, made), *source[at + 1 :]]
    if isinstance(source, dict):
        return _change_object(source, chance, made)
    if isinstance(source, list):
        return _change_list(source, chance, made)
    return _change_scalar(source, chance, made)


def _change_object(source: dict[str, Any], chance: Random, made: JsonMaker) -> Any:
    kind, names = chance.randrange(5), list(source)
    if kind == 0 and names:
        gone = chance.choice(names)
        return {name: value for name, value in source.items() if name != gone}
    if kind == 1:
        return {**source, chance.choice((*TEXTS, *names)): made(chance)}
    if kind == 2 and len(names) > 1:
        one, other = chance.sample(names, 2)
        return {**source, one: source[other], other: source[one]}
    if kind == 3 and names:
        one = chance.choice(names)
        return {change_text(name, chance) if name == one else name: value for name, value in source.items()}
    return made(chance)


def _change_list(source: list[Any], chance: Random, made: JsonMaker) -> Any:
    kind = chance.randrange(6)
    at = chance.randrange(len(source) + 1)
    if kind == 0:
        return [*source[:at], *source[at + 1 :]]
    if kind == 1:
        return [*source[:at], *source[at : at + 1] * chance.choice((2, 3, 60)), *source[at + 1 :]]
    if kind == 2:
        return [*source[:at], made(chance), *source[at:]]
    if kind == 3:
        return chance.sample(source, len(source))
    if kind == 4:
        return source[:at]
    return made(chance)


def _change_scalar(source: Any, chance: Random, made: JsonMaker) -> Any:
    if isinstance(source, bool) or source is None or chance.random() < 0.3:
        return made(chance)
    if isinstance(source, int):
        return chance.choice(
            (source + 1, source - 1, -source, float(source % 2**53), str(source % 10**40), chance.choice(NUMBERS))
        )
    if isinstance(source, str):
        return change_text(source, chance)
    return made(chance)


def json_bytes(value: Any) -> bytes:
    """A value as JSON in UTF-8, NaN and Infinity as Python writes them."""
    return json.dumps(value, separators=(",", ":")).encode()


def change_json_text(source: bytes, chance: Random) -> bytes:
    """A change of JSON that is none of its values: its encoding, its depth, a name given twice, or any byte."""
    kind = chance.randrange(6)
    if kind == 0:
        return source.decode("utf-8", "replace").encode(chance.choice(("utf-16", "utf-32", "utf-8-sig", "utf-16-be")))
    if kind == 1:
        at = source.find(b":", chance.randrange(len(source) + 1)) + 1
        bracket = chance.choice((b"[", b'{"a":'))
        return source[:at] + bracket * DEEP + source[at:]
    if kind == 2:
        return _named_twice(source, chance)
    return change_bytes(source, chance, (b'"', b"{", b"[", b"\\u0000", b"\\ud800", b"NaN", b"-Infinity", b"1e999"))


def _named_twice(source: bytes, chance: Random) -> bytes:
    """One more member at the start of an object, with a name that comes in it again."""
    at = source.find(b"{", chance.randrange(len(source) + 1))
    start = source.find(b'"', at)
    end = source.find(b'"', start + 1)
    if -1 in {at, start, end}:
        return source + source
    value = json_bytes(odd_value(chance))
    return source[: at + 1] + source[start : end + 1] + b":" + value + b"," + source[at + 1 :]
