"""Accounts, for organisers: made and shut.

Whoever runs leagues is made on pages alone, and so are links for passwords of accounts that are there: with a token
that leaked nobody is to get at what others own.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.accounts import AccountChange, AccountLine, NewAccount, PasswordLink
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.own import CONFLICT, ORGANISERS, Organiser, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemKind

router = APIRouter(prefix="/accounts", tags=["Organising"])

AccountId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The account's id.")]
_FORBIDDEN = problems(ProblemKind.FORBIDDEN)


@router.get("", operation_id="listAccounts", summary="List accounts", responses=_FORBIDDEN)
def accounts(who: Organiser, store: Stored, response: Response, asked: Listed) -> Part[AccountLine]:
    """The oldest first."""
    del who
    rows = store.accounts.all(after=asked.number() or 0, limit=asked.limit + 1)
    return asked.part(response, rows, lambda one: (one.id,), AccountLine.of)


@router.post(
    "",
    operation_id="createAccount",
    summary="Make an account",
    status_code=201,
    responses={**_FORBIDDEN, **CONFLICT},
)
def create(who: Organiser, store: Stored, request: Request, response: Response, asked: NewAccount) -> PasswordLink:
    """For somebody else, who sets its password by the link. A name that owns bots already is made on pages alone."""
    by = actor(who)
    with store.together():
        made = store.accounts.create(asked.name, by=by, adopts=False)
        drawn = store.passwords.make_link(made.id, by=by)
    response.headers["Location"] = f"{request.url.path}/{made.id}"
    return PasswordLink.of(drawn)


@router.get("/{account}", operation_id="getAccountOf", summary="Get somebody's account", responses=ORGANISERS)
def account(who: Organiser, store: Stored, account: AccountId) -> AccountLine:
    """An account, by its id."""
    del who
    return AccountLine.of(there(lambda: store.accounts.get(account)))


@router.patch(
    "/{account}",
    operation_id="changeAccount",
    summary="Shut an account, or open it again",
    responses={**ORGANISERS, **CONFLICT},
)
def change(who: Organiser, store: Stored, account: AccountId, asked: AccountChange) -> AccountLine:
    """Of one that is shut, password, sessions and tokens open nothing; its bots stay."""
    found = there(lambda: store.accounts.get(account))
    return AccountLine.of(store.accounts.set_disabled(found.id, disabled=asked.disabled, by=actor(who)))
