"""What the several addresses of one referee are for; knows nothing of who listens there.

KING_REFEREE may have more than one, separated by commas. Workers give their orders at the first that takes them. A
sandbox has no network: it gets the first one that is a socket in the file system, or a relay of the worker's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.addresses import Door, door_of

_UNIX: Final = Door.SOCKET.value
_NEAR: Final = (Door.PLAIN, Door.SOCKET)


def addresses(referee: str) -> tuple[str, ...]:
    """The addresses in a list separated by commas."""
    return tuple(part.strip() for part in referee.split(","))


def control_address(referee: str) -> str:
    """Where workers give orders: the first address that is not encrypted, else the first for workers.

    With bots' addresses alone it is the first of those, where the referee will say that it takes no orders.
    """
    there = addresses(referee)
    near = next((address for address in there if door_of(address) in _NEAR), None)
    return near or _first(there, Door.MUTUAL) or there[0]


def bots_address(referee: str) -> str | None:
    """Where bots dial: the first address that is not for workers alone; None: there is none."""
    there = addresses(referee)
    near = next((address for address in there if door_of(address) in _NEAR), None)
    return near or _first(there, Door.TLS)


def socket_of(referee: str) -> Path | None:
    """The path of the first address that is a socket in the file system."""
    found = _first(addresses(referee), Door.SOCKET)
    return None if found is None else Path(found.removeprefix(_UNIX)).absolute()


def _first(there: tuple[str, ...], door: Door) -> str | None:
    return next((address for address in there if door_of(address) is door), None)
