"""The record of a match as it is kept: without its secrets, made small, and sealed until they are public.

Owns the layouts of `match_records.sealed`, one of which every row names. Reads and writes no rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from league.store.packed_records import Known, pack_record, unpack_record
from league.store.sealing import commitment_of, deal_seed_of, mask, match_id_of, seal, unseal
from referee.rules import Variant

_SECRETS = ("deal_secret", "deal_salt", "deal_seed")


class Layout(IntEnum):
    """What is sealed: JSON, compressed; or what `pack_record` makes of it."""

    JSON = 0
    PACKED = 1


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The columns of a record."""

    layout: Layout
    sealed: bytes


@dataclass(frozen=True, kw_only=True)
class Cards:
    """Whose record it is: a board's secret and salt as hex digits, the rotation, and what is played."""

    secret: str
    salt: str
    rotation: int
    variant: Variant

    @property
    def known(self) -> Known:
        """What follows from it for the record."""
        return Known(
            match_id=match_id_of(self.secret, self.rotation),
            commitment=commitment_of(self.secret),
            seed=bytes.fromhex(deal_seed_of(self.secret, self.salt)),
            variant=self.variant,
        )

    @property
    def purpose(self) -> str:
        """What the record is sealed for."""
        return f"record {self.rotation}"


def kept_record(record: Mapping[str, Any], cards: Cards) -> Kept:
    """A record as it is kept; one that cannot be packed is kept as JSON."""
    bare = {**record, **dict.fromkeys(_SECRETS)}
    packed = pack_record(bare, cards.known)
    if packed is None:
        return kept_as_json(bare, cards)
    return Kept(layout=Layout.PACKED, sealed=mask(packed, cards.secret, cards.purpose))


def kept_as_json(bare: Mapping[str, Any], cards: Cards) -> Kept:
    """A record without its secrets as JSON, as every version of the store can read it."""
    text = json.dumps(bare, separators=(",", ":"), ensure_ascii=False).encode()
    return Kept(layout=Layout.JSON, sealed=seal(text, cards.secret, cards.purpose))


def bare_record(kept: Kept, cards: Cards) -> dict[str, Any]:
    """What `kept_record` was given, without its secrets."""
    if kept.layout is Layout.PACKED:
        return unpack_record(mask(kept.sealed, cards.secret, cards.purpose), cards.known)
    record: dict[str, Any] = json.loads(unseal(kept.sealed, cards.secret, cards.purpose))
    return record


def opened_record(kept: Kept, cards: Cards) -> dict[str, Any]:
    """A record with the secrets of its board."""
    seed = deal_seed_of(cards.secret, cards.salt)
    return bare_record(kept, cards) | {"deal_secret": cards.secret, "deal_salt": cards.salt, "deal_seed": seed}
