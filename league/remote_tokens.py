"""The tokens by which remote bots are known: drawn, and hashed.

Pure but for the draw. A token is told once and kept nowhere; the store and the referee know its hash.
"""

from __future__ import annotations

import hashlib
import secrets

TOKEN_MARK = "king-remote-"
"""How every token of a remote bot begins, so that people and programs that look for leaked secrets can tell."""


def draw_token() -> str:
    """A new token with 256 random bits from the operating system."""
    return TOKEN_MARK + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """SHA-256 of a token, as 64 hex digits. A token is as random as its hash is long, so it needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()
