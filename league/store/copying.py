"""A league moved from one database to another, of whichever kind: every row of every table, and the secrets.

Owns the order, the batches, and the proof that all has come over. Rows go as they are kept, without being understood:
what is JSON stays the same text, what is sealed stays sealed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    LargeBinary,
    MetaData,
    Select,
    Table,
    Text,
    cast,
    func,
    insert,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType, TypeEngine

from league.errors import LeagueError
from league.store.database import Database, UtcTime, patiently, shown_url
from league.store.migration import is_current, migrate
from league.store.packed_points import PackedPoints
from league.store.schema import metadata, seasons, sittings
from league.store.submission_schema import archives, submissions, unrated_boards
from league.store.vault import Vault

_AT_ONCE: Final = 1000
_BIG: Final = frozenset({archives.name})
"""Tables whose rows may be of megabytes: they go one by one."""
_MODULUS: Final = 1 << 256


@dataclass(frozen=True)
class Sum:
    """How many rows a table has, and the sum of their SHA-256: the same in whatever order they are read."""

    rows: int = 0
    digest: int = 0

    def plus(self, rows: Iterable[Sequence[Any]]) -> Sum:
        """With these rows added."""
        count, digest = self.rows, self.digest
        for row in rows:
            count += 1
            digest += int.from_bytes(hashlib.sha256(repr(tuple(map(_plain, row))).encode()).digest(), "big")
        return Sum(count, digest % _MODULUS)


def copy_store(
    source: Database, target: Database, clock: Callable[[], datetime], *, told: Callable[[str, int], None]
) -> dict[str, Sum]:
    """Copies a store as of one moment, all of it or nothing; returns what each table had. `told` hears of each table.

    The target gets the newest schema first. Raises LeagueError when the source is being played or is not of this
    version, the target has something already, or what came over is not what was sent.
    """
    _check_current(source)
    migrate(target)
    with target.writing() as writing:
        patiently(writing)
        _check_empty(writing, target)
        with source.reading() as reading:
            _check_quiet(reading, source, clock())
            sums = {}
            for table in metadata.sorted_tables:
                sums[table.name] = _copy_table(reading, writing, table)
                told(table.name, sums[table.name].rows)
        for table in metadata.sorted_tables:
            _check_same(writing, table, sums[table.name])
            _count_on(writing, table)
    return sums


def copy_secrets(source: Database, from_vault: Vault, to_vault: Vault) -> int:
    """Copies the secrets of all seasons of a store into another vault, those it has already too; returns how many.

    Raises LeagueError when the vault lacks one.
    """
    with source.reading() as connection:
        commitments = connection.scalars(select(seasons.c.commitment)).all()
    for commitment in commitments:
        to_vault.keep(from_vault.secret(commitment))
    return len(commitments)


def copy_league(
    source_url: str,
    target_url: str,
    *,
    source_vault: str,
    target_vault: str,
    clock: Callable[[], datetime],
    told: Callable[[str, int], None],
) -> dict[str, Sum]:
    """Copies a store and then what its vault has; a league without secrets could not be played on.

    Raises LeagueError as `copy_store` and `copy_secrets`, and when both are the same.
    """
    if source_url == target_url:
        raise LeagueError(f"{shown_url(source_url)} is the league itself: name another database to copy it to")
    with (
        closing(Database(source_url)) as source,
        closing(Database(target_url)) as target,
        closing(Vault.open(source_vault)) as from_vault,
        closing(Vault.open(target_vault)) as to_vault,
    ):
        _check_current(source)
        copy_secrets(source, from_vault, to_vault)  # first: a season without its secret is none
        return copy_store(source, target, clock, told=told)


def _check_current(source: Database) -> None:
    if not is_current(source):
        raise LeagueError(f"{shown_url(source.url)} is of another version: bring it up to date first, with `king up`")


def _copy_table(reading: Connection, writing: Connection, table: Table) -> Sum:
    many = 1 if table.name in _BIG else _AT_ONCE
    new = insert(_kept(table))
    total = Sum()
    found = reading.execute(_rows_of(table).execution_options(yield_per=many))
    for rows in found.partitions():
        total = total.plus(rows)
        writing.execute(new, [dict(row._mapping) for row in rows])
    return total


def _check_same(connection: Connection, table: Table, sent: Sum) -> None:
    many = 1 if table.name in _BIG else _AT_ONCE
    came = Sum()
    for rows in connection.execute(_rows_of(table).execution_options(yield_per=many)).partitions():
        came = came.plus(rows)
    if came != sent:
        what = f"{came.rows} rows of {sent.rows}" if came.rows != sent.rows else "other rows than were sent"
        raise LeagueError(f"{what} of {table.name} came over: nothing is copied; is somebody else writing there?")


def _check_empty(connection: Connection, target: Database) -> None:
    for table in metadata.sorted_tables:
        if connection.execute(select(*table.primary_key).limit(1)).first() is not None:
            raise LeagueError(f"{shown_url(target.url)} has {table.name} already: name an empty database")


def _check_quiet(connection: Connection, source: Database, now: datetime) -> None:
    """Refuse a league that goes on: what it does from now on would be missing, and be done twice."""
    for table in (sittings, submissions, unrated_boards):
        claimed = select(func.count()).select_from(table).where(table.c.lease_until > now)
        if count := connection.scalar(claimed):
            raise LeagueError(
                f"{shown_url(source.url)} is being played ({table.name.replace('_', ' ')} that are claimed: {count}): "
                "end its workers first, and wait until their claims have run out"
            )


def _count_on(connection: Connection, table: Table) -> None:
    """Has new rows get numbers after those that have come over; SQLite does so by itself."""
    column = table.primary_key.columns.values()[0]
    if connection.dialect.name != "postgresql" or table.autoincrement_column is not column:
        return
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    if connection.scalar(select(sequence)) is not None:
        highest = connection.scalar(select(func.max(column)))
        connection.execute(select(func.setval(sequence, highest or 1, highest is not None)))


def _rows_of(table: Table) -> Select[Any]:
    """The rows of a table as they are kept."""
    return select(*(_as_kept(column).label(column.name) for column in table.columns))


def _as_kept(column: Column[Any]) -> Any:
    kept = _kept_type(column.type)
    return cast(column, Text) if isinstance(kept, NullType) else type_coerce(column, kept)


def _kept(table: Table) -> Table:
    """The table to write rows to as they are kept."""
    return Table(table.name, MetaData(), *(Column(one.name, _kept_type(one.type)) for one in table.columns))


def _kept_type(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    """The type of a column to which a value goes as it is; none for JSON, whose text the database takes for JSON."""
    if isinstance(kind, UtcTime):
        return BigInteger()
    if isinstance(kind, PackedPoints):
        return LargeBinary()
    return NullType() if isinstance(kind, JSON) else kind


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
