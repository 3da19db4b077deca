"""The channel to a referee: plain, or encrypted where its address begins with `tls://`.

Owns how an address is read. Says nothing over the channel.
"""

from __future__ import annotations

from pathlib import Path

import grpc

TLS = "tls://"
KEEPALIVE_MS = 60_000  # a remote bot may wait for hours on a stream that a router has long forgotten
OPTIONS = (
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


def open_channel(address: str, roots: bytes | None = None) -> grpc.Channel:
    """A channel to "host:port", "tls://host:port" or "unix:/path"; nothing is dialled before the first call."""
    if not address.startswith(TLS):
        return grpc.insecure_channel(address, OPTIONS)
    return grpc.secure_channel(address.removeprefix(TLS), grpc.ssl_channel_credentials(roots), OPTIONS)


def is_not_believed(error: grpc.RpcError) -> bool:
    """Whether a channel broke because the referee's certificate is not one to believe: to dial again is of no use."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and _NOT_BELIEVED in (error.details() or "")
