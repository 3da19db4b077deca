"""Claims whose workers have gone silent: which these are, and since when, for all tables with an attempt and a lease.

Silent is a claim whose lease has run out, or ends too late to have been given by this clock: the clock was set back.
Changes no row: what becomes of such a claim is for the owners of the tables.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from league.errors import LeagueError


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A claim that was ended since its worker had gone silent; `what` is a sitting, a submission and so on."""

    what: str
    id: int
    attempt: int
    worker: str

    def __str__(self) -> str:
        return f"{self.what} {self.id} is taken back: {self.worker}, at attempt {self.attempt}, was not heard of"


TellTakenBack = Callable[[TakenBack], object]


def tell_nobody(taken: TakenBack) -> None:
    """Tell nobody of a claim that was taken back."""


_Silence = tuple[int, int, datetime]
"""A claim whose lease is not good: row, attempt, end of the lease."""


class Silences:
    """Finds the silent claims of a table, in whose `held` states rows are worked on."""

    def __init__(
        self,
        table: Table,
        held: Collection[str],
        clock: Callable[[], datetime],
        lease: timedelta,
        steady_seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._held = tuple(held)
        self._clock = clock
        self._lease = lease
        self._steady_seconds = steady_seconds
        self._lock = threading.Lock()
        self._first_seen: dict[_Silence, float] = {}

    def found(self, connection: Connection, *, patient: bool) -> list[int]:
        """The ids of the rows that are silent now. `patient`: only those that were so a quarter of a lease ago, too.

        After a sleep of the machine all leases have run out, and their owners must have the time to renew them.
        """
        silent = self._silent_now(connection)
        if not patient:
            return [row_id for row_id, _, _ in silent]
        now = self._steady_seconds()
        with self._lock:
            self._first_seen = {one: self._first_seen.get(one, now) for one in silent}
            enough = self._lease.total_seconds() / 4
            return [one[0] for one in silent if now - self._first_seen[one] >= enough]

    def still(self, row: Row[Any]) -> bool:
        """Whether a row, read since, is silent."""
        now = self._clock()
        return row.state in self._held and not now < row.lease_until <= now + 2 * self._lease

    def _silent_now(self, connection: Connection) -> list[_Silence]:
        now, until = self._clock(), self._table.c.lease_until
        # A whole lease more than this clock gives: those of other machines may be ahead by a little.
        silent = self._table.c.state.in_(self._held) & ((until <= now) | (until > now + 2 * self._lease))
        query = select(self._table.c.id, self._table.c.attempt, until).where(silent).order_by(self._table.c.id)
        return [(row.id, row.attempt, row.lease_until) for row in connection.execute(query)]


def end_each(silent: Iterable[int], end: Callable[[int], None], what: str) -> None:
    """Calls `end` with each row, which `what` names for people; one that is broken does not stop the others.

    Raises LeagueError naming those that could not be ended, when all others have been.
    """
    failed: dict[int, Exception] = {}
    for row_id in silent:
        try:
            end(row_id)
        except Exception as error:  # told below, by name
            failed[row_id] = error
    if failed:
        told = "; ".join(f"{what} {row_id}: {error}" for row_id, error in failed.items())
        raise LeagueError(f"silent {what}s could not be taken back: {told}") from next(iter(failed.values()))
