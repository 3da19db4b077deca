"""The channel to a referee: plain, or encrypted where its address begins with `tls://`.

Owns how an address is read. Says nothing over the channel.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import grpc

TLS = "tls://"
KEEPALIVE_MS = 60_000  # a remote bot may wait for hours on a stream that a router has long forgotten
UNIX = "unix:"
OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
)
_NOT_BELIEVED = "CERTIFICATE_VERIFY_FAILED"


def read_roots(path: str) -> bytes | None:
    """The certificates of the authorities to believe, from a PEM file; of an empty path None: the public ones.

    Raises:
        ValueError: the file cannot be read, or has none.
    """
    if not path:
        return None
    try:
        roots = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"KING_TLS_ROOTS: {path} cannot be read: {error.strerror}") from None
    if b"-----BEGIN CERTIFICATE-----" not in roots:
        raise ValueError(f"KING_TLS_ROOTS: {path} has no PEM certificate")
    return roots


@dataclass(frozen=True)
class Place:
    """Where a referee is: "host:port", "tls://host:port" or "unix:/path".

    `name`: what its certificate must have, where the host is a number of that name.
    """

    address: str
    name: str = ""


def is_name(address: str) -> bool:
    """Whether an address has a name, which may have several numbers, and a referee at each."""
    return not address.startswith(UNIX) and not _is_number(_split(address)[1])


def places_of(address: str) -> tuple[Place, ...]:
    """The places that an address stands for: each number of its name.

    Raises:
        OSError: the name has none.
    """
    if not is_name(address):
        return (Place(address),)
    scheme, host, port = _split(address)
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    numbers = dict.fromkeys(str(where[0]) for *_, where in found)
    return tuple(Place(f"{scheme}{f'[{number}]' if ':' in number else number}:{port}", host) for number in numbers)


def open_channel(place: Place, roots: bytes | None = None) -> grpc.Channel:
    """A channel to a place; nothing is dialled before the first call."""
    if not place.address.startswith(TLS):
        return grpc.insecure_channel(place.address, OPTIONS)
    options = OPTIONS
    if place.name:
        options += (("grpc.ssl_target_name_override", place.name), ("grpc.default_authority", place.name))
    return grpc.secure_channel(place.address.removeprefix(TLS), grpc.ssl_channel_credentials(roots), options)


def _split(address: str) -> tuple[str, str, str]:
    """The scheme of an address, its host without brackets, and its port."""
    scheme = TLS if address.startswith(TLS) else ""
    host, _, port = address.removeprefix(scheme).rpartition(":")
    return scheme, host.strip("[]"), port


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_not_believed(error: grpc.RpcError) -> bool:
    """Whether a channel broke because the referee's certificate is not one to believe: to dial again is of no use."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and _NOT_BELIEVED in (error.details() or "")
