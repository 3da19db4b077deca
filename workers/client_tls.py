"""Whom a worker believes to be the referee, and what it shows of itself: files, by their paths.

Owns the check that they can be used. Dials nobody, and knows nothing of gRPC, which is not to be loaded before a fork.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.certificates import Pair, check_authorities, check_pair


@dataclass(frozen=True, kw_only=True)
class ClientTls:
    """Whom this side believes, and what it shows.

    Attributes:
        roots: a PEM file of the authorities that referees' certificates are signed by; None: the public ones.
        pair: this worker's own certificate, for mutual TLS.
        name: the name that a referee's certificate must have; empty: the host of the address that is dialled.
    """

    roots: Path | None = None
    pair: Pair | None = None
    name: str = ""

    def check(self) -> None:
        """Check that the files can be used now.

        Raises:
            CertificateError: they cannot.
        """
        if self.roots is not None:
            check_authorities(self.roots)
        if self.pair is not None:
            check_pair(self.pair, is_server=False)


PUBLIC_ROOTS: Final = ClientTls()
