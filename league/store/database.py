"""Connections and transactions: the one place that knows how SQLite and PostgreSQL are opened.

Owns the engine. SQLite runs in WAL mode with foreign keys on; every transaction that writes begins IMMEDIATE, since a
deferred one that reads first is refused when another writer was faster. PostgreSQL has many writers: they lock the rows
they decide by (season, set, sitting, remote bots, in this order), or take a turn (`turns.py`). Holds no queries.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, BigInteger, Connection, Dialect, Engine, Integer, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.types import TypeDecorator

from league.errors import LeagueError, StoreUnusableError

if TYPE_CHECKING:
    from psycopg import Connection as PsycopgConnection
    from psycopg.abc import Buffer

BUSY_SECONDS = 30
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITES = "king_writes"
_BACKENDS = frozenset({"sqlite", "postgresql"})
_RIGHT_URLS = "sqlite:////absolute/path, or postgresql+psycopg://user@host/name, which needs the package psycopg"
_PASSING = frozenset({"40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "25P03"})
"""What PostgreSQL calls errors that are nobody's fault: deadlock, too many connections, a long wait, a restart."""
_GIVES_UP = {"lock_timeout": f"{BUSY_SECONDS}s", "idle_in_transaction_session_timeout": "5min"}
_UNCONFIRMED_MS = 25_000  # nothing is asked for a sign of life while something that was sent is not confirmed
_HEARS = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": _UNCONFIRMED_MS,
}
_DIALS = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": _UNCONFIRMED_MS,
}
_SCHEMA_STATES = frozenset({"42P01", "42703"})  # PostgreSQL: undefined table, undefined column
_NO_RIGHT = "42501"  # PostgreSQL: insufficient privilege


class UtcTime(TypeDecorator[datetime]):
    """A time as whole microseconds since 1970 (UTC): exact, and the same on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turns an aware time into microseconds."""
        del dialect
        return None if value is None else (value - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turns microseconds into an aware time."""
        del dialect
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class Database:
    """An engine with the two kinds of transactions there are."""

    def __init__(self, url: str) -> None:
        """Opens `url` lazily. A new SQLite file can be read by its owner alone: it holds what is not public yet.

        Raises LeagueError when the URL cannot be understood or the folder cannot be made.
        """
        parsed = parse_url(url)
        self.url = url
        if parsed.get_backend_name() == "sqlite":
            if not parsed.database or parsed.database == ":memory:":
                raise LeagueError(
                    f"KING_DATABASE_URL: {url!r} names no file: the store is shared by processes, write sqlite:////path"
                )
            _prepare_file(Path(parsed.database))
        self.engine = _engine(url)
        self._shared = threading.local()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view of the database; within `together`, that of its transaction.

        Raises StoreUnusableError when the database cannot be used.
        """
        shared = self._shared_connection()
        if shared is not None:
            yield shared
            return
        with self._connected(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: committed as a whole, or not at all when the block raises.

        Within `together` it is a part of that transaction, and undone alone when the block raises.
        Raises StoreUnusableError when the database cannot be used, or others write for longer than half a minute.
        """
        shared = self._shared_connection()
        if shared is not None:
            with shared.begin_nested():
                yield shared
            return
        with self._connected(writes=True) as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[Connection]:
        """A transaction that writes, of which all `reading` and `writing` by this thread within the block are parts.

        Raises StoreUnusableError as `writing`.
        """
        with self.writing() as connection:
            outer = self._shared_connection()
            self._shared.connection = connection
            try:
                yield connection
            finally:
                self._shared.connection = outer

    def _shared_connection(self) -> Connection | None:
        shared: Connection | None = getattr(self._shared, "connection", None)
        return shared

    @contextmanager
    def _connected(self, *, writes: bool) -> Iterator[Connection]:
        with self._explained(), ExitStack() as opened:
            try:
                connection = opened.enter_context(
                    self.engine.connect().execution_options(**self._options(writes=writes))
                )
                opened.enter_context(connection.begin())
            except DatabaseError as error:
                shown = shown_url(self.url)
                raise StoreUnusableError(f"the database {shown} cannot be used: {_line_of(error)}") from None
            yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError as error:
            if _schema_is_missing(error):
                raise self._not_migrated(error) from error
            if _state_of(error) == _NO_RIGHT:
                raise self._not_his(error) from error
            if error.connection_invalidated or _state_of(error) in _PASSING:
                shown = shown_url(self.url)
                raise StoreUnusableError(f"the database {shown} cannot be used: {_line_of(error)}") from error
            raise

    def _not_migrated(self, error: DatabaseError) -> StoreUnusableError:
        shown = shown_url(self.url)
        return StoreUnusableError(
            f"the database {shown} has not been set up, or not for this version ({_line_of(error)}): "
            "run `king up` on it, or call Store.migrate"
        )

    def _not_his(self, error: DatabaseError) -> StoreUnusableError:
        there = self.engine.url
        return StoreUnusableError(
            f"the database {shown_url(self.url)} does not let its user make or use tables ({_line_of(error)}): "
            f"it must be his own, as `createdb -O {there.username or 'USER'} {there.database}` makes it"
        )

    def _options(self, *, writes: bool) -> dict[str, Any]:
        if writes or self.engine.dialect.name == "sqlite":
            return {_WRITES: writes}
        # else each statement has a view of its own
        return {_WRITES: writes, "isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def _line_of(error: DatabaseError) -> str:
    """What the database said, on one line; PostgreSQL shows the query below it."""
    return str(error.orig).partition("\n")[0]


def _state_of(error: DatabaseError) -> str | None:
    """What PostgreSQL calls an error; None for one of SQLite, or of the connection."""
    return getattr(error.orig, "sqlstate", None)


def _schema_is_missing(error: DatabaseError) -> bool:
    return _state_of(error) in _SCHEMA_STATES or str(error.orig).startswith(("no such table", "no such column"))


def _prepare_file(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.touch(mode=0o600)
    except OSError as error:
        raise LeagueError(f"the database file {file} cannot be made: {error.strerror}") from None


def shown_url(url: str) -> str:
    """A database URL as it may be shown: without its password, wherever it stands."""
    parts = make_url(url)
    hidden = {name: "hidden" for name in parts.query if "password" in name.lower()}
    return parts.update_query_dict(hidden).render_as_string()


def patiently(connection: Connection) -> None:
    """Has PostgreSQL not end this transaction however long it computes between its statements."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def parse_url(url: str) -> URL:
    """The parts of a database URL.

    Raises LeagueError when it cannot be understood, or is not of SQLite or PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # a port that is no number is a ValueError
        raise LeagueError(f"KING_DATABASE_URL: {_hidden(url)!r} is no database URL: write {_RIGHT_URLS}") from None
    if parsed.get_backend_name() not in _BACKENDS:
        raise LeagueError(f"KING_DATABASE_URL: {parsed.get_backend_name()} is not supported: write {_RIGHT_URLS}")
    return parsed


def _hidden(url: str) -> str:
    """The URL without what may be a password."""
    return re.sub(r"(//[^:/@]*):.*@", r"\1:***@", url)


def _engine(url: str) -> Engine:
    try:
        return _created_engine(url)
    except (ArgumentError, ImportError) as error:
        shown = make_url(url).render_as_string()
        raise LeagueError(f"KING_DATABASE_URL: {shown} has no driver here ({error}): write {_RIGHT_URLS}") from None


def _created_engine(url: str) -> Engine:
    if make_url(url).get_backend_name() != "sqlite":
        return _postgresql_engine(url)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _on_sqlite_connect)
    event.listen(engine, "begin", _on_sqlite_begin)
    return engine


def _postgresql_engine(url: str) -> Engine:
    """Connections over which neither side waits for one that is gone: it might hold the lock of a season."""
    from psycopg.types.string import StrDumperUnknown  # only where PostgreSQL is used

    class WithoutNul(StrDumperUnknown):
        """Text as PostgreSQL can keep it: it knows no NUL, which somebody may send or ask for."""

        def dump(self, obj: str) -> Buffer | None:
            """The text, with what stands for a character that cannot be shown in place of NUL."""
            return super().dump(obj.replace("\0", "\ufffd"))

    def on_connect(connection: PsycopgConnection, record: Any) -> None:
        del record
        connection.adapters.register_dumper(str, WithoutNul)
        settings = ", ".join(
            f"set_config('{name}', '{value}', false)" for name, value in {**_GIVES_UP, **_HEARS}.items()
        )
        connection.execute(f"SELECT {settings}")
        connection.commit()

    engine = create_engine(url, pool_pre_ping=True, connect_args=_DIALS)
    # A whole number goes as wide as it is: somebody may ask for an id that no column could hold, and is told of none.
    engine.dialect.colspecs = {kind: here for kind, here in engine.dialect.colspecs.items() if kind is not Integer}
    event.listen(engine, "connect", on_connect)
    return engine


def _on_sqlite_connect(connection: SqliteConnection, record: Any) -> None:
    del record
    connection.isolation_level = None  # BEGIN is written by _on_sqlite_begin, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _on_sqlite_begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
