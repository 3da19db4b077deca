"""How often something was tried, by whom it concerns: the brake on guessing.

Owns the table `tries`, in the store so that it holds for all processes of a dashboard and after a restart of any. Tries
are counted before they are judged, so that many at once are braked too. Of names and addresses only digests are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from league.accounts import AccountError, AccountProblem, digest
from league.store.account_schema import tries
from league.store.database import Database
from league.store.turns import Turn, take_turn

WINDOW = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True)
class Brake:
    """At most so many tries (`at_most`) within a quarter of an hour for one `subject`, which is never kept in words."""

    subject: str
    at_most: int

    @property
    def key(self) -> str:
        """What is kept of the subject."""
        return digest(self.subject)


def network_of(address: str) -> str:
    """Whom an address belongs to, as far as one can tell: of IPv6 the first 64 bits, for one customer has them all."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        within = parsed.ipv4_mapped  # as sockets for both versions call it
        return str(within or ip_network(f"{address.partition('%')[0]}/64", strict=False))
    return str(parsed)


class Tries:
    """Counts tries and refuses those that are too many."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def count(self, brakes: Sequence[Brake]) -> None:
        """Count one more try for each subject.

        Raises AccountError with the time to wait when one of them has had too many; then nothing is counted.
        """
        now = self._clock()
        with self._database.reading() as connection:  # first without writing, so that a flood stops nobody who writes
            for brake in brakes:
                _refuse(connection, brake, now, already=brake.at_most)
        with self._database.writing() as connection:
            take_turn(connection, Turn.TRIES)
            connection.execute(delete(tries).where(tries.c.since <= now - WINDOW))
            for brake in brakes:
                _add(connection, brake.key, now)
                _refuse(connection, brake, now, already=brake.at_most + 1)

    def forget(self, brakes: Sequence[Brake], *, shared: Sequence[Brake] = ()) -> None:
        """Forget the tries of these subjects: it was the right one. Of subjects that are `shared` with others, this
        try alone, or whoever has one right password could guess at all others without end.
        """
        with self._database.writing() as connection:
            take_turn(connection, Turn.TRIES)
            connection.execute(delete(tries).where(tries.c.subject.in_([brake.key for brake in brakes])))
            of_shared = tries.c.subject.in_([brake.key for brake in shared]) & (tries.c.tried > 0)
            connection.execute(update(tries).where(of_shared).values(tried=tries.c.tried - 1))


def _refuse(connection: Connection, brake: Brake, now: datetime, *, already: int) -> None:
    """Refuse a subject that has had `already` tries or more."""
    query = select(tries.c.tried, tries.c.since)
    row = connection.execute(query.where(tries.c.subject == brake.key)).one_or_none()
    if row is None or row.tried < already or now >= row.since + WINDOW:
        return
    wait = row.since + WINDOW - now
    minutes = -(-int(wait.total_seconds()) // 60)
    told = f"there were too many tries: try again in {minutes} minutes"
    raise AccountError(AccountProblem.TOO_MANY_TRIES, told, retry_after=wait)


def _add(connection: Connection, key: str, now: datetime) -> None:
    one_more = update(tries).where(tries.c.subject == key).values(tried=tries.c.tried + 1)
    if connection.execute(one_more).rowcount:
        return
    try:
        with connection.begin_nested():
            connection.execute(insert(tries).values(subject=key, tried=1, since=now))
    except IntegrityError:  # somebody else was the first in this moment
        connection.execute(one_more)
