"""The account whose token was sent, and its tokens. Tokens are made on the account's page, not by tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from dashboard.api.asked import Listed, Stored
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.own import Account, Token
from dashboard.api.own import OWN, Signed, actor, there
from dashboard.api.paging import Part

router = APIRouter(prefix="/account", tags=["Account"])


@router.get("", operation_id="getAccount", summary="Get the account")
def account(who: Signed) -> Account:
    """Whose token this is."""
    return Account.of(who)


@router.get("/tokens", operation_id="listTokens", summary="List the account's tokens")
def tokens(who: Signed, store: Stored, response: Response, asked: Listed) -> Part[Token]:
    """The newest first; none is told whole."""
    return asked.slice(response, store.tokens.of(who.id), Token.of)


@router.delete("/tokens/{token}", operation_id="revokeToken", summary="Revoke a token", status_code=204, responses=OWN)
def revoke(
    who: Signed, store: Stored, token: Annotated[int, Path(ge=1, le=LARGEST_ID, description="The token's id.")]
) -> None:
    """It opens nothing any more; one may revoke the very token that is sent."""
    there(lambda: store.tokens.revoke(who.id, token, by=actor(who)))
