"""For organisers: making seasons, and running them. What is asked for here is carried out by the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, responses
from dashboard.forms import Form, ReadForm
from dashboard.pages.new_season import BotChoice, CheckedForm, SeasonForm, bot_choices, check_form, form_of
from dashboard.pages.organise import RunPage, run_page
from dashboard.routes.organise import AREA
from dashboard.twins import ORGANISERS
from league.audit_log import Actor
from league.errors import LeagueError
from league.model import BotVersion, Season, SeasonKind
from league.orders import (
    Arguments,
    CreateSeason,
    EndSeason,
    EnterBots,
    LiftSuspension,
    OrderKind,
    PauseSeason,
    Requeue,
    ResumeSeason,
    StartSeason,
    SuspendBot,
    checked_reason,
)
from league.store import Store
from referee.rules import PRESETS

router = APIRouter(prefix="/organise/seasons")

_UNFINISHED = 40
_ORDERS = 10


@router.get("/new")
@router.get("/new.json", response_model=dict[str, Any], responses=ORGANISERS)
def new_season(request: Request, order: str = "") -> Response:
    """The form that makes a season; with an order for one, as it was filled in then."""
    asking.require_organiser(request)
    if responses.wants_json(request):
        fields = SeasonForm.__dataclass_fields__
        return responses.json({"form": links.new_season(), "method": "POST", "fields": list(fields)})
    form = SeasonForm()
    if order:
        asked = asking.store(request).orders.get(asking.whole(order, "order")).arguments
        form = form_of(asked) if isinstance(asked, CreateSeason) else form
    return _new_page(request, CheckedForm(form=form, problems={}, asked=None, size=None, offered=()))


@router.post("/new")
def make_season(request: Request, form: ReadForm) -> Response:
    """Asks for a season; with `act` as preview, only says what it would come to."""
    who = asking.require_organiser(request)
    store, act = asking.store(request), form.text("act")
    checked = check_form(_read(form), _enterable(store), responses.words(request), start=act == "start")
    if act == "preview" or checked.asked is None:
        return _new_page(request, checked, previewed=True)
    order = store.orders.ask(checked.asked, by=Actor.of(who))
    return RedirectResponse(links.order(order.id), 303)


@router.get("/{season_id}")
@router.get("/{season_id}.json", response_model=RunPage, responses=ORGANISERS)
def run(request: Request, season_id: str) -> Response:
    """Where a season is run."""
    asking.require_organiser(request)
    found = asking.season(request, season_id)
    if responses.wants_json(request):
        return responses.json(_model(request, found))
    return _run_page(request, found, {})


@router.post("/{season_id}")
def ask(request: Request, form: ReadForm, season_id: str) -> Response:
    """Asks for something to be done to a season."""
    who = asking.require_organiser(request)
    store, season = asking.store(request), asking.season(request, season_id)
    say = responses.words(request).say
    try:
        arguments = _arguments(form, season)
    except LeagueError:
        told = say("Say why, in at most 500 characters: the bot’s owner reads it.")
        return _run_page(request, season, {"reason": told}, form)
    if arguments is None:
        return _run_page(request, season, {"": say("Choose what is to be done.")}, form)
    order = store.orders.ask(arguments, by=Actor.of(who))
    return RedirectResponse(links.order(order.id), 303)


def _arguments(form: Form, season: Season) -> Arguments | None:
    """What a form asks for; None if it leaves out what. Raises LeagueError for a reason that will not do."""
    bot, act = form.text("bot"), form.text("act")
    simple: dict[str, Arguments] = {
        OrderKind.START: StartSeason(season=season.id),
        OrderKind.PAUSE: PauseSeason(season=season.id),
        OrderKind.RESUME: ResumeSeason(season=season.id),
        OrderKind.END: EndSeason(season=season.id, void=form.ticked("void")),
        OrderKind.REQUEUE: _requeue(form, season),
    }
    if act == OrderKind.ENTER:
        versions = tuple(number for each in form.many("bots") if (number := _number(each)) is not None)
        return EnterBots(season=season.id, versions=versions) if versions else None
    if act == OrderKind.SUSPEND and bot:
        return SuspendBot(season=season.id, bot=bot, reason=checked_reason(form.text("reason")))
    if act == OrderKind.LIFT and bot:
        return LiftSuspension(season=season.id, bot=bot)
    return simple.get(act)


def _requeue(form: Form, season: Season) -> Requeue:
    return Requeue(season=season.id, sitting=_number(form.text("sitting")), set_number=_number(form.text("set")))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _read(form: Form) -> SeasonForm:
    return SeasonForm(
        name=form.text("name"),
        variant=form.text("variant"),
        kind=form.text("kind"),
        rolling=form.ticked("rolling"),
        boards=form.text("boards"),
        player_sets=form.text("player_sets").strip(),
        time_control=form.text("time_control"),
        absent_after=form.text("absent_after"),
        bots=form.many("bots"),
    )


def _enterable(store: Store) -> tuple[BotVersion, ...]:
    """The newest of each house bot, active submitted ones, and remote ones that may connect."""
    remote = (one.bot for one in store.bots.remotes() if one.token_hash is not None)
    return (*store.unrated.opponents(), *remote)


def _choices(request: Request, bots: Sequence[BotVersion]) -> tuple[BotChoice, ...]:
    boards = asking.store(request).unrated.qualifying_of([bot.id for bot in bots if bot.remote])
    return bot_choices(bots, boards, responses.words(request))


def _new_page(request: Request, checked: CheckedForm, *, previewed: bool = False) -> Response:
    return forms.page(
        request,
        "new_season.html",
        area=AREA,
        status=422 if checked.problems else 200,
        here=links.new_season(),
        page=checked,
        bots=_choices(request, _enterable(asking.store(request))),
        presets=PRESETS,
        previewed=previewed,
    )


def _model(request: Request, season: Season) -> RunPage:
    store = asking.store(request)
    return run_page(
        season,
        store.seasons.progress(season.id),
        store.seasons.entrants(season.id),
        store.seasons.suspensions(season.id),
        store.organising.unfinished(season.id, limit=_UNFINISHED),
        store.orders.latest(season=season.id, limit=_ORDERS),
        responses.words(request),
    )


def _run_page(request: Request, season: Season, problems: dict[str, str], form: Form | None = None) -> Response:
    store = asking.store(request)
    entered = {one.bot.id for one in store.seasons.entrants(season.id)}
    remote_too = season.kind is SeasonKind.OPEN
    left = [bot for bot in _enterable(store) if bot.id not in entered and (remote_too or not bot.remote)]
    return forms.page(
        request,
        "run_season.html",
        area=AREA,
        status=422 if problems else 200,
        here=links.run_season(season.id),
        page=_model(request, season),
        bots=_choices(request, left),
        kept=form or Form({}),
        problems=problems,
    )
