"""How this side dials a referee: plainly, or encrypted with certificates from files; and why that does not work.

Owns channels and contexts for the addresses of `referee.addresses`. Says nothing over them.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from typing import Final

import grpc
import grpc.aio

from referee.addresses import ENCRYPTED, Door, door_of, host_and_port, target_of
from referee.certificates import (
    CertificateError,
    Pair,
    check_pair,
    load_authorities,
    load_pair,
    read_file,
    reason_of,
)
from workers.client_tls import PUBLIC_ROOTS, ClientTls

HTTP2: Final = "h2"
_TRIAL_S: Final = 5.0

Options = Sequence[tuple[str, int | str]]


class DoorError(Exception):
    """An address cannot be dialled: the text says why, and what would be right."""


def open_channel(address: str, tls: ClientTls = PUBLIC_ROOTS, *, options: Options = ()) -> grpc.aio.Channel:
    """A channel of asyncio to an address.

    Raises:
        DoorError: files that it takes are missing.
    """
    target = target_of(address)
    if door_of(address) not in ENCRYPTED:
        return grpc.aio.insecure_channel(target, options=tuple(options))
    return grpc.aio.secure_channel(target, _credentials(address, tls), options=(*options, *_name_options(tls)))


def open_blocking_channel(address: str, tls: ClientTls = PUBLIC_ROOTS, *, options: Options = ()) -> grpc.Channel:
    """The same without asyncio."""
    target = target_of(address)
    if door_of(address) not in ENCRYPTED:
        return grpc.insecure_channel(target, options=tuple(options))
    return grpc.secure_channel(target, _credentials(address, tls), options=(*options, *_name_options(tls)))


def tls_context(address: str, tls: ClientTls) -> ssl.SSLContext:
    """What an encrypted connection to an address, for HTTP/2, is begun with.

    Raises:
        DoorError: files that it takes are missing, or will not do.
    """
    context = ssl.create_default_context() if tls.roots is None else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols([HTTP2])
    try:
        if tls.roots is not None:
            load_authorities(context, tls.roots)
        if door_of(address) is Door.MUTUAL:
            load_pair(context, _own_pair(address, tls))
    except CertificateError as error:
        raise DoorError(f"cannot dial {address}: {error}") from error
    return context


def obstacle(address: str, tls: ClientTls = PUBLIC_ROOTS) -> str:
    """Try a connection to an encrypted address. Returns what certificates keep it from, or an empty text.

    It is empty too where nobody answers: that has other reasons. Blocks for some seconds at most.
    """
    if door_of(address) not in ENCRYPTED:
        return ""
    try:
        context = tls_context(address, tls)
        if door_of(address) is Door.MUTUAL:
            check_pair(_own_pair(address, tls), is_server=False)
    except DoorError as error:
        return str(error)
    except CertificateError as error:
        return f"cannot dial {address}: {error}"
    host, port = host_and_port(address)
    try:
        with socket.create_connection((host, port), _TRIAL_S) as raw:
            return _trial(address, raw, context, tls.name or host)
    except OSError:
        return ""


def tls_reason(address: str, error: ssl.SSLError) -> str:
    """Why an encrypted connection to an address was not made."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"the certificate of the referee at {address} is not believed: {error.verify_message}; it is judged by "
            "the authorities in KING_TLS_ROOTS, or else by the public ones"
        )
    return f"whoever answers at {address} does not speak TLS as we do: {reason_of(error)}"


def _trial(address: str, raw: socket.socket, context: ssl.SSLContext, name: str) -> str:
    try:
        with context.wrap_socket(raw, server_hostname=name) as encrypted:
            if door_of(address) is Door.MUTUAL and not encrypted.recv(1):  # a referee speaks first
                return _not_taken(address)
    except ssl.SSLError as error:
        return tls_reason(address, error)
    except ConnectionResetError:
        return _not_taken(address) if door_of(address) is Door.MUTUAL else ""
    return ""


def _not_taken(address: str) -> str:
    return (
        f"the referee at {address} does not take the certificate in KING_WORKER_CERT: it must be signed by an "
        "authority of the referee's KING_TLS_CLIENT_CA, and be valid today"
    )


def _own_pair(address: str, tls: ClientTls) -> Pair:
    if tls.pair is None:
        raise CertificateError(
            "a worker shows a certificate there, and has none: set KING_WORKER_CERT, KING_WORKER_KEY"
        )
    return tls.pair


def _name_options(tls: ClientTls) -> Options:
    """What has gRPC ask for the certificate of a name, and take no other, where a number is dialled."""
    return (("grpc.ssl_target_name_override", tls.name), ("grpc.default_authority", tls.name)) if tls.name else ()


def _credentials(address: str, tls: ClientTls) -> grpc.ChannelCredentials:
    try:
        roots = None if tls.roots is None else read_file(tls.roots)
        key, chain = _own_pair(address, tls).read() if door_of(address) is Door.MUTUAL else (None, None)
    except CertificateError as error:
        raise DoorError(f"cannot dial {address}: {error}") from error
    return grpc.ssl_channel_credentials(roots, key, chain)
