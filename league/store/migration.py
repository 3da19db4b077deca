"""Brings a database to the newest schema.

Owns nothing but the call of Alembic, and of the rebuilding of sums; the revisions are in `migrations/versions`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from league.store.database import Database
from league.store.rebuilding import rebuild_missing

if TYPE_CHECKING:
    from alembic.config import Config


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config  # here, for it takes long to import and few commands need it

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def migrate(database: Database) -> None:
    """Raises the schema to the newest revision, and makes sums anew where their layout has changed, as one transaction.

    Several processes may call it at once.
    """
    from alembic import command

    with database.writing() as connection:
        command.upgrade(_config(connection), "head")
        rebuild_missing(connection)


def is_current(database: Database) -> bool:
    """Whether the schema is the newest."""
    from alembic.script import ScriptDirectory

    head = ScriptDirectory.from_config(_config()).get_current_head()
    with database.reading() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return bool(connection.scalar(text("SELECT version_num FROM alembic_version")) == head)
