"""Claims of work with an attempt and a lease, for tables that have these columns; what is work is their owners'.

Owns the columns attempt, failures, worker, lease_until and given_back of such a table. A claim is good while its
attempt is the row's and the row is being worked on: whoever has lost it hears so on the next call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, func, select, true, update
from sqlalchemy.sql.elements import ColumnElement

from league.errors import LeagueError, StaleAttemptError
from league.store.database import Database
from league.store.silence import Silences, TakenBack, TellTakenBack, end_each, tell_nobody

_ALL: Final = true()


@dataclass(frozen=True, kw_only=True)
class Leases:
    """How rows of `table` are claimed. `what` names one for people.

    `free`: the state in which it can be claimed; `held`: those in which it is worked on, at most `at_once` at a time.
    """

    database: Database
    table: Table
    what: str
    free: str
    held: Collection[str]
    at_once: int
    clock: Callable[[], datetime]
    lease: timedelta
    steady_seconds: Callable[[], float] = time.monotonic

    def due(self, among: ColumnElement[bool] = _ALL, ready: ColumnElement[bool] = _ALL) -> tuple[int, ...]:
        """The rows that could be claimed now, in the order of their ids; not more than may be worked on at once.

        `among`: of these rows alone, which are then counted by themselves; `ready`: a condition to be due.
        """
        with self.database.reading() as connection:
            held = select(func.count()).select_from(self.table).where(self.table.c.state.in_(self.held), among)
            room = max(0, self.at_once - (connection.scalar(held) or 0))
            query = select(self.table.c.id).where(self.table.c.state == self.free, among, ready)
            return tuple(connection.scalars(query.order_by(self.table.c.id).limit(room)))

    def pending(self, ids: Collection[int]) -> frozenset[int]:
        """Those of these rows that wait to be claimed, or are worked on."""
        open_ones = self.table.c.id.in_(ids) & self.table.c.state.in_((self.free, *self.held))
        with self.database.reading() as connection:
            return frozenset(connection.scalars(select(self.table.c.id).where(open_ones)))

    def row(self, connection: Connection, row_id: int, *, lock: bool = False) -> Row[Any]:
        """The row with this id; LeagueError when there is none."""
        query = select(self.table).where(self.table.c.id == row_id)
        row = connection.execute(query.with_for_update() if lock else query).one_or_none()
        if row is None:
            raise LeagueError(f"no {self.what} {row_id}")
        return row

    def taken(self, row: Row[Any], worker: str) -> dict[str, Any]:
        """The values that make a row claimed by `worker`, beside its state."""
        return {"attempt": row.attempt + 1, "worker": worker, "lease_until": self.clock() + self.lease}

    def given_back(self, row: Row[Any], reason: str, *, failed: bool) -> dict[str, Any]:
        """The values that free a row, beside its state. `failed`: the attempt ended without an answer."""
        return {"worker": "", "lease_until": None, "given_back": reason, "failures": row.failures + failed}

    def renew(self, row_id: int, attempt: int) -> None:
        """Makes a lease last from now on. Raises StaleAttemptError when the claim is lost."""
        with self.database.writing() as connection:
            mine = (self.table.c.id == row_id) & (self.table.c.attempt == attempt) & self.table.c.state.in_(self.held)
            renewed = update(self.table).where(mine).values(lease_until=self.clock() + self.lease)
            if connection.execute(renewed).rowcount == 0:
                raise self.stale(row_id, attempt)

    def held_row(self, connection: Connection, row_id: int, attempt: int) -> Row[Any]:
        """The row of a claim, locked. Raises StaleAttemptError when the claim is lost."""
        row = self.row_if_held(connection, row_id, attempt)
        if row is None:
            raise self.stale(row_id, attempt)
        return row

    def row_if_held(self, connection: Connection, row_id: int, attempt: int) -> Row[Any] | None:
        """The row of a claim, locked; None when the claim is lost."""
        row = self.row(connection, row_id, lock=True)
        return row if row.attempt == attempt and row.state in self.held else None

    def stale(self, row_id: int, attempt: int) -> StaleAttemptError:
        """The error of a claim that is lost."""
        return StaleAttemptError(f"attempt {attempt} of {self.what} {row_id} is over: it was taken back or ended")

    def end_silences(
        self, end: Callable[[Connection, Row[Any]], None], *, patient: bool, tell: TellTakenBack = tell_nobody
    ) -> None:
        """Calls `end` with each row whose worker has gone silent; locked, in a transaction each.

        `patient`: as in `Silences`. `tell` is called when a claim has been ended.
        Raises LeagueError naming those that could not be ended, when all others have been.
        """

        def end_one(row_id: int) -> None:
            with self.database.writing() as connection:
                row = self.row(connection, row_id, lock=True)
                if not self._silences.still(row):
                    return
                end(connection, row)
            tell(TakenBack(self.what, row_id, row.attempt, row.worker))

        with self.database.reading() as connection:
            silent = self._silences.found(connection, patient=patient)
        end_each(silent, end_one, self.what)

    @cached_property
    def _silences(self) -> Silences:
        return Silences(self.table, self.held, self.clock, self.lease, self.steady_seconds)
