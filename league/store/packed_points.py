"""The points of a match by deal, as they are kept in a column: a twentieth of their JSON.

Owns the form of `matches.deal_points`. Knows nothing of what points mean.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

from league.store.preset_words import POINTS_1, squeezed, unsqueezed


class PackedPoints(TypeDecorator[list[list[Any]]]):
    """A list of [contract, points by seat, whether each bot played it itself], as bytes."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Sequence[Sequence[Any]] | None, dialect: Dialect) -> bytes | None:
        """Packs the list."""
        del dialect
        return None if value is None else pack_points(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> list[list[Any]] | None:
        """Unpacks the list."""
        del dialect
        return None if value is None else unpack_points(value)


def pack_points(deals: Sequence[Sequence[Any]]) -> bytes:
    """Packs a list of [contract, points by seat, whether each bot played it itself]."""
    seats = len(deals[0][1]) if deals else 0
    contracts = [contract for contract, _, _ in deals]
    points = list(chain.from_iterable(each for _, each, _ in deals))
    taken_over = [[at, list(own)] for at, (_, _, own) in enumerate(deals) if not all(own)]
    form = [contracts, points, seats, *([taken_over] if taken_over else [])]
    return squeezed(json.dumps(form, separators=(",", ":")).encode(), POINTS_1)


def unpack_points(text: bytes) -> list[list[Any]]:
    """What `pack_points` was given, as lists."""
    contracts, points, seats, *rest = json.loads(unsqueezed(text, POINTS_1)[0])
    taken_over = dict(rest[0]) if rest else {}
    return [
        [contract, points[at * seats : (at + 1) * seats], taken_over.get(at, [True] * seats)]
        for at, contract in enumerate(contracts)
    ]
