"""The dashboard over a store: `create_app`.

Owns the putting together of routes, renderer and store. A route parses, makes one call into the league, and renders.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from dashboard import responses
from dashboard.errors import AddressError
from dashboard.ledgers import Ledgers
from dashboard.routes import boards, bots, display, duels, ladders, matches, rules, seasons, standings
from dashboard.shelf import RecordShelf
from dashboard.templating import Renderer
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.web import bare_app, not_found
from league.errors import LeagueError
from league.store import Store
from referee.rules import RulesError


def _utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(store: Store, *, clock: Callable[[], datetime] = _utc_now) -> FastAPI:
    """The dashboard of a league. It reads the store and changes nothing; the store may be opened without its vault."""
    app = bare_app(Renderer(clock=clock), "King Arena")
    app.state.store = store
    app.state.shelf = RecordShelf(store)
    app.state.ledgers = Ledgers(store)
    app.add_exception_handler(AddressError, _no_such_address)
    app.add_exception_handler(LeagueError, _not_in_league)
    app.add_exception_handler(RulesError, _not_in_league)
    for part in (ladders, seasons, standings, duels, boards, matches, bots, rules, display):
        app.include_router(part.router)

    @app.get("/health")
    def health() -> Response:
        return PlainTextResponse("ok\n")

    return app


def _no_such_address(request: Request, error: Exception) -> Response:
    if not isinstance(error, AddressError):
        raise error
    return not_found(request, error.told(responses.words(request)))


def _not_in_league(request: Request, error: Exception) -> Response:
    return not_found(request, str(error), language=SOURCE_LANGUAGE)
