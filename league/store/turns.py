"""Turns: what no two transactions do at the same time although they lock no row in common.

SQLite has one writer at a time, so there a turn is nothing. PostgreSQL has many, and two that both look for a name find
it free. A turn is taken at the beginning of a transaction, before it locks rows, or at least before rows that another
who holds it might wait for. Owns the numbers of the locks.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from sqlalchemy import Connection, func, select

_OURS: Final = 0x4B494E47  # of all that share a database, ours are the locks of this class


class Turn(IntEnum):
    """What is done by one at a time."""

    SCHEMA = 1
    """Tables are made or changed."""
    BOT_NAMES = 2
    """Bots get names, and versions, that no others have or look like."""
    ACCOUNTS = 3
    """Accounts get names that no others look like, and one organiser stays."""
    SEASON_NAMES = 4
    """Organisers name seasons as no other is named."""
    TRIES = 5
    """Tries are counted: whoever signs in touches several rows."""
    SURROUNDINGS = 6
    """The workers of a machine say what it has."""


def take_turn(connection: Connection, turn: Turn) -> None:
    """Has everybody else who takes this turn wait until this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_OURS, turn.value)))
