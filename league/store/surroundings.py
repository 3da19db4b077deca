"""What workers' machines have for submitted bots, one row a machine.

Owns the table `surroundings`. A machine that has not been heard of for long is left out: it may be gone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select

from league.store.database import Database
from league.store.submission_schema import surroundings
from league.store.turns import Turn, take_turn
from league.surroundings import Surroundings, surroundings_from, surroundings_json

FRESH = timedelta(days=7)


class SurroundingsStore:
    """Keeps and shows them."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def report(self, found: Surroundings) -> None:
        """Keeps what a machine has, in place of what it had."""
        row = {"host": found.host, "found": surroundings_json(found), "found_at": found.found_at}
        with self._database.writing() as connection:
            take_turn(connection, Turn.SURROUNDINGS)
            connection.execute(delete(surroundings).where(surroundings.c.host == found.host))
            connection.execute(insert(surroundings).values(row))

    def all(self) -> tuple[Surroundings, ...]:
        """What the machines have that were heard of in the last week, by name."""
        heard = surroundings.c.found_at > self._clock() - FRESH
        with self._database.reading() as connection:
            rows = connection.execute(select(surroundings).where(heard).order_by(surroundings.c.host))
            return tuple(surroundings_from(row.host, row.found_at, row.found) for row in rows)
