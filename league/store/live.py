"""Which sittings may be watched while they are played.

Owns that rule as the store can see it. Changes nothing.
"""

from __future__ import annotations

from sqlalchemy import func, select

from league.model import SittingState
from league.store.database import Database
from league.store.schema import sittings


class LiveStore:
    """Says what may be watched."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def may_be_watched(self, sitting_id: int) -> bool:
        """Whether no other sitting is still to play the cards of this one: it is its set's last. False if unknown."""
        with self._database.reading() as connection:
            own = connection.execute(select(sittings).where(sittings.c.id == sitting_id)).one_or_none()
            if own is None:
                return False
            open_in_set = (
                select(func.count())
                .select_from(sittings)
                .where(
                    sittings.c.season_id == own.season_id,
                    sittings.c.set_number == own.set_number,
                    sittings.c.id != sitting_id,
                    sittings.c.state != SittingState.DONE.value,
                )
            )
            return connection.scalar(open_in_set) == 0
