"""One's own remote bots: registering one, its token, whether it is there and has qualified."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, responses
from dashboard.forms import Form, ReadForm
from dashboard.pages.remote_bots import RemotePage, dialled_address, remote_page
from dashboard.pages.submissions import limit_told
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.twins import SIGN_IN
from league.accounts import Account
from league.audit_log import Actor
from league.errors import LeagueError
from league.qualifying import OwnRemote
from league.submissions import LimitError
from league.unrated import QUALIFYING_VARIANT
from referee.rules import PRESETS

router = APIRouter(prefix="/mine/remote")

FIELDS = ("name", "version", "language", "variant")
_TOO_MANY = 429


@router.get("/new")
def new(request: Request) -> Response:
    """The form by which a remote bot is registered."""
    asking.require_account(request)
    return _form(request, {"variant": QUALIFYING_VARIANT}, {})


@router.post("/new")
def register(request: Request, form: ReadForm) -> Response:
    """Registers a version, and shows its token this once."""
    who, store = asking.require_account(request), asking.store(request)
    written = {name: " ".join(form.text(name).split()) for name in FIELDS}
    try:
        made = store.own_remotes.register(owner=who.name, by=Actor.of(who), **written)
    except LimitError as error:
        told = limit_told(error, store.submissions.limits, responses.words(request))
        return _form(request, written, {"": told}, _TOO_MANY)
    except LeagueError as error:
        return _form(request, written, {"": str(error)}, 409)
    return _page(request, who, store.own_remotes.mine(made.bot.id, who.name), token=made.token)


@router.get("/{version_id}")
@router.get("/{version_id}.json", response_model=RemotePage, responses=SIGN_IN)
def remote_bot(request: Request, version_id: str) -> Response:
    """Whether it is there, whether it has qualified or why not, and what its owner can do."""
    who, found = _mine(request, version_id)
    if responses.wants_json(request):
        return responses.json(_model(request, who, found))
    return _page(request, who, found)


@router.post("/{version_id}/renew")
def renew(request: Request, form: ReadForm, version_id: str) -> Response:
    """Draws a new token, and shows it this once; the old one is refused."""
    del form
    who, found = _mine(request, version_id)
    store, number = asking.store(request).own_remotes, found.remote.bot.id
    made = store.renew(number, who.name, by=Actor.of(who))
    return _page(request, who, store.mine(number, who.name), token=made.token)


@router.post("/{version_id}/{act}")
def act_on(request: Request, form: ReadForm, version_id: str, act: str) -> Response:
    """Revokes its token, has it qualify again, or enters it in an open season."""
    who, found = _mine(request, version_id)
    try:
        _do(request, form, who, found.remote.bot.id, act)
    except LimitError as error:
        told = limit_told(error, asking.store(request).submissions.limits, responses.words(request))
        return _page(request, who, found, problem=told, status=_TOO_MANY)
    except LeagueError as error:
        return _page(request, who, found, problem=str(error), language=SOURCE_LANGUAGE, status=409)
    return RedirectResponse(links.remote_bot(found.remote.bot.id), 303)


def _do(request: Request, form: Form, who: Account, version: int, act: str) -> None:
    store, by = asking.store(request), Actor.of(who)
    if act == "revoke":
        store.own_remotes.revoke(version, who.name, by=by)
    elif act == "qualify":
        store.own_remotes.qualify(version, who.name, form.text("variant"), by=by)
    elif act == "enter":
        store.entries.enter_remote(version, who.name, asking.whole(form.text("season"), "season"), by=by)
    else:
        raise LeagueError(f"there is no act {act!r}: there are revoke, qualify, enter")


def _mine(request: Request, version_id: str) -> tuple[Account, OwnRemote]:
    who = asking.require_account(request)
    return who, asking.store(request).own_remotes.mine(asking.whole(version_id, "version"), who.name)


def _form(request: Request, written: dict[str, str], problems: dict[str, str], status: int = 200) -> Response:
    return forms.page(
        request,
        "new_remote_bot.html",
        area="mine",
        status=status,
        here=links.new_remote_bot(),
        written={name: written.get(name, "") for name in FIELDS},
        variants=[(variant, variant) for variant in PRESETS],
        problems=problems,
        has_twin=False,
    )


def _model(request: Request, who: Account, found: OwnRemote) -> RemotePage:
    seasons = asking.store(request).entries.seasons_for_remote(found.remote.bot.id, who.name)
    address = dialled_address(request.app.state.referee, request.url.hostname or "")
    return remote_page(found, seasons, address, responses.words(request))


def _page(
    request: Request,
    who: Account,
    found: OwnRemote,
    *,
    token: str = "",
    problem: str = "",
    language: str = "",
    status: int = 200,
) -> Response:
    return forms.page(
        request,
        "remote_bot.html",
        area="mine",
        status=status,
        here=links.remote_bot(found.remote.bot.id),
        page=_model(request, who, found),
        variants=[(variant, variant) for variant in PRESETS],
        token=token,
        problem=problem,
        problem_language=language,
    )
