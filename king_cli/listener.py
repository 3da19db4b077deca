"""The dashboard's own user of the Valkey that `king up` starts: it hears of live tables and can do nothing else there.

Whoever can write to the queue can have a worker run anything, with the vault at hand; so the dashboard must not.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from urllib.parse import quote

USER = "dashboard"
KEYS = "king:live:*"
COMMANDS = ("get", "mget", "zrangebyscore", "sadd", "expire", "subscribe", "unsubscribe")
"""It reads lists and pictures, says which tables are watched, and listens; it writes no picture."""


@dataclass(frozen=True)
class Listener:
    """The user, with a password that only the server's settings (as a hash) and the dashboard's have."""

    password: str = field(repr=False)

    def options(self) -> tuple[str, ...]:
        """What makes the server know the user."""
        digest = hashlib.sha256(self.password.encode()).hexdigest()
        allowed = (f"~{KEYS}", f"&{KEYS}", "+@connection", *(f"+{command}" for command in COMMANDS))
        return ("--user", USER, "on", f"#{digest}", *allowed)

    def url(self, redis_url: str) -> str:
        """The address of the server (unix://…) as this user dials it."""
        return redis_url.replace("unix://", f"unix://{USER}:{quote(self.password, safe='')}@", 1)
