"""Rows of submissions as the dataclasses of `league.submissions`; changes of state, each with its step.

Owns the one way in which a state is changed: what may follow is checked, and the step is written beside it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from league.errors import LeagueError
from league.store.submission_schema import submission_steps, submissions, unrated_boards
from league.submissions import Refusal, Submission, SubmissionState, SubmissionStep, check_follows
from league.unrated import Purpose


def submission_from(row: Row[Any], qualifying: int | None = None) -> Submission:
    """A submission from a row of `submissions`; `qualifying` is the id of its qualifying board."""
    return Submission(
        id=row.id,
        owner=row.owner,
        file_name=row.file_name,
        sha256=row.sha256,
        size=row.size,
        state=SubmissionState(row.state),
        bot=row.bot,
        version=row.version,
        language=row.language,
        variants=tuple(row.variants),
        cause=Refusal(row.cause) if row.cause else None,
        reason=row.reason,
        attempt=row.attempt,
        given_back=row.given_back,
        version_id=row.bot_version_id,
        qualifying=qualifying,
        received_at=row.received_at,
        changed_at=row.changed_at,
    )


def qualifying_of(connection: Connection, ids: list[int]) -> dict[int, int]:
    """The newest qualifying board of each of these submissions that has one."""
    boards = unrated_boards.c
    query = (
        select(boards.submission_id, func.max(boards.id).label("board"))
        .where(boards.submission_id.in_(ids), boards.purpose == Purpose.QUALIFYING.value)
        .group_by(boards.submission_id)
    )
    return {row.submission_id: row.board for row in connection.execute(query)}


def submission_row_of(connection: Connection, submission_id: int, owner: str, *, lock: bool = False) -> Row[Any]:
    """The row of an owner's submission; LeagueError when he has none such."""
    query = select(submissions).where(submissions.c.id == submission_id, submissions.c.owner == owner)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise LeagueError(f"{owner} has no submission {submission_id}")
    return row


def add_step(connection: Connection, submission_id: int, state: SubmissionState, now: datetime, detail: str) -> None:
    """Writes down that a submission came into a state."""
    last = select(func.max(submission_steps.c.number)).where(submission_steps.c.submission_id == submission_id)
    number = (connection.scalar(last) or 0) + 1
    step = {"submission_id": submission_id, "number": number, "state": state.value, "at": now, "detail": detail}
    connection.execute(insert(submission_steps).values(step))


def step_from(row: Row[Any]) -> SubmissionStep:
    """A step from a row of `submission_steps`."""
    return SubmissionStep(number=row.number, state=SubmissionState(row.state), at=row.at, detail=row.detail)


def change(
    connection: Connection,
    row: Row[Any],
    after: SubmissionState,
    now: datetime,
    *,
    detail: str = "",
    **values: Any,
) -> None:
    """Brings a submission from the state of its row into another; `detail` is kept with the step.

    Raises WrongStateError when that may not follow.
    """
    check_follows(SubmissionState(row.state), after, f"submission {row.id}")
    this_one = submissions.c.id == row.id
    connection.execute(update(submissions).where(this_one).values(state=after.value, changed_at=now, **values))
    add_step(connection, row.id, after, now, detail)
