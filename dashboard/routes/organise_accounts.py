"""For organisers: accounts, their one-time links, who is organiser, who is shut out."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, responses
from dashboard.forms import ReadForm
from dashboard.pages.accounts import told
from dashboard.routes.organise import AREA
from dashboard.twins import ORGANISERS
from league.accounts import Account, AccountError, DrawnLink
from league.audit_log import Actor

router = APIRouter(prefix="/organise/accounts")

_ON_PAGE = 100


@dataclass(frozen=True, slots=True)
class AccountList:
    """Accounts, the oldest first."""

    accounts: tuple[Account, ...]


@router.get("")
@router.get(".json", response_model=AccountList, responses=ORGANISERS)
def accounts(request: Request, after: str = "") -> Response:
    """All accounts, the oldest first."""
    asking.require_organiser(request)
    if responses.wants_json(request):
        return responses.json(AccountList(accounts=_listed(request, after)))
    return _page(request, {}, after=after)


@router.post("")
def make_account(request: Request, form: ReadForm) -> Response:
    """Makes an account for somebody, with a link to set the password."""
    who = asking.require_organiser(request)
    store, name = asking.store(request), form.text("name")
    by = Actor.of(who)
    try:
        with store.together():
            made = store.accounts.create(name, organiser=form.ticked("organiser"), by=by)
            drawn = store.passwords.make_link(made.id, by=by)
    except AccountError as error:
        return _page(request, {"name": told(error, responses.words(request))}, name=name)
    return _page(request, {}, drawn=drawn)


@router.post("/{account_id}")
def change_account(request: Request, form: ReadForm, account_id: str) -> Response:
    """Makes a link, or changes what an account may do."""
    who = asking.require_organiser(request)
    store, by = asking.store(request), Actor.of(who)
    account = store.accounts.get(asking.whole(account_id, "account"))
    drawn: DrawnLink | None = None
    try:
        match form.text("act"):
            case "link":
                drawn = store.passwords.make_link(account.id, by=by)
            case "disable" | "enable" as act:
                store.accounts.set_disabled(account.id, disabled=act == "disable", by=by)
            case "organiser" | "owner" as act:
                store.accounts.set_organiser(account.id, organiser=act == "organiser", by=by)
    except AccountError as error:
        return _page(request, {"": told(error, responses.words(request))})
    if drawn is not None:
        return _page(request, {}, drawn=drawn)
    return RedirectResponse(f"{links.run_accounts()}#account-{account.id}", 303)


def _listed(request: Request, after: str) -> tuple[Account, ...]:
    last = asking.whole(after, "after") if after else 0
    return asking.store(request).accounts.all(after=last, limit=_ON_PAGE)


def _page(
    request: Request,
    problems: dict[str, str],
    *,
    after: str = "",
    name: str = "",
    drawn: DrawnLink | None = None,
) -> Response:
    found = _listed(request, after)
    address = "" if drawn is None else str(request.base_url).rstrip("/") + links.set_password(drawn.text)
    return forms.page(
        request,
        "run_accounts.html",
        area=AREA,
        status=422 if problems else 200,
        here=links.run_accounts(after=after),
        page=found,
        newer=found[-1].id if len(found) == _ON_PAGE else None,
        problems=problems,
        name=name,
        drawn=drawn,
        address=address,
    )
