"""What the several addresses of one referee are for; knows nothing of who listens there.

KING_REFEREE may have more than one, separated by commas. Workers and plain bots dial the first. A sandbox has no
network: it gets the first one that is a socket in the file system.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_UNIX: Final = "unix:"


def addresses(referee: str) -> tuple[str, ...]:
    """The addresses in a list separated by commas."""
    return tuple(part.strip() for part in referee.split(","))


def first_address(referee: str) -> str:
    """The address that workers and plain bots dial."""
    return addresses(referee)[0]


def socket_of(referee: str) -> Path | None:
    """The path of the first address that is a socket in the file system."""
    for address in addresses(referee):
        if address.startswith(_UNIX):
            return Path(address.removeprefix(_UNIX)).absolute()
    return None
