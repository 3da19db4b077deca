"""Submissions as work: which are due, who works on one, and what came of it.

Every call may be made twice. A submission is worked on by one worker at a time, which a lease shows to be alive; one
whose worker has gone silent begins anew, and is refused once that has happened too often.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from league.errors import LeagueError
from league.model import BotSource, BotVersion, NewBot, SourceKind
from league.names import first_alike, look_of, name_fault, seen_only
from league.store.bots import LANGUAGE_LENGTH_AT_MOST
from league.store.database import Database
from league.store.leases import Leases
from league.store.schema import bot_versions, bots
from league.store.silence import TellTakenBack, tell_nobody
from league.store.submission_rows import change
from league.store.submission_schema import submission_logs, submissions
from league.store.turns import Turn, take_turn
from league.submissions import (
    ATTEMPTS_AT_MOST,
    WAITING,
    LogKind,
    Refusal,
    SubmissionClaim,
    SubmissionState,
    SubmittedBot,
    kept_end,
)

AT_ONCE = 2
"""So many submissions are worked on at a time: the other workers play on."""


def submission_leases(database: Database, clock: Callable[[], datetime], lease: timedelta) -> Leases:
    """How submissions are claimed."""
    return Leases(
        database=database,
        table=submissions,
        what="submission",
        free=SubmissionState.RECEIVED.value,
        held=tuple(sorted(WAITING - {SubmissionState.RECEIVED})),
        at_once=AT_ONCE,
        clock=clock,
        lease=lease,
    )


class RefusedError(LeagueError):
    """A submission that breaks a rule; `cause` says which, the text is the reason that its owner reads."""

    def __init__(self, cause: Refusal, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause


class SubmissionWork:
    """Gives out submissions to workers and takes in what they find."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], datetime],
        lease: timedelta,
        register: Callable[[NewBot], BotVersion],
    ) -> None:
        """`register` is that of the bots; it is called within the transaction in which a submission becomes active."""
        self._database = database
        self._clock = clock
        self._register = register
        self._leases = submission_leases(database, clock, lease)

    def due(self) -> tuple[int, ...]:
        """The submissions that could be claimed now, in the order of their coming; not more than may run at once."""
        return self._leases.due()

    def pending(self, ids: Collection[int]) -> frozenset[int]:
        """Those of these submissions that wait, or are being worked on."""
        return self._leases.pending(ids)

    def claim(self, submission_id: int, worker: str) -> SubmissionClaim | None:
        """Takes up a submission for the length of a lease, as a new attempt; it is `building` from now on.

        None when there is nothing to do. Raises LeagueError for an unknown submission.
        """
        with self._database.writing() as connection:
            row = self._leases.row(connection, submission_id, lock=True)
            if row.state != SubmissionState.RECEIVED:
                return None
            change(connection, row, SubmissionState.BUILDING, self._clock(), **self._leases.taken(row, worker))
            return SubmissionClaim(submission=row.id, attempt=row.attempt + 1, owner=row.owner, sha256=row.sha256)

    def renew(self, claim: SubmissionClaim) -> None:
        """Makes the lease last from now on. Raises StaleAttemptError when the claim is lost."""
        self._leases.renew(claim.submission, claim.attempt)

    def identify(self, claim: SubmissionClaim, bot: SubmittedBot, reserved: Collection[str] = ()) -> None:
        """Notes what the manifest says. `reserved`: names of the house's bots, registered or not.

        Raises RefusedError when the name is not the owner's to take, or the version is taken by other contents;
        StaleAttemptError when the claim is lost.
        """
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.submission, claim.attempt)
            values: dict[str, Any] = {
                "bot": bot.name,
                "version": bot.version,
                "language": seen_only(bot.language)[:LANGUAGE_LENGTH_AT_MOST],
            }
            values["variants"] = list(bot.variants)
            connection.execute(update(submissions).where(submissions.c.id == row.id).values(values))
        with self._database.reading() as connection:
            _check_name(connection, claim.owner, bot.name, reserved)
            _check_version(connection, bot.name, bot.version, claim.sha256)

    def advance(self, claim: SubmissionClaim, state: SubmissionState) -> None:
        """Brings a claimed submission on to its next state. Raises StaleAttemptError when the claim is lost."""
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.submission, claim.attempt)
            change(connection, row, state, self._clock(), lease_until=self._clock() + self._leases.lease)

    def keep_log(self, claim: SubmissionClaim, kind: LogKind, text: str) -> None:
        """Keeps the end of a log, in place of an earlier one. Raises StaleAttemptError when the claim is lost."""
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.submission, claim.attempt)
            mine = (submission_logs.c.submission_id == row.id) & (submission_logs.c.kind == kind.value)
            connection.execute(delete(submission_logs).where(mine))
            kept = {"submission_id": row.id, "kind": kind.value, "text": kept_end(text).replace("\0", "\ufffd")}
            connection.execute(insert(submission_logs).values(kept))

    def keep_report(self, claim: SubmissionClaim, report: Mapping[str, Any]) -> None:
        """Keeps the report of the check, as `king check --json` has it. Raises StaleAttemptError as above."""
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.submission, claim.attempt)
            connection.execute(update(submissions).where(submissions.c.id == row.id).values(report=dict(report)))

    def refuse(self, claim: SubmissionClaim, cause: Refusal, reason: str) -> None:
        """Ends a submission that does not pass. Raises StaleAttemptError when the claim is lost."""
        with self._database.writing() as connection:
            self._refuse(connection, self._leases.held_row(connection, claim.submission, claim.attempt), cause, reason)

    def qualify(self, claim: SubmissionClaim) -> BotVersion:
        """Makes a submission active: its bot version is registered, with the archive's SHA-256 as its hash.

        Raises StaleAttemptError when the claim is lost, RefusedError when another submission was faster with the
        name or the version.
        """
        with self._database.together() as connection:
            row = self._leases.held_row(connection, claim.submission, claim.attempt)
            take_turn(connection, Turn.BOT_NAMES)
            _check_name(connection, row.owner, row.bot, ())
            _check_version(connection, row.bot, row.version, row.sha256)
            version = self._register(_new_bot(row))
            ended: dict[str, Any] = {"bot_version_id": version.id, "worker": "", "lease_until": None, "given_back": ""}
            change(connection, row, SubmissionState.ACTIVE, self._clock(), **ended)
            return version

    def release(self, claim: SubmissionClaim, reason: str, *, failed: bool) -> None:
        """Gives a submission back: it is due again at once. `failed`: the attempt counts as one without an answer.

        A lost claim: nothing happens.
        """
        with self._database.writing() as connection:
            row = self._leases.row_if_held(connection, claim.submission, claim.attempt)
            if row is not None:
                self._give_back(connection, row, reason, failed=failed)

    def put_off(self, submission_id: int, reason: str) -> None:
        """Tells the owner of a submission that waits why nobody takes it up; nothing else changes."""
        waiting = (submissions.c.id == submission_id) & (submissions.c.state == SubmissionState.RECEIVED.value)
        with self._database.writing() as connection:
            connection.execute(update(submissions).where(waiting).values(given_back=reason))

    def sweep(self, *, patient: bool = False, tell: TellTakenBack = tell_nobody) -> None:
        """Takes back what has gone silent, as the sweep of sittings does, and tells of it. Twice: harmless."""
        self._leases.end_silences(self._end_silence, patient=patient, tell=tell)

    def _end_silence(self, connection: Connection, row: Row[Any]) -> None:
        self._give_back(connection, row, f"{row.worker} has not been heard of", failed=True)

    def _give_back(self, connection: Connection, row: Row[Any], reason: str, *, failed: bool) -> None:
        if row.failures + failed >= ATTEMPTS_AT_MOST:
            told = f"it was tried {ATTEMPTS_AT_MOST} times without an answer; the last time: {reason}"
            self._refuse(connection, row, Refusal.ATTEMPTS, told)
            return
        values = self._leases.given_back(row, reason, failed=failed)
        change(connection, row, SubmissionState.RECEIVED, self._clock(), detail=reason, **values)

    def _refuse(self, connection: Connection, row: Row[Any], cause: Refusal, reason: str) -> None:
        ended: dict[str, Any] = {"cause": cause.value, "reason": reason, "worker": "", "lease_until": None}
        change(connection, row, SubmissionState.REFUSED, self._clock(), **ended)


def _new_bot(row: Row[Any]) -> NewBot:
    return NewBot(
        name=row.bot,
        version=row.version,
        source=BotSource(kind=SourceKind.ARCHIVE, location=row.sha256),
        version_hash=row.sha256,
        language=row.language,
        owner=row.owner,
        house=False,
    )


def _check_name(connection: Connection, owner: str, name: str, reserved: Collection[str]) -> None:
    if first_alike(name, reserved):
        raise RefusedError(Refusal.NAME, f"the name {name!r} belongs to a bot of the house: write another in bot.toml")
    look, known = look_of(name), connection.execute(select(bots.c.name, bots.c.owner, bots.c.house)).all()
    if (fault := name_fault(name)) and name not in {row.name for row in known}:
        raise RefusedError(Refusal.NAME, f"bot.toml: name {fault}, not {name!r}")
    for row in known:
        if look_of(row.name) == look and (row.name != name or row.owner != owner or row.house):
            whose = "the house" if row.house else "you, written otherwise" if row.owner == owner else row.owner
            raise RefusedError(
                Refusal.NAME, f"the name {name!r} is taken: {row.name!r} belongs to {whose}; write another in bot.toml"
            )


def _check_version(connection: Connection, name: str, version: str, sha256: str) -> None:
    """Two versions of a bot with one text could not be told apart on any page."""
    of_bot = (bots.c.name == name) & (bot_versions.c.version == version)
    query = select(bot_versions.c.version_hash).join_from(bot_versions, bots).where(of_bot)
    if any(known != sha256 for known in connection.scalars(query)):
        raise RefusedError(
            Refusal.MANIFEST,
            f"bot.toml: version = {version!r} is taken by other contents of {name}: "
            "a changed bot needs a version of its own, since it gets a rating of its own",
        )
