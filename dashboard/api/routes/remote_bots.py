"""Remote bots: versions that run at their owners', the tokens that they say when they dial, and how they qualify."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.bots import Version
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.own import Enter, NewRemoteBot, Qualify, RemoteBot, RemoteRegistration, SeasonToEnter
from dashboard.api.models.seasons import Entrant
from dashboard.api.own import CONFLICT, OWN, Signed, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemKind

router = APIRouter(prefix="/remote-bots", tags=["Remote bots"])

VersionId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The bot version's id.")]


@router.get("", operation_id="listRemoteBots", summary="List the account's remote bots")
def remote_bots(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[RemoteBot]:
    """By name, with whether each is connected, and has qualified."""
    return asked.slice(response, store.own_remotes.of_owner(who.name), RemoteBot.of)


@router.post(
    "",
    operation_id="createRemoteBot",
    summary="Register a remote bot",
    status_code=201,
    responses=problems(ProblemKind.CONFLICT),
)
def register(
    who: Signed, store: Stored, request: Request, response: Response, asked: NewRemoteBot
) -> RemoteRegistration:
    """Registers a version and draws its token, which is told here and never again.

    Once the bot has dialled with it, it plays a qualifying board against the house's bots.
    """
    made = store.own_remotes.register(
        owner=who.name,
        name=asked.name,
        version=asked.version,
        language=asked.language,
        variant=asked.variant,
        by=actor(who),
    )
    response.headers["Location"] = f"{request.url.path}/{made.bot.id}"
    return RemoteRegistration(bot=Version.of(made.bot), token=made.token)


@router.get("/{version}", operation_id="getRemoteBot", summary="Get a remote bot", responses=OWN)
def remote_bot(who: Signed, store: Stored, version: VersionId) -> RemoteBot:
    """Whether it is connected and since when not, and whether it has qualified or why not."""
    return RemoteBot.of(there(lambda: store.own_remotes.mine(version, who.name)))


@router.post("/{version}/token", operation_id="renewRemoteToken", summary="Renew a remote bot's token", responses=OWN)
def renew(who: Signed, store: Stored, version: VersionId) -> RemoteRegistration:
    """Draws a new token; the old one is refused from now on."""
    made = there(lambda: store.own_remotes.renew(version, who.name, by=actor(who)))
    return RemoteRegistration(bot=Version.of(made.bot), token=made.token)


@router.delete(
    "/{version}/token",
    operation_id="revokeRemoteToken",
    summary="Revoke a remote bot's token",
    status_code=204,
    responses=OWN,
)
def revoke(who: Signed, store: Stored, version: VersionId) -> None:
    """It is refused from now on, also where it is connected."""
    there(lambda: store.own_remotes.revoke(version, who.name, by=actor(who)))


@router.post(
    "/{version}/qualifying",
    operation_id="qualifyRemoteBot",
    summary="Have a remote bot qualify again",
    responses=problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT),
)
def qualify(who: Signed, store: Stored, version: VersionId, asked: Qualify) -> RemoteBot:
    """Another qualifying board, as soon as it is connected. The latest one counts."""
    there(lambda: store.own_remotes.mine(version, who.name))
    store.own_remotes.qualify(version, who.name, asked.variant, by=actor(who))
    return RemoteBot.of(store.own_remotes.mine(version, who.name))


@router.get(
    "/{version}/seasons", operation_id="listSeasonsToEnterRemote", summary="List seasons to enter", responses=OWN
)
def seasons(who: Signed, store: Stored, response: Response, asked: Listed, version: VersionId) -> Part[SeasonToEnter]:
    """Open seasons that take entries, and whether it has entered them; none unless it has qualified."""
    found = there(lambda: store.entries.seasons_for_remote(version, who.name))
    return asked.slice(response, found, SeasonToEnter.of)


@router.post(
    "/{version}/seasons",
    operation_id="enterRemoteBot",
    summary="Enter a remote bot in a season",
    responses={**OWN, **CONFLICT},
)
def enter(who: Signed, store: Stored, version: VersionId, asked: Enter) -> Entrant:
    """Enters a bot that has qualified in an open season; entered already, it stays as it is."""
    there(lambda: store.own_remotes.mine(version, who.name))
    season = there(lambda: store.seasons.get(asked.season))
    entrant = store.entries.enter_remote(version, who.name, season.id, by=actor(who))
    return Entrant.of(entrant, season, store.seasons.suspensions(season.id))
