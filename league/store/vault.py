"""The secrets of seasons, in a database of their own that the dashboard is never given.

Owns the only copy of a season's secret until it is published. Everything else that is secret derives from it.
"""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import Column, MetaData, String, Table, insert, select

from league.errors import LeagueError
from league.store.database import Database, parse_url, shown_url
from league.store.sealing import commitment_of
from league.store.turns import Turn, take_turn

_metadata = MetaData()
_secrets = Table(
    "season_secrets",
    _metadata,
    Column("commitment", String(64), primary_key=True),
    Column("secret", String(64), nullable=False),
)


def vault_url_beside(database_url: str, folder: Path) -> str:
    """Where the vault is when nobody says: beside a SQLite store, else a SQLite file in `folder`.

    Raises LeagueError when the URL cannot be understood.
    """
    parsed = parse_url(database_url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        file = Path(parsed.database).resolve()
        return f"sqlite:///{file.with_name(f'{file.stem}-vault.sqlite3')}"
    return f"sqlite:///{folder.resolve() / 'vault.sqlite3'}"


class Vault:
    """The secrets of seasons by their commitments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, url: str) -> Vault:
        """Opens a vault, made when it is not there; a SQLite file is readable by its owner alone."""
        database = Database(url)
        with database.writing() as connection:
            take_turn(connection, Turn.SCHEMA)
            _metadata.create_all(connection)
        return cls(database)

    @staticmethod
    def check(url: str) -> None:
        """Raises StoreUnusableError when a vault cannot be reached; makes nothing."""
        database = Database(url)
        try:
            with database.reading() as connection:
                connection.execute(select(1))
        finally:
            database.close()

    def draw(self) -> str:
        """Draws a season's secret from the operating system, keeps it and returns its commitment."""
        secret = os.urandom(32).hex()
        commitment = commitment_of(secret)
        with self._database.writing() as connection:
            connection.execute(insert(_secrets).values(commitment=commitment, secret=secret))
        return commitment

    def keep(self, secret: str) -> None:
        """Keeps a season's secret that was drawn elsewhere; one that is here already stays."""
        commitment = commitment_of(secret)
        with self._database.writing() as connection:
            take_turn(connection, Turn.SCHEMA)
            if connection.scalar(select(_secrets.c.secret).where(_secrets.c.commitment == commitment)) is None:
                connection.execute(insert(_secrets).values(commitment=commitment, secret=secret))

    def secret(self, commitment: str) -> str:
        """The secret behind a commitment.

        Raises LeagueError when it is not in this vault.
        """
        with self._database.reading() as connection:
            secret = connection.scalar(select(_secrets.c.secret).where(_secrets.c.commitment == commitment))
        if secret is None:
            raise LeagueError(
                f"the vault {shown_url(self._database.url)} has no secret for the commitment {commitment}: "
                "name the vault with which the season was created, with KING_VAULT_URL"
            )
        return str(secret)

    def close(self) -> None:
        """Closes all connections."""
        self._database.close()
