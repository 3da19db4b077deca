"""Archives of submitted bots, each kept once under its SHA-256.

Owns the table `archives`. What is in an archive is not known here: nothing of it is ever unpacked by the store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, exists, insert, select
from sqlalchemy.exc import IntegrityError

from league.errors import LeagueError
from league.store.database import Database
from league.store.submission_schema import archives, submissions
from league.submissions import SubmissionState


class ArchiveStore:
    """Reads archives."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, sha256: str) -> bytes:
        """The bytes of an archive; LeagueError when it is not kept, or not any more."""
        with self._database.reading() as connection:
            content = connection.scalar(select(archives.c.content).where(archives.c.sha256 == sha256))
        if content is None:
            raise LeagueError(f"no archive {sha256}: its bot was deleted, or never sent")
        return bytes(content)

    def kept(self, hashes: Collection[str]) -> frozenset[str]:
        """Which of these archives (SHA-256) are kept."""
        with self._database.reading() as connection:
            return frozenset(connection.scalars(select(archives.c.sha256).where(archives.c.sha256.in_(hashes))))


def keep_archive(connection: Connection, content: bytes, now: datetime) -> str:
    """Keeps an archive unless it is kept already. Returns its SHA-256.

    Nobody drops it before the end of the transaction, which is to write who refers to it.
    """
    sha256 = hashlib.sha256(content).hexdigest()
    if not _locked(connection, sha256):
        new = {"sha256": sha256, "size": len(content), "content": content, "received_at": now}
        try:
            with connection.begin_nested():
                connection.execute(insert(archives).values(new))
        except IntegrityError:  # somebody else sent the same in this moment
            _locked(connection, sha256)
    return sha256


def drop_archive(connection: Connection, sha256: str) -> None:
    """Removes an archive that no submission refers to any more."""
    _locked(connection, sha256)
    kept = exists().where(
        submissions.c.sha256 == archives.c.sha256, submissions.c.state != SubmissionState.DELETED.value
    )
    connection.execute(delete(archives).where(archives.c.sha256 == sha256, ~kept))


def _locked(connection: Connection, sha256: str) -> bool:
    """Whether an archive is kept; nobody else keeps or drops it until the transaction ends."""
    query = select(archives.c.sha256).where(archives.c.sha256 == sha256).with_for_update()
    return connection.scalar(query) is not None
