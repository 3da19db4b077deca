"""One's own account: password, sessions, personal API tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, responses, visitors
from dashboard.forms import ReadForm
from dashboard.pages.accounts import AccountPage, account_page, field_of, told
from dashboard.twins import SIGN_IN
from league.accounts import Account, AccountError, DrawnToken
from league.audit_log import Actor

router = APIRouter(prefix="/account")


@router.get("")
@router.get(".json", response_model=AccountPage, responses=SIGN_IN)
def account(request: Request) -> Response:
    """The account of whoever is signed in."""
    who = asking.require_account(request)
    if responses.wants_json(request):
        return responses.json(_model(request, who))
    is_new = str(request.url.query) == links.AFTER_LINK
    say = responses.words(request).say
    return _page(request, who, {}, done=say("The password is set, and you are signed in.") if is_new else "")


@router.post("/password")
def change_password(request: Request, form: ReadForm) -> Response:
    """Changes the password, for who knows the present one; other sessions end."""
    who = asking.require_account(request)
    session = visitors.session_of(request)
    try:
        asking.store(request).passwords.change(
            who.id, form.text("old_password"), form.text("password"), by=Actor.of(who), but=session
        )
    except AccountError as error:
        return _page(request, who, {field_of(error): told(error, responses.words(request))})
    say = responses.words(request).say
    return _page(request, who, {}, done=say("The password is changed. You are signed out on all other devices."))


@router.post("/sessions")
def end_sessions(request: Request, form: ReadForm) -> Response:
    """Signs out everywhere, here too."""
    del form
    who = asking.require_account(request)
    asking.store(request).sessions.end_all(who.id, by=Actor.of(who))
    answer = RedirectResponse(links.sign_in(), 303)
    visitors.forget_session(request, answer)
    return answer


@router.post("/tokens")
def create_token(request: Request, form: ReadForm) -> Response:
    """Draws a token, and shows it this once."""
    who = asking.require_account(request)
    name = form.text("token_name")
    try:
        drawn = asking.store(request).tokens.create(who.id, name, by=Actor.of(who))
    except AccountError as error:
        problems = {field_of(error): told(error, responses.words(request))}
        return _page(request, who, problems, token_name=name)
    return _page(request, who, {}, drawn=drawn)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(request: Request, form: ReadForm, token_id: str) -> Response:
    """Has a token open nothing any more."""
    del form
    who = asking.require_account(request)
    asking.store(request).tokens.revoke(who.id, asking.whole(token_id, "token"), by=Actor.of(who))
    return RedirectResponse(f"{links.account()}#tokens", 303)


def _model(request: Request, who: Account) -> object:
    store = asking.store(request)
    return account_page(who, store.tokens.of(who.id), store.sessions.count(who.id))


def _page(
    request: Request,
    who: Account,
    problems: dict[str, str],
    *,
    token_name: str = "",
    drawn: DrawnToken | None = None,
    done: str = "",
) -> Response:
    return forms.page(
        request,
        "account.html",
        area="account",
        status=422 if problems else 200,
        here=links.account(),
        page=_model(request, who),
        problems=problems,
        token_name=token_name,
        drawn=drawn,
        done=done,
    )
