"""Remote bots: versions that run at their owners', and the tokens that they say when they dial."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from dashboard.api.asked import Listed, Stored, not_found, problems
from dashboard.api.models.bots import Version
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.own import NewRemoteBot, RemoteBot, RemoteRegistration
from dashboard.api.own import OWN, Signed, actor
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemKind
from league import model
from league.accounts import Account
from league.audit_log import Act
from league.store import Store

router = APIRouter(prefix="/remote-bots", tags=["Remote bots"])

VersionId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The bot version's id.")]


@router.get("", operation_id="listRemoteBots", summary="List the account's remote bots")
def remote_bots(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[RemoteBot]:
    """By name, with whether each is connected."""
    return asked.slice(response, _own(store, who), RemoteBot.of)


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
    """Registers a version and draws its token, which is told here and never again."""
    with store.together():
        made = store.bots.register_remote(
            owner=who.name, name=asked.name, version=asked.version, language=asked.language
        )
        store.audit_log.write(actor(who), Act.BOT_REGISTERED, f"{made.bot.name}@{made.bot.version}", {"remote": True})
    response.headers["Location"] = f"{request.url.path}/{made.bot.id}"
    return RemoteRegistration(bot=Version.of(made.bot), token=made.token)


@router.get("/{version}", operation_id="getRemoteBot", summary="Get a remote bot", responses=OWN)
def remote_bot(who: Signed, store: Stored, version: VersionId) -> RemoteBot:
    """Whether it is connected, and since when not."""
    return RemoteBot.of(_mine(store, who, version))


@router.post("/{version}/token", operation_id="renewRemoteToken", summary="Renew a remote bot's token", responses=OWN)
def renew(who: Signed, store: Stored, version: VersionId) -> RemoteRegistration:
    """Draws a new token; the old one is refused from now on."""
    mine = _mine(store, who, version)
    with store.together():
        made = store.bots.renew_token(mine.bot.id)
        subject = f"{mine.bot.name}@{mine.bot.version}"
        store.audit_log.write(actor(who), Act.REMOTE_TOKEN_RENEWED, subject)
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
    mine = _mine(store, who, version)
    with store.together():
        store.bots.revoke_token(mine.bot.id)
        subject = f"{mine.bot.name}@{mine.bot.version}"
        store.audit_log.write(actor(who), Act.REMOTE_TOKEN_REVOKED, subject)


def _own(store: Store, who: Account) -> tuple[model.RemoteBot, ...]:
    return tuple(one for one in store.bots.remotes() if one.bot.owner == who.name)


def _mine(store: Store, who: Account, version_id: int) -> model.RemoteBot:
    found = next((one for one in _own(store, who) if one.bot.id == version_id), None)
    if found is None:
        raise not_found(f"{who.name} has no remote bot with version id {version_id}")
    return found
