"""Page models as plain JSON values: dataclasses become objects, tuples lists, moments ISO text.

Owns the conversion behind the JSON twins, and that none tells where a bot's program lies. Must not choose what a page
shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from dashboard.times import iso
from league.model import BotSource

_PLAIN = frozenset({type(None), bool, int, float, str})
"""Most of what a large twin is made of: to be told by one look."""


def plain(value: Any) -> Any:
    """A JSON value for a model or any part of one.

    Raises:
        TypeError: for a value that has no JSON form, naming its type.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, dict | Mapping):
        return {str(key): item if type(item) in _PLAIN else plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset | set):
        return [plain(item) for item in value]
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: plain(part) for name, part in parts.items() if not isinstance(part, BotSource)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
