"""Certificates of who is dialled and of who dials: read from files, checked, and read again when they change.

Owns what is asked of such files, and the sentences that say what is wrong with them. Must not know what they are for.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

_CLIENT: Final = ssl.PROTOCOL_TLS_CLIENT
_SERVER: Final = ssl.PROTOCOL_TLS_SERVER
_STEPS: Final = 8
"""More than enough flights for a handshake."""

T = TypeVar("T")


class CertificateError(Exception):
    """A file with certificates or a key cannot be used: the text says which, why, and what would be right."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Whose certificate it is, and its key.

    Attributes:
        certificate: a PEM file with the certificate, and those of the authorities between it and the root.
        key: a PEM file with its key, without a passphrase.
    """

    certificate: Path
    key: Path

    def read(self) -> tuple[bytes, bytes]:
        """Key and certificates.

        Raises:
            CertificateError: a file cannot be read.
        """
        return read_file(self.key), read_file(self.certificate)


def read_file(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        CertificateError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None


def check_pair(pair: Pair, *, is_server: bool) -> None:
    """Check that a certificate can be shown now: key and certificate belong together, and it has not expired.

    Who signed it is for the others to judge: `is_server` says which side of a connection shows it.

    Raises:
        CertificateError: it cannot.
    """
    pair.read()
    mine = ssl.SSLContext(_SERVER if is_server else _CLIENT)
    theirs = ssl.SSLContext(_CLIENT if is_server else _SERVER)
    for context in (mine, theirs):
        context.check_hostname = False
    mine.verify_mode = ssl.CERT_NONE
    load_pair(mine, pair)
    _trust_itself(theirs, pair)
    server, client = (mine, theirs) if is_server else (theirs, mine)
    if not is_server:
        load_pair(server, pair)  # a server has to show one; the client of this trial believes any
    try:
        _shake_hands(server, client)
    except ssl.SSLCertVerificationError as error:
        told = f"{pair.certificate} is not taken by anybody now: {error.verify_message}; renew it"
        raise CertificateError(told) from None
    except ssl.SSLError as error:
        raise CertificateError(f"{pair.certificate} is of no use for TLS: {reason_of(error)}") from None


def load_pair(context: ssl.SSLContext, pair: Pair) -> None:
    """Have a context show a certificate.

    Raises:
        CertificateError: the files are not what they should be.
    """
    try:
        context.load_cert_chain(pair.certificate, pair.key, password=_no_passphrase)
    except ssl.SSLError as error:
        reason = f"are not a PEM certificate and its key: {reason_of(error)}"
        raise CertificateError(f"{pair.certificate} and {pair.key} {reason}") from None
    except OSError as error:
        told = (error.strerror or str(error)).lower()
        raise CertificateError(f"{pair.certificate} or {pair.key} cannot be read: {told}") from None


def check_authorities(path: Path) -> None:
    """Check that a file has certificates of authorities.

    Raises:
        CertificateError: it has not.
    """
    load_authorities(ssl.SSLContext(_CLIENT), path)


def load_authorities(context: ssl.SSLContext, path: Path) -> None:
    """Have a context believe the authorities in a PEM file, and no others.

    Raises:
        CertificateError: it has none.
    """
    text = read_file(path)
    try:
        context.load_verify_locations(cadata=text.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        told = reason_of(error) if isinstance(error, ssl.SSLError) else "it is no text"
        raise CertificateError(f"{path} has no PEM certificates of authorities: {told}") from None


def reason_of(error: ssl.SSLError) -> str:
    """What OpenSSL says is wrong, in lower case words."""
    return (error.reason or str(error)).replace("_", " ").lower()


class FreshFiles(Generic[T]):
    """What is made of some files, and made again when one of them has changed. May be asked by several threads."""

    def __init__(self, paths: Sequence[Path], make: Callable[[], T]) -> None:
        """Make it at once; `make` raises CertificateError if the files will not do."""
        self._paths = tuple(paths)
        self._make = make
        self._lock = Lock()
        self._seen = self._stamps()
        self.made = make()
        """What was made last."""

    def renewed(self) -> T | None:
        """What is made of the files if they have changed since they were last looked at, else None.

        Raises:
            CertificateError: they have changed, and will not do: what was made before stays.
        """
        with self._lock:
            stamps = self._stamps()
            if stamps == self._seen:
                return None
            self._seen = stamps
            self.made = self._make()
            return self.made

    def _stamps(self) -> tuple[tuple[int, int, int], ...]:
        return tuple(_stamp(path) for path in self._paths)


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _no_passphrase() -> str:
    raise CertificateError(
        "a key has a passphrase, and nobody is there to say it: keep it in a file that is yours alone"
    )


def _trust_itself(context: ssl.SSLContext, pair: Pair) -> None:
    """Have a context take this certificate for its own root: only what it says of itself is judged then."""
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    load_authorities(context, pair.certificate)


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server, server_side=False),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for _ in range(_STEPS):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
