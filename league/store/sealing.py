"""What must stay unreadable until a set of boards is over: records and standard error, sealed with a deal secret.

Pure. Other rotations of a board are still to be played when its first record is stored, and a record shows all hands.
So it is stored under a key that only the vault can derive; publishing the deal secret opens it, and no row is moved.
"""

from __future__ import annotations

import hashlib
import zlib


def deal_secret_of(season_secret: str, board: int) -> str:
    """The secret of a board: SHA-256 of the season's secret and the board's number as 4 bytes, big-endian."""
    return hashlib.sha256(bytes.fromhex(season_secret) + board.to_bytes(4, "big")).hexdigest()


def commitment_of(secret: str) -> str:
    """SHA-256 of a secret, both as 64 hex digits."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def salt_of(version_hashes: list[str]) -> str:
    """The salt of a season: SHA-256 of the entrants' version hashes, as raw bytes in ascending order."""
    return hashlib.sha256(b"".join(sorted(map(bytes.fromhex, version_hashes)))).hexdigest()


def deal_seed_of(secret: str, salt: str) -> str:
    """The seed of a board: SHA-256 of its secret and the salt."""
    return hashlib.sha256(bytes.fromhex(secret) + bytes.fromhex(salt)).hexdigest()


def match_id_of(deal_secret: str, rotation: int) -> str:
    """The id of a match: 16 hex digits that nobody can link to a board or to cards before the secret is out."""
    return hashlib.sha256(b"king-match" + bytes.fromhex(deal_secret) + bytes([rotation])).hexdigest()[:16]


def seal(plain: bytes, deal_secret: str, purpose: str) -> bytes:
    """Compresses and enciphers. One (deal_secret, purpose) must never be used for two different texts."""
    return mask(zlib.compress(plain), deal_secret, purpose)


def unseal(sealed: bytes, deal_secret: str, purpose: str) -> bytes:
    """What `seal` was given."""
    return zlib.decompress(mask(sealed, deal_secret, purpose))


def mask(text: bytes, deal_secret: str, purpose: str) -> bytes:
    """Enciphers what is packed already: adds a key stream without carry, so twice is nothing. SHAKE-256 makes it.

    One (deal_secret, purpose) must never be used for two different texts.
    """
    key = b"king-seal" + bytes.fromhex(deal_secret) + purpose.encode()
    stream = hashlib.shake_256(key).digest(len(text))
    return (int.from_bytes(text, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(text), "big")
