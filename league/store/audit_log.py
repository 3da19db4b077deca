"""The audit log: written in the transaction of the act itself, never changed, read newest first.

Owns the table `audit_log`. An act that is undone leaves no entry, and no act leaves none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from league.audit_log import EVERYTHING, Actor, AuditEntry, AuditFilter, Via
from league.store.account_schema import audit_log
from league.store.database import Database

__all__ = ["PAGE", "AuditFilter", "AuditLog", "write_entry"]

PAGE = 50


class AuditLog:
    """Writes and reads the log."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def write(self, by: Actor, act: str, subject: str, details: Mapping[str, Any] | None = None) -> None:
        """One entry; within `Store.together` it belongs to that transaction."""
        with self._database.writing() as connection:
            write_entry(connection, self._clock(), by, act, subject, details)

    def entries(
        self, wanted: AuditFilter = EVERYTHING, *, before: int | None = None, limit: int = PAGE
    ) -> tuple[AuditEntry, ...]:
        """Entries with a lower id than `before`, the newest first."""
        query = select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
        for text, column in ((wanted.actor, audit_log.c.actor), (wanted.subject, audit_log.c.subject)):
            if text:
                query = query.where(column == text)
        if wanted.act.endswith("."):
            query = query.where(audit_log.c.act.startswith(wanted.act, autoescape=True))
        elif wanted.act:
            query = query.where(audit_log.c.act == wanted.act)
        if before is not None:
            query = query.where(audit_log.c.id < before)
        with self._database.reading() as connection:
            return tuple(map(_entry_from, connection.execute(query)))


def write_entry(
    connection: Connection,
    now: datetime,
    by: Actor,
    act: str,
    subject: str,
    details: Mapping[str, Any] | None = None,
) -> None:
    """One entry in the transaction of `connection`; `details` must be fit for JSON and hold no secret."""
    connection.execute(
        insert(audit_log).values(
            at=now,
            actor=by.name,
            account_id=by.account,
            via=by.via.value,
            act=str(act),
            subject=subject,
            details=dict(details or {}),
        )
    )


def _entry_from(row: Row[Any]) -> AuditEntry:
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=row.actor,
        account=row.account_id,
        via=Via(row.via),
        act=row.act,
        subject=row.subject,
        details=row.details,
    )
