"""Submissions: a bot on its way from upload to active, in words. Pure.

Owns the states, what may follow what, the causes of a refusal, and what an account may send. Who keeps submissions is
`league.store.submissions`; who works on them is `workers.submitting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from league.errors import LeagueError

ATTEMPTS_AT_MOST: Final = 5
"""So often a submission is taken up. Then it is refused: whatever ends its workers may be its own doing."""
LOG_BYTES: Final = 262_144
"""How much is kept of a log: its end."""
DAY: Final = timedelta(days=1)


class SubmissionState(StrEnum):
    """Where a submission stands. From `received` to `qualifying` the arena works on it, then it is its owner's."""

    RECEIVED = "received"
    BUILDING = "building"
    CHECKING = "checking"
    QUALIFYING = "qualifying"
    ACTIVE = "active"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    DELETED = "deleted"

    @property
    def is_waiting(self) -> bool:
        """Whether the arena still has work to do on it."""
        return self in WAITING


WAITING: Final = frozenset(
    {SubmissionState.RECEIVED, SubmissionState.BUILDING, SubmissionState.CHECKING, SubmissionState.QUALIFYING}
)
_ENDS: Final = frozenset({SubmissionState.RECEIVED, SubmissionState.REFUSED, SubmissionState.DELETED})
FOLLOWERS: Final[Mapping[SubmissionState, frozenset[SubmissionState]]] = {
    SubmissionState.RECEIVED: frozenset({SubmissionState.BUILDING}) | _ENDS,
    SubmissionState.BUILDING: frozenset({SubmissionState.CHECKING}) | _ENDS,
    SubmissionState.CHECKING: frozenset({SubmissionState.QUALIFYING}) | _ENDS,
    SubmissionState.QUALIFYING: frozenset({SubmissionState.ACTIVE}) | _ENDS,
    SubmissionState.ACTIVE: frozenset({SubmissionState.WITHDRAWN, SubmissionState.DELETED}),
    SubmissionState.WITHDRAWN: frozenset({SubmissionState.ACTIVE, SubmissionState.DELETED}),
    SubmissionState.REFUSED: frozenset({SubmissionState.DELETED}),
    SubmissionState.DELETED: frozenset(),
}
"""What may follow what. Back to `received` goes what was given back or whose worker has gone silent."""


class Refusal(StrEnum):
    """Why a submission was refused: at which step, or by which rule."""

    ARCHIVE = "archive"
    MANIFEST = "manifest"
    NAME = "name"
    BUILD = "build"
    CHECK = "check"
    QUALIFYING = "qualifying"
    ATTEMPTS = "attempts"


class LogKind(StrEnum):
    """What is kept of the work on a submission, as text."""

    BUILD = "build"
    STDERR = "stderr"


class Limit(StrEnum):
    """What an account may not have more of."""

    ARCHIVE = "archive"
    EMPTY = "empty"
    VERSIONS_A_DAY = "versions_a_day"
    TOTAL_BYTES = "total_bytes"
    WAITING = "waiting"
    CHALLENGES = "challenges"
    QUALIFYING = "qualifying"
    REMOTE_BOTS = "remote_bots"
    UPLOADS = "uploads"


class LimitError(LeagueError):
    """An account asks for more than it may have; `limit` says of what, the text what would be right."""

    def __init__(self, limit: Limit, text: str, *, retry_after: timedelta | None = None) -> None:
        super().__init__(text)
        self.limit = limit
        self.retry_after = retry_after


class WrongStateError(LeagueError):
    """What is asked for does not go in the state in which the thing is."""


@dataclass(frozen=True, kw_only=True)
class SubmissionLimits:
    """What an account may send. `archive_bytes`: one archive; `total_bytes`: all of its archives that are kept."""

    archive_bytes: int = 32 << 20
    total_bytes: int = 256 << 20
    versions_a_day: int = 20
    waiting: int = 3


LIMITS: Final = SubmissionLimits()


@dataclass(frozen=True, kw_only=True)
class SubmittedBot:
    """What the manifest of a submission says of its bot."""

    name: str
    version: str
    language: str = ""
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A submission as stored. `bot` and `version` are empty until its manifest was read.

    `sha256` is that of the archive, and the version's hash. `reason` says why it was refused (`cause`: at which
    step), or what else ended it; `given_back`: why the last attempt that was given back ended. `version_id` is the bot
    version that it has become. `match_count`: of its qualifying board.
    """

    id: int
    owner: str
    file_name: str
    sha256: str
    size: int
    state: SubmissionState
    bot: str
    version: str
    language: str
    variants: tuple[str, ...]
    cause: Refusal | None
    reason: str
    attempt: int
    given_back: str
    version_id: int | None
    qualifying: int | None
    received_at: datetime
    changed_at: datetime


@dataclass(frozen=True, kw_only=True)
class SubmissionStep:
    """A state that a submission came into, and when. `number` counts them from 1; `detail` is a sentence or empty."""

    number: int
    state: SubmissionState
    at: datetime
    detail: str


@dataclass(frozen=True, kw_only=True)
class SubmissionClaim:
    """The right to work on a submission, until the lease runs out or a newer attempt begins."""

    submission: int
    attempt: int
    owner: str
    sha256: str


def check_follows(before: SubmissionState, after: SubmissionState, what: str) -> None:
    """Raises WrongStateError when `after` may not follow `before`; `what` names the submission."""
    if after not in FOLLOWERS[before]:
        to = ", ".join(sorted(FOLLOWERS[before])) or "nothing"
        raise WrongStateError(f"{what} is {before} and cannot become {after}: what may follow is {to}")


def check_archive_size(size: int, limits: SubmissionLimits) -> None:
    """Raises LimitError when an archive is empty or too large."""
    if size == 0:
        raise LimitError(Limit.EMPTY, "the archive is empty: send a zip file with a bot.toml in it")
    if size > limits.archive_bytes:
        at_most = size_told(limits.archive_bytes)
        raise LimitError(Limit.ARCHIVE, f"the archive is larger than {at_most}: leave out what a build makes anew")


def size_told(size: int) -> str:
    """A size for people: "16 MiB", "12 KiB", "7 bytes"."""
    if size < 1 << 10:
        return f"{size} bytes"
    return f"{size / (1 << 10):.0f} KiB" if size < 1 << 20 else f"{size / (1 << 20):.4g} MiB"


def kept_end(text: str) -> str:
    """The end of a log, as much as is kept, with a line that says so where something is missing."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= LOG_BYTES:
        return text
    return "(the beginning is left out)\n" + encoded[-LOG_BYTES:].decode("utf-8", "ignore")


def submission_json(submission: Submission, steps: tuple[SubmissionStep, ...] = ()) -> dict[str, Any]:
    """The JSON of a submission, as the API and `king submit --json` have it. Times are ISO 8601, in UTC."""
    return {
        "id": submission.id,
        "bot": submission.bot or None,
        "version": submission.version or None,
        "language": submission.language or None,
        "variants": list(submission.variants),
        "state": submission.state.value,
        "cause": None if submission.cause is None else submission.cause.value,
        "reason": submission.reason or None,
        "file_name": submission.file_name,
        "sha256": submission.sha256,
        "size": submission.size,
        "attempt": submission.attempt,
        "given_back": submission.given_back or None,
        "version_id": submission.version_id,
        "qualifying": submission.qualifying,
        "received_at": submission.received_at.isoformat(),
        "changed_at": submission.changed_at.isoformat(),
        "steps": [
            {"number": step.number, "state": step.state.value, "at": step.at.isoformat(), "detail": step.detail or None}
            for step in steps
        ],
    }
