"""Certificates as an organiser makes them, in files of the test's own: an authority, and what it signs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

from referee.certificates import Pair
from referee.doors import ServerTls
from workers.client_tls import ClientTls

DAY = timedelta(days=1)


class Authority:
    """Signs certificates; its own is in the file `path`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.path = folder / f"{name}.pem"
        self._ca = trustme.CA(organization_name=name)
        self._ca.cert_pem.write_to_path(self.path)

    def sign(self, name: str, *hosts: str, expired: bool = False) -> Pair:
        """A certificate and its key, under `name` in the folder; written anew where they are there already."""
        begins, ends = (datetime.now(UTC) - 2 * DAY, datetime.now(UTC) - DAY) if expired else (None, None)
        signed = self._ca.issue_cert(*(hosts or (name,)), common_name=name, not_before=begins, not_after=ends)
        pair = Pair(certificate=self.folder / f"{name}.crt", key=self.folder / f"{name}.key")
        pair.certificate.write_bytes(b"".join(part.bytes() for part in signed.cert_chain_pems))
        pair.key.write_bytes(signed.private_key_pem.bytes())
        return pair


class ArenaFiles:
    """The files of an arena: its authority, the referee's certificate for the loopback, and a worker's."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "arena")
        self.stranger = Authority(folder, "stranger")
        self.referee = self.authority.sign("referee", "127.0.0.1", "localhost")
        self.worker = self.authority.sign("worker")

    @property
    def server(self) -> ServerTls:
        """What its referee shows and takes."""
        return ServerTls(pair=self.referee, client_ca=self.authority.path)

    @property
    def stranger_client(self) -> ClientTls:
        """The same for somebody who believes another authority."""
        return ClientTls(roots=self.stranger.path, pair=self.worker)

    @property
    def client(self) -> ClientTls:
        """Whom its workers believe, and what they show."""
        return ClientTls(roots=self.authority.path, pair=self.worker)
