"""Faults of bots: kept with their attempt, counted once what they touched is valid.

Owns the table `faults` and the column `faults` of `entrants`. Tables of an attempt that died are played again, so a
fault counts only when its attempt has stored one of its matches or finished the sitting.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from league.model import Claim, NewFault
from league.store.ladder_versions import raise_ladder_version
from league.store.schema import entrants, faults, matches, seasons

_UNCOUNTED = select(faults).where(
    faults.c.sitting_id == bindparam("of_sitting"), faults.c.attempt == bindparam("of_attempt"), ~faults.c.counted
)


def is_told(connection: Connection, claim: Claim, fault: NewFault) -> bool:
    """Whether the fault is stored already."""
    known = select(faults.c.id).where(
        faults.c.sitting_id == claim.sitting, faults.c.attempt == claim.attempt, faults.c.number == fault.number
    )
    return connection.scalar(known) is not None


def add_fault(connection: Connection, claim: Claim, fault: NewFault, entrant: int, now: datetime) -> None:
    """Stores a fault, and counts it if a match of it is stored already."""
    row = asdict(fault) | {"kind": fault.kind.value, "match_ids": list(fault.match_ids), "entrant": entrant}
    del row["player"]
    connection.execute(
        insert(faults).values(season_id=claim.season, sitting_id=claim.sitting, attempt=claim.attempt, at=now, **row)
    )
    of_attempt = (matches.c.sitting_id == claim.sitting) & (matches.c.attempt == claim.attempt)
    stored = select(matches.c.match_id).where(matches.c.match_id.in_(fault.match_ids), of_attempt).limit(1)
    match_id = connection.scalar(stored)
    if match_id is not None:
        count_faults(connection, claim.season, claim.sitting, claim.attempt, match_id=match_id)


def count_faults(
    connection: Connection, season_id: int, sitting_id: int, attempt: int, *, match_id: str | None = None
) -> None:
    """Counts the faults of an attempt that touched a match, without one all; those counted already stay counted."""
    rows = connection.execute(_UNCOUNTED, {"of_sitting": sitting_id, "of_attempt": attempt}).all()
    counting = [row for row in rows if match_id is None or match_id in row.match_ids]
    if not counting:
        return
    these = faults.c.id.in_([row.id for row in counting])
    stored = select(seasons.c.matches_stored).where(seasons.c.id == season_id).scalar_subquery()
    connection.execute(update(faults).where(these).values(counted=True, counted_after=stored))
    for entrant, events in sorted(Counter(row.entrant for row in counting).items()):
        this_entrant = (entrants.c.season_id == season_id) & (entrants.c.number == entrant)
        connection.execute(update(entrants).where(this_entrant).values(faults=entrants.c.faults + events))
    raise_ladder_version(connection, season_id)
