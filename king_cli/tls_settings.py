"""The certificates that the settings name, checked before anything starts that shows or believes them."""

from __future__ import annotations

from pathlib import Path

from king_cli.errors import UsageError
from king_cli.settings import Settings
from referee.addresses import ENCRYPTED, Door, door_of
from referee.certificates import CertificateError, Pair, check_authorities, check_pair
from referee.doors import ServerTls
from workers.addresses import addresses, control_address
from workers.client_tls import ClientTls


def server_tls(settings: Settings) -> ServerTls | None:
    """What the referee shows at its encrypted addresses; None if nothing is set.

    Raises:
        UsageError: it has such an address and nothing to show, or files will not do.
    """
    doors = {door_of(address) for address in addresses(settings.referee)}
    pair = _pair(settings.tls_cert, settings.tls_key)
    if pair is None:
        if doors & ENCRYPTED:
            raise UsageError(f"KING_REFEREE is {settings.referee}: set KING_TLS_CERT and KING_TLS_KEY, its certificate")
        return None
    if Door.MUTUAL in doors and settings.tls_client_ca is None:
        raise UsageError("at mtls:// workers show certificates: set KING_TLS_CLIENT_CA, the authorities that sign them")
    try:
        check_pair(pair, is_server=True)
        if settings.tls_client_ca is not None:
            check_authorities(settings.tls_client_ca)
    except CertificateError as error:
        raise UsageError(f"KING_TLS_CERT, KING_TLS_KEY, KING_TLS_CLIENT_CA: {error}") from None
    return ServerTls(pair=pair, client_ca=settings.tls_client_ca)


def worker_tls(settings: Settings) -> ClientTls:
    """Whom workers believe to be the referee, and what they show it.

    Raises:
        UsageError: they have to show a certificate and have none, or files will not do.
    """
    tls = ClientTls(roots=settings.tls_roots, pair=_pair(settings.worker_cert, settings.worker_key))
    for address in map(control_address, settings.all_referees):
        if door_of(address) is Door.MUTUAL and tls.pair is None:
            raise UsageError(f"at {address} a worker shows a certificate: set KING_WORKER_CERT and KING_WORKER_KEY")
        if door_of(address) is Door.TLS:
            told = f"no orders are taken at {address}: add where workers dial to KING_REFEREE, such as mtls://…"
            raise UsageError(told)
    try:
        tls.check()
    except CertificateError as error:
        raise UsageError(f"KING_TLS_ROOTS, KING_WORKER_CERT, KING_WORKER_KEY: {error}") from None
    return tls


def http_pair(settings: Settings) -> Pair | None:
    """The dashboard's certificate; None: it speaks plain HTTP.

    Raises:
        UsageError: files will not do.
    """
    pair = _pair(settings.http_cert, settings.http_key)
    try:
        if pair is not None:
            check_pair(pair, is_server=True)
    except CertificateError as error:
        raise UsageError(f"KING_HTTP_CERT, KING_HTTP_KEY: {error}") from None
    return pair


def certificate_fault(settings: Settings) -> str:
    """What is wrong with the certificates that are set, whoever is to use them; empty if they will all do.

    Which are needed here depends on the parts that this machine runs, so none is missed.
    """
    pairs = ((settings.tls_cert, settings.tls_key, True), (settings.http_cert, settings.http_key, True),
             (settings.worker_cert, settings.worker_key, False))  # fmt: skip
    try:
        for certificate, key, is_server in pairs:
            if (pair := _pair(certificate, key)) is not None:
                check_pair(pair, is_server=is_server)
        for authorities in filter(None, (settings.tls_client_ca, settings.tls_roots)):
            check_authorities(authorities)
    except CertificateError as error:
        return str(error)
    return ""


def _pair(certificate: Path | None, key: Path | None) -> Pair | None:
    return None if certificate is None or key is None else Pair(certificate=certificate, key=key)
