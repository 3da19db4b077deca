"""The doors of a referee that are encrypted: with which certificate, and whose are taken in return.

Owns the credentials of gRPC. Files that are renewed are read again with the next connection; if they will not do then,
the referee goes on with those it had, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog

from referee.addresses import Door
from referee.certificates import CertificateError, FreshFiles, Pair, check_authorities, check_pair, read_file


@dataclass(frozen=True, kw_only=True)
class ServerTls:
    """What a referee shows, and whom it lets give orders.

    Attributes:
        pair: its certificate.
        client_ca: a PEM file of the authorities whose certificates workers show; without it there is no mutual door.
    """

    pair: Pair
    client_ca: Path | None = None

    def paths(self, door: Door) -> tuple[Path, ...]:
        """The files that a door is made of."""
        own = (self.pair.certificate, self.pair.key)
        return (*own, self.client_ca) if door is Door.MUTUAL and self.client_ca is not None else own


def credentials(tls: ServerTls, door: Door) -> grpc.ServerCredentials:
    """The credentials of an encrypted door.

    Raises:
        CertificateError: files are missing or will not do.
    """
    if door is Door.MUTUAL and tls.client_ca is None:
        raise CertificateError("nobody's certificates are taken there: set KING_TLS_CLIENT_CA")
    log = structlog.get_logger("referee")
    fresh = FreshFiles(tls.paths(door), lambda: _configuration(tls, door))

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        try:
            found = fresh.renewed()
        except CertificateError as error:
            log.error("renewed certificates are of no use; the old ones stay", error=str(error))
            return None
        if found is not None:
            log.info("certificates renewed", files=[str(path) for path in tls.paths(door)])
        return found

    return grpc.dynamic_ssl_server_credentials(
        fresh.made,
        renewed,  # type: ignore[arg-type]  # None, for "as before", is documented, but not in the stubs
        require_client_authentication=door is Door.MUTUAL,
    )


def _configuration(tls: ServerTls, door: Door) -> grpc.ServerCertificateConfiguration:
    check_pair(tls.pair, is_server=True)
    roots = None
    if door is Door.MUTUAL and tls.client_ca is not None:
        check_authorities(tls.client_ca)
        roots = read_file(tls.client_ca)
    return grpc.ssl_server_certificate_configuration([tls.pair.read()], roots)
