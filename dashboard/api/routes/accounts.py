"""Accounts, for organisers: made, shut, and given one-time links. Whoever runs leagues is made on pages alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.accounts import AccountChange, AccountLine, NewAccount, PasswordLink
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.own import CONFLICT, ORGANISERS, Organiser, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemError, ProblemKind

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
    """For somebody else, who sets its password by the link. A name that owns bots already gets them."""
    by = actor(who)
    with store.together():
        made = store.accounts.create(asked.name, by=by)
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


@router.post(
    "/{account}/password-link",
    operation_id="createPasswordLink",
    summary="Make a one-time link for a password",
    responses=ORGANISERS,
)
def password_link(who: Organiser, store: Stored, account: AccountId) -> PasswordLink:
    """For who has lost it; it works once, for two days, and an earlier one no more. Of organisers see the pages."""
    found = there(lambda: store.accounts.get(account))
    if found.organiser:
        told = f"{found.name} is an organiser: links for organisers are made on the page of accounts, or in the shell"
        raise ProblemError(ProblemKind.FORBIDDEN, told)
    return PasswordLink.of(store.passwords.make_link(found.id, by=actor(who)))
