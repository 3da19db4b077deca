"""The dashboard over a store: `create_app`.

Owns the putting together of routes, renderer and store. A route parses, makes one call into the league, and renders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from dashboard import links, responses
from dashboard.answers import EntityTags
from dashboard.api.rate_limits import DEFAULT_LIMITS, RateLimits
from dashboard.api.serving import serve_api
from dashboard.encrypted import HttpsFromNowOn
from dashboard.errors import AddressError, OrganisersOnlyError, SignInNeededError
from dashboard.forms import FormError
from dashboard.heads import HeadersAlone
from dashboard.health import Health
from dashboard.page_cache import PageCache
from dashboard.routes import (
    account,
    accounts,
    api,
    boards,
    bots,
    display,
    duels,
    ladders,
    matches,
    mine,
    organise,
    organise_accounts,
    organise_seasons,
    remote_bots,
    rules,
    seasons,
    standings,
    submitted_bots,
    unrated,
)
from dashboard.shelf import RecordShelf
from dashboard.stream_places import STREAMS_EACH
from dashboard.templating import Renderer
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.uploads import Senders
from dashboard.visitors import AccountFinder
from dashboard.watching import add_watching
from dashboard.web import bare_app, not_found
from league.errors import LeagueError, NotThereError, Thing
from league.store import Store
from referee.rules import RulesError

_PARTS = (
    ladders,
    seasons,
    standings,
    duels,
    boards,
    matches,
    bots,
    rules,
    display,
    accounts,
    account,
    mine,
    remote_bots,
    unrated,
    submitted_bots,
    api,
    organise,
    organise_seasons,
    organise_accounts,
)
"""The modules with the routes of pages, in the order in which addresses are looked up."""


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_MISSING: Final[Mapping[Thing, str]] = {
    Thing.SEASON: _("There is no season %(name)s: the list of ladders has all."),
    Thing.BOARD: _("This season has no board %(name)s: its page has all that are planned."),
    Thing.BOT: _("There is no bot %(name)s: the list of bots has all."),
    Thing.MATCH: _("There is no match %(name)s: ids of matches are 16 hex digits, as the match list has them."),
}


def _utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(
    store: Store,
    *,
    clock: Callable[[], datetime] = _utc_now,
    limits: RateLimits = DEFAULT_LIMITS,
    redis_url: str = "",
    referee: str = "",
    streams_each: int = STREAMS_EACH,
) -> FastAPI:
    """The dashboard of a league; the store may be opened without its vault.

    What needs the vault is written down as an order, which the sweep carries out. `referee` is where remote bots dial,
    `streams_each` how many live pages one address may follow; 0: any number.
    """
    renderer = Renderer(clock=clock)
    app = bare_app(renderer, "King Arena")
    app.state.store = store
    app.state.shelf = RecordShelf(store)
    app.state.senders = Senders()
    app.state.referee = referee
    app.add_middleware(AccountFinder, store=store)
    app.add_exception_handler(SignInNeededError, _sign_in_first)
    app.add_exception_handler(OrganisersOnlyError, _organisers_only)
    app.add_exception_handler(FormError, _not_taken)
    app.add_exception_handler(AddressError, _no_such_address)
    app.add_exception_handler(LeagueError, _not_in_league)
    app.add_exception_handler(RulesError, _not_in_league)
    add_watching(app, store, renderer, redis_url, streams_each=streams_each)
    for part in _PARTS:
        app.include_router(part.router)

    health = Health(store.fit)

    @app.get("/health")
    def health_of_this_process() -> Response:
        if health.goes_on():
            return PlainTextResponse("ok\n")
        return PlainTextResponse("the store has the schema of a later version: replace this one\n", 503)

    app.add_middleware(EntityTags)
    app.add_middleware(PageCache, versions=store.seasons.ladder_versions, clock=clock)
    app.add_middleware(HeadersAlone)
    serve_api(app, limits=limits)  # counts and tells limits of every answer, kept ones too
    app.add_middleware(HttpsFromNowOn)
    return app


def _no_such_address(request: Request, error: Exception) -> Response:
    if not isinstance(error, AddressError):
        raise error
    return not_found(request, error.told(responses.words(request)))


def _not_in_league(request: Request, error: Exception) -> Response:
    words = responses.words(request)
    if isinstance(error, NotThereError) and words.language != SOURCE_LANGUAGE:
        return not_found(request, words.say(_MISSING[error.thing], name=error.name))
    return not_found(request, str(error), language=SOURCE_LANGUAGE)


def _sign_in_first(request: Request, error: Exception) -> Response:
    """A page leads to signing in and comes back; a program is told that one needs to know who asks."""
    del error
    if responses.wants_problem(request):
        say = responses.words(request).say
        detail = say("Sign in, or send “Authorization: Bearer” with a personal API token.")
        answer = responses.trouble(request, responses.Trouble(401, say("Sign in first"), detail))
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    here = responses.address_of(request) if request.method in {"GET", "HEAD"} else links.home()
    return RedirectResponse(links.sign_in(here), 303)


def _organisers_only(request: Request, error: Exception) -> Response:
    del error
    say = responses.words(request).say
    ways_out = ((links.ladders(), say("All ladders")), (links.account(), say("Your account")))
    detail = say("This page is for organisers. An organiser can make your account one.")
    return responses.trouble(request, responses.Trouble(403, say("For organisers"), detail, ways_out))


def _not_taken(request: Request, error: Exception) -> Response:
    if not isinstance(error, FormError):
        raise error
    words = responses.words(request)
    ways_out = ((links.home(), words.say("All ladders")),)
    what = responses.Trouble(error.status, words.say("The form was not taken"), error.told(words), ways_out)
    return responses.trouble(request, what)
