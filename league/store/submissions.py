"""Submissions as their owners see them: sent, looked up, withdrawn, activated, deleted.

Owns the tables `submissions`, `submission_steps` and `submission_logs`; work on them is in `submission_work`. What an
owner does is written to the audit log in the same transaction. Whatever is not the asker's own is not there for him.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from league.audit_log import Act, Actor
from league.model import BotVersion, NewBot
from league.store.account_schema import accounts
from league.store.archives import drop_archive, keep_archive
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.playing import check_not_playing, withdraw_everywhere
from league.store.submission_rows import add_step, change, qualifying_of, step_from, submission_from, submission_row_of
from league.store.submission_schema import submission_logs, submission_steps, submissions
from league.store.submission_work import SubmissionWork
from league.store.unrated_rows import drop_qualifying
from league.submissions import (
    DAY,
    LIMITS,
    WAITING,
    Limit,
    LimitError,
    LogKind,
    Submission,
    SubmissionLimits,
    SubmissionState,
    SubmissionStep,
    WrongStateError,
    check_archive_size,
    size_told,
)

_GONE = (SubmissionState.REFUSED.value, SubmissionState.DELETED.value)


class SubmissionStore(SubmissionWork):
    """Takes in submissions and keeps them for their owners."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], datetime],
        lease: timedelta,
        register: Callable[[NewBot], BotVersion],
        limits: SubmissionLimits = LIMITS,
    ) -> None:
        super().__init__(database, clock, lease, register)
        self.limits = limits

    def receive(self, *, owner: str, file_name: str, content: bytes, by: Actor) -> tuple[Submission, bool]:
        """Takes in an archive. Returns the submission, and whether it is new.

        The same archive of the same owner is the same submission, unless that was refused or deleted.
        Raises LimitError when the owner may not send it.
        """
        check_archive_size(len(content), self.limits)
        with self._database.writing() as connection:
            connection.execute(select(accounts.c.id).where(accounts.c.name == owner).with_for_update())
            sha256 = keep_archive(connection, content, self._clock())
            mine = (submissions.c.owner == owner) & (submissions.c.sha256 == sha256)
            query = select(submissions).where(mine, submissions.c.state.not_in(_GONE)).order_by(submissions.c.id)
            known = connection.execute(query).first()
            if known is not None:
                return self._read(connection, known), False
            self._check_limits(connection, owner, len(content))
            row = self._insert(connection, owner, file_name, sha256, len(content))
            write_entry(connection, self._clock(), by, Act.BOT_SUBMITTED, str(row.id), {"sha256": sha256})
            return submission_from(row), True

    def get(self, submission_id: int) -> Submission:
        """The submission with this id, whoever owns it; LeagueError when there is none."""
        with self._database.reading() as connection:
            return self._read(connection, self._leases.row(connection, submission_id))

    def mine(self, submission_id: int, owner: str) -> Submission:
        """The owner's submission with this id; LeagueError when he has none such."""
        with self._database.reading() as connection:
            return self._read(connection, submission_row_of(connection, submission_id, owner))

    def of_owner(self, owner: str) -> tuple[Submission, ...]:
        """The owner's submissions that are not deleted, the newest first."""
        mine = (submissions.c.owner == owner) & (submissions.c.state != SubmissionState.DELETED.value)
        with self._database.reading() as connection:
            rows = connection.execute(select(submissions).where(mine).order_by(submissions.c.id.desc())).all()
            boards = qualifying_of(connection, [row.id for row in rows])
            return tuple(submission_from(row, boards.get(row.id)) for row in rows)

    def steps(self, submission_id: int) -> tuple[SubmissionStep, ...]:
        """The states that a submission has been in, the first one first."""
        mine = submission_steps.c.submission_id == submission_id
        with self._database.reading() as connection:
            rows = connection.execute(select(submission_steps).where(mine).order_by(submission_steps.c.number))
            return tuple(map(step_from, rows))

    def log(self, submission_id: int, kind: LogKind) -> str:
        """What is kept of a log; empty if there is none."""
        mine = (submission_logs.c.submission_id == submission_id) & (submission_logs.c.kind == kind.value)
        with self._database.reading() as connection:
            return connection.scalar(select(submission_logs.c.text).where(mine)) or ""

    def report(self, submission_id: int) -> dict[str, Any] | None:
        """The report of its check, as `king check --json` has it; None before there is one."""
        with self._database.reading() as connection:
            report = self._leases.row(connection, submission_id).report
            return None if report is None else dict(report)

    def withdraw(self, submission_id: int, owner: str, *, by: Actor) -> Submission:
        """Keeps an active version from entering anything more. Rolling seasons pair it no more; the others that it has
        entered it plays to the end.

        Withdrawn already: nothing happens. Raises WrongStateError when it is not active.
        """
        with self._database.together() as connection:
            found = self._move(submission_id, owner, SubmissionState.WITHDRAWN, Act.BOT_WITHDRAWN, by)
            if found.version_id is not None:
                withdraw_everywhere(connection, found.version_id, self._clock())
            return found

    def activate(self, submission_id: int, owner: str, *, by: Actor) -> Submission:
        """Makes a withdrawn version active again. Active already: nothing happens.

        Raises WrongStateError when it was never active.
        """
        with self._database.reading() as connection:
            row = submission_row_of(connection, submission_id, owner)
        if row.bot_version_id is None:
            raise WrongStateError(f"submission {submission_id} is {row.state}: only what has qualified becomes active")
        return self._move(submission_id, owner, SubmissionState.ACTIVE, Act.BOT_ACTIVATED, by)

    def delete(self, submission_id: int, owner: str, *, by: Actor) -> Submission:
        """Deletes a submission: its archive, logs, report and qualifying board go, results of seasons stay.

        Deleted already: nothing happens. Raises WrongStateError while a season that it has entered is not over.
        """
        with self._database.writing() as connection:
            row = submission_row_of(connection, submission_id, owner, lock=True)
            if row.state == SubmissionState.DELETED:
                return self._read(connection, row)
            check_not_playing(connection, row)
            gone: dict[str, Any] = {"report": None, "worker": "", "lease_until": None, "given_back": ""}
            change(connection, row, SubmissionState.DELETED, self._clock(), **gone)
            connection.execute(delete(submission_logs).where(submission_logs.c.submission_id == row.id))
            drop_qualifying(connection, row.id)
            drop_archive(connection, row.sha256)
            self._audit(connection, by, Act.BOT_DELETED, row)
            return self._read(connection, self._leases.row(connection, row.id))

    def _move(self, submission_id: int, owner: str, after: SubmissionState, act: Act, by: Actor) -> Submission:
        with self._database.writing() as connection:
            row = submission_row_of(connection, submission_id, owner, lock=True)
            if row.state != after:
                change(connection, row, after, self._clock())
                self._audit(connection, by, act, row)
            return self._read(connection, self._leases.row(connection, submission_id))

    def _audit(self, connection: Connection, by: Actor, act: Act, row: Row[Any]) -> None:
        subject = f"{row.bot}@{row.version}" if row.bot else str(row.id)
        write_entry(connection, self._clock(), by, act, subject, {"submission": row.id})

    @staticmethod
    def _read(connection: Connection, row: Row[Any]) -> Submission:
        return submission_from(row, qualifying_of(connection, [row.id]).get(row.id))

    def _insert(self, connection: Connection, owner: str, file_name: str, sha256: str, size: int) -> Row[Any]:
        now = self._clock()
        new = insert(submissions).values(
            owner=owner,
            file_name=_shown_name(file_name),
            sha256=sha256,
            size=size,
            variants=[],
            state=SubmissionState.RECEIVED.value,
            received_at=now,
            changed_at=now,
        )
        submission_id = connection.execute(new.returning(submissions.c.id)).scalar_one()
        add_step(connection, submission_id, SubmissionState.RECEIVED, now, "")
        return self._leases.row(connection, submission_id)

    def _check_limits(self, connection: Connection, owner: str, size: int) -> None:
        mine = submissions.c.owner == owner
        waiting = _count(connection, mine & submissions.c.state.in_(tuple(WAITING)))
        if waiting >= self.limits.waiting:
            told = f"{waiting} of your submissions are being worked on: wait for one of them, or delete it"
            raise LimitError(Limit.WAITING, told, retry_after=timedelta(minutes=1))
        since = self._clock() - DAY
        query = select(submissions.c.received_at).where(mine, submissions.c.received_at > since)
        today = list(connection.scalars(query.order_by(submissions.c.received_at.desc())))
        if len(today) >= self.limits.versions_a_day:
            again = today[self.limits.versions_a_day - 1] - since
            told = f"{len(today)} versions came from you in 24 hours, which is all that is taken: try again later"
            raise LimitError(Limit.VERSIONS_A_DAY, told, retry_after=again)
        kept = select(func.sum(submissions.c.size)).where(mine, submissions.c.state != SubmissionState.DELETED.value)
        total = (connection.scalar(kept) or 0) + size
        if total > self.limits.total_bytes:
            at_most = size_told(self.limits.total_bytes)
            told = f"your archives would be {size_told(total)}, and {at_most} are kept: delete some versions"
            raise LimitError(Limit.TOTAL_BYTES, told)


def _count(connection: Connection, wanted: Any) -> int:
    return connection.scalar(select(func.count()).select_from(submissions).where(wanted)) or 0


def _shown_name(file_name: str) -> str:
    """The last part of what the browser calls the file, fit to be shown."""
    last = file_name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[:255] or "archive.zip"
