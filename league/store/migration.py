"""Brings a database to the newest schema.

Owns nothing but the call of Alembic, and of the rebuilding of sums; the revisions are in `migrations/versions`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from league.store.database import Database, patiently
from league.store.rebuilding import rebuild_missing
from league.store.turns import Turn, take_turn

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r'^(down_)?revision = "(\w+)"$', re.MULTILINE)


@cache
def newest_revision() -> str:
    """The revision that the schema of this code has, which no other follows.

    From the texts of the revisions: Alembic takes long to import, and every process of a platform asks.
    """
    newest: str
    (newest,) = known_revisions() - {name for down, name in _named_revisions() if down}
    return newest


def known_revisions() -> frozenset[str]:
    """All revisions that this code can raise to its own."""
    return frozenset(name for down, name in _named_revisions() if not down)


@cache
def _named_revisions() -> frozenset[tuple[str, str]]:
    sources = [file.read_text(encoding="utf-8") for file in (_MIGRATIONS / "versions").glob("*.py")]
    return frozenset((down, name) for source in sources for down, name in _REVISION.findall(source))


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config  # here, for it takes long to import and few commands need it

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def migrate(database: Database) -> None:
    """Raises the schema to the newest revision, and makes sums anew where their layout has changed, as one transaction.

    Several processes may call it at once.
    """
    with database.writing() as connection:
        take_turn(connection, Turn.SCHEMA)
        patiently(connection)
        if not _has_newest(connection):
            from alembic import command

            command.upgrade(_config(connection), "head")
        rebuild_missing(connection)


def is_current(database: Database) -> bool:
    """Whether the schema is the newest."""
    with database.reading() as connection:
        return _has_newest(connection)


def _has_newest(connection: Connection) -> bool:
    if not inspect(connection).has_table("alembic_version"):
        return False
    return bool(connection.scalar(text("SELECT version_num FROM alembic_version")) == newest_revision())
