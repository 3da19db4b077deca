"""The replay of one record file, without a store: `king view FILE`.

Owns that small app. The page is the one of the dashboard; what needs a league (links to bots and boards) is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from dashboard import replaying, responses
from dashboard.heads import HeadersAlone
from dashboard.links import ReplayLinks, record_alone
from dashboard.pages.replay import Where, match_view, player_names
from dashboard.routes import display as display_routes
from dashboard.templating import Renderer
from dashboard.web import bare_app

_BASE = "/"


def _utc_now() -> datetime:
    return datetime.now(UTC)


def create_view_app(record: dict[str, Any], *, clock: Callable[[], datetime] = _utc_now) -> FastAPI:
    """An app that shows one record.

    Raises:
        RulesError: if the record does not follow the rules; the message names the place.
    """
    match = match_view(record)
    app = bare_app(Renderer(clock=clock, has_store=False), "King Arena, one replay")
    app.add_middleware(HeadersAlone)
    app.include_router(display_routes.router)
    links = ReplayLinks(_BASE)

    def where(request: Request) -> Where:
        say = responses.words(request).say
        heading = say("A match of %(variant)s", variant=match.replayed.variant.id)
        title = f"{heading}: {', '.join(player_names(record))}"
        return Where(title=title, heading=heading, here="", crumbs=(), record_link=record_alone(), board_link=None)

    @app.get("/")
    def show(request: Request) -> Response:
        return replaying.show(request, match, where(request), links)

    @app.get("/index.json")
    def show_twin(request: Request) -> Response:
        return replaying.show(request, match, where(request), links)

    @app.get("/deals/{deal}.json")
    def frames(request: Request, deal: str) -> Response:
        return replaying.frames(request, match, deal)

    @app.get(record_alone())
    def download() -> Response:
        return JSONResponse(record)

    return app
