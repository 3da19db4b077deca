"""The version of a season's ladder: a number that grows exactly when something on the ladder may have changed.

Owns the column `ladder_version` of `seasons`. Results, faults that count, entries, withdrawals, suspensions, the
season's state and the size of its plan are on it; each is written in one transaction with the version, so that a page
made of one version is right for as long as that is the newest.
"""

from __future__ import annotations

from sqlalchemy import Connection, update

from league.store.schema import seasons


def raise_ladder_version(connection: Connection, season_id: int) -> None:
    """Says that the ladder of a season is another one from this transaction on."""
    connection.execute(
        update(seasons).where(seasons.c.id == season_id).values(ladder_version=seasons.c.ladder_version + 1)
    )
