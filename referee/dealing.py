"""From a seed to packs, lots and the stand-in's draws, so that anyone can check a deal (docs/deals.md).

Owns the streams. Must not know players, seasons or storage: secrets are given to it.
"""

from collections.abc import Callable
from hashlib import sha256
from struct import Struct
from typing import Final

from referee.rules import Card, Variant

SECRET_BYTES = 32
LOCAL_SALT = bytes(SECRET_BYTES)
"""The salt where there is no season."""

_WORDS: Final = 1 << 32
_BLOCK: Final = Struct(">8I")
_STAND_IN_STREAMS = 1 << 31
_LOT_STREAM = 0


def local_secret(seed: int, board: int) -> bytes:
    """Return the deal secret of a board (from 1) for `--seed`; the seed is from 0 below 2⁶⁴.

    Raises:
        ValueError: if the seed or the board is out of range.
    """
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed {seed} is out of range: 0 to {(1 << 64) - 1}")
    if not 0 <= board < _WORDS:
        raise ValueError(f"board {board} is out of range: 0 to {_WORDS - 1}")
    return sha256(b"king-local" + seed.to_bytes(8, "big") + board.to_bytes(4, "big")).digest()


def commitment(secret: bytes) -> bytes:
    """Return what is published of a deal secret before its cards are."""
    return sha256(secret).digest()


def deal_seed(secret: bytes, salt: bytes) -> bytes:
    """Return the seed of a board's deals."""
    return sha256(secret + salt).digest()


class Stream:
    """Stream n of a seed: 32-bit words, drawn from one after the other."""

    def __init__(self, seed: bytes, number: int) -> None:
        self._prefix = seed + number.to_bytes(4, "big")
        self._block = 0
        self._words: list[int] = []

    def below(self, limit: int) -> int:
        """Draw a number from 0 up to but without `limit`, each as likely as the others."""
        fair = _WORDS - _WORDS % limit
        while True:
            if not self._words:
                self._fill()
            word = self._words.pop()
            if word < fair:
                return word % limit

    def _fill(self) -> None:
        digest = sha256(self._prefix + self._block.to_bytes(4, "big")).digest()
        self._words.extend(_BLOCK.unpack(digest)[::-1])  # the last is drawn first
        self._block += 1


def pack(seed: bytes, number: int, variant: Variant) -> tuple[Card, ...]:
    """Return the shuffled and cut pack of a deal (from 1), in the order in which it is dealt."""
    stream = Stream(seed, number)
    cards = list(variant.pack)
    for last in range(len(cards) - 1, 0, -1):
        other = stream.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    cut = 1 + stream.below(len(cards) - 1)
    return tuple(cards[cut:] + cards[:cut])


def packs(seed: bytes, variant: Variant) -> Callable[[int], tuple[Card, ...]]:
    """Return the packs of all deals, by number, for `Match`; they can be pickled."""
    return _Packs(seed, variant)


class _Packs:
    """The packs that were asked for, by number: a match asks for the one in play again and again."""

    def __init__(self, seed: bytes, variant: Variant) -> None:
        self._seed = seed
        self._variant = variant
        self._found: dict[int, tuple[Card, ...]] = {}

    def __reduce__(self) -> tuple[type["_Packs"], tuple[bytes, Variant]]:
        return _Packs, (self._seed, self._variant)

    def __call__(self, number: int) -> tuple[Card, ...]:
        if number not in self._found:
            self._found[number] = pack(self._seed, number, self._variant)
        return self._found[number]


def first_seat(seed: bytes, variant: Variant) -> int | None:
    """Draw the first dealer or the first chooser; None where a card decides."""
    if variant.first_holder is not None:
        return None
    return Stream(seed, _LOT_STREAM).below(variant.seats)


def stand_in_stream(seed: bytes, deal: int) -> Stream:
    """Return the stream that the stand-in draws from in a deal (from 1)."""
    return Stream(seed, _STAND_IN_STREAMS + deal)
