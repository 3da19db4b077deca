"""Brings a database to the newest schema, or tells that a later version has it and whether this one may go on with it.

Owns the call of Alembic, and of the rebuilding of sums; the revisions are in `migrations/versions`. Beside its revision
a database says the oldest one whose code may work on it, so that code which does not know the first knows what to do.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table, text, update

from league.errors import StoreUnusableError
from league.store.database import Database, patiently, shown_url
from league.store.rebuilding import rebuild_missing
from league.store.revisions import MIGRATIONS, known_revisions, newest_revision, oldest_code
from league.store.turns import Turn, take_turn

if TYPE_CHECKING:
    from alembic.config import Config

_AT: Final = table("alembic_version", column("version_num"), column("oldest_code"))


class Fit(StrEnum):
    """How the schema of a database and this code go together."""

    NONE = "none"
    """Nothing is there yet: it is to be made."""
    OLDER = "older"
    """It is to be raised."""
    SAME = "same"
    NEWER = "newer"
    """A later version has raised it, and this one may work on it as it is."""
    TOO_NEW = "too new"
    """A later version has raised it, and this one cannot work on it."""


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config  # here, for it takes long to import and few commands need it

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def migrate(database: Database) -> None:
    """Raises the schema to the newest revision, and makes sums anew where their layout has changed, as one transaction.

    A schema of a later version that this code may work on stays as it is. Several processes may call it at once.
    Raises StoreUnusableError when this code cannot work on it.
    """
    with database.writing() as connection:
        take_turn(connection, Turn.SCHEMA)
        patiently(connection)
        fit = schema_fit(connection)
        _refuse_too_new(database, connection, fit)
        if fit is Fit.NEWER:
            return
        if fit in {Fit.NONE, Fit.OLDER}:
            from alembic import command

            command.upgrade(_config(connection), "head")
            connection.execute(update(_AT).values(oldest_code=oldest_code()))
        rebuild_missing(connection)


def is_current(database: Database) -> bool:
    """Whether the schema is the newest of this code."""
    with database.reading() as connection:
        return schema_fit(connection) is Fit.SAME


def check_fit(database: Database) -> None:
    """Raises StoreUnusableError when a later version has raised the schema and this code cannot work on it any more."""
    with database.reading() as connection:
        _refuse_too_new(database, connection, schema_fit(connection))


def fit_of(database: Database) -> Fit:
    """How the schema of a database and this code go together."""
    with database.reading() as connection:
        return schema_fit(connection)


def schema_fit(connection: Connection) -> Fit:
    """How the schema of a database and this code go together."""
    if not inspect(connection).has_table("alembic_version"):
        return Fit.NONE
    revision = _revision(connection)
    if revision == newest_revision():
        return Fit.SAME
    if revision is None or revision in known_revisions():
        return Fit.OLDER
    oldest = connection.scalar(select(_AT.c.oldest_code))
    return Fit.NEWER if oldest in known_revisions() else Fit.TOO_NEW


def _revision(connection: Connection) -> str | None:
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def _refuse_too_new(database: Database, connection: Connection, fit: Fit) -> None:
    if fit is Fit.TOO_NEW:
        raise StoreUnusableError(
            f"the database {shown_url(database.url)} has the schema {_revision(connection)} of a later King Arena, on "
            f"which this one, of schema {newest_revision()}, cannot work: upgrade this part too"
        )
