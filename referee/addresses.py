"""Addresses of a referee: which doors there are, and how one writes them.

Owns the forms of an address. Listens nowhere and dials nobody.
"""

from __future__ import annotations

from enum import Enum
from ipaddress import ip_address
from typing import Final


class Door(Enum):
    """What an address is to who dials it; the value is how it begins."""

    PLAIN = ""
    """host:port, TCP that anybody on the way can read."""
    SOCKET = "unix:"
    """A socket in the file system of this machine."""
    TLS = "tls://"
    """TCP with the referee's certificate, for bots: nobody gives orders there."""
    MUTUAL = "mtls://"
    """TCP with certificates of both, for workers."""


ENCRYPTED: Final = frozenset({Door.TLS, Door.MUTUAL})
FORMS: Final = '"host:port", such as 127.0.0.1:7700, "tls://host:port", "mtls://host:port", or "unix:/path"'


def door_of(address: str) -> Door:
    """The door that an address is, by how it begins."""
    return next(door for door in (Door.SOCKET, Door.TLS, Door.MUTUAL, Door.PLAIN) if address.startswith(door.value))


def target_of(address: str) -> str:
    """What is listened at or dialled: "host:port", or "unix:/path"."""
    door = door_of(address)
    return address.removeprefix(door.value) if door in ENCRYPTED else address


def host_and_port(address: str) -> tuple[str, int]:
    """Host, without brackets, and port.

    Raises:
        ValueError: it is the address of a socket, or none at all.
    """
    host, colon, port = target_of(address).rpartition(":")
    if door_of(address) is Door.SOCKET or not colon or not host or not (port.isascii() and port.isdecimal()):
        raise ValueError(f"{address!r} is no host:port")
    if int(port) > 65535:
        raise ValueError(f"{address!r} has no port from 0 to 65535")
    return host.strip("[]"), int(port)


def is_readable_on_the_way(address: str) -> bool:
    """Whether what goes to and from an address can be read by others than this machine."""
    return door_of(address) is Door.PLAIN and not _is_loopback(host_and_port(address)[0])


def plain_warning(address: str) -> str:
    """What is to be said of an address that others can dial and that is not encrypted."""
    return (
        f"{address} is not encrypted: what passes there, tokens too, can be read on the way; listen at tls:// with "
        "KING_TLS_CERT, unless something in front of it ends TLS or the network is your own"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
