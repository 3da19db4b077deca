"""Submissions: bots that are sent as archives, from upload to active, and what their owners do with them."""

from __future__ import annotations

from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request, Response

from dashboard import asking
from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.own import CheckReport, Enter, SeasonToEnter, Submission, SubmissionLog
from dashboard.api.models.seasons import Entrant
from dashboard.api.own import CONFLICT, OWN, Signed, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemError, ProblemKind
from league.accounts import Account
from league.store import Store
from league.submissions import LogKind, size_told, submission_json
from league.submissions import Submission as StoredSubmission

router = APIRouter(prefix="/submissions", tags=["Submissions"])

ZIP = "application/zip"
_UPLOAD_BYTES = 1 << 30  # the store has the limit, and says it in words
SubmissionId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The submission's id.")]
_SENT = problems(ProblemKind.CONFLICT, ProblemKind.TOO_LARGE, ProblemKind.UNSUPPORTED_MEDIA_TYPE)
_ARCHIVE = {
    "requestBody": {
        "required": True,
        "description": "A zip archive with a bot.toml at its top.",
        "content": {ZIP: {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("", operation_id="listSubmissions", summary="List the account's submissions")
def submissions(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[Submission]:
    """The newest first; those that are deleted are left out."""
    return asked.slice(response, store.submissions.of_owner(who.name), _listed)


@router.post(
    "",
    operation_id="createSubmission",
    summary="Send a bot",
    status_code=201,
    responses={200: {"model": Submission, "description": "This archive is known: the submission it is."}, **_SENT},
    openapi_extra=_ARCHIVE,
    max_body_size=_UPLOAD_BYTES,
)
async def send(
    who: Signed,
    store: Stored,
    request: Request,
    response: Response,
    file_name: Annotated[
        str, Query(min_length=1, max_length=255, description="What the archive is called, to be shown.")
    ] = "bot.zip",
) -> Submission:
    """Takes in an archive; building, checking and a qualifying match follow. Sent twice it is one submission."""
    with asking.senders(request).one_more(who):
        content = await _read(request, store.submissions.limits.archive_bytes)
        found, is_new = await to_thread.run_sync(
            lambda: store.submissions.receive(owner=who.name, file_name=file_name, content=content, by=actor(who))
        )
    response.status_code = 201 if is_new else 200
    response.headers["Location"] = f"{request.url.path}/{found.id}"
    return await to_thread.run_sync(_whole, store, found)


async def _read(request: Request, at_most: int) -> bytes:
    """The body, read no further than is allowed.

    Raises:
        ProblemError: if it is no zip by its type, or larger.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != ZIP:
        raise ProblemError(ProblemKind.UNSUPPORTED_MEDIA_TYPE, f"send the archive itself as {ZIP}")
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > at_most:
            raise ProblemError(ProblemKind.TOO_LARGE, f"the archive is larger than {size_told(at_most)}")
    return bytes(content)


@router.get("/{submission}", operation_id="getSubmission", summary="Get a submission", responses=OWN)
def submission(who: Signed, store: Stored, submission: SubmissionId) -> Submission:
    """Where it stands, with every state it has been in."""
    return _whole(store, _mine(store, who, submission))


@router.get(
    "/{submission}/logs/{kind}", operation_id="getSubmissionLog", summary="Get a submission's log", responses=OWN
)
def log(
    who: Signed,
    store: Stored,
    submission: SubmissionId,
    kind: Annotated[LogKind, Path(description="What the build wrote, or the bot's standard error.")],
) -> SubmissionLog:
    """What was written while it was built, or by the bot while it was checked."""
    return SubmissionLog(text=store.submissions.log(_mine(store, who, submission).id, kind))


@router.get("/{submission}/report", operation_id="getCheckReport", summary="Get the report of a check", responses=OWN)
def report(who: Signed, store: Stored, submission: SubmissionId) -> CheckReport:
    """Each step of `king check`, with what was sent and what came back."""
    return CheckReport(report=store.submissions.report(_mine(store, who, submission).id))


@router.post(
    "/{submission}/withdraw", operation_id="withdraw", summary="Withdraw a bot version", responses={**OWN, **CONFLICT}
)
def withdraw(who: Signed, store: Stored, submission: SubmissionId) -> Submission:
    """It enters nothing more, and rolling seasons pair it no more."""
    mine = _mine(store, who, submission)
    return _whole(store, store.submissions.withdraw(mine.id, who.name, by=actor(who)))


@router.post(
    "/{submission}/activate", operation_id="activate", summary="Activate a bot version", responses={**OWN, **CONFLICT}
)
def activate(who: Signed, store: Stored, submission: SubmissionId) -> Submission:
    """What was withdrawn may enter seasons again."""
    mine = _mine(store, who, submission)
    return _whole(store, store.submissions.activate(mine.id, who.name, by=actor(who)))


@router.delete(
    "/{submission}",
    operation_id="deleteSubmission",
    summary="Delete a submission",
    status_code=204,
    responses={**OWN, **CONFLICT},
)
def delete(who: Signed, store: Stored, submission: SubmissionId) -> None:
    """Its archive, logs and qualifying board go; results of seasons stay."""
    mine = _mine(store, who, submission)
    store.submissions.delete(mine.id, who.name, by=actor(who))


@router.get("/{submission}/seasons", operation_id="listSeasonsToEnter", summary="List seasons to enter", responses=OWN)
def seasons(
    who: Signed, store: Stored, response: Response, asked: Listed, submission: SubmissionId
) -> Part[SeasonToEnter]:
    """Seasons that take entries of this version, and whether it has entered them; none unless it is active."""
    mine = _mine(store, who, submission)
    return asked.slice(response, store.entries.seasons_for(mine.id, who.name), SeasonToEnter.of)


@router.post(
    "/{submission}/seasons", operation_id="enterSeason", summary="Enter a season", responses={**OWN, **CONFLICT}
)
def enter(who: Signed, store: Stored, submission: SubmissionId, asked: Enter) -> Entrant:
    """Enters an active version; entered already, it stays as it is."""
    mine, season = _mine(store, who, submission), there(lambda: store.seasons.get(asked.season))
    entrant = store.entries.enter(mine.id, who.name, season.id, by=actor(who))
    return Entrant.of(entrant, season, store.seasons.suspensions(season.id))


def _mine(store: Store, who: Account, submission_id: int) -> StoredSubmission:
    return there(lambda: store.submissions.mine(submission_id, who.name))


def _listed(one: StoredSubmission) -> Submission:
    return Submission.model_validate(submission_json(one))


def _whole(store: Store, one: StoredSubmission) -> Submission:
    return Submission.model_validate(submission_json(one, store.submissions.steps(one.id)))
