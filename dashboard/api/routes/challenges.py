"""Challenges: unrated boards of one's own bots against others. Nobody but their owner sees them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.bots import Version
from dashboard.api.models.common import LARGEST_ID, MatchId
from dashboard.api.models.matches import Record
from dashboard.api.models.own import Challenge, ChallengeLog, NewChallenge
from dashboard.api.own import OWN, PRIVATE, Signed, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemKind
from league.unrated import UnratedBoard, UnratedLog, unrated_json

router = APIRouter(prefix="/challenges", tags=["Challenges"])

ChallengeId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The unrated board's id.")]


@router.get("", operation_id="listChallenges", summary="List the account's challenges")
def challenges(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[Challenge]:
    """The latest 20, the newest first."""
    return asked.slice(response, store.unrated.challenges_of(who.name), _challenge)


@router.post(
    "",
    operation_id="createChallenge",
    summary="Challenge bots",
    status_code=201,
    responses=problems(ProblemKind.CONFLICT),
)
def challenge(who: Signed, store: Stored, request: Request, response: Response, asked: NewChallenge) -> Challenge:
    """Asks for a board of one's own active bot against others, in all rotations; it counts nowhere."""
    board = store.unrated.ask(
        owner=who.name, version_id=asked.version, opponents=asked.opponents, variant=asked.variant, by=actor(who)
    )
    response.headers["Location"] = f"{request.url.path}/{board.id}"
    return _challenge(board)


@router.get("/opponents", operation_id="listOpponents", summary="List whom one can challenge")
def opponents(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[Version]:
    """The newest version of each of the house's bots, and all active submitted versions, by name."""
    del who
    return asked.slice(response, store.unrated.opponents(), Version.of)


@router.get("/{challenge}", operation_id="getChallenge", summary="Get a challenge", responses=OWN)
def one(who: Signed, store: Stored, challenge: ChallengeId) -> Challenge:
    """How it stands, and the results of its rotations. The qualifying board of a submission is found here too."""
    return _challenge(there(lambda: store.unrated.mine(challenge, who.name)))


@router.get(
    "/{challenge}/matches/{match}/record",
    operation_id="getChallengeRecord",
    summary="Get the record of a challenge",
    responses=OWN,
    response_model=Record,
)
def record(who: Signed, store: Stored, challenge: ChallengeId, match: MatchId) -> Response:
    """The whole record of one rotation, for the owner."""
    there(lambda: store.unrated.mine(challenge, who.name))
    found: dict[str, Any] = there(lambda: store.unrated.record(match, who.name))
    return JSONResponse(found, headers={"Cache-Control": PRIVATE})


@router.get("/{challenge}/logs", operation_id="listChallengeLogs", summary="List standard error", responses=OWN)
def logs(who: Signed, store: Stored, response: Response, asked: Listed, challenge: ChallengeId) -> Part[ChallengeLog]:
    """What the owner's own processes wrote, by rotation."""
    found = there(lambda: store.unrated.logs(challenge, who.name))
    return asked.slice(response, found, _log)


def _challenge(board: UnratedBoard) -> Challenge:
    return Challenge.model_validate(unrated_json(board))


def _log(one: UnratedLog) -> ChallengeLog:
    return ChallengeLog(
        rotation=one.rotation, process=one.process, player=one.player, exit_status=one.exit_status, text=one.text
    )
