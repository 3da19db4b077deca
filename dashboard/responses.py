"""Answers of the dashboard: pages, JSON twins, and errors in words.

Owns reading the reader's choices from a request and the shape of every answer. Must not fetch or compute anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from dashboard.api.front import CALLER
from dashboard.api.problems import MEDIA_TYPE, ProblemKind, kind_of_status
from dashboard.encrypted import is_encrypted
from dashboard.links import LANGUAGE_QUERY, json_twin
from dashboard.pages.plain import plain
from dashboard.templating import Reader, Renderer
from dashboard.translate import known_language, pick_language, translations
from dashboard.visitors import account_of
from dashboard.words import Words

THEMES = ("light", "dark")
SUIT_COLOURS = ("four",)
A_YEAR_SECONDS = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a page cannot be shown: what was wrong, and where to go from there (address, text).

    `language` is that of the detail where it is not the page's; `kind` that of the problem, where not by the status.
    """

    status: int
    title: str
    detail: str
    ways_out: tuple[tuple[str, str], ...] = ()
    language: str = ""
    kind: ProblemKind | None = None


def renderer(request: Request) -> Renderer:
    """The app's renderer."""
    found: Renderer = request.app.state.renderer
    return found


def reader(request: Request) -> Reader:
    """Who asks: language, theme, colours of the suits, the address."""
    theme = request.cookies.get("theme", "")
    suits = request.cookies.get("suits", "")
    asked, kept = request.query_params.get(LANGUAGE_QUERY, ""), request.cookies.get("language", "")
    return Reader(
        language=pick_language(request.headers.get("accept-language", ""), asked, kept),
        chosen_language=known_language(asked) or known_language(kept),
        theme=theme if theme in THEMES else "",
        suits=suits if suits in SUIT_COLOURS else "",
        here=address_of(request),
        account=account_of(request),
    )


def address_of(request: Request) -> str:
    """Path and query of the request, as they were sent: names in the path stay quoted."""
    path = str(request.scope.get("raw_path", request.url.path.encode()), "ascii").partition("?")[0]
    query = request.url.query
    return f"{path}?{query}" if query else path


def words(request: Request) -> Words:
    """Names in the reader's language."""
    language = reader(request).language
    return Words(translations(language), language)


def wants_json(request: Request) -> bool:
    """Whether the address is that of a JSON twin."""
    return request.url.path.endswith(".json")


def wants_problem(request: Request) -> bool:
    """Whether errors are told as problem details: to twins, and to whoever asks for a file or stream but a browser."""
    return wants_json(request) or (CALLER in request.scope and "text/html" not in request.headers.get("accept", ""))


def page(
    request: Request,
    template: str,
    *,
    area: str,
    status: int = 200,
    here: str | None = None,
    has_twin: bool = True,
    **context: Any,
) -> HTMLResponse:
    """A whole page with a link to its twin. `here`: its address, where it answers what was sent to another."""
    who = reader(request) if here is None else replace(reader(request), here=here)
    twin = json_twin(who.here) if status == 200 and has_twin else None
    text = renderer(request).render(template, who, area=area, twin=twin, **context)
    answer = HTMLResponse(text, status_code=status, headers={"Content-Language": who.language})
    if who.chosen_language != request.cookies.get("language", ""):
        keep(request, answer, "language", who.chosen_language)
    return answer


def keep(request: Request, answer: Response, name: str, value: str) -> None:
    """Keep a choice in the reader's browser for a year; an empty one is forgotten."""
    if value:
        secure = is_encrypted(request)
        answer.set_cookie(name, value, max_age=A_YEAR_SECONDS, samesite="lax", httponly=True, secure=secure)
    else:
        answer.delete_cookie(name, samesite="lax", httponly=True, secure=is_encrypted(request))


def json(value: Any, status: int = 200) -> JSONResponse:
    """A JSON twin."""
    return JSONResponse(plain(value), status_code=status)


def page_or_twin(request: Request, template: str, model: Any, *, area: str, twin: Callable[[], Any]) -> Response:
    """The page, or its twin where that is what was asked for."""
    return json(twin()) if wants_json(request) else page(request, template, area=area, page=model)


def trouble(request: Request, what: Trouble, *, here: str | None = None) -> Response:
    """An error, as a page or (for a program) as problem details; `here` as in `page`."""
    if wants_problem(request):
        kind = what.kind or kind_of_status(what.status)
        problem = {"type": kind.address, "title": what.title, "status": what.status, "detail": what.detail}
        return JSONResponse(problem, status_code=what.status, media_type=MEDIA_TYPE)
    return page(request, "error.html", area="", status=what.status, here=here, trouble=what)
