"""Where tests keep a league: in an SQLite file, or with KING_TEST_STORE=postgresql in a PostgreSQL of their own.

A folder has one store, whichever it is; that of a test goes with the test.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgresql import postgresql

DATABASE = "league.sqlite3"
ON_POSTGRESQL = os.environ.get("KING_TEST_STORE", "sqlite") == "postgresql"
_TEMPLATE = "king_migrated"
_made: dict[str, Path] = {}


def database_url(folder: Path) -> str:
    """The URL of a folder's database, which is empty at first."""
    if not ON_POSTGRESQL:
        return f"sqlite:///{folder / DATABASE}"
    return _named(folder, "template1")


def migrated_url(folder: Path) -> str:
    """The same; if it was empty, it has the newest schema now."""
    if ON_POSTGRESQL:
        return _migrated_database(folder)
    file = folder / DATABASE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated_file())
    return database_url(folder)


def on_postgresql(folder: Path, *, migrated: bool) -> str:
    """A folder's database in PostgreSQL, whichever the other tests have; PostgreSQL must be there."""
    return _migrated_database(folder) if migrated else _named(folder, "template1")


def copied_url(url: str, folder: Path) -> str:
    """The database of a folder that has none, as a copy of another."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("VACUUM INTO ?", (str(folder / DATABASE),))
        return database_url(folder)
    from sqlalchemy.engine import make_url

    source = make_url(url).database or ""
    postgresql().disconnect(source)
    return _named(folder, source)


def written(folder: Path) -> bytes:
    """All that is kept in a folder's database, as bytes: of SQLite its files."""
    if not ON_POSTGRESQL:
        return b"".join(file.read_bytes() for file in sorted(folder.glob(f"{DATABASE}*")))
    with postgresql().connect(_name(folder)) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        rows = [row for (table,) in tables for row in connection.execute(f"TABLE {table}")]
    return b"\n".join(_as_bytes(value) for row in rows for value in row)


def _as_bytes(value: object) -> bytes:
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def spoil(folder: Path) -> None:
    """Have a folder's database be of no use from now on, by whatever accident."""
    if ON_POSTGRESQL:
        postgresql().drop(_name(folder))
        return
    for rest in folder.glob(f"{DATABASE}-*"):
        rest.unlink()
    (folder / DATABASE).write_bytes(b"no database at all " * 300)


def drop_stores(under: Path | None) -> None:
    """Remove the databases of folders that are under this one, or are gone."""
    for name, folder in tuple(_made.items()):
        if not folder.exists() or (under is not None and folder.is_relative_to(under)):
            postgresql().drop(name)
            del _made[name]


def _migrated_database(folder: Path) -> str:
    server, name = postgresql(), _name(folder)
    if server.has(name) and _is_empty(name):
        server.drop(name)
    return _named(folder, _template())


def _is_empty(name: str) -> bool:
    with postgresql().connect(name) as connection:
        return connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,)


def _named(folder: Path, template: str) -> str:
    server, name = postgresql(), _name(folder)
    if not server.has(name):
        server.create(name, template)
        _made[name] = folder
    return server.url(name)


def _name(folder: Path) -> str:
    return f"king_{sha256(os.fsencode(folder)).hexdigest()[:24]}"


@cache
def _template() -> str:
    server = postgresql()
    if not server.has(_TEMPLATE):
        server.create(_TEMPLATE)
        _migrate(server.url(_TEMPLATE))
    return _TEMPLATE


@cache
def _migrated_file() -> bytes:
    """An empty database of the newest schema, made once."""
    with TemporaryDirectory() as folder:
        _migrate(f"sqlite:///{folder}/{DATABASE}")
        return (Path(folder) / DATABASE).read_bytes()


def _migrate(url: str) -> None:
    from league.store import Store  # here, for many tests keep nothing

    store = Store.open(url)
    store.migrate()
    store.close()
