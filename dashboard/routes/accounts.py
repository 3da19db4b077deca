"""Signing up, in and out, and setting a password by a one-time link."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, responses, visitors
from dashboard.forms import ReadForm
from dashboard.pages.accounts import field_of, told
from league.accounts import AccountError, AccountProblem, SignedIn

router = APIRouter()

TOO_MANY = 429
UNFIT = 422


@router.get("/sign-in")
@router.get("/sign-in.json", response_model=dict[str, Any])
def sign_in(request: Request, back: str = "") -> Response:
    """The form for those who have an account."""
    if responses.wants_json(request):
        return _form_twin(links.sign_in(), ("name", "password", "back"))
    if asking.account(request) is not None:
        return RedirectResponse(links.own_address(back or links.account()), 303)
    return forms.page(request, "sign_in.html", area="account", name="", back=links.own_address(back), problems={})


@router.post("/sign-in")
def do_sign_in(request: Request, form: ReadForm) -> Response:
    """Begins a session; what was wrong is told without saying which of name and password it was."""
    name, back = form.text("name"), links.own_address(form.text("back"))
    try:
        signed_in = asking.store(request).sessions.sign_in(name, form.text("password"), address=asking.address(request))
    except AccountError as error:
        here = links.sign_in(back)
        return _again(request, "sign_in.html", here, error, problem_at="", name=name, back=back)
    return _welcome(request, signed_in, back)


@router.get("/sign-up")
@router.get("/sign-up.json", response_model=dict[str, Any])
def sign_up(request: Request, back: str = "") -> Response:
    """The form for those who have none."""
    if responses.wants_json(request):
        return _form_twin(links.sign_up(), ("name", "password", "back"))
    return forms.page(request, "sign_up.html", area="account", name="", back=links.own_address(back), problems={})


@router.post("/sign-up")
def do_sign_up(request: Request, form: ReadForm) -> Response:
    """Makes an account and begins its first session."""
    name, back = form.text("name"), links.own_address(form.text("back"))
    store = asking.store(request)
    try:
        account = store.accounts.sign_up(name, form.text("password"), address=asking.address(request))
    except AccountError as error:
        here = links.sign_up(back)
        return _again(request, "sign_up.html", here, error, problem_at=field_of(error), name=name, back=back)
    to = links.mine() if back == links.home() else back
    return _welcome(request, store.sessions.begin(account.id), to)


@router.post("/sign-out")
def do_sign_out(request: Request, form: ReadForm) -> Response:
    """Ends this session."""
    del form
    asking.store(request).sessions.end(visitors.session_of(request))
    answer = RedirectResponse(links.home(), 303)
    visitors.forget_session(request, answer)
    return answer


@router.get("/set-password")
def set_password(request: Request, link: str = "") -> Response:
    """The form behind a one-time link. It has no twin: the link is for a person."""
    try:
        account = asking.store(request).passwords.account_of_link(link)
    except AccountError as error:
        return _no_link(request, error)
    return _password_page(request, link, name=account.name, problems={})


@router.post("/set-password")
def do_set_password(request: Request, form: ReadForm) -> Response:
    """Sets the password, which uses the link up, and signs in."""
    store, link = asking.store(request), form.text("link")
    try:
        account = store.passwords.account_of_link(link)
        store.passwords.set_by_link(link, form.text("password"))
    except AccountError as error:
        if error.problem is AccountProblem.LINK_GONE:
            return _no_link(request, error)
        problems = {"password": told(error, responses.words(request))}
        return _password_page(request, link, name=account.name, problems=problems)
    return _welcome(request, store.sessions.begin(account.id), links.account_after_link())


def _form_twin(address: str, fields: tuple[str, ...]) -> Response:
    return responses.json({"form": address, "method": "POST", "fields": fields})


def _welcome(request: Request, signed_in: SignedIn, back: str) -> Response:
    answer = RedirectResponse(back, 303)
    visitors.keep_session(request, answer, signed_in)
    return answer


def _again(
    request: Request, template: str, here: str, error: AccountError, *, problem_at: str, **kept: Any
) -> Response:
    """The form once more, with what was wrong and what the reader wrote, but for the password."""
    status = TOO_MANY if error.problem is AccountProblem.TOO_MANY_TRIES else UNFIT
    problems = {problem_at: told(error, responses.words(request))}
    answer = forms.page(request, template, area="account", status=status, here=here, problems=problems, **kept)
    if error.retry_after is not None:
        answer.headers["Retry-After"] = str(int(error.retry_after.total_seconds()) + 1)
    return answer


def _password_page(request: Request, link: str, *, name: str, problems: dict[str, str]) -> Response:
    status = UNFIT if problems else 200
    here = links.set_password(link)
    return forms.page(
        request, "set_password.html", status=status, here=here, link=link, name=name, problems=problems, has_twin=False
    )


def _no_link(request: Request, error: AccountError) -> Response:
    words = responses.words(request)
    ways_out = ((links.sign_in(), words.say("Sign in")),)
    what = responses.Trouble(404, words.say("The link is no longer good"), told(error, words), ways_out)
    return responses.trouble(request, what, here=links.sign_in())
