"""The shape of a record: which fields there are and of which types, without any rule of the game.

Owns `Problem` and the description of a record's fields. Whatever JSON comes in, the answer is a list of problems, never
an exception.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from referee.rules.actions import FIELDS, ActionKind, By
from referee.rules.cards import CARD_TEXTS, SUITS
from referee.rules.errors import printable
from referee.rules.record import CONTEXT_FIELDS, FORMAT

FORFEIT_KINDS: Final = ("timeout", "illegal", "exit", "protocol", "flood", "absent")
MOST_PROBLEMS: Final = 100
"""So many problems are told of one record; one with more is no record, and telling all could fill the memory."""

HEX_DIGITS: Final = re.compile("[0-9a-f]{64}")
TERMINATIONS: Final = ("normal", "unfinished", "aborted")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a record: the place, such as `deals[3].tricks[5].taker`, and what would be right."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


Shape = Callable[[object, str], Iterator[Problem]]


def shown(value: object) -> str:
    """Write a value of a record for a message, shortened."""
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    text = {"None": "null", "True": "true", "False": "false"}.get(text, text)
    return printable(text if len(text) <= 60 else f"{text[:57]}...")


def at(path: str, name: str | int) -> str:
    """Join a path and a field's name or a list's place."""
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else name


def whole_number(lowest: int | None = None, highest: int | None = None) -> Shape:
    """A whole number within bounds; true and false are none."""

    def check(value: object, path: str) -> Iterator[Problem]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem(path, f"is {shown(value)}, should be a whole number")
        elif (lowest is not None and value < lowest) or (highest is not None and value > highest):
            yield Problem(path, f"is {shown(value)}, should be {_bounds(lowest, highest)}")

    return check


def _bounds(lowest: int | None, highest: int | None) -> str:
    if highest is None:
        return f"{lowest} or more"
    return f"{highest} or less" if lowest is None else f"from {lowest} to {highest}"


def number(value: object, path: str) -> Iterator[Problem]:
    """Any number that is not negative."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0:
        yield Problem(path, f"is {shown(value)}, should be a number, 0 or more")


def text(value: object, path: str) -> Iterator[Problem]:
    """Any text."""
    if not isinstance(value, str):
        yield Problem(path, f"is {shown(value)}, should be a text")


def truth(value: object, path: str) -> Iterator[Problem]:
    """True or false."""
    if not isinstance(value, bool):
        yield Problem(path, f"is {shown(value)}, should be true or false")


def hex_digits(value: object, path: str) -> Iterator[Problem]:
    """Sixty-four lower-case hex digits."""
    if not isinstance(value, str) or not HEX_DIGITS.fullmatch(value):
        yield Problem(path, f"is {shown(value)}, should be 64 hex digits")


def card(value: object, path: str) -> Iterator[Problem]:
    """A card."""
    if not isinstance(value, str) or value not in CARD_TEXTS:
        yield Problem(path, f'is {shown(value)}, should be a card such as "KH"')


def one_of(values: Iterable[str]) -> Shape:
    """One of some texts."""
    known = tuple(values)

    def check(value: object, path: str) -> Iterator[Problem]:
        if not isinstance(value, str) or value not in known:
            yield Problem(path, f"is {shown(value)}, should be one of {', '.join(known)}")

    return check


def anything(_value: object, _path: str) -> Iterator[Problem]:
    """No demand."""
    return iter(())


def nullable(shape: Shape) -> Shape:
    """Null, or of a shape."""

    def check(value: object, path: str) -> Iterator[Problem]:
        if value is not None:
            yield from shape(value, path)

    return check


def list_of(shape: Shape, *, longest: int | None = None) -> Shape:
    """A list of like things."""

    def check(value: object, path: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(path, f"is {shown(value)}, should be a list")
            return
        if longest is not None and len(value) > longest:
            yield Problem(path, f"has {len(value)} entries, should have {longest} at most")
        for place, entry in enumerate(value):
            yield from shape(entry, at(path, place))

    return check


def fields(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """An object with some fields; further ones are passed over."""

    def check(value: object, path: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path, f"is {shown(value)}, should be an object")
            return
        for name, shape in required.items():
            if name in value:
                yield from shape(value[name], at(path, name))
            else:
                yield Problem(at(path, name), "is missing")
        for name, shape in (optional or {}).items():
            if name in value:
                yield from shape(value[name], at(path, name))

    return check


_SEAT: Final = whole_number(0)
_SUIT: Final = one_of(SUITS)
_POINTS: Final = nullable(list_of(whole_number()))

_ACTION_FIELDS: Final[Mapping[str, Shape]] = {
    "card": card,
    "contract": text,
    "trump": _SUIT,
    "tricks": whole_number(0),
    "to": _SEAT,
}
_NOTES: Final[Mapping[str, Shape]] = {
    "by": one_of(By),
    "ms": nullable(number),
    "asked_with": nullable(whole_number(0)),
}


def _action_shape(kind: ActionKind) -> Shape:
    required = {name: _ACTION_FIELDS[name] for name in FIELDS[kind]}
    if kind is ActionKind.CHOOSE:
        required["trump"] = nullable(_SUIT)
    return fields({"seat": _SEAT, "do": text, **required}, _NOTES)


_ACTIONS: Final = {kind.value: _action_shape(kind) for kind in ActionKind}


def action(value: object, path: str) -> Iterator[Problem]:
    """An action, with the fields of its kind."""
    kind = value.get("do") if isinstance(value, dict) else None
    if isinstance(kind, str) and kind in _ACTIONS:
        yield from _ACTIONS[kind](value, path)
    else:
        yield from fields({"seat": _SEAT, "do": one_of(ActionKind)}, _NOTES)(value, path)


_TRICK: Final = fields(
    {"leader": _SEAT, "cards": list_of(card, longest=4), "taker": nullable(_SEAT)},
)
_DEAL: Final = fields(
    {
        "number": whole_number(1),
        "dealer": nullable(_SEAT),
        "hands": list_of(list_of(card)),
        "talon": list_of(card),
        "actions": list_of(action),
        "contract": nullable(text),
        "declarer": nullable(_SEAT),
        "trump": nullable(_SUIT),
        "misere": nullable(truth),
        "price": nullable(whole_number(0)),
        "exposed": nullable(card),
        "tricks": list_of(_TRICK),
        "points": _POINTS,
        "ended_early": nullable(truth),
        "made_king": nullable(_SEAT),
    }
)
_RECORD: Final = fields(
    {
        "format": one_of([FORMAT]),
        "variant": text,
        "rules_version": whole_number(1),
        "options": fields({}),
        "match_id": text,
        "seats": whole_number(1),
        "players": list_of(fields({"seat": _SEAT, "bot": text, "version": nullable(text)})),
        "context": fields(dict.fromkeys(CONTEXT_FIELDS, anything)),
        "deal_secret": nullable(hex_digits),
        "deal_salt": nullable(hex_digits),
        "deal_seed": nullable(hex_digits),
        "deal_commitment": nullable(hex_digits),
        "deals": list_of(_DEAL),
        "totals": _POINTS,
        "places": _POINTS,
        "settlement": _POINTS,
        "forfeits": list_of(
            fields(
                {
                    "seat": _SEAT,
                    "kind": one_of(FORFEIT_KINDS),
                    "deal": whole_number(1),
                    "action": whole_number(1),
                    "detail": nullable(text),
                }
            )
        ),
        "termination": fields({"kind": one_of(TERMINATIONS), "detail": nullable(text)}),
    }
)


def shape_problems(record: object) -> list[Problem]:
    """Return what is wrong with the fields and types of a record, up to MOST_PROBLEMS."""
    if not isinstance(record, dict):
        return [Problem("", f"a record is an object, not {shown(record)}")]
    if record.get("format") != FORMAT:  # whatever else it is, what a record has is not to be asked of it
        given = f"is {shown(record['format'])}" if "format" in record else "is missing"
        return [Problem("format", f'{given}, should be "{FORMAT}": this is no record of a match')]
    return list(islice(_RECORD(record, ""), MOST_PROBLEMS))
